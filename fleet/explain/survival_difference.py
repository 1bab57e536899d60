"""What two plans of one fleet would survive, compared."""

from collections.abc import Mapping
from dataclasses import dataclass

from fleet.explain.difference import WhatIf
from fleet.model.plan import Outcome
from fleet.model.survival import Loss, Scenario, Survival


@dataclass(frozen=True, slots=True)
class SurvivalDifference:
    """A loss that a workload takes differently; a Loss None: it is not hit by it.

    `shortfalls` are replicas without a place after the loss, in the plan as written and as asked.
    """

    scenario: Scenario
    workload: str
    before: Loss | None
    after: Loss | None
    shortfalls: tuple[int, int]

    @property
    def was_survived(self) -> bool:
        """Whether all of the workload has a place after the loss, as the files are written."""
        return not self.shortfalls[0] and not (self.before and self.before.nothing_left)

    @property
    def is_survived(self) -> bool:
        """Whether all of it has a place after the loss, as asked."""
        return not self.shortfalls[1] and not (self.after and self.after.nothing_left)

    @property
    def fences(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The dead clusters that its data waits for to be fenced, as written and as asked."""
        before, after = (each.fence if each else () for each in (self.before, self.after))
        return before, after

    @property
    def differs(self) -> bool:
        """Whether there is anything to tell; all of it lost is all of it lost, however much."""
        if self.was_survived != self.is_survived:
            return True
        if self.is_survived:
            return bool(self.fences[0]) != bool(self.fences[1])
        all_lost = all(loss is not None and loss.nothing_left for loss in (self.before, self.after))
        return self.shortfalls[0] != self.shortfalls[1] and not all_lost


def survival_differences(question: WhatIf) -> list[SurvivalDifference]:
    """The losses that hit another number of replicas; what is gone already cannot be lost again."""
    if question.survival_written is None or question.survival_then is None:
        return []
    before, after = _played(question.survival_written), _played(question.survival_then)
    left = [each.scenario for each in question.survival_then.drills]
    left += question.survival_then.quiet
    shorts = (_shortfalls(question.written), _shortfalls(question.then))
    found = []
    for scenario in left:
        was, now = before.get(_domain(scenario), {}), after.get(_domain(scenario), {})
        for name in sorted({*was, *now}):
            losses = (was.get(name), now.get(name))
            short = (
                _short(losses[0], shorts[0].get(name, 0)),
                _short(losses[1], shorts[1].get(name, 0)),
            )
            found.append(SurvivalDifference(scenario, name, *losses, short))
    return [each for each in found if each.differs]


def _shortfalls(outcome: Outcome) -> dict[str, int]:
    """What is short of each workload without any loss."""
    return {each.workload: each.shortfall for each in outcome.schedule.decisions}


def _short(loss: Loss | None, today: int) -> int:
    """What is short after a loss; one that does not hit it changes nothing."""
    return loss.shortfall if loss else today


def _domain(scenario: Scenario) -> tuple[str, str]:
    return scenario.by, scenario.domain


def _played(survival: Survival) -> dict[tuple[str, str], Mapping[str, Loss]]:
    return {_domain(each.scenario): each.losses for each in survival.drills}
