"""The hard rule of the tiers: only clusters of the tier that is used; and what became of others."""

from collections.abc import Iterator
from functools import reduce

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.policy import Tier
from fleet.model.source import Source
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request
from fleet.schedule.tiers import Tiered, members


def _tier_bars(request: Request) -> Mask:
    if request.tiered is None:
        return np.zeros(request.table.size, dtype=bool)
    inside = [members(request.table, tier) for tier in request.tiered.counted]
    return ~reduce(np.logical_or, inside)


def _tier_explains(request: Request, place: int) -> Iterator[Rejection]:
    """The tier that is used; for a cluster of a tier that was tried also what that lacked."""
    tiered = request.tiered
    assert tiered is not None  # noqa: S101 - without tiers the filter bars nothing
    own = [
        position
        for position, tier in enumerate(tiered.tiers)
        if members(request.table, tier)[place]
    ]
    won = tiered.tiers[tiered.first].name
    missed = [miss for miss in tiered.misses if miss.position in own]
    for miss in missed:
        values: dict[str, str | int] = {
            "tier": tiered.tiers[miss.position].name,
            "won": won,
            "missing": miss.missing,
        }
        yield Rejection(reasons.TIER_SHORT, FrozenMap(values), _source(request, miss.position))
        yield from miss.why
    if not missed:
        yield _untried(request, tiered, own, won)


def _untried(request: Request, tiered: Tiered, own: list[int], won: str) -> Rejection:
    """Why nobody tried the first tier of a cluster."""
    if not own:
        values = FrozenMap[str | int]({"won": won})
        source = request.policy.origin.at("spec", "tiers")
        return Rejection(reasons.TIER_NONE, values, source)
    code = reasons.TIER_LEFT if own[0] < tiered.first else reasons.TIER_LATER
    values = FrozenMap[str | int]({"tier": tiered.tiers[own[0]].name, "won": won})
    return Rejection(code, values, _source(request, own[0]))


def _source(request: Request, position: int) -> Source:
    return request.policy.origin.at("spec", "tiers", position)


def _tier_reads(request: Request) -> tuple[Tier, ...] | None:
    return request.tiered.counted if request.tiered else None


TIER = Filter(
    "tier",
    _tier_bars,
    _tier_explains,
    _tier_reads,
    speaks=lambda table: "tiers" in table.written,
)
