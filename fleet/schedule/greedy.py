"""The first try of a selection, from as short a beginning of the order as will do."""

from collections.abc import Sequence

from fleet.schedule.candidates import Candidates
from fleet.schedule.choice import Limit
from fleet.schedule.spread import Spread

HEAD = 16
"""How many of the best candidates are put in order at first."""


def best_within(spread: Spread, candidates: Candidates) -> list[int] | None:
    """The best clusters within the limits of at most one kind of domain, in order of preference.

    None where that does not do: the least of a limit is not covered, or there is more to weigh.
    """
    if len(spread.limits) > 1 or spread.most is None:
        return None
    head = candidates.first(max(HEAD, spread.most))
    found = _opened(spread.limits[0], spread.most, head) if spread.limits else head
    if found is None or len(found) < spread.most:
        head = candidates.order
        found = _opened(spread.limits[0], spread.most, head) if spread.limits else head
    return found[: spread.most] if found and len(found) >= spread.least else None


def _opened(limit: Limit, most: int, head: Sequence[int]) -> list[int] | None:
    """Opens the domains of the best clusters; covers the least of them first, then fills up.

    None where a cluster is in several domains, or the least is not covered.
    """
    opened: set[int] = set()
    needed: list[int] = []
    rest: list[int] = []
    for place in head:
        domains = limit.of[place]
        if len(domains) != 1:
            return None
        domain = domains[0]
        if domain not in opened:
            if limit.most is not None and len(opened) >= limit.most:
                continue
            opened.add(domain)
            if len(opened) <= limit.least:
                needed.append(place)
                continue
        rest.append(place)
        if len(rest) + len(needed) >= most and len(opened) >= limit.least:
            break
    if len(opened) < limit.least or limit.least > most:
        return None
    return needed + rest[: most - len(needed)]
