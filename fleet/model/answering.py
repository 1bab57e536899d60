"""Who gets the traffic of a planned name: its records and aliases as Route53 would read them."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from fleet.model.answer import Answering
from fleet.model.endpoint import AliasDelivery, EndpointDelivery, RecordDelivery
from fleet.model.geography import EVERYWHERE, SOMEBODY, Asker, Location


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """A record of the plan in the words of `fleet.model.answer`; `cluster` is empty for aliases."""

    set_identifier: str
    cluster: str = ""
    weight: int | None = None
    region: str = ""
    location: Location | None = None
    health_check: str = ""
    alias: str = ""
    evaluate_target_health: bool = False
    failover: str = ""
    multivalue: bool = False


def answering_of(
    endpoint: EndpointDelivery, unhealthy_checks: Collection[str] = (), kind: str = ""
) -> Answering[PlannedAnswer]:
    """How Route53 would answer for a name once the plan is carried out.

    `kind` is the record type that is asked for; empty: the first that the name has.
    """
    kind = kind or next((each.type for each in endpoint.records), "")
    groups: dict[str, list[PlannedAnswer]] = {}
    for record in endpoint.records:
        if record.type == kind:
            name = record.dns_name or endpoint.dns_name
            groups.setdefault(name, []).append(_of_record(record))
    for alias in endpoint.aliases:
        if alias.type == kind:
            groups.setdefault(alias.dns_name, []).append(_of_alias(alias))
    unhealthy = frozenset(unhealthy_checks)
    return Answering(lambda name: groups.get(name, []), lambda check: check not in unhealthy)


def cluster_shares(
    endpoint: EndpointDelivery,
    unhealthy_checks: Collection[str] = (),
    asker: Asker = SOMEBODY,
    kind: str = "",
) -> dict[str, Fraction]:
    """Return each cluster's share of the answers that an asker gets.

    **Shape**: every cluster under the name, sorted; the shares add up to 1, or are all 0 where
    nobody is answered.
    """
    found = dict.fromkeys(sorted(each.cluster for each in endpoint.records), Fraction(0))
    answering = answering_of(endpoint, unhealthy_checks, kind)
    for record, part in answering.shares(endpoint.dns_name, asker):
        found[record.cluster] += part
    return found


def askers_of(endpoint: EndpointDelivery) -> list[tuple[Asker, int]]:
    """One asker for each region or place that a name tells apart, and how much it counts.

    Nobody knows how many ask from where: a region counts as much as the weights that serve it.
    """
    heavy: dict[str, int] = {}
    for record in endpoint.records:
        heavy[record.dns_name] = heavy.get(record.dns_name, 0) + record.dns_weight
    found = {
        Asker(alias.location or EVERYWHERE, (alias.region,) if alias.region else ()): max(
            1, heavy.get(alias.target, 0)
        )
        for alias in endpoint.aliases
        if alias.region or alias.location is not None
    }
    return list(found.items()) or [(SOMEBODY, 1)]


def expected_shares(
    endpoint: EndpointDelivery, unhealthy_checks: Collection[str] = ()
) -> dict[str, Fraction]:
    """Return each cluster's share of all answers, over everybody who asks.

    Exact where all askers are answered alike; by latency and by place as `askers_of` counts them.
    """
    askers = askers_of(endpoint)
    total = sum(count for _, count in askers)
    found = dict.fromkeys(sorted(each.cluster for each in endpoint.records), Fraction(0))
    for asker, count in askers:
        for name, part in cluster_shares(endpoint, unhealthy_checks, asker).items():
            found[name] += part * count / total
    return found


def _of_record(record: RecordDelivery) -> PlannedAnswer:
    return PlannedAnswer(
        record.cluster, record.cluster, record.dns_weight, health_check=record.check
    )


def _of_alias(alias: AliasDelivery) -> PlannedAnswer:
    return PlannedAnswer(
        alias.set_identifier,
        weight=alias.dns_weight,
        region=alias.region,
        location=alias.location,
        alias=alias.target,
        evaluate_target_health=True,
    )
