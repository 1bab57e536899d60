"""The stack output `placements`: what this run assigned, for the next one to read.

It is the reverse of fleet.load.prior; a test reads back what this writes.
"""

from typing import Any

from fleet.explain.changes import object_hashes, prior_workload
from fleet.explain.inputs import as_text, run_facts, workload_facts
from fleet.model.base import FrozenMap
from fleet.model.plan import Leaving, Outcome, WorkloadDelivery
from fleet.model.prior import PriorWorkload
from fleet.model.resource_names import split_name
from fleet.model.target import KnownTarget

Json = dict[str, Any]

_NOWHERE = FrozenMap[KnownTarget]()

CLUSTERS = "$clusters"
"""Beside the workloads: what the inventory said of the clusters. No workload is called that."""


def placements_document(outcome: Outcome) -> Json:
    """Every workload that stays or leaves a debt, by name, as plain values; and the clusters."""
    placements = {
        each.workload: workload_placements(outcome, each)
        for each in outcome.plan.workloads
        if each.decision is not None or any(left.debt for left in each.leaving)
    }
    return placements | {CLUSTERS: run_facts(outcome.snapshot)}


def workload_placements(outcome: Outcome, workload: WorkloadDelivery) -> Json:
    """The stable part of one workload's decision: what its component's inputs are made of.

    A debt has hashes and no assignment, so that `fleet plan --prior` sees it as the stack does.
    `proven` is what will have been seen ready when the update has ended well.
    """
    prior = prior_workload(outcome, workload)
    here = workload.deliveries
    debts = {each.cluster: _owed(prior, each) for each in workload.leaving if each.stays}
    hashes = {each.cluster: object_hashes(each) for each in here}
    return {
        "assignments": {each.cluster: each.replicas for each in here},
        "roles": {each.cluster: each.role.value for each in here},
        "hashes": hashes | debts,
        "proven": {each.cluster: each.fingerprint for each in here},
        "dnsWeights": {
            endpoint.policy: {record.cluster: record.dns_weight for record in endpoint.records}
            for endpoint in outcome.plan.endpoints
            if endpoint.workload == workload.workload
        },
        "inputs": as_text(workload_facts(outcome.snapshot, workload.workload)),
        **carried_parts(workload.data, workload.passed_over),
        **_targets(outcome, workload),
        **_aliases(outcome, workload.workload),
        **standing_part(outcome, workload.workload),
    } | tier_part(workload.decision.tier if workload.decision else "")


def _targets(outcome: Outcome, workload: WorkloadDelivery) -> Json:
    """Where load balancers were seen, as far as the prior knows; an update looks again."""
    found = {
        endpoint.policy: {
            cluster: target_part(each)
            for cluster, each in outcome.prior.targets.get(endpoint.policy, _NOWHERE).items()
        }
        for endpoint in outcome.plan.endpoints
        if endpoint.workload == workload.workload and endpoint.target
    }
    return {"targets": found} if found else {}


def target_part(target: KnownTarget) -> Json:
    """What was seen of a load balancer."""
    return {
        "at": " ".join(target.values),
        "last": " ".join(target.last),
        "version": str(target.version),
    }


def _aliases(outcome: Outcome, workload: str) -> Json:
    """Where the aliases of each policy lead, where there are any."""
    found = {
        endpoint.policy: {each.name: each.text for each in endpoint.aliases}
        for endpoint in outcome.plan.endpoints
        if endpoint.workload == workload and endpoint.aliases
    }
    return {"aliases": found} if found else {}


def standing_part(outcome: Outcome, workload: str) -> Json:
    """How the records of each policy stand, as a hash: for the next run to see a change."""
    found = {
        each.policy: each.standing
        for each in outcome.plan.endpoints
        if each.workload == workload and each.standing
    }
    return {"standing": found} if found else {}


def tier_part(tier: str) -> Json:
    """The tier that is used, where there is any."""
    return {"tier": tier} if tier else {}


def carried_parts(data: FrozenMap[str], passed_over: FrozenMap[str]) -> Json:
    """Who holds the primary of the data, and which regions were wanted in vain."""
    parts = {"data": dict(data), "passedOver": dict(passed_over)}
    return {key: part for key, part in parts.items() if part}


def _owed(prior: PriorWorkload, leaving: Leaving) -> dict[str, str]:
    """The keys of the objects that stay on a dead cluster, with the hashes that are known."""
    known = prior.hashes.get(leaving.cluster, FrozenMap[str]())
    keys = [split_name(each.name).key for each in leaving.objects]
    return {key: known.get(key, "") for key in keys}
