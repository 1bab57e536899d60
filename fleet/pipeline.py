"""The order of the rooms; the only file that knows it."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from fleet.deliver import deliver
from fleet.deliver.endpoints import endpoints_of
from fleet.deliver.failback import with_failbacks
from fleet.deliver.handover import with_handovers
from fleet.deliver.pins import with_pins
from fleet.deliver.shift import with_shifts
from fleet.drill import survive, unmet_demands
from fleet.drill.emergencies import emergencies
from fleet.drill.exercises import exercise
from fleet.drill.nexts import with_true_nexts
from fleet.errors import ErrorList, InvalidError
from fleet.explain.placements import placements_document
from fleet.explain.sentences import finding_sentence
from fleet.load import load_snapshot
from fleet.load.prior import prior_from_document
from fleet.model import finding_codes as codes
from fleet.model.edits import NO_EDITS, Edits
from fleet.model.exercise import ALL_KINDS, Emergency, Exercises, Kind, Replanned
from fleet.model.inventory import State
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import ClusterState, Snapshot
from fleet.model.survival import KINDS, By, Survival
from fleet.schedule import schedule

_DEMANDS = {
    codes.NOT_SURVIVED: (
        "spec.survive",
        "'fleet survive' shows what is lost; add room, or take 'survive' out",
    ),
    codes.RTO_MISSED: (
        "spec.recovery.rtoSeconds",
        "shorten healthCheck, ttlSeconds or the data's promoteSeconds, or allow more",
    ),
    codes.NEVER_RECOVERS: (
        "spec.recovery.rtoSeconds",
        "let the workload run on a second cluster with an entry, or take the target out",
    ),
    codes.RPO_MISSED: (
        "spec.recovery.rpoSeconds",
        "say in the workload's fleet.yaml how its data follows, or allow more",
    ),
    codes.NOT_REPLICATED_THERE: (
        "spec.data.replication.to",
        "replicate the data there, or keep the standby out of it",
    ),
}
"""What somebody demands, by the finding that says that it does not hold: no consent allows it."""


def build(settings: Settings, prior: Prior, root: Path, cache: Path | None = None) -> Outcome:
    """From the files below `root` to the plan that is carried out; the same in preview and in up.

    `cache` is the folder where what was read is kept for the next run.

    **Errors**: InvalidError with every fault of the first stage that found any: a later stage
    needs a whole value to work on. What a policy demands (`survive`, `recovery`) and does not hold
    is the last one.
    """
    outcome = draft(settings, prior, root, cache=cache)
    errors = ErrorList()
    for each in outcome.plan.findings:
        if each.blocks and each.code in _DEMANDS:
            path, hint = _DEMANDS[each.code]
            errors.add(each.source, path, finding_sentence(each), hint)
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
    snapshot = with_pins(load_snapshot(settings, root, cache, edits), prior)
    snapshot = with_failbacks(snapshot, prior, settings)
    snapshot = with_shifts(with_handovers(snapshot, prior), prior, settings)
    decided = schedule(snapshot, prior, settings)
    plan = deliver(snapshot, decided, prior, settings)
    outcome = Outcome(settings, snapshot, prior, decided, plan)
    unmet = unmet_demands(_settled(outcome), schedule, carried_out)
    outcome = replace(outcome, plan=replace(plan, findings=(*plan.findings, *unmet)))
    return with_true_nexts(outcome, schedule, carried_out)


def rehearse(snapshot: Snapshot) -> None:
    """Plans what was read, as if nothing ran yet. **Errors**: InvalidError, as a run's."""
    settings, prior = Settings(), Prior()
    deliver(snapshot, schedule(snapshot, prior, settings), prior, settings)


def survival(outcome: Outcome, kinds: Collection[By] = KINDS) -> Survival:
    """What is lost, what moves and what does not fit when each domain is gone in turn."""
    return survive(_settled(outcome), schedule, carried_out, kinds)


def emergencies_of(outcome: Outcome, kinds: Collection[Kind] = ALL_KINDS) -> tuple[Emergency, ...]:
    """Everything of these kinds that can go wrong."""
    return tuple(emergencies(outcome.snapshot, kinds))


def drill(outcome: Outcome, asked: Iterable[Emergency]) -> Exercises:
    """How long each emergency is felt, who is answered, and what of the checklist passes."""
    settled = _settled(outcome)
    return exercise(settled, _replanned, carried_out(settled), asked)


def _settled(outcome: Outcome) -> Outcome:
    """The outcome as if it were carried out: pinned data is where its workload was placed."""
    if all(not each.workload.settings.data.is_pinned for each in outcome.snapshot.linked):
        return outcome
    return replace(outcome, snapshot=with_pins(outcome.snapshot, carried_out(outcome)))


def _replanned(snapshot: Snapshot, prior: Prior, settings: Settings) -> Replanned:
    """Decisions and names of another plan; its faults, where the names have some."""
    decided = schedule(snapshot, prior, settings)
    try:
        return Replanned(decided, endpoints_of(snapshot, decided, prior))
    except InvalidError as error:
        return Replanned(decided, refused=tuple(str(each) for each in error.errors))


def region_switches(outcome: Outcome) -> dict[str, Outcome]:
    """What leaving each region that is answered would be, by `leave-<region>`; none blocks.

    The region's clusters drain: others are raised and answered, and its records stay, with weight
    0; where a drain is refused they are dead and fenced. A plan that nobody asked for is not made
    where it would be wrong.
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
        switch = _left(outcome, prior, region) or _lost(outcome, prior, region)
        if switch is not None:
            found[f"leave-{region}"] = switch
    return found


def _left(outcome: Outcome, prior: Prior, region: str) -> Outcome | None:
    """The plan in which a region drains; None where that is refused."""
    return _switched(outcome, prior, _draining(outcome.snapshot, region), outcome.settings)


def _lost(outcome: Outcome, prior: Prior, region: str) -> Outcome | None:
    """The plan in which it is dead and fenced: no database of it has to be handed over first."""
    gone = ClusterState(State.DOWN, f"the break-glass files of region {region}")
    fenced = (*outcome.settings.fenced, region)
    settings = outcome.settings.model_copy(update={"fenced": fenced})
    snapshot = outcome.snapshot.with_state(_used(outcome.snapshot, region), gone)
    return _switched(outcome, prior, snapshot, settings)


def _switched(
    outcome: Outcome, prior: Prior, snapshot: Snapshot, settings: Settings
) -> Outcome | None:
    try:
        decided = schedule(snapshot, prior, settings)
        plan = deliver(snapshot, decided, prior, settings)
    except InvalidError:
        return None
    return Outcome(outcome.settings, snapshot, prior, decided, plan)


def _draining(snapshot: Snapshot, region: str) -> Snapshot:
    leaving = ClusterState(State.DRAINING, f"the break-glass files of region {region}")
    return snapshot.with_state(_used(snapshot, region), leaving)


def _used(snapshot: Snapshot, region: str) -> list[str]:
    return [
        each.name
        for each in snapshot.clusters
        if each.spec.region == region and snapshot.states[each.name].state is State.ACTIVE
    ]


def carried_out(outcome: Outcome) -> Prior:
    """What the next run finds when an outcome was carried out: what the stack's output says."""
    return prior_from_document(placements_document(outcome))
