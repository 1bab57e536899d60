"""The first try of a selection, which looks at no more of the order than will do."""

from itertools import islice

from fleet.schedule.candidates import Candidates
from fleet.schedule.choice import Limit
from fleet.schedule.head import Open
from fleet.schedule.spread import Spread


def best_within(spread: Spread, candidates: Candidates) -> list[tuple[int, int]] | None:
    """The best clusters, with their rooms, within the limits of at most one kind of domain.

    In order of preference. None where that does not do: the least of a limit is not covered, or
    there is more to weigh.
    """
    if len(spread.limits) > 1 or spread.most is None:
        return None
    if spread.limits:
        found = _opened(spread.limits[0], spread.most, candidates)
    else:
        found = list(islice(candidates.best(), spread.most))
    return found if found and len(found) >= spread.least else None


def _opened(limit: Limit, most: int, candidates: Candidates) -> list[tuple[int, int]] | None:
    """Opens the domains of the best clusters; keeps places free for the least of them.

    None where a cluster is in several domains, or the least is not covered.
    """
    if limit.single is None or limit.least > most:
        return None
    least, widest = limit.least, limit.most or len(limit.single)
    opened: set[int] = set()
    inside = Open(limit.single, opened)
    found: list[tuple[int, int]] = []
    spare = most - least
    for each in candidates.best(inside):
        domain = limit.single[each[0]]
        if domain not in opened and len(opened) < least:
            found.append(each)
        elif spare and (domain in opened or len(opened) < widest):
            found.append(each)
            spare -= 1
        else:
            continue
        opened.add(domain)
        inside.full = len(opened) >= widest
        if len(found) == most:
            break
    return found if len(opened) >= least else None
