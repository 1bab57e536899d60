"""What there is to tell where too few replicas cannot reach all domains that a policy wants."""

from collections.abc import Iterator, Mapping

from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.schedule import reasons
from fleet.schedule.attempt import Attempt


def thin_spread(made: Attempt, taken: Mapping[int, int]) -> Iterator[Finding]:
    """The limits whose least is more than the replicas: each has one domain per replica at most.

    Where anything else is in the way, a shortfall or a relaxed limit tells it.
    """
    used = [place for place, count in taken.items() if count]
    if not used or made.asked.everywhere or made.selection.relaxed:
        return
    choice, rules = made.division.choice, made.asked.spread.rules
    found = [
        (limit.by, len(limit.found(used)), limit.least, limit.source("minDomains"))
        for limit in made.asked.spread.limits
    ]
    found.append(("cluster", len(used), choice.least, rules.clusters_least))
    for by, reached, wanted, source in found:
        if reached < wanted and sum(taken.values()) < wanted:
            values: dict[str, str | int] = {
                "workload": made.asked.linked.workload.name,
                "by": by,
                "found": reached,
                "wanted": wanted,
            }
            yield Finding(reasons.SPREAD_THIN, FrozenMap(values), source)
