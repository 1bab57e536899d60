"""The order of the rooms; the only file that knows it."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from fleet.deliver import deliver
from fleet.drill import survive, unmet_demands
from fleet.errors import ErrorList, InvalidError
from fleet.explain.placements import placements_document
from fleet.explain.sentences import finding_sentence
from fleet.load import load_snapshot
from fleet.load.prior import prior_from_document
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.edits import NO_EDITS, Edits
from fleet.model.inventory import State
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import ClusterState, Snapshot
from fleet.model.survival import KINDS, By, Survival
from fleet.schedule import schedule


def build(settings: Settings, prior: Prior, root: Path, cache: Path | None = None) -> Outcome:
    """From the files below `root` to the plan that is carried out; the same in preview and in up.

    `cache` is the folder where what was read is kept for the next run.

    **Errors**: InvalidError with every fault of the first stage that found any: a later stage
    needs a whole value to work on. A policy's `survive` that does not hold is the last one.
    """
    outcome = draft(settings, prior, root, cache=cache)
    errors = ErrorList()
    for each in outcome.plan.findings:
        if each.code == codes.NOT_SURVIVED and each.blocks:
            hint = "'fleet survive' shows what is lost; add room, or take 'survive' out"
            errors.add(each.source, "spec.survive", finding_sentence(each), hint)
    errors.raise_if_any()
    return outcome


def draft(
    settings: Settings,
    prior: Prior,
    root: Path,
    edits: Edits = NO_EDITS,
    cache: Path | None = None,
) -> Outcome:
    """The plan of a run, also where a policy's `survive` does not hold: that is a finding in it.

    `edits` are what the files do not say, and somebody wonders about.
    """
    snapshot = load_snapshot(settings, root, cache, edits)
    decided = schedule(snapshot, prior, settings)
    plan = deliver(snapshot, decided, prior, settings)
    outcome = Outcome(settings, snapshot, prior, decided, plan)
    unmet = unmet_demands(outcome, schedule, carried_out)
    return replace(outcome, plan=replace(plan, findings=(*plan.findings, *unmet)))


def survival(outcome: Outcome, kinds: Collection[By] = KINDS) -> Survival:
    """What is lost, what moves and what does not fit when each domain is gone in turn."""
    return survive(outcome, schedule, carried_out, kinds)


def region_switches(outcome: Outcome) -> dict[str, Outcome]:
    """What leaving each region that is answered would be, by `leave-<region>`; none blocks.

    The region's clusters drain: others are raised and answered, and its records stay, with weight
    0. A plan that nobody asked for is not made where it would be wrong.
    """
    regions = {each.name: each.spec.region for each in outcome.snapshot.clusters}
    answered = {
        regions[record.cluster]
        for endpoint in outcome.plan.endpoints
        for record in endpoint.records
        if record.dns_weight
    }
    prior, found = carried_out(outcome), {}
    for region in sorted(answered):
        snapshot = _draining(outcome.snapshot, region)
        try:
            decided = schedule(snapshot, prior, outcome.settings)
            plan = deliver(snapshot, decided, prior, outcome.settings)
        except InvalidError:
            continue
        found[f"leave-{region}"] = Outcome(outcome.settings, snapshot, prior, decided, plan)
    return found


def _draining(snapshot: Snapshot, region: str) -> Snapshot:
    leaving = ClusterState(State.DRAINING, f"the break-glass files of region {region}")
    states = {
        each.name: leaving
        for each in snapshot.clusters
        if each.spec.region == region and snapshot.states[each.name].state is State.ACTIVE
    }
    return replace(snapshot, states=FrozenMap(dict(snapshot.states) | states))


def carried_out(outcome: Outcome) -> Prior:
    """What the next run finds when an outcome was carried out: what the stack's output says."""
    return prior_from_document(placements_document(outcome))
