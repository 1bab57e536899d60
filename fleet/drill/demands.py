"""Policies that demand that a loss is survived, and what is told where it is not.

While a cluster is down that a workload could otherwise use, the loss has happened: that its demand
does not hold is told and blocks nothing, so that the update that moves everything can be done.

A loss after which nothing is missing but a person's word that the old primary is fenced is told and
blocks nothing either: no file could cure it.
"""

from collections.abc import Iterator, Mapping, Sequence

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Finding, Schedule
from fleet.model.inventory import State
from fleet.model.plan import Outcome
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.survival import By, Drill, Loss, Scenario

_STATE = "state"
"""The scheduler's code for a cluster whose state bars it: fleet.schedule.reasons.STATE."""


def demanding(snapshot: Snapshot) -> dict[str, By]:
    """The workloads whose policies demand to survive, by name, with what may be gone."""
    return {
        each.workload.name: By(each.placement.spec.survive)
        for each in snapshot.linked
        if each.placement.spec.survive is not None
    }


def demanded(schedule: Schedule, demands: dict[str, By], scenario: Scenario) -> bool:
    """Whether anything runs there that demands to survive just this."""
    gone = frozenset(scenario.clusters)
    return any(
        demands.get(each.workload) == scenario.by
        and any(assignment.cluster in gone for assignment in each.assignments)
        for each in schedule.decisions
    )


def unmet(outcome: Outcome, drills: Sequence[Drill]) -> Iterator[Finding]:
    """One finding for each workload whose demand does not hold, at the worst loss."""
    decisions = {each.workload: each for each in outcome.schedule.decisions}
    demands = demanding(outcome.snapshot)
    for linked in outcome.snapshot.linked:
        name = linked.workload.name
        by = demands.get(name)
        failing = [
            each
            for each in drills
            if each.scenario.by == by and name in each.losses and not each.losses[name].is_survived
        ]
        decision = decisions[name]
        if failing:
            yield _finding(outcome.snapshot, linked, decision, _at_worst(name, failing))
        elif by is not None and decision.shortfall and not decision.assignments:
            everything = {"short": decision.shortfall, "wanted": decision.shortfall}
            yield _finding(outcome.snapshot, linked, decision, {"by": by, **everything})


def _at_worst(name: str, failing: Sequence[Drill]) -> dict[str, str | int]:
    worst = min(failing, key=lambda each: (_survivors(each.losses[name]), each.scenario.domain))
    loss = worst.losses[name]
    values: dict[str, str | int] = {
        "by": worst.scenario.by,
        "domain": worst.scenario.domain,
        "short": loss.shortfall,
        "wanted": loss.wanted,
        "others": len(failing) - 1,
    }
    if loss.has_room:
        values["fence"] = ", ".join(loss.fence)
    return values


def _finding(
    snapshot: Snapshot, linked: Linked, decision: Decision, values: Mapping[str, str | int]
) -> Finding:
    return Finding(
        codes.NOT_SURVIVED,
        FrozenMap({"workload": linked.workload.name, **values}),
        linked.placement.origin.at("spec", "survive"),
        blocks="fence" not in values and not _is_hit(snapshot, decision),
    )


def _survivors(loss: Loss) -> tuple[bool, int]:
    """What is left of it, the worst first."""
    return bool(loss.after), -loss.shortfall


def _is_hit(snapshot: Snapshot, decision: Decision) -> bool:
    """Whether nothing but its being down bars a cluster for the workload."""
    return any(
        {each.code for each in decision.verdicts[cluster].rejections} == {_STATE}
        for cluster, said in snapshot.states.items()
        if said.state is State.DOWN
    )
