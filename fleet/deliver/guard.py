"""The plan against the prior: what is refused, what needs consent, what is only told.

Without a prior nothing is compared: a first run moves and removes nothing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fleet.deliver.budget import Mover, breaches, named_regions, records_that_go
from fleet.deliver.faults import Fault, Faults
from fleet.deliver.history import History, cluster_of, key_of, workload_of
from fleet.deliver.living import Targets
from fleet.deliver.past import past_names
from fleet.deliver.replacement import replacement_of
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Finding, Schedule
from fleet.model.endpoint import EndpointDelivery
from fleet.model.inventory import State
from fleet.model.plan import WorkloadDelivery
from fleet.model.prior import Prior, PriorObject
from fleet.model.record_names import split_record_name
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot

Values = FrozenMap[str | int]


@dataclass(frozen=True, slots=True)
class Guard:
    """Compares one plan with the prior.

    **Shape**: `workloads` by name.
    """

    snapshot: Snapshot
    schedule: Schedule
    prior: Prior
    history: History
    workloads: Mapping[str, WorkloadDelivery]
    endpoints: tuple[EndpointDelivery, ...]

    def refuse(self, faults: Faults) -> None:
        """Notes what no consent can allow."""
        self._refuse_lost_clusters(faults)
        self._refuse_shared_names(faults)
        self._refuse_stolen_objects(faults)

    def findings(self, settings: Settings) -> list[Finding]:
        """Everything to tell, and what blocks."""
        mover = Mover(
            {name: each.state for name, each in self.snapshot.states.items()},
            {each.name: each.spec.region for each in self.snapshot.clusters},
            named_regions(self.snapshot, self.schedule),
            self.history,
            self.workloads,
            tuple(sorted((*records_that_go(self.endpoints), *self.stray_records()))),
        )
        found = [each for one in self.schedule.decisions for each in self._shortfall(one, mover)]
        if not self.history.known:
            return found
        found += breaches(mover.movement(), settings.movement_budget)
        mainless = {each.workload.name for each in self.snapshot.linked if not each.workload.main}
        targets = Targets(self.prior, mover, frozenset(mainless))
        found += targets.breaches(self.endpoints, settings.movement_budget.targets_left)
        found += self._replacements()
        found += self._deletes()
        found += self._objects_on(State.DOWN, codes.DEBT)
        found += self._objects_on(State.DECOMMISSIONED, codes.FORGOTTEN)
        found += self._records()
        return found

    def stray_records(self) -> tuple[str, ...]:
        """Records of the prior whose policy is gone from the files, by name."""
        policies = {policy.name for each in self.snapshot.linked for policy in each.traffic}
        return tuple(
            sorted(
                name
                for name in past_names(self.prior)
                if split_record_name(name).policy not in policies
            )
        )

    def _refuse_lost_clusters(self, faults: Faults) -> None:
        """A cluster that was simply deleted from the inventory still holds what it was given.

        A parked record of weight 0 alone holds nobody: it goes with the cluster.
        """
        held: dict[str, set[str]] = {}
        for name, past in self.history.pasts.items():
            for cluster in past.clusters:
                held.setdefault(cluster, set()).add(name)
        for policy, weights in self.prior.dns_weights.items():
            for cluster in (each for each, weight in weights.items() if weight):
                held.setdefault(cluster, set()).add(policy)
        for cluster, names in held.items():
            if cluster not in self.snapshot.states:
                holds = ", ".join(sorted(names))
                faults.add(
                    Fault(
                        None,
                        "",
                        f"cluster '{cluster}' is gone from the inventory but still holds {holds}",
                        "keep it with 'state: draining' until it is empty, or with"
                        " 'state: decommissioned' if it is lost",
                    )
                )

    def _refuse_shared_names(self, faults: Faults) -> None:
        """Two workloads that both say they were the same one."""
        claimed: dict[str, str] = {}
        for linked in self.snapshot.linked:
            workload = linked.workload
            for old in workload.settings.renamed_from:
                first = claimed.setdefault(old, workload.name)
                if first != workload.name:
                    sentence = (
                        f"workloads '{first}' and '{workload.name}' both say 'renamedFrom: [{old}]'"
                    )
                    hint = "a former name leads to one workload"
                    faults.add(Fault(workload.source, "", sentence, hint))

    def _refuse_stolen_objects(self, faults: Faults) -> None:
        """The same object under another workload: the old one's delete would kill it."""
        by_object = {
            (cluster_of(name), key_of(name)): workload_of(name) for name in self.history.objects
        }
        for workload in self.workloads.values():
            for delivery in workload.deliveries:
                for planned in delivery.objects:
                    old = by_object.get((planned.cluster, planned.key))
                    today = self.history.former.get(old, old) if old else workload.workload
                    if old is not None and today != workload.workload:
                        fault = _stolen(planned.key, old, workload)
                        faults.add(fault, planned.cluster)

    def _shortfall(self, decision: Decision, mover: Mover) -> Iterator[Finding]:
        if not decision.shortfall:
            return
        placed = sum(decision.replicas.values())
        before = self._placed_before(decision.workload)
        values: dict[str, str | int] = {
            "workload": decision.workload,
            "placed": placed,
            "wanted": placed + decision.shortfall,
        }
        if self.history.known:
            values["before"] = before
        blocks = before > placed and not mover.is_switched(decision.workload)
        yield Finding(codes.SHORTFALL, Values(values), decision.source, blocks=blocks)

    def _placed_before(self, workload: str) -> int:
        """Replicas of the prior on clusters that are still to be used."""
        return sum(
            count
            for cluster, count in self.history.of(workload).replicas.items()
            if cluster in self.snapshot.states
            and self.snapshot.states[cluster].state is State.ACTIVE
        )

    def _replacements(self) -> Iterator[Finding]:
        for workload in self.workloads.values():
            for delivery in workload.deliveries:
                past = self.history.of(workload.workload).objects.get(delivery.cluster, ())
                live = {key_of(each.name): each for each in past}
                for planned in delivery.objects:
                    prior = live.get(planned.key)
                    found = replacement_of(planned, prior) if prior else None
                    if found is not None:
                        values: dict[str, str | int] = {
                            "object": planned.key,
                            "workload": workload.workload,
                            "cluster": planned.cluster,
                            "field": found.field,
                        }
                        yield Finding(
                            codes.REPLACEMENT, Values(values), workload.source, blocks=True
                        )

    def _deletes(self) -> Iterator[Finding]:
        for workload in self.workloads.values():
            gone: dict[str, list[PriorObject]] = {}
            for leaving in workload.leaving:
                if not leaving.stays:
                    gone.setdefault(leaving.cluster, []).extend(leaving.objects)
            for each in workload.removed:
                gone.setdefault(cluster_of(each.name), []).append(each)
            for cluster, objects in sorted(gone.items()):
                if objects:
                    values: dict[str, str | int] = {
                        "workload": workload.workload,
                        "cluster": cluster,
                        "count": len(objects),
                        "objects": ", ".join(key_of(each.name) for each in objects),
                    }
                    yield Finding(codes.DELETE, Values(values), workload.source)

    def _objects_on(self, state: State, code: str) -> Iterator[Finding]:
        """One finding for each cluster of a state that holds objects."""
        held: dict[str, list[str]] = {}
        for name in self.history.objects:
            held.setdefault(cluster_of(name), []).append(workload_of(name))
        for cluster, owners in sorted(held.items()):
            said = self.snapshot.states.get(cluster)
            if said is not None and said.state is state:
                values: dict[str, str | int] = {
                    "cluster": cluster,
                    "count": len(owners),
                    "workloads": ", ".join(sorted(set(owners))),
                    "said_by": said.said_by,
                }
                yield Finding(code, Values(values))

    def _records(self) -> Iterator[Finding]:
        """Records that go, and names that would lead nowhere though they lead somewhere today."""
        staying = {each.policy: each for each in self.endpoints}
        gone: dict[str, list[str]] = {}
        for policy, cluster in self._clusters_that_go():
            gone.setdefault(policy, []).append(cluster)
            values: dict[str, str | int] = {"policy": policy, "cluster": cluster}
            yield Finding(codes.DELETE_RECORD, Values(values))
        for policy, clusters in sorted(gone.items()):
            endpoint = staying.get(policy)
            living = [each for each in clusters if self._lives(each)]
            if living and (endpoint is None or not endpoint.records):
                yield self._last_record(policy, living, endpoint)

    def _clusters_that_go(self) -> Iterable[tuple[str, str]]:
        """(policy, cluster) of every record that goes; one has two where it has two addresses."""
        names = (*records_that_go(self.endpoints), *self.stray_records())
        parts = (split_record_name(name) for name in names)
        return dict.fromkeys((each.policy, each.cluster) for each in parts if each.cluster)

    def _lives(self, cluster: str) -> bool:
        said = self.snapshot.states.get(cluster)
        return said is not None and said.state not in {State.DOWN, State.DECOMMISSIONED}

    def _last_record(
        self, policy: str, living: Iterable[str], endpoint: EndpointDelivery | None
    ) -> Finding:
        values: dict[str, str | int] = {"policy": policy, "clusters": ", ".join(sorted(living))}
        if endpoint is not None:
            values["name"] = endpoint.dns_name
        source = endpoint.source if endpoint else None
        return Finding(codes.LAST_RECORD, Values(values), source, blocks=True)


def _stolen(key: str, old: str, workload: WorkloadDelivery) -> Fault:
    return Fault(
        workload.source,
        "",
        f"object '{key}' of workload '{old}' would move to workload '{workload.workload}',"
        " and die with the old one",
        f"if it is the same workload, say 'renamedFrom: [{old}]' in the fleet.yaml of"
        f" '{workload.workload}'",
    )
