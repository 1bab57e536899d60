"""What every cluster under a name weighs: by the name's mode, or as before.

Weights stay as they are while a side that is to take over cannot be answered, and where its data
cannot follow. A cluster that had a record and is no target any more is left with weight 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from fleet.deliver.faults import Fault, Faults
from fleet.deliver.nearest import did_you_mean
from fleet.deliver.shift import shifted
from fleet.deliver.targets import known_weights, old_weights
from fleet.deliver.weights import WHOLE, Target, by_file, by_replicas
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Schedule
from fleet.model.inventory import Cluster, State
from fleet.model.plan import ClusterDelivery
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot
from fleet.model.traffic import Mode, TrafficPolicy
from fleet.model.webster import webster_by_name


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weights of names. `waits` are the clusters that cannot be answered yet.

    What is wrong goes to `faults`, what is to be said to `findings`.
    """

    snapshot: Snapshot
    schedule: Schedule
    prior: Prior
    waits: tuple[str, ...]
    faults: Faults
    findings: list[Finding]

    def active_region(self, policy: TrafficPolicy) -> str | None:
        """The region that the name leads to; None where its mode knows none."""
        active = self.schedule.active.get(policy.name)
        return active.region if active and policy.spec.mode is Mode.ACTIVE_STANDBY else None

    def until_located(
        self, policy: TrafficPolicy, found: tuple[ClusterDelivery, ...]
    ) -> dict[str, int] | None:
        """The weights of today, as long as a side that is to take over cannot be answered."""
        before = self.prior.dns_weights.get(policy.name, FrozenMap[int]())
        weights = old_weights(before, self.waits, self.snapshot, found)
        if weights is not None:
            values = {
                "policy": policy.name,
                "name": policy.spec.name,
                "clusters": ", ".join(self.waits),
            }
            place = policy.origin.at("spec", "target")
            self.findings.append(Finding(codes.TARGET_WAITS, FrozenMap(values), place))
        return weights

    def led(
        self, policy: TrafficPolicy, targets: tuple[Target, ...], held: Mapping[str, int]
    ) -> dict[str, int]:
        """The weight of every cluster that is to have a record; `held` are those that stay."""
        if targets and any(held.values()):
            return {**dict.fromkeys((each.cluster for each in targets), 0), **held}
        if targets:
            led_by_region = policy.spec.mode is Mode.ACTIVE_STANDBY
            way = self._by_region if led_by_region else self._by_file
            return self._parked(policy) | way(policy, targets)
        return self._known_weights(policy) if self.waits else self._kept(policy)

    def held(self, policy: TrafficPolicy) -> dict[str, int]:
        """The weights of today."""
        before = self.prior.dns_weights.get(policy.name, FrozenMap())
        return {name: before[name] for name in self._parked(policy)}

    def _by_region(self, policy: TrafficPolicy, targets: tuple[Target, ...]) -> dict[str, int]:
        """The active region's clusters; those of today where nobody has seen them yet."""
        region = self.active_region(policy)
        weights = shifted(targets, self.schedule.active.get(policy.name))
        if not any(weights.values()) and self._awaits(region):
            return self._known_weights(policy)
        if not any(weights.values()):
            self._lead_nowhere(
                policy,
                "activeRegion",
                f"no cluster of the active region '{region or 'none'}' runs '"
                f"{policy.spec.workload}' behind an entry",
            )
        return weights

    def _by_file(self, policy: TrafficPolicy, targets: tuple[Target, ...]) -> dict[str, int]:
        """What the file says of clusters and regions, else their replicas."""
        if not policy.spec.dns_weights or self._names_unknown(policy):
            return by_replicas(targets)
        weights = by_file(targets, policy.spec)
        if any(weights.values()):
            return weights
        if not self._weighed_are_out(policy) and not self._leads_today(policy, targets):
            sentence = "every cluster that runs the workload behind an entry weighs 0"
            self._lead_nowhere(policy, "dnsWeights", sentence)
            return weights
        self.findings.append(finding_of(codes.WEIGHTS_BY_REPLICAS, policy))
        return by_replicas(targets)

    def _known_weights(self, policy: TrafficPolicy) -> dict[str, int]:
        before = self.prior.dns_weights.get(policy.name, FrozenMap[int]())
        return known_weights(before, self.snapshot.clusters)

    def _awaits(self, region: str | None) -> bool:
        """Whether a region runs the workload where nobody has seen its target yet."""
        clusters = self.snapshot.clusters
        return any(each.name in self.waits and each.spec.region == region for each in clusters)

    def _weighed_are_out(self, policy: TrafficPolicy) -> bool:
        """Whether a cluster that would be answered by the file is out of use by someone's word."""
        weighed = {name for name, weight in policy.spec.dns_weights.items() if weight > 0}
        return any(
            self.snapshot.states[each.name].state is not State.ACTIVE
            and not weighed.isdisjoint({each.name, each.spec.region})
            for each in self.snapshot.clusters
        )

    def _leads_today(self, policy: TrafficPolicy, targets: tuple[Target, ...]) -> bool:
        """Whether any of these is answered today, as it is after an outage of all that weigh.

        What serves goes on serving; only a name that leads to none of them yet is refused.
        """
        before = self.prior.dns_weights.get(policy.name, FrozenMap[int]())
        return any(before.get(each.cluster, 0) > 0 for each in targets)

    def _names_unknown(self, policy: TrafficPolicy) -> bool:
        """Whether the weights name what the inventory does not have, which is noted."""
        known = {each.name for each in self.snapshot.clusters}
        known |= {each.spec.region for each in self.snapshot.clusters}
        unknown = [word for word in policy.spec.dns_weights if word not in known]
        for word in unknown:
            path = ("spec", "dnsWeights", word)
            sentence = f"'{word}' is no cluster and no region of the inventory"
            hint = did_you_mean(word, known)
            self.faults.add(Fault(policy.origin.at(*path), ".".join(path), sentence, hint))
        return bool(unknown)

    def _lead_nowhere(self, policy: TrafficPolicy, where: str, sentence: str) -> None:
        self.faults.add(
            Fault(
                policy.origin.at("spec", where),
                f"spec.{where}",
                f"'{policy.spec.name}' would lead nowhere: {sentence}",
                "Route53 splits a name whose weights are all 0 equally",
            )
        )

    def _parked(self, policy: TrafficPolicy) -> dict[str, int]:
        """Weight 0 for every cluster that had a record and is still in the inventory.

        Its check fails there, so that Route53 never answers it. A record that went in the same
        update as the capacity behind it could not wait until resolvers have forgotten it, and a
        cluster that comes back needs one weight instead of a new record and check.
        """
        before = self.prior.dns_weights.get(policy.name, FrozenMap())
        return {
            each.name: 0
            for each in self.snapshot.clusters
            if each.name in before
            and each.spec.entry is not None
            and self.snapshot.states[each.name].state is not State.DECOMMISSIONED
        }

    def _kept(self, policy: TrafficPolicy) -> dict[str, int]:
        """The records of a name whose every target is down, while nothing else can answer.

        A record of a dead cluster is no worse than none, and heals by itself.
        """
        before = self.prior.dns_weights.get(policy.name, FrozenMap())
        clusters = {each.name: each for each in self.snapshot.clusters}
        if not before or any(not self._is_stranded(clusters.get(name)) for name in before):
            return {}
        self.findings.append(
            Finding(
                codes.RECORD_KEPT,
                FrozenMap(
                    {
                        "policy": policy.name,
                        "name": policy.spec.name,
                        "clusters": ", ".join(before),
                    }
                ),
                policy.origin.start,
            )
        )
        return dict(before) if any(before.values()) else webster_by_name(before, WHOLE)

    def _is_stranded(self, cluster: Cluster | None) -> bool:
        return (
            cluster is not None
            and cluster.spec.entry is not None
            and self.snapshot.states[cluster.name].state is State.DOWN
        )


def finding_of(code: str, policy: TrafficPolicy) -> Finding:
    """What is to be said of a name."""
    values: FrozenMap[str | int] = FrozenMap({"policy": policy.name, "name": policy.spec.name})
    return Finding(code, values, policy.origin.start)
