"""The search for the changes that flip one verdict: alternatives, ladders, and what is needed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from fleet.model.base import FrozenMap
from fleet.model.change import APPEND, Change
from fleet.model.decision import Verdict
from fleet.schedule.proposals import alternatives
from fleet.schedule.rehearsal import PLACED, Changes, Rehearsal
from fleet.schedule.steps import Case, Ladder

ROUNDS = 6
"""How often what a change leads to is looked at again, before there is no change known."""

OPTIONS = 40
"""How many combinations of alternatives are tried in one round at most."""


class Search:
    """The search for one verdict."""

    def __init__(self, rehearsal: Rehearsal, verdict: Verdict) -> None:
        self._rehearsal = rehearsal
        self._verdict = verdict

    def nearest(self) -> Changes:
        """The changes that are needed together; none where none is known, or none is needed."""
        if self._verdict.outcome in PLACED:
            return ()
        made: Changes = ()
        for _ in range(ROUNDS):
            case = self._rehearsal.case(self._verdict.cluster, made)
            if case is None:
                break
            found = self._round(case, made)
            if self._flips(found):
                return self._needed(found)
            made = found
        return ()

    def _round(self, case: Case, made: Changes) -> Changes:
        """The first combination of alternatives that flips the verdict, else the first of all."""
        options = [alternatives(case, each) for each in case.verdict.rejections]
        first: Changes | None = None
        for combined in islice(product(*options), OPTIONS):
            steps = [step for alternative in combined for step in alternative]
            found = self._climbed(steps, made)
            if self._flips(found):
                return found
            first = found if first is None else first
        return made if first is None else first

    def _climbed(self, steps: Sequence[Change | Ladder], made: Changes) -> Changes:
        """The steps with the smallest numbers that flip the verdict; with the first, if none do."""
        first = _with_steps(made, steps, {})
        if self._flips(first):
            return first
        ladders = {place: each for place, each in enumerate(steps) if isinstance(each, Ladder)}
        at = {place: ladder.last for place, ladder in ladders.items()}
        for place, ladder in ladders.items():
            number = self._smallest(steps, at, (place, ladder), made)
            if number is None:
                return first
            at[place] = number
        return _with_steps(made, steps, at)

    def _smallest(
        self,
        steps: Sequence[Change | Ladder],
        at: Mapping[int, int],
        climbed: tuple[int, Ladder],
        made: Changes,
    ) -> int | None:
        """The smallest number of one ladder: in growing strides up, by halves down."""
        place, ladder = climbed

        def flips(rung: int) -> bool:
            number = min(ladder.last, ladder.first + rung * ladder.step)
            return self._flips(_with_steps(made, steps, {**at, place: number}))

        most = -(-(ladder.last - ladder.first) // ladder.step)
        low, high = -1, 0
        while not flips(high):
            if high >= most:
                return None
            low, high = high, min(most, 2 * high + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if flips(middle) else (middle, high)
        return min(ladder.last, ladder.first + high * ladder.step)

    def _needed(self, changes: Changes) -> Changes:
        """The changes without those that are not needed."""
        for each in changes:
            others = tuple(other for other in changes if other is not each)
            if self._flips(others):
                changes = others
        return changes

    def _flips(self, changes: Changes) -> bool:
        return self._rehearsal.flips(self._verdict.cluster, changes)


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
    if one == other:
        return True
    paths = {(each.kind, each.name, each.path) for each in one.edits}
    others = {(each.kind, each.name, each.path) for each in other.edits}
    return not paths.isdisjoint(others) and not any(path[-1] == APPEND for _, _, path in paths)
