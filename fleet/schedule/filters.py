"""The hard rules. Each answers for all clusters at once, and explains one cluster when asked."""

from collections.abc import Iterator
from functools import reduce

import numpy as np

from fleet.model.affinity import ClusterTerm
from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.inventory import Cluster, State, Taint
from fleet.model.moment import seconds_of
from fleet.model.policy import Toleration
from fleet.model.source import Origin
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.ledger import HANDFUL
from fleet.schedule.matching import NAMES_ONLY, in_regions, matching
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request
from fleet.schedule.table import Table


def _state_bars(request: Request) -> Mask:
    return request.table.state.where(lambda state: state is not State.ACTIVE)


def _state_explains(request: Request, place: int) -> Iterator[Rejection]:
    said = request.table.states[place]
    source = request.table.clusters[place].origin.at("spec", "state")
    values = FrozenMap[str | int]({"state": said.state.value, "said_by": said.said_by})
    yield Rejection(reasons.STATE, values, source if str(source) == said.said_by else None)


def _residency_bars(request: Request) -> Mask:
    residency = request.policy.spec.residency
    if residency is None:
        return np.zeros(request.table.size, dtype=bool)
    return ~in_regions(request.table, residency.regions)


def _residency_explains(request: Request, place: int) -> Iterator[Rejection]:
    residency = request.policy.spec.residency
    allowed = ", ".join(residency.regions if residency else ())
    values = FrozenMap[str | int]({"region": request.table.regions[place], "allowed": allowed})
    source = request.policy.origin.at("spec", "residency", "regions")
    yield Rejection(reasons.RESIDENCY, values, source)


def _affinity_bars(request: Request) -> Mask:
    terms = request.policy.spec.affinity.required
    if not terms:
        return np.zeros(request.table.size, dtype=bool)
    return ~reduce(np.logical_or, [matching(request.table, term) for term in terms])


def _affinity_only(request: Request) -> list[int] | None:
    """The clusters that the policy lists by name, where that is all it says."""
    terms, index = request.policy.spec.affinity.required, request.table.index
    if (
        len(terms) != 1
        or not 0 < len(terms[0].clusters) <= HANDFUL
        or terms[0].model_fields_set != NAMES_ONLY
    ):
        return None
    return sorted({index[name] for name in terms[0].clusters if name in index})


def _affinity_explains(request: Request, place: int) -> Iterator[Rejection]:
    terms, path = request.policy.spec.affinity.required, ("spec", "affinity", "required")
    found = _failing(request.table, terms[0], place) if len(terms) == 1 else None
    if found is None:
        values = FrozenMap[str | int]({"terms": len(terms)})
        yield Rejection(reasons.AFFINITY, values, request.policy.origin.at(*path))
        return
    compared = terms[0].match_properties[found]
    amounts = request.table.amounts(compared.property)
    words: dict[str, str | int] = {
        "property": compared.property,
        "operator": compared.operator,
        "value": compared.value,
    }
    if amounts.present[place]:
        words["amount"] = int(amounts.values[place]) * amounts.unit
    source = request.policy.origin.at(*path, 0, "matchProperties", found)
    yield Rejection(reasons.AMOUNT, FrozenMap(words), source)


def _failing(table: Table, term: ClusterTerm, place: int) -> int | None:
    """The position of the first comparison that fails, where all else that the term says holds."""
    if not matching(table, term.model_copy(update={"match_properties": ()}))[place]:
        return None
    return next(
        position
        for position, each in enumerate(term.match_properties)
        if not table.amounts(each.property).compared(each.operator, each.value)[place]
    )


def covers(toleration: Toleration, taint: Taint) -> bool:
    """Whether a toleration covers a taint. Source: core/v1 Toleration."""
    if toleration.effect not in {None, taint.effect}:
        return False
    if toleration.key not in {"", taint.key}:
        return False
    return toleration.operator == "Exists" or toleration.value == taint.value


def expiry(toleration: Toleration, taint: Taint) -> int | None:
    """When a toleration stops covering a taint, in seconds since 1970; None is never.

    Only NoExecute runs out, from the time that the taint was added. Source: core/v1 Toleration.
    """
    if taint.effect != "NoExecute" or taint.time_added is None:
        return None
    if toleration.toleration_seconds is None:
        return None
    return seconds_of(taint.time_added) + toleration.toleration_seconds


def untolerated(request: Request, taint: Taint) -> bool:
    """Whether no toleration covers a taint, or the first one that does has run out.

    Source: Karmada's GetMinTolerationTime, which also takes the first that matches.
    """
    first = _covering(request, taint)
    if first is None:
        return True
    until, now = expiry(first, taint), request.table.facts.now
    return until is not None and now is not None and until <= now


def _covering(request: Request, taint: Taint) -> Toleration | None:
    """The first toleration of the policy that covers a taint."""
    return next((each for each in request.policy.spec.tolerations if covers(each, taint)), None)


def _keeps_out(request: Request, taints: tuple[Taint, ...]) -> list[int]:
    """The positions of the untolerated taints that bar new assignments."""
    return [
        position
        for position, taint in enumerate(taints)
        if taint.effect != "PreferNoSchedule" and untolerated(request, taint)
    ]


def tainted(request: Request) -> Mask:
    """Where a taint bars new assignments that the policy does not tolerate."""
    return request.table.taints.where(lambda taints: bool(_keeps_out(request, taints)))


def _taints_spare(request: Request, place: int) -> bool:
    """NoSchedule moves nothing; NoExecute does. Guarded by test_no_schedule_moves_nothing."""
    taints = request.table.clusters[place].spec.taints
    return all(taints[each].effect != "NoExecute" for each in _keeps_out(request, taints))


def _taints_explain(request: Request, place: int) -> Iterator[Rejection]:
    cluster = request.table.clusters[place]
    for position in _keeps_out(request, cluster.spec.taints):
        yield _taint_rejection(request, cluster, position)


def spelled(origin: Origin, effect: str) -> dict[str, str | int]:
    """What the document of another product calls an effect of a taint, where it has a word."""
    word = origin.word(effect)
    return {} if word == effect else {"said": word}


def _taint_rejection(request: Request, cluster: Cluster, position: int) -> Rejection:
    """Nothing tolerates the taint, or something did for a while."""
    taint, source = cluster.spec.taints[position], cluster.origin.at("spec", "taints", position)
    values: dict[str, str | int] = {
        "key": taint.key,
        "value": taint.value,
        "effect": taint.effect,
        **spelled(cluster.origin, taint.effect),
    }
    first = _covering(request, taint)
    if first is None or first.toleration_seconds is None:
        return Rejection(reasons.TAINT, FrozenMap(values), source)
    values |= {
        "seconds": first.toleration_seconds,
        "added": taint.time_added or "",
        "over": (request.table.facts.now or 0) - (expiry(first, taint) or 0),
    }
    return Rejection(reasons.TOLERATION_OVER, FrozenMap(values), source)


def _spread_bars(request: Request) -> Mask:
    barred = np.zeros(request.table.size, dtype=bool)
    for constraint in request.policy.spec.spread:
        barred |= ~request.table.domains(constraint.by).present
    return barred


def _spread_explains(request: Request, place: int) -> Iterator[Rejection]:
    for position, constraint in enumerate(request.policy.spec.spread):
        if not request.table.domains(constraint.by).present[place]:
            source = request.policy.origin.at("spec", "spread", position)
            yield Rejection(reasons.NO_DOMAIN, FrozenMap({"by": constraint.by}), source)


def _capacity_bars(request: Request) -> Mask:
    return request.room < request.need


def _capacity_explains(request: Request, place: int) -> Iterator[Rejection]:
    replicas = request.need_at(place)
    for resource, amount in request.asked.items():
        free = int(request.left[resource][place])
        if amount * replicas > free:
            values: dict[str, str | int] = {
                "resource": resource,
                "needed": amount * replicas,
                "free": free,
                "replicas": replicas,
            }
            source = request.table.capacity_source(place, resource)
            yield Rejection(reasons.CAPACITY, FrozenMap(values), source)
    yield from _nodes_explain(request, place)


def _nodes_explain(request: Request, place: int) -> Iterator[Rejection]:
    """Where single nodes are too few or too small, and for which resource."""
    needed, fits = request.need_at(place), int(request.nodes.room(request.asked)[place])
    if fits >= needed:
        return
    source = request.table.clusters[place].origin.at("spec", "capacity", "nodes")
    counts: dict[str, str | int] = {"needed": needed, "fits": fits}
    small: list[dict[str, str | int]] = [
        {"resource": resource, "asked": amount, "largest": largest}
        for resource, amount in request.asked.items()
        if (largest := request.nodes.largest(place, resource)) < amount
    ]
    for values in small or [{}]:
        yield Rejection(reasons.NODES, FrozenMap(counts | values), source)


def _some_are_not_active(table: Table) -> bool:
    return any(state is not State.ACTIVE for state in table.state.values)


def _some_have_taints(table: Table) -> bool:
    return any(table.taints.values)


def _some_are_in_no_domain(table: Table) -> bool:
    return not all(table.domains(by).everywhere for by in table.spread_by)


def _spread_reads(request: Request) -> tuple[str, ...]:
    """The kinds of domain that some cluster is in none of."""
    table = request.table
    return tuple(
        [each.by for each in request.policy.spec.spread if not table.domains(each.by).everywhere]
    )


STATE = Filter(
    "state",
    _state_bars,
    _state_explains,
    lambda _request: None,
    passes=True,
    speaks=_some_are_not_active,
)
RESIDENCY = Filter(
    "residency",
    _residency_bars,
    _residency_explains,
    lambda request: request.policy.spec.residency,
    speaks=lambda table: "residency" in table.written,
)
AFFINITY = Filter(
    "affinity",
    _affinity_bars,
    _affinity_explains,
    lambda request: request.policy.spec.affinity.required,
    only=_affinity_only,
)
TAINTS = Filter(
    "taints",
    tainted,
    _taints_explain,
    lambda request: request.policy.spec.tolerations,
    _taints_spare,
    passes=True,
    speaks=_some_have_taints,
)
SPREAD = Filter(
    "spread", _spread_bars, _spread_explains, _spread_reads, speaks=_some_are_in_no_domain
)
CAPACITY = Filter("capacity", _capacity_bars, _capacity_explains, passes=True, by_room=True)
