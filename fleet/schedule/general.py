"""The general way: any groups, limits and bounds; selects clusters, then divides the replicas."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from fleet.model.decision import Assignment, Rejection
from fleet.schedule import reasons
from fleet.schedule.bounds import assigned
from fleet.schedule.candidates import Candidates
from fleet.schedule.choice import Choice
from fleet.schedule.question import question
from fleet.schedule.select import Selection, select
from fleet.schedule.share import Division, shares
from fleet.schedule.short import shortfall
from fleet.schedule.stance import Stance
from fleet.schedule.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What was selected and divided.

    **Shape**: `given` has replicas by position, also 0 where a cluster was selected; `placed` the
    assignments by position, sorted.
    """

    choice: Choice
    selection: Selection
    given: Mapping[int, int]
    placed: Mapping[int, Assignment]
    missing: int
    why: tuple[Rejection, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A decision that was made once more, to be explained."""

    task: Task
    answer: Answer


def general(task: Task) -> Answer:
    """Selects within the limits, and divides."""
    request, order = task.request, task.candidates.order
    weights = task.weights(np.array(order, dtype=np.int64))
    choice = question(task.linked, task.stance, task.spread, order, request.room)
    selection = _selected(task, choice)
    division = Division(
        request.table,
        task.linked,
        task.stance,
        choice,
        request.room.tolist(),
        None if weights is None else dict(zip(order, weights.tolist(), strict=True)),
        request.prior,
    )
    given = shares(division, selection.chosen)
    missing, why = shortfall(division, given, selection.failure)
    if not _answered(task.stance, given):
        given = {}
    return Answer(choice, selection, given, assigned(division, given), missing, why)


def _selected(task: Task, choice: Choice) -> Selection:
    """Selects; without a candidate there is nothing to select from."""
    if not choice.order:
        source = task.linked.placement.origin.start
        return Selection((), failure=Rejection(reasons.NO_CLUSTER, source=source))
    feasible = Candidates(task.candidates.evaluator, task.request, task.candidates.view)
    runs = not frozenset(feasible.places.tolist()).isdisjoint(task.request.prior)
    return select(choice, task.spread.rules, runs=runs)


def _answered(stance: Stance, given: Mapping[int, int]) -> bool:
    """Whether an active cluster runs what there is to run; if not, none stands by."""
    active = [place for place in given if stance.groups[place] in stance.active]
    return any(given[place] or not stance.target(place) for place in active)
