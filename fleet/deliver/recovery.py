"""What a loss takes and costs, beside the recovery targets that a policy declares."""

from collections.abc import Iterator

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.decision import Finding
from fleet.model.inventory import State
from fleet.model.plan import EndpointDelivery
from fleet.model.snapshot import Snapshot
from fleet.model.timeline import Timeline, capacity_seconds, planned_switch, unplanned_loss
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload

Values = FrozenMap[str | int]


def recovery_findings(
    policy: TrafficPolicy, workload: Workload, endpoint: EndpointDelivery, snapshot: Snapshot
) -> Iterator[Finding]:
    """What is told of every name with a target or with data, and each target that is missed.

    Whether a target can be met hangs on the files alone, so that an outage is no new fault; only
    where the standbys are hangs on the hour, and is a fault while all clusters are in use.
    """
    targets, data = policy.spec.recovery, workload.settings.data
    capacity = capacity_seconds(policy.spec, workload)
    loss = unplanned_loss(policy.spec, data, capacity=capacity)
    if targets.rto_seconds is not None and loss.total > targets.rto_seconds:
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
    if data.kind is not DataKind.NONE or {targets.rto_seconds, targets.rpo_seconds} != {None}:
        switch = planned_switch(policy.spec, data, capacity=capacity)
        yield _told(policy, workload, loss, switch)


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
    calm = all(each.state is State.ACTIVE for each in snapshot.states.values())
    source = workload.data_source("replication.to")
    yield Finding(
        codes.NOT_REPLICATED_THERE, Values(values), source, blocks=calm and rpo is not None
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
