"""What is different from the last update, as the plan has it."""

from collections.abc import Iterator

from fleet.model.decision import Role
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import ClusterDelivery, Outcome, WorkloadDelivery
from fleet.model.prior import PriorWorkload


def has_changes(outcome: Outcome) -> bool:
    """Whether an update would do anything that the prior knows enough to compare."""
    return (
        any(workload_changes(outcome, each) for each in outcome.plan.workloads)
        or any(endpoint_changes(outcome, each) for each in outcome.plan.endpoints)
        or bool(given_up(outcome))
    )


def given_up(outcome: Outcome) -> list[str]:
    """Workloads of the prior that are nowhere any more, without an object that would be deleted."""
    here = {name for each in outcome.plan.workloads for name in (each.workload, *each.renamed_from)}
    found = outcome.prior.workloads.items()
    return [name for name, each in found if name not in here and (each.replicas or each.hashes)]


def unknown_standing(outcome: Outcome) -> list[str]:
    """Public names of which the prior does not say how their records stood."""
    if not outcome.prior.known:
        return []
    known = outcome.prior.standing
    return [
        each.dns_name
        for each in outcome.plan.endpoints
        if each.standing and each.policy not in known
    ]


def workload_changes(outcome: Outcome, workload: WorkloadDelivery) -> bool:
    """Whether the workload's clusters, replicas, roles or objects change.

    Objects are compared only where the prior has their hashes: one written by hand has none.
    """
    if workload.removed or any(not each.debt for each in workload.leaving):
        return True
    prior = prior_workload(outcome, workload)
    return (
        _leaves_unsaid(prior, workload)
        or _data_changes(prior, workload)
        or any(_delivery_changes(prior, each) for each in workload.deliveries)
    )


def _leaves_unsaid(prior: PriorWorkload, workload: WorkloadDelivery) -> bool:
    """Whether it ran on a cluster that is dead now, or had objects on one that is given up.

    What was owed on a dead cluster before, and still is, is no change.
    """
    here = {each.cluster for each in workload.deliveries}
    owed = {each.cluster for each in workload.leaving if each.debt}
    return not here.issuperset(prior.replicas) or not (here | owed).issuperset(prior.hashes)


def _data_changes(prior: PriorWorkload, workload: WorkloadDelivery) -> bool:
    """Whether the data gets another primary, or is handed over; an old prior says nothing."""
    promotes = workload.step is not None and not workload.step.unfenced
    return promotes or (bool(prior.data) and prior.data != workload.data)


def endpoint_changes(outcome: Outcome, endpoint: EndpointDelivery) -> bool:
    """Whether records come, go, change their weight, or stand differently.

    A prior without weights says nothing of them; one without hashes nothing of how they stood.
    """
    if endpoint.leaving:
        return True
    stood = outcome.prior.standing.get(endpoint.policy, endpoint.standing)
    if stood != endpoint.standing:
        return True
    changed = [(each.previous, each.dns_weight) for each in endpoint.records]
    turned = [(each.previous, each.text) for each in endpoint.aliases]
    if outcome.prior.known and not weights_known(outcome, endpoint.policy):
        return any(was not in {None, now} for was, now in (*changed, *turned))
    return any(was != now for was, now in (*changed, *turned))


def weights_known(outcome: Outcome, policy: str) -> bool:
    """Whether the prior says where the policy's name led, or that it led nowhere.

    One written by hand says nothing of names; one that an update wrote has the hashes of objects,
    and names every record that there was.
    """
    prior = outcome.prior
    if policy in prior.dns_weights:
        return True
    return bool(prior.dns_weights) or any(each.hashes for each in prior.workloads.values())


def prior_workload(outcome: Outcome, workload: WorkloadDelivery) -> PriorWorkload:
    """What the last update assigned, also under an earlier name."""
    return next(_prior_entries(outcome, workload), PriorWorkload())


def _prior_entries(outcome: Outcome, workload: WorkloadDelivery) -> Iterator[PriorWorkload]:
    for name in (workload.workload, *workload.renamed_from):
        if name in outcome.prior.workloads:
            yield outcome.prior.workloads[name]


def _delivery_changes(prior: PriorWorkload, delivery: ClusterDelivery) -> bool:
    cluster = delivery.cluster
    if delivery.previous != delivery.replicas:
        return True
    if prior.roles.get(cluster, delivery.role) is not delivery.role:
        return True
    before = prior.hashes.get(cluster)
    return before is not None and dict(before) != object_hashes(delivery)


def object_hashes(delivery: ClusterDelivery) -> dict[str, str]:
    """The hashes that outputs show, by object key; a Secret's is empty.

    Whoever may read the outputs could guess a weak secret by its hash.
    """
    return {each.key: "" if each.secret else each.digest for each in delivery.objects}


def count_of(replicas: int | None) -> str:
    """Replicas as a cell: `-` is not there at all."""
    return "-" if replicas is None else str(replicas)


def was_and_is(was: int | None, now: int | None) -> str:
    """Old and new in a cell.

    >>> was_and_is(1, 4), was_and_is(4, 4), was_and_is(None, 2), was_and_is(4, None)
    ('1 -> 4', '4', '- -> 2', '4 -> -')
    """
    return count_of(now) if was == now else f"{count_of(was)} -> {count_of(now)}"


def role_change(prior: PriorWorkload, cluster: str, role: Role) -> str:
    """The role, with the one before where it was another."""
    before = prior.roles.get(cluster, role)
    return role.value if before is role else f"{before.value} -> {role.value}"
