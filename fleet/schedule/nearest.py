"""The search for the changes that flip one verdict: alternatives, ladders, and what is needed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Change
from fleet.model.decision import Rejection
from fleet.schedule.goals import Goal
from fleet.schedule.proposals import alternatives
from fleet.schedule.rehearsal import Changes, Rehearsal
from fleet.schedule.steps import Case, Ladder

ROUNDS = 8
"""How often what a change leads to is looked at again, before there is no change known."""

OPTIONS = 40
"""How many combinations of alternatives are tried in one round at most."""


class Search:
    """The search for one goal."""

    def __init__(self, rehearsal: Rehearsal, goal: Goal) -> None:
        self._rehearsal = rehearsal
        self._goal = goal

    def nearest(self, case: Case) -> Changes:
        """The changes that are needed together; none where none is known, or none is needed."""
        made: Changes = ()
        if self._goal.holds(case):
            return made
        for _ in range(ROUNDS):
            made = self._round(case, made)
            if self._reached(made):
                return self._needed(made)
            case = self._rehearsal.case(self._goal.cluster, made) or case
        return ()

    def _round(self, case: Case, made: Changes) -> Changes:
        """The first combination of alternatives that leads to the goal.

        Where none does, the first after which other reasons stand in the way.
        """
        options = [alternatives(case, each) for each in self._goal.reasons(case)]
        combinations = [
            [step for alternative in combined for step in alternative]
            for combined in islice(product(*options), OPTIONS)
        ]
        before = _kinds(self._goal.obstacles(case))

        def moves(changes: Changes) -> bool:
            after = self._rehearsal.case(self._goal.cluster, changes)
            return after is not None and _kinds(self._goal.obstacles(after)) != before

        for reached in (self._reached, moves):
            for steps in combinations:
                found = _climbed(steps, made, reached)
                if found is not None:
                    return found
        return made

    def _needed(self, changes: Changes) -> Changes:
        """The changes without those that are not needed."""
        for each in changes:
            others = tuple(other for other in changes if other is not each)
            if self._reached(others):
                changes = others
        return changes

    def _reached(self, changes: Changes) -> bool:
        return self._rehearsal.reaches(self._goal, changes)


def _kinds(obstacles: Sequence[Rejection]) -> list[tuple[str, frozenset[tuple[str, str]]]]:
    """What stands in the way, whatever its numbers."""
    return [
        (
            each.code,
            frozenset((key, is_) for key, is_ in each.values.items() if isinstance(is_, str)),
        )
        for each in obstacles
    ]


def _climbed(
    steps: Sequence[Change | Ladder], made: Changes, reached: Callable[[Changes], bool]
) -> Changes | None:
    """The steps with the smallest numbers that reach the goal; None where none do."""
    first = _with_steps(made, steps, {})
    if reached(first):
        return first
    ladders = {place: each for place, each in enumerate(steps) if isinstance(each, Ladder)}
    at = {place: ladder.last for place, ladder in ladders.items()}
    for place, ladder in ladders.items():

        def reaches(number: int, place: int = place) -> bool:
            return reached(_with_steps(made, steps, {**at, place: number}))

        number = _smallest(ladder, reaches)
        if number is None:
            return None
        at[place] = number
    return _with_steps(made, steps, at) if ladders else None


def _smallest(ladder: Ladder, reaches: Callable[[int], bool]) -> int | None:
    """The smallest number that will do: in growing strides up, by halves down."""
    most = -(-(ladder.last - ladder.first) // ladder.step)

    def number(rung: int) -> int:
        return min(ladder.last, ladder.first + rung * ladder.step)

    low, high = -1, 0
    while not reaches(number(high)):
        if high >= most:
            return None
        low, high = high, min(most, 2 * high + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(number(middle)) else (middle, high)
    return number(high)


def _with_steps(made: Changes, steps: Sequence[Change | Ladder], at: Mapping[int, int]) -> Changes:
    """What is made already and the steps; ladders stand at their first number, or as `at` says."""
    changes = list(made)
    for place, step in enumerate(steps):
        change = step.make(at.get(place, step.first)) if isinstance(step, Ladder) else step
        again = [each for each in changes if _same_place(each, change)]
        changes = [each for each in changes if each not in again]
        first = next((each.values.get("was") for each in again), None)
        if first is not None:
            change = replace(change, values=FrozenMap({**change.values, "was": first}))
        changes.append(change)
    return tuple(changes)


def _same_place(one: Change, other: Change) -> bool:
    """Whether the second says anew what the first said; what adds to a list adds once more."""
    paths = {(each.kind, each.name, each.path) for each in one.edits}
    others = {(each.kind, each.name, each.path) for each in other.edits}
    return not paths.isdisjoint(others) and not any(path[-1] == APPEND for _, _, path in paths)
