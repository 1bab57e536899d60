"""Decisions -> the value that is carried out: objects, names, removals, and what needs consent."""

from dataclasses import replace

from fleet.deliver.data_sides import Sides, with_data
from fleet.deliver.digest import digest_of, standing_of
from fleet.deliver.dns import Names
from fleet.deliver.duplicates import refuse_duplicates
from fleet.deliver.failback import failback_findings, passed_over
from fleet.deliver.faults import Faults
from fleet.deliver.guard import Guard
from fleet.deliver.history import History, cluster_of, history_of
from fleet.deliver.objects import ObjectMaker
from fleet.deliver.pins import pin_findings
from fleet.deliver.providers import clusters_in_use, provider_deliveries
from fleet.deliver.record_first import record_first_findings, records_first
from fleet.deliver.removals import workload_deliveries
from fleet.deliver.shift import shift_findings
from fleet.errors import ErrorList
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Schedule
from fleet.model.inventory import State
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot


def deliver(
    snapshot: Snapshot, schedule: Schedule, prior: Prior, settings: Settings
) -> DeliveryPlan:
    """The plan of a run; its findings are this room's own, not the snapshot's or the schedule's.

    **Errors**: InvalidError with every fault of the room at once.
    """
    faults, errors = Faults(), ErrorList()
    history = history_of(snapshot, prior)
    before = FrozenMap({name: past.replicas for name, past in history.pasts.items()})
    sides = Sides(snapshot, history, settings, faults)
    sides.decide({each.workload: each for each in schedule.decisions})
    schedule = sides.carried(schedule)
    decisions = {each.workload: each for each in schedule.decisions}
    made = ObjectMaker(snapshot, before, faults, sides.found).make(schedule)
    sources = {each.workload.name: each.workload.source for each in snapshot.linked}
    refuse_duplicates(made.deliveries, sources, faults)
    held = frozenset(name for name, side in sides.found.items() if side.is_held)
    names = Names(snapshot, schedule, prior, made.deliveries, faults, held, drill=settings.drill)
    names.direct()
    over = passed_over(snapshot, schedule)
    workloads = tuple(
        replace(
            with_data(each, sides.found.get(each.workload), names.following.get(each.workload, "")),
            passed_over=over.get(each.workload, FrozenMap()),
        )
        for each in workload_deliveries(snapshot, decisions, made.deliveries, history)
    )
    workloads = records_first(workloads, names.endpoints, prior)
    by_name = {each.workload: each for each in workloads}
    guard = Guard(snapshot, schedule, prior, history, by_name, tuple(names.endpoints))
    guard.refuse(faults)
    faults.tell(errors)
    errors.raise_if_any()
    used = {each.cluster for one in made.deliveries.values() for each in one}
    plan = DeliveryPlan(
        providers=provider_deliveries(snapshot, clusters_in_use(used, history)),
        namespaces=made.namespaces,
        workloads=workloads,
        checks=tuple(names.checks[name] for name in sorted(names.checks)),
        endpoints=tuple(replace(each, standing=standing_of(each)) for each in names.endpoints),
        findings=(
            *_unreachable(snapshot, used),
            *names.findings,
            *sides.findings(),
            *record_first_findings(workloads, names.endpoints),
            *pin_findings(snapshot, history, decisions),
            *shift_findings(snapshot, schedule, settings),
            *failback_findings(snapshot, schedule, prior, settings),
            *guard.findings(settings),
        ),
        digest="",
    )
    forgotten = (*_forgotten(snapshot, history), *guard.stray_records())
    return replace(plan, digest=digest_of(plan, forgotten))


def _unreachable(snapshot: Snapshot, used: set[str]) -> list[Finding]:
    """Clusters that get objects though nothing says how to reach them: one finding for all."""
    left = [each for each in snapshot.clusters if each.name in used and not each.spec.connection]
    if not left:
        return []
    names = ", ".join(each.name for each in left)
    values: dict[str, str | int] = {"count": len(left), "clusters": names}
    return [Finding(codes.NO_CONNECTION, FrozenMap(values), left[0].origin.at("spec"))]


def _forgotten(snapshot: Snapshot, history: History) -> list[str]:
    """What is on decommissioned clusters: objects by resource name, workloads by cluster."""
    lost = {name for name, each in snapshot.states.items() if each.state is State.DECOMMISSIONED}
    given_up = [
        f"{name}/{cluster}"
        for name, past in history.pasts.items()
        for cluster in past.clusters
        if cluster in lost
    ]
    return given_up + [name for name in history.objects if cluster_of(name) in lost]
