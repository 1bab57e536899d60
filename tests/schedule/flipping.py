"""Asks what flips a verdict, and checks that it does."""

from collections.abc import Mapping
from typing import Any

from fleet.model.decision import Outcome, Schedule, Verdict
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from fleet.schedule import schedule
from tests.builders import a_policy, a_workload, linked, settings
from tests.schedule.applying import applied
from tests.schedule.fleets import by_name

PLACED = {Outcome.ASSIGNED, Outcome.SELECTED}


def is_better(before: Verdict, after: Verdict) -> bool:
    """Whether a verdict flipped."""
    if before.outcome is Outcome.INFEASIBLE:
        return after.outcome is not Outcome.INFEASIBLE
    return after.outcome in PLACED


def check(
    snapshot: Snapshot, prior: Prior, made: Schedule, workload: str, *, always: bool = True
) -> None:
    """Every change of a workload's verdicts flips them; not `always` is one known."""
    decision = by_name(made)[workload]
    for name, verdict in decision.verdicts.items():
        changes = made.changes[workload][name]
        missed = verdict.outcome not in PLACED
        assert bool(changes) == missed or (missed and not always), verdict
        if changes:
            again = schedule(applied(snapshot, changes), prior, settings())
            assert is_better(verdict, by_name(again)[workload].verdicts[name]), changes


def told(
    made: Schedule, cluster: str, workload: str = "web"
) -> list[tuple[str, dict[str, object]]]:
    """The changes as codes with their values."""
    return [(each.code, dict(each.values)) for each in made.changes[workload][cluster]]


def web(replicas: int = 1, *, request: Mapping[str, int] | None = None, **spec: Any) -> Linked:
    return linked(a_workload("web", replicas, request=request), a_policy("web", **spec))
