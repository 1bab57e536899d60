"""Which standby region of a name follows, and that of replicated data it alone may be answered.

Records of weight 0 are all answered when every other one is unhealthy. A database has one primary:
led to two regions, half of the clients would find a copy that takes no writes, also after the
update that promotes the other one. So the records of every standby region but one get a check that
is never healthy, until an update makes them the next ones or active.

Source: Route53, HealthThreshold: a calculated check that needs more than its children is always
unhealthy.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from fleet.deliver.checks import Asked
from fleet.deliver.levers import is_held
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.decision import Active, Finding
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload

SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Line:
    """The standby regions of a name, whoever follows first.

    **Shape**: `barred` are regions that may not be answered; `equal` those, `next` among them, that
    only their names tell apart.
    """

    next: str = ""
    barred: frozenset[str] = frozenset()
    equal: tuple[str, ...] = ()


def line_of(
    workload: Workload, active: Active | None, standing: Collection[Asked], *, held: bool
) -> Line:
    """Who follows among the entries that stand by with something to answer.

    `held`: the name stays with a dead primary, so that what would be active follows.
    """
    if active is None:
        return Line()
    regions = {each.cluster.spec.region for each in standing}
    order = (active.region, *active.then) if held else active.then
    if len(regions) < SEVERAL or regions.isdisjoint(order):
        return Line()
    loose = [each for each in standing if not is_held(each.policy, each.cluster, 0)]
    free = {each.cluster.spec.region for each in loose}
    if workload.settings.data.kind is DataKind.REPLICATED and len(free) >= SEVERAL:
        following = next((region for region in order if region in free), min(free))
        return Line(following, frozenset(free - {following}))
    following = next(region for region in order if region in regions)
    equal = [] if held else [each for each in active.then[: active.equal] if each in regions]
    return Line(following, equal=tuple(equal) if len(equal) >= SEVERAL else ())


def line_findings(policy: TrafficPolicy, line: Line, active: Active | None) -> Iterator[Finding]:
    """Which standby is answered alone, or that nothing but a name chose the next one."""
    if active is None:
        return
    values = {"name": policy.spec.name, "workload": policy.spec.workload, "next": line.next}
    if line.barred:
        told = FrozenMap[str | int]({**values, "others": ", ".join(sorted(line.barred))})
        yield Finding(codes.ONE_STANDBY_ANSWERS, told, policy.origin.at("spec", "activeRegion"))
    elif line.equal:
        told = FrozenMap[str | int](
            {**values, "active": active.region, "equal": ", ".join(sorted(line.equal))}
        )
        yield Finding(codes.NEXT_BY_NAME, told, policy.origin.at("spec", "activeRegion"))
