"""Which of the feasible clusters a workload uses, within the limits of its spread.

The rule: candidates come in the order of preference. A limit opens the domains of the best
clusters; where these lack room, the last ones give way to domains with more room; where that does
not do, other sets of domains are tried in the order of preference. Inside the open domains
fleet.schedule.pick chooses. All trying together takes at most STEPS steps, so a selection is
never exponential, and never worse than the first try.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.source import Origin, Path, Source
from fleet.schedule import reasons
from fleet.schedule.bound import least_deficit
from fleet.schedule.choice import Budget, Choice, Limit
from fleet.schedule.pick import pick

STEPS = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """What was chosen, in the order of preference.

    `failure` says why nothing was; `relaxed` which limits were eased for what runs already.
    """

    chosen: tuple[int, ...]
    failure: Rejection | None = None
    relaxed: tuple[Rejection, ...] = ()


@dataclass(slots=True, eq=False)
class Rules:
    """Where the limit on clusters, and the whole spread, are written.

    **Shape**: `clusters` is the path of the limit on clusters, `pick` or a spread by cluster.
    """

    written: Origin | None = None
    clusters: Path = ()

    @property
    def clusters_least(self) -> Source | None:
        """Where the least number of clusters is written."""
        return self._limit("minDomains")

    @property
    def clusters_most(self) -> Source | None:
        """Where the largest number of clusters is written."""
        return self._limit("maxDomains")

    def limit(self, limit: Limit, field: str) -> Source | None:
        """Where `minDomains` or `maxDomains` of a kind of domain is written."""
        if self.written is None or limit.position is None:
            return None
        return self.written.at("spec", "spread", limit.position, field)

    @property
    def spread(self) -> Source | None:
        """Where the spread is written."""
        return None if self.written is None else self.written.at("spec", "spread")

    def _limit(self, field: str) -> Source | None:
        return self.written.at(*self.clusters, field) if self.written and self.clusters else None


def select(choice: Choice, rules: Rules, *, runs: bool) -> Selection:
    """Selects within all limits.

    A limit's least is a demand on new placements: for a workload that runs somewhere (`runs`) it
    is eased to what is left, so that the loss of one region takes nothing from the others.
    """
    if not choice.limits and choice.most is None and choice.least <= len(choice.order):
        return Selection(tuple(choice.order))
    short = _short(choice, rules)
    if short and not runs:
        return Selection((), failure=short[0])
    eased = _eased(choice) if short else choice
    chosen = _best(eased)
    if chosen is not None:
        return Selection(tuple(chosen), relaxed=tuple(short))
    conflict = Rejection(reasons.SPREAD_CONFLICT, source=rules.spread)
    if not runs:
        return Selection((), failure=conflict)
    chosen = _best(replace(choice, least=1, limits=_at_least_one(choice.limits)))
    if chosen is None:
        return Selection((), failure=conflict)
    return Selection(tuple(chosen), relaxed=(*short, conflict))


def why_not(choice: Choice, rules: Rules, chosen: Sequence[int], place: int) -> Rejection | None:
    """Which limit a candidate that was not chosen would break; None: it would break none."""
    for limit in choice.limits:
        if limit.most is not None and len(limit.found((*chosen, place))) > limit.most:
            return _limit_reached(limit.by, limit.most, rules.limit(limit, "maxDomains"))
    if choice.most is None or len(chosen) < choice.most:
        return None
    return _limit_reached("cluster", choice.most, rules.clusters_most)


def _limit_reached(by: str, limit: int, source: Source | None) -> Rejection:
    return Rejection(reasons.DOMAIN_LIMIT, FrozenMap({"by": by, "limit": limit}), source)


def _short(choice: Choice, rules: Rules) -> list[Rejection]:
    """The limits that not even all candidates together could cover."""
    counted = [
        (limit.by, len(limit.found(choice.order)), limit.least, rules.limit(limit, "minDomains"))
        for limit in choice.limits
    ]
    counted.append(("cluster", len(choice.order), choice.least, rules.clusters_least))
    return [
        Rejection(
            reasons.DOMAINS_SHORT, FrozenMap({"by": by, "found": found, "wanted": wanted}), source
        )
        for by, found, wanted, source in counted
        if found < wanted
    ]


def _eased(choice: Choice) -> Choice:
    """The same question, asking for no more domains than there are."""
    return replace(
        choice,
        least=min(choice.least, len(choice.order)),
        limits=tuple(
            replace(limit, least=min(limit.least, len(limit.found(choice.order))))
            for limit in choice.limits
        ),
    )


def _at_least_one(limits: tuple[Limit, ...]) -> tuple[Limit, ...]:
    return tuple(replace(limit, least=min(limit.least, 1)) for limit in limits)


def _best(choice: Choice) -> list[int] | None:
    """The first selection that holds all replicas, or the one that lacks room for the fewest."""
    budget, bound = Budget(STEPS), cache(lambda: least_deficit(choice))

    def enough(deficit: int) -> bool:
        """Whether no selection can lack less; the bound is worked out only where it matters."""
        return not deficit or deficit <= bound()

    best: list[int] | None = None
    for eligible in _eligible(choice, list(choice.order), choice.limits):
        chosen = pick(choice, eligible, enough, budget)
        if chosen is not None:
            if best is None or choice.deficit(chosen) < choice.deficit(best):
                best = chosen
            if enough(choice.deficit(best)):
                break
        if not budget.spend():
            break
    return None if best is None else _filled_up(choice, best)


def _filled_up(choice: Choice, chosen: list[int]) -> list[int]:
    """Adds every candidate that breaks no limit: an open domain may have stayed empty."""
    if not any(limit.most for limit in choice.limits):
        return chosen
    covered = [limit.found(chosen) for limit in choice.limits]
    members = set(chosen)
    for place in choice.order:
        if choice.most is not None and len(members) >= choice.most:
            break
        wider = [
            found.union(limit.of[place])
            for limit, found in zip(choice.limits, covered, strict=True)
        ]
        if all(
            limit.most is None or len(found) <= limit.most
            for limit, found in zip(choice.limits, wider, strict=True)
        ):
            members.add(place)
            covered = wider
    return [place for place in choice.order if place in members]


def _eligible(choice: Choice, places: list[int], limits: tuple[Limit, ...]) -> Iterator[list[int]]:
    """The clusters inside open domains, for one set of open domains after the other."""
    if not limits:
        yield places
        return
    limit, *others = limits
    rooms = choice.rooms(limit, places)
    if limit.most is None or len(rooms) <= limit.most:
        yield from _eligible(choice, places, tuple(others))
        return
    for opened in _domain_sets(choice, rooms, limit.most):
        inside = [place for place in places if opened.issuperset(limit.of[place])]
        yield from _eligible(choice, inside, tuple(others))


def _domain_sets(choice: Choice, rooms: dict[int, int], most: int) -> Iterator[set[int]]:
    """Sets of `most` domains: the best, the best with enough room, then all in order."""
    ranked = list(rooms)
    yield set(ranked[:most])
    if len(choice.targets) == 1:
        (target,) = choice.targets.values()
        yield _roomy(ranked, rooms, most, target)
    yield from map(set, combinations(ranked, most))


def _roomy(ranked: list[int], rooms: dict[int, int], most: int, target: int) -> set[int]:
    """Exchanges the last domains for those with most room, until the replicas have room."""
    opened, closed = ranked[:most], ranked[most:]
    for position in range(most - 1, -1, -1):
        if sum(rooms[domain] for domain in opened) >= target:
            break
        new = max(closed, key=lambda domain: rooms[domain])
        if rooms[new] > rooms[opened[position]]:
            closed[closed.index(new)], opened[position] = opened[position], new
    return set(opened)
