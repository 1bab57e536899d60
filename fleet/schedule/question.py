"""Makes the question to selection: limits, room and groups of one workload."""

from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule.choice import Choice, Limit
from fleet.schedule.columns import Whole
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance, division_mode


def question(
    linked: Linked, stance: Stance, spread: Spread, order: list[int], room: Whole
) -> Choice:
    """The choice among the candidates; the best cluster of each active region comes first.

    A selection must have a cluster of every active region that has a candidate. Room counts where
    replicas are divided; where they are duplicated the filter has seen to it.

    **Shape**: `room` is how many replicas each cluster may run, by its position.
    """
    leaders = _leaders(stance, order) if stance.by_region else {}
    limits = spread.limits
    if leaders and (limits or spread.most is not None):
        limits = (*limits, _active_limit(stance, frozenset(leaders)))
    first = frozenset(leaders.values())
    return Choice(
        order=[*leaders.values(), *(place for place in order if place not in first)],
        caps=room.tolist(),
        groups=stance.groups,
        targets=_targets(linked, stance, order),
        limits=limits,
        least=spread.least,
        most=spread.most,
        required=tuple(leaders),
    )


def _targets(linked: Linked, stance: Stance, order: list[int]) -> dict[int, int]:
    """The replicas of each group that has a candidate."""
    if division_mode(linked) is DivisionMode.DUPLICATED:
        return {}
    groups = (
        dict.fromkeys(stance.groups[place] for place in order) if stance.by_region else {0: None}
    )
    return {group: stance.targets[group] for group in groups}


def _leaders(stance: Stance, order: list[int]) -> dict[int, int]:
    """The best candidate of each active group, best group first."""
    leaders: dict[int, int] = {}
    for place in order:
        group = stance.groups[place]
        if group in stance.active:
            leaders.setdefault(group, place)
    return leaders


def _active_limit(stance: Stance, groups: frozenset[int]) -> Limit:
    """Every active region must be covered."""
    of = [(group,) if group in groups else () for group in stance.groups]
    return Limit("active region", len(groups), None, of)
