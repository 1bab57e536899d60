"""What a loss takes and costs, beside the recovery targets that a policy declares."""

from collections.abc import Iterator

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.decision import Decision, Finding, Outcome
from fleet.model.inventory import State
from fleet.model.plan import EndpointDelivery
from fleet.model.snapshot import Snapshot
from fleet.model.timeline import Timeline, capacity_seconds, planned_switch, unplanned_loss
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload

Values = FrozenMap[str | int]


def recovery_findings(
    policy: TrafficPolicy,
    workload: Workload,
    endpoint: EndpointDelivery,
    snapshot: Snapshot,
    decision: Decision | None = None,
) -> Iterator[Finding]:
    """What is told of every name with a target or with data, and each target that is missed.

    Whether a target can be met hangs on the files alone, so that an outage is no new fault; only
    where the standbys are hangs on the hour, and is a fault while all clusters are in use.
    """
    targets, data = policy.spec.recovery, workload.settings.data
    capacity = capacity_seconds(policy.spec, workload)
    loss = unplanned_loss(policy.spec, data, capacity=capacity)
    wanted = data.kind is not DataKind.NONE or {targets.rto_seconds, targets.rpo_seconds} != {None}
    alone = _alone(endpoint, snapshot, decision)
    if alone and wanted:
        yield _never(policy, workload, alone, snapshot)
    elif targets.rto_seconds is not None and loss.total > targets.rto_seconds:
        yield Finding(
            codes.RTO_MISSED,
            Values(
                {
                    "policy": policy.name,
                    "steps": loss.spelled,
                    "total": loss.total,
                    "rto": targets.rto_seconds,
                }
            ),
            policy.origin.at("spec", "recovery", "rtoSeconds"),
            blocks=True,
        )
    yield from _rpo(policy, workload)
    yield from _elsewhere(policy, workload, endpoint, snapshot)
    if wanted and not alone:
        switch = planned_switch(policy.spec, data, capacity=capacity)
        yield _told(policy, workload, loss, switch)


def _alone(endpoint: EndpointDelivery, snapshot: Snapshot, decision: Decision | None) -> str:
    """The one cluster that a name can ever be answered by; empty: there are others, or none.

    Others are clusters with a record, and clusters with an entry where the workload may run.
    """
    here = [each.cluster for each in endpoint.records]
    if len(here) != 1 or decision is None or not decision.verdicts:
        return ""
    answers = {each.name for each in snapshot.clusters if each.spec.entry or endpoint.target}
    others = [
        name
        for name, each in decision.verdicts.items()
        if name not in here and name in answers and each.outcome is not Outcome.INFEASIBLE
    ]
    return "" if others else here[0]


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


def _told(policy: TrafficPolicy, workload: Workload, loss: Timeline, switch: Timeline) -> Finding:
    targets, lost = policy.spec.recovery, workload.settings.data.lost_seconds
    known = {"lost": lost, "rto": targets.rto_seconds, "rpo": targets.rpo_seconds}
    values: dict[str, str | int] = {
        "name": policy.spec.name,
        "total": loss.total,
        "steps": loss.spelled,
        "switch": switch.total,
    }
    values |= {key: value for key, value in known.items() if value is not None}
    return Finding(codes.RECOVERY, Values(values), policy.origin.at("spec", "recovery"))
