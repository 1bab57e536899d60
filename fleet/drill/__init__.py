"""What is lost, what moves and what does not fit when a cluster, a region or a provider is gone.

The room knows no other: whoever asks hands it the function that plans, and the one that says what
the next plan would find. Each scenario is planned once for all workloads, with the present plan as
its prior.
"""

from collections.abc import Callable, Collection

from fleet.drill.demands import demanded, demanding, unmet
from fleet.drill.fences import with_fences
from fleet.drill.losses import losses, names_at_once
from fleet.drill.scenarios import scenarios, without
from fleet.model.decision import Finding, Schedule
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.survival import KINDS, By, Drill, Scenario, Survival

Plan = Callable[[Snapshot, Prior, Settings], Schedule]
CarriedOut = Callable[[Outcome], Prior]
"""The prior of the next run, once an outcome was carried out."""


def survive(
    outcome: Outcome, plan: Plan, carried_out: CarriedOut, kinds: Collection[By] = KINDS
) -> Survival:
    """Every scenario of these kinds; those where nothing runs are not played."""
    used = {each.cluster for one in outcome.schedule.decisions for each in one.assignments}
    found = list(scenarios(outcome.snapshot, kinds))
    played = [each for each in found if not used.isdisjoint(each.clusters)]
    quiet = tuple(each for each in found if used.isdisjoint(each.clusters))
    return Survival(_play(outcome, plan, carried_out(outcome), played), quiet)


def unmet_demands(outcome: Outcome, plan: Plan, carried_out: CarriedOut) -> tuple[Finding, ...]:
    """A finding for each workload whose policy demands to survive what it would not.

    Only scenarios that hit a workload which demands them are planned; none where none demands.
    """
    demands = demanding(outcome.snapshot)
    if not demands:
        return ()
    found = scenarios(outcome.snapshot, set(demands.values()))
    played = [each for each in found if demanded(outcome.schedule, demands, each)]
    return tuple(unmet(outcome, _play(outcome, plan, carried_out(outcome), played)))


def _play(
    outcome: Outcome, plan: Plan, prior: Prior, played: Collection[Scenario]
) -> tuple[Drill, ...]:
    """Plans each scenario; equal losses (a region of one cluster) only once."""
    made: dict[tuple[str, ...], Drill] = {}
    drills = []
    for scenario in played:
        drill = made.get(scenario.clusters)
        if drill is None:
            after = plan(without(outcome.snapshot, scenario), prior, outcome.settings)
            gone = frozenset(scenario.clusters)
            names = names_at_once(outcome.plan.endpoints, outcome.schedule, gone)
            found = with_fences(losses(outcome.schedule, after, gone), outcome, after, gone)
            drill = Drill(scenario, found, *names)
            made[scenario.clusters] = drill
        drills.append(Drill(scenario, drill.losses, drill.dark, drill.failing_over))
    return tuple(drills)
