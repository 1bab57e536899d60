"""The first try of a selection, from as short a beginning of the order as will do."""

from collections.abc import Sequence

from fleet.schedule.candidates import Candidates
from fleet.schedule.choice import Limit
from fleet.schedule.spread import Spread


def best_within(spread: Spread, candidates: Candidates) -> list[int] | None:
    """The best clusters within the limits of at most one kind of domain, in order of preference.

    None where that does not do: the least of a limit is not covered, or there is more to weigh.
    """
    if len(spread.limits) > 1 or spread.most is None:
        return None
    head = candidates.head
    found = _first(spread, spread.most, head)
    if candidates.has_more and (found is None or len(found) < spread.most):
        found = _first(spread, spread.most, candidates.order)
    return found if found and len(found) >= spread.least else None


def _first(spread: Spread, most: int, head: Sequence[int]) -> list[int] | None:
    return _opened(spread.limits[0], most, head) if spread.limits else list(head[:most])


def _opened(limit: Limit, most: int, head: Sequence[int]) -> list[int] | None:
    """Opens the domains of the best clusters; keeps places free for the least of them.

    In order of preference. None where a cluster is in several domains, or the least is not covered.
    """
    if limit.single is None or limit.least > most:
        return None
    domain_of, least, widest = limit.single, limit.least, limit.most or len(limit.single)
    opened: set[int] = set()
    found: list[int] = []
    spare = most - least
    for place in head:
        domain = domain_of[place]
        if domain not in opened and len(opened) < least:
            found.append(place)
        elif spare and (domain in opened or len(opened) < widest):
            found.append(place)
            spare -= 1
        else:
            continue
        opened.add(domain)
        if len(found) == most:
            break
    return found if len(opened) >= least else None
