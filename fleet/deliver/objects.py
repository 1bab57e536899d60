"""Decisions -> the objects of every workload on every cluster, overridden and named."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fleet.deliver.bodies import Body, count_at
from fleet.deliver.data_sides import Side
from fleet.deliver.external_dns import refuse_second_owner
from fleet.deliver.faults import Fault, Faults
from fleet.deliver.identity import fingerprint_of, planned_object, ready_target
from fleet.deliver.manifests import drafts_of, emptied, is_idle, replica_path
from fleet.deliver.namespaces import Namespaces, is_namespace
from fleet.deliver.overrides import Overrides
from fleet.deliver.place import Draft, Place
from fleet.deliver.scalers import BOUNDS, scaled_by
from fleet.deliver.scopes import scopes_of
from fleet.deliver.variables import substituted, variables_of
from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Role, Schedule
from fleet.model.inventory import GONE, Cluster
from fleet.model.plan import Change, ClusterDelivery, PlannedObject, ReadyTarget, SharedNamespace
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.source import Path, dotted


@dataclass(frozen=True, slots=True)
class Objects:
    """What runs where. **Shape**: deliveries by workload, each tuple sorted by cluster."""

    deliveries: FrozenMap[tuple[ClusterDelivery, ...]]
    namespaces: tuple[SharedNamespace, ...]


@dataclass(slots=True)
class ObjectMaker:
    """Makes the objects of a run.

    **Shape**: `before` is what ran, by workload and cluster; `sides` by workload.
    """

    snapshot: Snapshot
    before: FrozenMap[FrozenMap[int]]
    faults: Faults
    sides: Mapping[str, Side] = field(default_factory=dict)
    namespaces: Namespaces = field(init=False)
    overrides: Overrides = field(init=False)
    managed: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.namespaces = Namespaces(self.faults)
        self.overrides = Overrides(self.snapshot, self.faults)
        self.managed = {
            name.lower(): policy.name
            for each in self.snapshot.linked
            for policy in each.traffic
            for name in policy.spec.all_names
        }

    def make(self, schedule: Schedule) -> Objects:
        """Every workload on every cluster that it is assigned to; a dead cluster gets nothing."""
        clusters = {each.name: each for each in self.snapshot.clusters}
        linked = {each.workload.name: each for each in self.snapshot.linked}
        deliveries = {
            decision.workload: tuple(
                self._deliver(
                    linked[decision.workload],
                    self._place(linked[decision.workload], clusters[each.cluster], each),
                    each.role,
                )
                for each in sorted(decision.assignments, key=lambda each: each.cluster)
                if self.snapshot.states[each.cluster].state not in GONE
            )
            for decision in schedule.decisions
        }
        self.overrides.judge()
        return Objects(FrozenMap(deliveries), self.namespaces.shared())

    def _place(self, linked: Linked, cluster: Cluster, assignment: Assignment) -> Place:
        """A place as the rules see it: what the data is there may differ from who is answered."""
        side = self.sides.get(linked.workload.name)
        if side is None:
            return Place(linked.workload, cluster, assignment)
        seen, variables = side.assigned(assignment), side.variables(cluster.name)
        return Place(linked.workload, cluster, seen, variables)

    def _deliver(self, linked: Linked, place: Place, role: Role) -> ClusterDelivery:
        drafts = self._drafts(linked, place)
        self.namespaces.ask(place, drafts)
        scopes = scopes_of(draft.body for draft in drafts)
        objects = sorted(
            (
                planned_object(place, draft.body, scopes)
                for draft in drafts
                if not is_namespace(draft)
            ),
            key=lambda each: each.name,
        )
        assignment = place.assignment
        previous = self.before.get(place.workload.name, FrozenMap()).get(place.cluster.name)
        return ClusterDelivery(
            cluster=place.cluster.name,
            replicas=assignment.replicas,
            role=role,
            previous=previous,
            change=change_of(previous, assignment.replicas),
            objects=tuple(objects),
            ready=tuple(_ready(objects, _floors(place, drafts))),
            fingerprint=fingerprint_of(objects),
        )

    def _drafts(self, linked: Linked, place: Place) -> list[Draft]:
        drafts = drafts_of(place)
        if place.workload.settings.substitute:
            for draft in drafts:
                self._substitute(draft, place)
        self.overrides.apply(linked, place, drafts)
        if is_idle(place.workload, place.assignment):
            for draft in drafts:
                path = replica_path(draft.manifest, place.workload.settings)
                draft.body = emptied(draft.body, path)
        refuse_second_owner(drafts, self.managed, self.faults)
        return drafts

    def _substitute(self, draft: Draft, place: Place) -> None:
        def unknown(path: Path, sentence: str, hint: str) -> None:
            source = draft.manifest.origin.at(*path)
            self.faults.add(Fault(source, dotted(path), sentence, hint), place.cluster.name)

        known = variables_of(place)
        draft.body = {
            key: substituted(value, known, unknown, (key,)) for key, value in draft.body.items()
        }


def change_of(previous: int | None, replicas: int) -> Change:
    """What happens to the capacity; on a cluster where nothing was, everything is a gain."""
    if previous is None or replicas > previous:
        return Change.GAIN
    return Change.SAME if replicas == previous else Change.SHRINK


def _floors(place: Place, drafts: list[Draft]) -> dict[str, int]:
    """The minimum of each object whose replicas an autoscaler owns, by the object's file key."""
    bodies: dict[str, Body] = {draft.manifest.key: draft.body for draft in drafts}
    floors: dict[str, int] = {}
    for target, scaler in scaled_by(place.workload).items():
        group = scaler.api_version.rpartition("/")[0]
        low, _ = BOUNDS[group, scaler.kind]
        least = 1 if scaler.kind == "HorizontalPodAutoscaler" else 0
        if scaler.key in bodies:
            floors[target] = count_at(bodies[scaler.key], "spec", low, default=least)
    return floors


def _ready(objects: list[PlannedObject], floors: dict[str, int]) -> Iterator[ReadyTarget]:
    by_key = {_file_key(key): floor for key, floor in floors.items()}
    for each in objects:
        target = ready_target(each, by_key.get(each.key))
        if target is not None:
            yield target


def _file_key(key: str) -> str:
    """The key of a namespaced object as resource names have it: without a namespace, default."""
    kind, namespace, name = key.split("/")
    return f"{kind}/{namespace or 'default'}/{name}"
