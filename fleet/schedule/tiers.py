"""Ordered alternatives: which tier is tried when, which one wins, and why the others did not.

Forward only: a run starts at the tier where the workload runs, or at the first with
`returnToBetterTier`, and takes the first that holds all replicas. Where none does, the one that is
short of the fewest; the one tried first on a tie. Source: Karmada's clusterAffinities, which never
goes back.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Protocol, TypeVar

import numpy as np

from fleet.model.affinity import ClusterTerm
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Rejection
from fleet.model.policy import PlacementPolicy, Tier
from fleet.model.prior import PriorWorkload
from fleet.schedule import reasons
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.matching import matching
from fleet.schedule.table import Table


class Tried(Protocol):
    """What a tier led to: `missing` replicas, and why any are."""

    @property
    def missing(self) -> int:
        """How many replicas fit nowhere."""

    @property
    def why(self) -> Sequence[Rejection]:
        """The reasons; none where the tier holds the workload."""


T = TypeVar("T", bound=Tried)


@dataclass(frozen=True, slots=True)
class Miss:
    """A tier that was tried and did not win. `position` among the tiers of the policy."""

    position: int
    missing: int
    why: tuple[Rejection, ...]


@dataclass(frozen=True, slots=True)
class Tiered:
    """The tiers that count for a request: from `first` to `last`, both included.

    `misses` are the ones that were tried besides, when one has won.
    """

    tiers: tuple[Tier, ...]
    first: int
    last: int
    misses: tuple[Miss, ...] = ()

    @property
    def counted(self) -> tuple[Tier, ...]:
        """The tiers whose clusters may be used."""
        return self.tiers[self.first : self.last + 1]

    @property
    def overflows(self) -> bool:
        """Whether some clusters are used only when those before are full."""
        return any(tier.overflow for tier in self.counted)


def all_tiers(policy: PlacementPolicy, start: int = 0) -> Tiered | None:
    """Every tier from `start` on, together; None where a policy has none."""
    tiers = policy.spec.tiers
    return Tiered(tiers, start, len(tiers) - 1) if tiers else None


def start_tier(
    table: Table, policy: PlacementPolicy, prior: PriorWorkload, running: Collection[int]
) -> int:
    """Where the search starts: the tier where the workload runs, by the prior's word.

    A prior without a word (written by hand, or from before the policy had tiers) means the first
    tier that has every cluster where it runs.
    """
    tiers = policy.spec.tiers
    if policy.spec.return_to_better_tier or not running:
        return 0
    names = [tier.name for tier in tiers]
    if prior.tier in names:
        return names.index(prior.tier)
    places = list(running)
    return next(
        (
            position
            for position, tier in enumerate(tiers)
            if not prior.tier and members(table, tier)[places].all()
        ),
        0,
    )


def through(
    tiers: tuple[Tier, ...], start: int, attempt: Callable[[Tiered], T]
) -> tuple[T, Tiered, bool]:
    """The attempt that wins, its tier with all misses, and whether it holds the workload."""
    tried: list[tuple[int, T]] = []
    for position in range(start, len(tiers)):
        made = attempt(Tiered(tiers, position, position))
        tried.append((position, made))
        if not made.why:
            break
    holds = not tried[-1][1].why
    won, made = tried[-1] if holds else min(tried, key=lambda each: each[1].missing)
    misses = tuple(
        Miss(position, each.missing, tuple(each.why))
        for position, each in tried
        if each is not made
    )
    return made, Tiered(tiers, won, won, misses), holds


def nobody_holds(policy: PlacementPolicy, workload: str, tiered: Tiered, short: int) -> Finding:
    """What there is to tell where every tier is short."""
    values: dict[str, str | int] = {
        "workload": workload,
        "tier": tiered.tiers[tiered.first].name,
        "short": short,
        "tried": len(tiered.misses) + 1,
    }
    return Finding(reasons.TIERS_SHORT, FrozenMap(values), policy.origin.at("spec", "tiers"))


def steps(tier: Tier) -> list[tuple[ClusterTerm, ...]]:
    """The terms of a tier, then those of its overflow, in the order in which they fill."""
    return [tier.terms, *(each.terms for each in tier.overflow)]


def matches_any(table: Table, terms: Sequence[ClusterTerm]) -> Mask:
    """The clusters for which one of the terms holds."""
    return reduce(np.logical_or, [matching(table, term) for term in terms])


def members(table: Table, tier: Tier) -> Mask:
    """The clusters of a tier, those of its overflow included."""
    return reduce(np.logical_or, [matches_any(table, terms) for terms in steps(tier)])


def levels(table: Table, tier: Tier) -> Whole:
    """When each cluster of a tier fills: 0 its own, then one more for each overflow."""
    level = np.full(table.size, len(tier.overflow) + 1, dtype=np.int64)
    for number, terms in reversed(list(enumerate(steps(tier)))):
        level[matches_any(table, terms)] = number
    return level
