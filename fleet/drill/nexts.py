"""Whether the region that "the next update leads to" is the one that a plan of the loss leads to.

Today's order of regions is that of a plan in which nothing else moves. A loss moves other
workloads, too, and the balance between the regions left may then choose another one.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from fleet.drill.scenarios import scenarios, without
from fleet.errors import InvalidError
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Schedule
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.survival import By

Plan = Callable[[Snapshot, Prior, Settings], Schedule]
CarriedOut = Callable[[Outcome], Prior]


def with_true_nexts(outcome: Outcome, plan: Plan, carried_out: CarriedOut) -> Outcome:
    """The outcome without those of its findings NEXT_BY_NAME that a loss would give the lie.

    Each region that such a finding is about is planned once; nothing is planned without one.
    """
    told = [each for each in outcome.plan.findings if each.code == codes.NEXT_BY_NAME]
    if not told:
        return outcome
    lost = {str(each.values["active"]) for each in told}
    after = dict(_plans(outcome, lost, plan, carried_out(outcome)))
    kept = tuple(
        each
        for each in outcome.plan.findings
        if each.code != codes.NEXT_BY_NAME or _holds(each, outcome.snapshot, after)
    )
    return replace(outcome, plan=replace(outcome.plan, findings=kept))


def _plans(
    outcome: Outcome, lost: Iterable[str], plan: Plan, prior: Prior
) -> Iterator[tuple[str, Schedule]]:
    """The plan that follows the loss of each region; none where it is refused."""
    for each in scenarios(outcome.snapshot, {By.REGION}):
        if each.domain in lost:
            try:
                yield each.domain, plan(without(outcome.snapshot, each), prior, outcome.settings)
            except InvalidError:
                continue


def _holds(finding: Finding, snapshot: Snapshot, after: dict[str, Schedule]) -> bool:
    """Whether the plan of the loss leads the name where the finding says."""
    values: FrozenMap[str | int] = finding.values
    made = after.get(str(values["active"]))
    led = {
        made.active[policy.name].region
        for linked in snapshot.linked
        if made is not None and linked.workload.name == values["workload"]
        for policy in linked.traffic
        if policy.spec.name == values["name"] and policy.name in made.active
    }
    return led == {values["next"]}
