"""Where a policy's `target` is on each cluster: the load balancer's last known status.

Never an Output: the object may be on a dead cluster, and a decision on an Output is none that
preview can show. What is known comes from the observed file, else from what the last update saw,
or the state's own copy of the object where that is newer. A load balancer that is gone keeps the
place where it was last, aloud. One that nobody has seen yet has no record: it comes with a later
update, and what is answered today stays until then.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from fleet.deliver.bodies import look
from fleet.deliver.faults import Fault
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.inventory import Cluster, Entry, State
from fleet.model.plan import Change, ClusterDelivery, PlannedObject
from fleet.model.prior import Prior, PriorObject
from fleet.model.snapshot import Snapshot
from fleet.model.source import dotted
from fleet.model.target import KnownTarget, TargetRef, is_address, one_kind, seen_of
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload

PATH = ("spec", "target")
HTTP, HTTPS = 80, 443


@dataclass(frozen=True, slots=True)
class Located:
    """The snapshot as one policy sees it: each cluster's entry is where its target is.

    `key` is `<kind>/<namespace>/<name>` of the target, empty where the policy has none. `waits`
    are clusters that run the workload, but where nobody has seen the target yet.
    """

    snapshot: Snapshot
    key: str = ""
    waits: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    fault: Fault | None = None


def locate(
    policy: TrafficPolicy,
    workload: Workload,
    snapshot: Snapshot,
    deliveries: Iterable[ClusterDelivery],
    prior: Prior,
) -> Located:
    """Finds a policy's target on every cluster; without one, the entries stay the inventory's."""
    target = policy.spec.target
    if target is None:
        return Located(snapshot)
    placed = {each.cluster: each.objects for each in deliveries}
    keys = {
        each.key for objects in placed.values() for each in objects if _is_meant(target, each.key)
    }
    if placed and len(keys) != 1:
        return Located(snapshot, fault=_no_object(policy, target, keys, placed.values()))
    finder = _Finder(policy, workload, snapshot, prior, next(iter(keys), ""))
    return finder.locate(placed)


def _is_meant(target: TargetRef, key: str) -> bool:
    kind, namespace, name = key.split("/", 2)
    same = (kind, name) == (target.kind, target.name)
    return same and target.namespace in {None, namespace}


def _no_object(
    policy: TrafficPolicy,
    target: TargetRef,
    keys: Iterable[str],
    placed: Iterable[tuple[PlannedObject, ...]],
) -> Fault:
    if keys:
        sentence = f"'{policy.spec.workload}' has several: {', '.join(sorted(keys))}"
        return Fault(policy.origin.at(*PATH), dotted(PATH), sentence, "say 'namespace'")
    others = sorted({each.key for objects in placed for each in objects})
    same = [each for each in others if each.startswith(f"{target.kind}/")]
    sentence = f"'{policy.spec.workload}' has no {target.kind} '{target.name}'"
    hint = f"it has {', '.join(same)}" if same else f"it has no {target.kind}"
    return Fault(policy.origin.at(*PATH), dotted(PATH), sentence, hint)


@dataclass(frozen=True, slots=True)
class _Finder:
    policy: TrafficPolicy
    workload: Workload
    snapshot: Snapshot
    prior: Prior
    key: str

    def locate(self, placed: Mapping[str, tuple[PlannedObject, ...]]) -> Located:
        clusters, waits = [], []
        findings: list[Finding] = []
        for cluster in self.snapshot.clusters:
            planned = next((x for x in placed.get(cluster.name, ()) if x.key == self.key), None)
            now = self._now(cluster.name)
            values = now or self._last(cluster.name)
            if planned is not None and not values:
                waits.append(cluster.name)
            if planned is not None and values and not now:
                findings.append(self._kept(cluster.name, values))
            body = planned.body if planned is not None else self._stored(cluster.name).body
            spec = cluster.spec.model_copy(update={"entry": entry_of(values, body)})
            clusters.append(cluster.model_copy(update={"spec": spec}))
        if waits:
            findings.append(self._unknown(waits))
        return Located(
            replace(self.snapshot, clusters=tuple(clusters)),
            self.key,
            tuple(waits),
            tuple(findings),
        )

    def _now(self, cluster: str) -> tuple[str, ...]:
        """What is known to be there: observed, or the newer of what the prior holds."""
        observed = self._observed(cluster)
        if observed:
            return observed
        stored, told = seen_of(self._stored(cluster).body), self._told(cluster)
        return stored.values if stored.version > told.version or not told.last else told.values

    def _observed(self, cluster: str) -> tuple[str, ...]:
        observation = self.snapshot.facts.observations.get(cluster)
        for each in observation.spec.load_balancers if observation is not None else ():
            if f"{each.kind}/{each.namespace}/{each.name}" == self.key:
                return one_kind([*each.addresses, *each.hostnames])
        return ()

    def _stored(self, cluster: str) -> PriorObject:
        """The state's own copy, under any name that the workload had."""
        names = (self.workload.name, *self.workload.settings.renamed_from)
        found = (self.prior.objects.get(f"{name}/{cluster}/{self.key}") for name in names)
        return next((each for each in found if each is not None), PriorObject("", ""))

    def _told(self, cluster: str) -> KnownTarget:
        by_cluster = self.prior.targets.get(self.policy.name, FrozenMap[KnownTarget]())
        return by_cluster.get(cluster, KnownTarget())

    def _last(self, cluster: str) -> tuple[str, ...]:
        """Where it was last: as it was told, or as the record in the state has it."""
        told = self._told(cluster).last
        if told or self.snapshot.states[cluster].state is State.DECOMMISSIONED:
            return told
        record = self.prior.records.get(f"{self.policy.name}/{cluster}")
        values = record.body.get("records") if record is not None else None
        return one_kind([str(each) for each in values]) if isinstance(values, list) else ()

    def _kept(self, cluster: str, values: tuple[str, ...]) -> Finding:
        return self._finding(codes.TARGET_KEPT, cluster=cluster, values=", ".join(values))

    def _unknown(self, clusters: Iterable[str]) -> Finding:
        return self._finding(codes.TARGET_UNKNOWN, clusters=", ".join(clusters))

    def _finding(self, code: str, **values: str) -> Finding:
        about = {"policy": self.policy.name, "name": self.policy.spec.name, "target": self.key}
        return Finding(code, FrozenMap({**about, **values}), self.policy.origin.at(*PATH))


def entry_of(values: tuple[str, ...], body: Mapping[str, object]) -> Entry | None:
    """The entry that a load balancer is; None where nobody knows one.

    >>> entry_of(("192.0.2.1",), {"kind": "Service", "spec": {"ports": [{"port": 8080}]}})
    Entry(hostname=None, addresses=('192.0.2.1',), port=8080, path='/')
    """
    if not values:
        return None
    port = port_of(body)
    if is_address(values[0]):
        return Entry(addresses=values, port=port)
    return Entry(hostname=values[0].rstrip("."), port=port)


def port_of(body: Mapping[str, object]) -> int:
    """The port that is asked: the first of a Service or Gateway, of an Ingress as TLS is there."""
    for field in ("ports", "listeners"):
        found = look(body, "spec", field)
        if isinstance(found, list) and found:
            port = look(found[0], "port")
            return port if isinstance(port, int) else HTTP
    return HTTPS if look(body, "spec", "tls") else HTTP


def old_weights(
    before: Mapping[str, int],
    waits: Collection[str],
    snapshot: Snapshot,
    deliveries: Iterable[ClusterDelivery],
) -> dict[str, int] | None:
    """The weights of today, where a new side cannot be answered yet and an old one would go.

    None: nothing is in the way.
    """
    if not waits:
        return None
    changes = {each.cluster: each.change for each in deliveries}
    going = [
        cluster
        for cluster, weight in before.items()
        if weight > 0
        and changes.get(cluster, Change.SHRINK) is Change.SHRINK
        and cluster in snapshot.states
        and snapshot.states[cluster].state in {State.ACTIVE, State.DRAINING}
    ]
    return known_weights(before, snapshot.clusters) if going else None


def known_weights(before: Mapping[str, int], clusters: Iterable[Cluster]) -> dict[str, int]:
    """The weights of today on clusters of which somebody knows where they are."""
    known = {each.name for each in clusters if each.spec.entry is not None}
    return {cluster: weight for cluster, weight in before.items() if cluster in known}
