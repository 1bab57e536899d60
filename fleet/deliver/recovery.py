"""What a loss takes and costs, beside the recovery targets that a policy declares."""

from collections.abc import Collection, Iterator

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.decision import Finding, Outcome
from fleet.model.drill_targets import DrillTargets
from fleet.model.endpoint import EndpointDelivery
from fleet.model.inventory import State
from fleet.model.outage import Led, Prediction, planned_switch, worst_loss
from fleet.model.snapshot import Snapshot
from fleet.model.timeline import Timeline
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload

Values = FrozenMap[str | int]


def recovery_findings(
    policy: TrafficPolicy, led: Led, snapshot: Snapshot, words: DrillTargets
) -> Iterator[Finding]:
    """What is told of every name with a target or with data, and each target that is missed.

    The time is the one that a drill of the same loss plays. It hangs on where the workload runs,
    so that a target which is missed is a fault only while all clusters are in use: an outage is no
    new fault. What the data costs hangs on the files alone.
    """
    targets, workload = policy.spec.recovery, led.workload
    kind = workload.settings.data.kind
    wanted = kind is not DataKind.NONE or {targets.rto_seconds, targets.rpo_seconds} != {None}
    loss = worst_loss(led, words) if wanted else None
    if loss is not None and loss.timeline.total:  # 0 s: what answers is dead already
        alone = _alone(led, loss.clusters, snapshot)
        if alone:
            yield _never(policy, workload, alone, snapshot)
        else:
            yield from _missed(policy, loss, snapshot)
            yield _told(policy, workload, loss, planned_switch(led, words))
    yield from _rpo(policy, workload)
    yield from _elsewhere(policy, workload, led.endpoint, snapshot)


def _missed(policy: TrafficPolicy, loss: Prediction, snapshot: Snapshot) -> Iterator[Finding]:
    rto = policy.spec.recovery.rto_seconds
    if rto is None or loss.timeline.total <= rto:
        return
    values: dict[str, str | int] = {
        "policy": policy.name,
        "domain": loss.domain,
        "steps": loss.timeline.spelled,
        "total": loss.timeline.total,
        "rto": rto,
    }
    source = policy.origin.at("spec", "recovery", "rtoSeconds")
    yield Finding(codes.RTO_MISSED, Values(values), source, blocks=_is_calm(snapshot))


def _alone(led: Led, lost: Collection[str], snapshot: Snapshot) -> str:
    """The clusters that are lost, where no other can ever answer; empty: there are others.

    Others are clusters with a record, and clusters with an entry where the workload may run; where
    it runs already, if its data is pinned.
    """
    verdicts = led.decision.verdicts
    if not verdicts or any(each.cluster not in lost for each in led.endpoint.records):
        return ""
    answers = {each.name for each in snapshot.clusters if each.spec.entry or led.endpoint.target}
    may = {name for name, each in verdicts.items() if each.outcome is not Outcome.INFEASIBLE}
    if led.workload.settings.data.is_pinned:
        may = {each.cluster for each in led.decision.assignments}
    if (answers & may).difference(lost):
        return ""
    here = {each.cluster for each in led.endpoint.records}
    return ", ".join(sorted(here.union(may.intersection(lost))))


def _never(policy: TrafficPolicy, workload: Workload, alone: str, snapshot: Snapshot) -> Finding:
    rto = policy.spec.recovery.rto_seconds
    values: dict[str, str | int] = {
        "policy": policy.name,
        "name": policy.spec.name,
        "workload": workload.name,
        "cluster": alone,
    }
    if rto is not None:
        values["rto"] = rto
    source = policy.origin.at("spec", "recovery", "rtoSeconds")
    blocks = rto is not None and _is_calm(snapshot)
    return Finding(codes.NEVER_RECOVERS, Values(values), source, blocks=blocks)


def _is_calm(snapshot: Snapshot) -> bool:
    """Whether all clusters are in use."""
    return all(each.state is State.ACTIVE for each in snapshot.states.values())


def _rpo(policy: TrafficPolicy, workload: Workload) -> Iterator[Finding]:
    rpo, data = policy.spec.recovery.rpo_seconds, workload.settings.data
    lost = data.lost_seconds
    if rpo is None or (lost is not None and lost <= rpo):
        return
    values: dict[str, str | int] = {
        "policy": policy.name,
        "workload": workload.name,
        "kind": data.kind.value,
        "rpo": rpo,
    }
    if lost is not None:
        values["lost"] = lost
    source = policy.origin.at("spec", "recovery", "rpoSeconds")
    yield Finding(codes.RPO_MISSED, Values(values), source, blocks=True)


def _elsewhere(
    policy: TrafficPolicy, workload: Workload, endpoint: EndpointDelivery, snapshot: Snapshot
) -> Iterator[Finding]:
    """Standbys that have no copy of the data."""
    replication = workload.settings.data.replication
    if replication is None:
        return
    regions = {each.name: each.spec.region for each in snapshot.clusters}
    strange = [
        each.cluster
        for each in endpoint.records
        if each.dns_weight == 0 and {each.cluster, regions[each.cluster]}.isdisjoint(replication.to)
    ]
    if not strange:
        return
    rpo = policy.spec.recovery.rpo_seconds
    values: dict[str, str | int] = {
        "policy": policy.name,
        "workload": workload.name,
        "clusters": ", ".join(strange),
    }
    if rpo is not None:
        values["rpo"] = rpo
    source = workload.data_source("replication.to")
    yield Finding(
        codes.NOT_REPLICATED_THERE,
        Values(values),
        source,
        blocks=_is_calm(snapshot) and rpo is not None,
    )


def _told(policy: TrafficPolicy, workload: Workload, loss: Prediction, switch: Timeline) -> Finding:
    targets, lost = policy.spec.recovery, workload.settings.data.lost_seconds
    known = {"lost": lost, "rto": targets.rto_seconds, "rpo": targets.rpo_seconds}
    values: dict[str, str | int] = {
        "name": policy.spec.name,
        "domain": loss.domain,
        "total": loss.timeline.total,
        "steps": loss.timeline.spelled,
        "switch": switch.total,
    }
    values |= {key: value for key, value in known.items() if value is not None}
    return Finding(codes.RECOVERY, Values(values), policy.origin.at("spec", "recovery"))
