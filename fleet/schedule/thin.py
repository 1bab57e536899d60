"""What there is to tell where too few replicas cannot reach all domains that a policy wants."""

from collections.abc import Iterator, Mapping

from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.spread import Spread
from fleet.schedule.stance import division_mode


def thin_spread(linked: Linked, spread: Spread, taken: Mapping[int, int]) -> Iterator[Finding]:
    """The limits whose least the replicas do not reach: too few, or even numbers are in the way.

    Where anything else is in the way, a shortfall or a relaxed limit tells it.
    """
    used = [place for place, count in taken.items() if count]
    if not used or not spread.wants_several or division_mode(linked) is DivisionMode.DUPLICATED:
        return
    if len(used) >= spread.least and all(
        len(limit.found(used)) >= limit.least for limit in spread.limits
    ):
        return
    rules = spread.rules
    found = [
        (limit.by, len(limit.found(used)), limit.least, rules.limit(limit, "minDomains"))
        for limit in spread.limits
    ]
    found.append(("cluster", len(used), spread.least, rules.clusters_least))
    for by, reached, wanted, source in found:
        if reached < wanted and (spread.skews or sum(taken.values()) < wanted):
            values: dict[str, str | int] = {
                "workload": linked.workload.name,
                "by": by,
                "found": reached,
                "wanted": wanted,
            }
            yield Finding(reasons.SPREAD_THIN, FrozenMap(values), source)
