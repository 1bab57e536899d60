"""The plans that follow a loss and a return, and where their names lead."""

from collections.abc import Collection
from dataclasses import replace

from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Schedule
from fleet.model.drill_targets import DrillTargets
from fleet.model.endpoint import EndpointDelivery
from fleet.model.exercise import Replanned
from fleet.model.outage import NO_ANSWER, Answers, answered, running
from fleet.model.prior import Prior, PriorWorkload


class Replans:
    """The plan after the loss and the one after the return, with what they are measured by."""

    __slots__ = ("after", "back", "short_back", "targets")

    def __init__(self, after: Replanned, back: Replanned, targets: DrillTargets) -> None:
        self.after, self.back, self.targets = after, back, targets
        self.short_back = {each.workload: each.shortfall for each in back.schedule.decisions}


class Leads:
    """Where the names of a plan lead. **Shape**: `blind` are policies whose checks see little."""

    def __init__(
        self, schedule: Schedule, endpoints: Collection[EndpointDelivery], blind: Collection[str]
    ) -> None:
        self._endpoints = {each.policy: each for each in endpoints}
        self._running = {each.workload: running(each) for each in schedule.decisions}
        self._blind = blind

    def running(self, workload: str) -> frozenset[str]:
        """The clusters where the workload answers."""
        return self._running.get(workload, frozenset())

    def answers(
        self, policy: str, gone: Collection[str] = (), also: Collection[str] = ()
    ) -> Answers:
        """Who is answered while the checks of `gone` fail; the workload runs on `also`, too."""
        endpoint = self._endpoints.get(policy)
        if endpoint is None:
            return NO_ANSWER
        here = self.running(endpoint.workload).union(also)
        return answered(endpoint, here, gone, blind=policy in self._blind)


def carried_on(prior: Prior, plan: Replanned) -> Prior:
    """What the run after finds, as far as decisions and weights go."""
    placed = {each.workload: _placed(prior, each) for each in plan.schedule.decisions}
    weights = {
        each.policy: FrozenMap({record.cluster: record.dns_weight for record in each.records})
        for each in plan.endpoints
    }
    aliases = {
        each.policy: FrozenMap({alias.name: alias.text for alias in each.aliases})
        for each in plan.endpoints
        if each.aliases
    }
    return replace(
        prior,
        known=True,
        workloads=FrozenMap({**prior.workloads, **placed}),
        dns_weights=FrozenMap({**prior.dns_weights, **weights}),
        aliases=FrozenMap({**prior.aliases, **aliases}),
    )


def _placed(prior: Prior, decision: Decision) -> PriorWorkload:
    before = prior.workloads.get(decision.workload, PriorWorkload())
    roles = FrozenMap({each.cluster: each.role for each in decision.assignments})
    return replace(before, replicas=decision.replicas, roles=roles, tier=decision.tier)
