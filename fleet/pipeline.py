"""The order of the rooms; the only file that knows it."""

from pathlib import Path

from fleet.deliver import deliver
from fleet.load import load_snapshot
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.schedule import schedule


def build(settings: Settings, prior: Prior, root: Path, cache: Path | None = None) -> Outcome:
    """From the files below `root` to the plan that is carried out; the same in preview and in up.

    `cache` is the folder where what was read is kept for the next run.

    **Errors**: InvalidError with every fault of the first stage that found any: a later stage
    needs a whole value to work on.
    """
    snapshot = load_snapshot(settings, root, cache)
    decided = schedule(snapshot, prior, settings)
    plan = deliver(snapshot, decided, prior, settings)
    return Outcome(settings, snapshot, prior, decided, plan)
