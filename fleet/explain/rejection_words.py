"""The sentences of the scheduler's reasons and findings, by their code.

The rooms do not know each other, so the codes stand here as text; tests/explain/test_sentences.py
fails for a code of fleet.schedule.reasons that has no sentence.
"""

from collections.abc import Callable, Mapping
from typing import Final

from fleet.explain.structure_words import STRUCTURE_FINDINGS, STRUCTURE_REJECTIONS, amount_text
from fleet.model.amounts import ALLOCATABLE, FREE, unit_of
from fleet.model.quantity import spell_millionths, spell_quantity

Values = Mapping[str, str | int]
Words = str | Callable[[Values], str]


def _state(values: Values) -> str:
    said_by = values.get("said_by")
    return f"is {values['state']}{f', says {said_by}' if said_by else ''}"


def taint_text(values: Values) -> str:
    """A taint as kubectl writes it; its effect in the word of the document that says it."""
    value = f"={values['value']}" if values.get("value") else ""
    return f"{values['key']}{value}:{values.get('said', values['effect'])}"


def _taint(values: Values) -> str:
    return f"untolerated taint {taint_text(values)}"


def _capacity(values: Values) -> str:
    resource = str(values["resource"])
    needed, free = (amount_text(resource, values[name]) for name in ("needed", "free"))
    count = values.get("replicas", 1)
    whom = "a replica" if count == 1 else f"{count} replicas"
    return f"{resource} {free} free, {needed} needed for {whom}"


def _toleration_over(values: Values) -> str:
    taint, seconds = taint_text(values), values["seconds"]
    return f"taint {taint} was tolerated for {seconds} s, {values['over']} s ago"


def _maintenance(values: Values) -> str:
    moves = ", which moves what runs there" if values["action"] == "move" else ""
    return f"in maintenance from {values['start']} to {values['end']}{moves}"


def _latency(values: Values) -> str:
    way = f"from {values['origin']}"
    if values["there"]:
        return (
            f"latency {way} was {values['milliseconds']} ms or more for {values['seconds']} s,"
            f" {values['limit']} ms is allowed"
        )
    return (
        f"latency {way} reached {values['milliseconds']} ms within {values['seconds']} s,"
        f" a cluster is taken with at most {values['limit']} ms"
    )


def _nodes(values: Values) -> str:
    if "resource" in values:
        resource = str(values["resource"])
        asked, largest = (amount_text(resource, values[name]) for name in ("asked", "largest"))
        return f"no node has {resource} {asked} free for a replica, the largest has {largest}"
    return f"its nodes hold {values['fits']} replicas one by one, {values['needed']} needed"


def _affinity(values: Values) -> str:
    terms = values.get("terms", 1)
    if "tier" in values:
        return f"is outside of the group '{values['tier']}', which is in use"
    if terms == 1:
        return "does not match the required affinity"
    return f"matches none of the {terms} terms of the required affinity"


_ASKED = {
    "Gt": "more than {}",
    "Ge": "{} or more",
    "Eq": "exactly {}",
    "Ne": "anything but {}",
    "Le": "{} or less",
    "Lt": "less than {}",
}


def _amount(values: Values) -> str:
    name, asked = str(values["property"]), compared_text(values, "value")
    if "amount" not in values:
        return f"says no {name}, {asked} is asked for"
    return f"{name} is {property_text(name, int(values['amount']))}, {asked} is asked for"


def compared_text(values: Values, key: str) -> str:
    """What a comparison asks for: `4 or more`."""
    text = property_text(str(values["property"]), int(values[key]))
    return _ASKED[str(values["operator"])].format(text)


def property_text(name: str, millionths: int) -> str:
    """An amount that policies compare, as a person writes it.

    >>> property_text("free.cpu", 1_500_000), property_text("cost-per-core", 23_000)
    ('1500m', '0.023')
    >>> property_text("free.memory", 4 * 1024**3 * 1_000_000), property_text("nodes", 3_000_000)
    ('4Gi', '3')
    >>> property_text("heat", -1_500_000)
    '-1.5'
    """
    unit = unit_of(name)
    if name.startswith((FREE, ALLOCATABLE)) and millionths % unit == 0:
        return spell_quantity(name.partition(".")[2], millionths // unit)
    return spell_millionths(millionths)


def label_of(by: str | int) -> str:
    """The field of a spread constraint as a noun: `labels.tier` is `label 'tier'`."""
    text = str(by)
    return f"label '{text.removeprefix('labels.')}'" if text.startswith("labels.") else text


def _no_domain(values: Values) -> str:
    return f"has no {label_of(values['by'])} to spread by"


def _domain_limit(values: Values) -> str:
    by, limit = values["by"], values["limit"]
    if by == "cluster":
        return f"{limit} other cluster{'' if limit == 1 else 's'} picked"
    return f"domain limit reached: {limit} by {label_of(by)}"


def _domains_short(values: Values) -> str:
    by = label_of(values["by"])
    return f"{values['found']} of {values['wanted']} domains by {by} are feasible"


def _capacity_short(values: Values) -> str:
    where = f" in region {values['region']}" if values.get("region") else ""
    return f"room for {values['placed']} of {values['wanted']} replicas{where}"


def _below_minimum(values: Values) -> str:
    where = f" in region {values['region']}" if values.get("region") else ""
    return (
        f"{values['replicas']} replicas{where} do not reach the minimum of {values['minimum']}"
        " per cluster"
    )


def _spread_relaxed(values: Values) -> str:
    return (
        f"'{values['workload']}' stays where it is on {values['found']} domains by"
        f" {label_of(values['by'])}, though the policy wants {values['wanted']}"
    )


REJECTIONS: Final[Mapping[str, Words]] = {
    "state": _state,
    "residency": "region {region} is outside of the residency ({allowed})",
    "affinity": _affinity,
    "amount": _amount,
    "taint": _taint,
    "toleration-over": _toleration_over,
    "maintenance": _maintenance,
    "cluster-set": "{tenant} may only use the clusters of {sets}",
    "pinned": "the workload's data is pinned to {clusters}",
    "exclusive": "only for the tenants of cluster set '{set}'",
    "api": "does not serve {api}, which {object} needs",
    "latency": _latency,
    "nodes": _nodes,
    "capacity": _capacity,
    "no-domain": _no_domain,
    "domain-limit": _domain_limit,
    "weight-zero": "no weight rule gives it a share",
    "no-share": "no share of {replicas} replica{s_of_replicas} was left for it",
    "overflow": "is overflow: the clusters before it hold all replicas",
    "not-needed": "fewer clusters hold all replicas",
    "no-cluster": "no cluster is feasible",
    "domains-short": _domains_short,
    "spread-conflict": "the spread constraints cannot all be met together",
    "capacity-short": _capacity_short,
    "below-minimum": _below_minimum,
    "above-maximum": (
        "{replicas} replicas on every cluster are more than the maximum of {maximum} per cluster"
    ),
    **STRUCTURE_REJECTIONS,
}

SCHEDULE_FINDINGS: Final[Mapping[str, Words]] = {
    "active-region-kept": (
        "policy '{policy}' has no cluster in region {wanted}; its active region is {region}"
    ),
    "active-region-fallback": (
        "policy '{policy}' has no feasible cluster in region {wanted}; its active region falls"
        " back to {region}"
    ),
    "active-region-none": (
        "policy '{policy}' has no active region: '{workload}' is feasible in none"
    ),
    "spread-relaxed": _spread_relaxed,
    "spread-conflict": (
        "the spread constraints of '{workload}' cannot all be met together; what runs stays"
    ),
    "repeated-jobs": "the CronJob of '{workload}' runs whole on each of {clusters} clusters",
    "nowhere": "'{workload}' is on no cluster",
    "clusters-short": "'{workload}' is on {found} of {wanted} clusters that its policy asks for",
    "latency-unknown": (
        "policy '{policy}' has a latency limit, but nobody measured from {origin} to {clusters}: it"
        " bars nothing there"
    ),
    "too-many-nodes": (
        "cluster '{cluster}' has {nodes} nodes, more than the {limit} that Kubernetes is tested"
        " with"
    ),
    "too-many-pods": (
        "cluster '{cluster}' has room for {pods} pods, more than the {limit} that Kubernetes is"
        " tested with"
    ),
    "capacity-undeclared": (
        "cluster '{cluster}' declares no allocatable resources, so its room counts as unlimited"
        " - say spec.capacity.allocatable in the inventory"
    ),
    **STRUCTURE_FINDINGS,
}
