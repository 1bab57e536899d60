"""One workload against the clusters of one tier: selects, divides, and counts what is short."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.policy import DivisionMode
from fleet.model.snapshot import Linked
from fleet.schedule import reasons
from fleet.schedule.choice import Choice
from fleet.schedule.cluster_bounds import ClusterBounds
from fleet.schedule.question import question
from fleet.schedule.quotas import Allowance, cut, granted
from fleet.schedule.request import Request
from fleet.schedule.select import Selection, select
from fleet.schedule.share import Division, lacks, shares
from fleet.schedule.short import shortfall
from fleet.schedule.skew import narrowed, trimmed
from fleet.schedule.spread import Spread
from fleet.schedule.stance import Stance, division_mode


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What all tries of one workload in one tier share.

    `runs`: the workload runs on a feasible cluster.

    **Shape**: `order` has the candidates, best first; `levels` (None: one) by the cluster's
    position.
    """

    linked: Linked
    request: Request
    stance: Stance
    spread: Spread
    order: list[int]
    weights: Mapping[int, int] | None
    bounds: ClusterBounds
    levels: list[int] | None
    allowance: Allowance
    runs: bool

    @property
    def everywhere(self) -> bool:
        """Whether every selected cluster runs all replicas."""
        return division_mode(self.linked) is DivisionMode.DUPLICATED


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """A possible answer: replicas by the cluster's position, and what is short.

    `division` has the whole targets; `over` says which quota left fewer.
    """

    asked: Asked
    division: Division
    selection: Selection
    given: Mapping[int, int]
    missing: int
    why: tuple[Rejection, ...]
    over: Rejection | None


def attempt(asked: Asked) -> Attempt:
    """The first answer that is not short, or the one that is short of the fewest.

    Where a limit opens only some domains, and numbers must be even in them, there are several
    tries, each without the smallest domain of the one before.
    """
    tries = _tries(asked)
    best = next(tries)
    while best.why:
        other = next(tries, None)
        if other is None:
            break
        if other.missing < best.missing:
            best = other
    return best


def _tries(asked: Asked) -> Iterator[Attempt]:
    """The answers for one list of candidates after the other."""
    room = np.minimum(asked.request.room, asked.bounds.most)
    spread = asked.spread
    limited = spread.most is not None or any(limit.most is not None for limit in spread.limits)
    sizes = None if asked.everywhere else room.tolist()
    for order in narrowed(spread.skews if limited else (), asked.order, sizes):
        stance = asked.stance if asked.everywhere else _granted(asked)
        choice = question(asked.linked, stance, spread, order, room)
        yield _try(asked, choice, stance)


def _granted(asked: Asked) -> Stance:
    """What the quotas leave of the targets, the active regions first."""
    stance = asked.stance
    groups = list(dict.fromkeys(stance.groups[place] for place in asked.order))
    groups.sort(key=lambda group: group not in stance.active)
    if sum(stance.targets[group] for group in groups) <= asked.allowance.replicas:
        return stance
    return replace(stance, targets=granted(stance.targets, groups, asked.allowance.replicas))


def _try(asked: Asked, choice: Choice, stance: Stance) -> Attempt:
    """Selects among candidates, and divides over what was selected."""
    request = asked.request
    selection = _selected(asked, choice)
    division = Division(
        request.table,
        asked.linked,
        stance,
        choice,
        request.room.tolist(),
        asked.weights,
        request.prior,
        asked.bounds,
        asked.spread.skews,
        asked.levels,
    )
    given = shares(division, selection.chosen)
    missing, why = shortfall(division, given, selection.failure)
    kept = given
    if asked.everywhere:
        kept = cut(given, selection.chosen, request.prior, asked.allowance.replicas)
    held_back = sum(given.values()) - sum(kept.values())
    groups = {stance.groups[place] for place in given}
    held_back += sum(asked.stance.targets[group] - stance.targets[group] for group in groups)
    over = asked.allowance.over if held_back else None
    whole = replace(division, stance=asked.stance)
    told = why if over is None else (*why, over)
    return Attempt(asked, whole, selection, kept, missing + held_back, told, over)


def _selected(asked: Asked, choice: Choice) -> Selection:
    """Selects; without a candidate there is nothing to select from."""
    if not choice.order:
        source = asked.request.policy.origin.start
        return Selection((), failure=Rejection(reasons.NO_CLUSTER, source=source))
    selection = select(choice, asked.spread.rules, runs=asked.runs)
    if not asked.everywhere or not asked.spread.skews:
        return selection
    return _evened(asked, choice, selection)


def _evened(asked: Asked, choice: Choice, selection: Selection) -> Selection:
    """Takes clusters away until their numbers are even; fails where a limit's least is lost."""
    chosen = trimmed(asked.spread.skews, selection.chosen, asked.request.prior)
    if not asked.runs and lacks(choice, chosen) > lacks(choice, selection.chosen):
        skew = asked.spread.skews[0]
        values = FrozenMap[str | int]({"by": skew.by, "skew": skew.most})
        return Selection((), failure=Rejection(reasons.SKEW_CONFLICT, values, skew.source))
    return replace(selection, chosen=tuple(chosen))
