"""The first try of a selection, from as short a beginning of the order as will do."""

from itertools import islice

from fleet.schedule.candidates import Candidates
from fleet.schedule.choice import Limit
from fleet.schedule.spread import Spread


def best_within(spread: Spread, candidates: Candidates) -> list[int] | None:
    """The best clusters within the limits of at most one kind of domain, in order of preference.

    None where that does not do: the least of a limit is not covered, or there is more to weigh.
    """
    if len(spread.limits) > 1 or spread.most is None:
        return None
    if spread.limits:
        found = _opened(spread.limits[0], spread.most, candidates)
    else:
        found = list(islice(candidates.best(), spread.most))
    return found if found and len(found) >= spread.least else None


def _opened(limit: Limit, most: int, candidates: Candidates) -> list[int] | None:
    """Opens the domains of the best clusters; keeps places free for the least of them.

    In order of preference. None where a cluster is in several domains, or the least is not covered.
    """
    if limit.single is None or limit.least > most:
        return None
    least, widest = limit.least, limit.most or len(limit.single)
    opened: set[int] = set()
    found: list[int] = []

    def wants(domain: int) -> bool:
        """Whether there is a place for one more of a domain."""
        spare = most - len(found) > least - len(opened)
        if domain in opened:
            return spare
        return len(opened) < least or (spare and len(opened) < widest)

    for place in candidates.best(limit.single, wants):
        found.append(place)
        opened.add(limit.single[place])
        if len(found) == most:
            break
    return found if len(opened) >= least else None
