"""Every emergency played: the loss, the update that declares it, and the return.

Two plans are made for each set of clusters that dies: one with them down, starting from the
present plan, and one with them back, starting from that. Equal sets are planned once.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from fleet.drill.checks import api_check, name_checks, workload_checks
from fleet.drill.data import DataState, data_of
from fleet.drill.data_checks import Hit
from fleet.drill.losses import losses
from fleet.drill.replans import Leads, Replans, carried_on
from fleet.drill.scenarios import is_living
from fleet.drill.timeline import start_timeline
from fleet.model.base import FrozenMap
from fleet.model.decision import Decision
from fleet.model.endpoint import EndpointDelivery
from fleet.model.exercise import (
    Check,
    Emergency,
    Exercise,
    Exercises,
    Item,
    Kind,
    NameExercise,
    Replanned,
)
from fleet.model.inventory import State
from fleet.model.outage import Led, is_blind, loses_primary, outage_of, outage_timeline
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import ClusterState, Snapshot
from fleet.model.survival import Loss
from fleet.model.timeline import Timeline

Replan = Callable[[Snapshot, Prior, Settings], Replanned]
_SAID_BY = "the drill"
_ORDER = {item: place for place, item in enumerate(Item)}


def exercise(
    outcome: Outcome, replan: Replan, prior: Prior, asked: Iterable[Emergency]
) -> Exercises:
    """Plays emergencies; those that kill only clusters where nothing runs are not played.

    `prior` is what the next run finds when the outcome was carried out.
    """
    stage = Stage(outcome, replan, prior)
    played, quiet = [], []
    for each in asked:
        if each.kind is Kind.ROUTE53:
            played.append(stage.without_api(each))
        elif stage.used.isdisjoint(each.clusters):
            quiet.append(each)
        else:
            played.append(stage.without_clusters(each))
    return Exercises(outcome.settings.drill, tuple(played), tuple(quiet))


class Stage:
    """The fleet as it runs today, and the exercises that were played on it.

    **Shape**: `used` are the clusters where anything runs.
    """

    def __init__(self, outcome: Outcome, replan: Replan, prior: Prior) -> None:
        linked, schedule = outcome.snapshot.linked, outcome.schedule
        self._outcome, self._replan, self._prior = outcome, replan, prior
        self._targets = outcome.settings.drill
        self._linked = {each.workload.name: each for each in linked}
        self._policies = {each.name: each for one in linked for each in one.traffic}
        self._blind = {name for name, each in self._policies.items() if is_blind(each.spec)}
        self._decisions = {each.workload: each for each in schedule.decisions}
        self._regions = {each.name: each.spec.region for each in outcome.snapshot.clusters}
        self.used = frozenset(
            each.cluster for decision in schedule.decisions for each in decision.assignments
        )
        known = [each for each in outcome.plan.endpoints if each.policy in self._policies]
        self._endpoints = sorted(known, key=lambda each: (each.dns_name, each.policy))
        self._today = Leads(schedule, self._endpoints, self._blind)
        self._data: dict[str, DataState] = {}
        self._made: dict[tuple[str, ...], Exercise] = {}

    def without_clusters(self, emergency: Emergency) -> Exercise:
        """Plays the death of clusters."""
        made = self._made.get(emergency.clusters)
        if made is None:
            made = self._made[emergency.clusters] = self._play(emergency)
        return replace(made, emergency=emergency)

    def without_api(self, emergency: Emergency) -> Exercise:
        """Nothing dies, and no record can be changed: which names could need that?"""
        regions: dict[str, list[str]] = {}
        for each in self._outcome.snapshot.clusters:
            regions.setdefault(each.spec.region, []).append(each.name)
        names = tuple(self._without_api(each, regions) for each in self._endpoints)
        checks = tuple(api_check(each, self._policies[each.policy]) for each in names)
        return Exercise(emergency, names=names, checks=checks)

    def _without_api(
        self, endpoint: EndpointDelivery, regions: Mapping[str, list[str]]
    ) -> NameExercise:
        today = self._today.answers(endpoint.policy)
        healed = {
            region: not self._today.answers(endpoint.policy, clusters).nowhere
            for region, clusters in regions.items()
            if not today.shares.keys().isdisjoint(clusters)
        }
        hopeless = tuple(
            region
            for region, heals in healed.items()
            if not heals and not self._is_helped(endpoint.policy, region, regions[region])
        )
        who = (endpoint.policy, endpoint.workload, endpoint.dns_name)
        return NameExercise(
            *who, today=today, at_once=today, healed=FrozenMap(healed), hopeless=hopeless
        )

    def _is_helped(self, policy: str, region: str, clusters: list[str]) -> bool:
        """Whether an update after the loss of a region leads a name to somebody who lives."""
        living = sorted(each for each in clusters if is_living(self._outcome.snapshot, each))
        lost = self.without_clusters(Emergency(Kind.REGION, region, tuple(living)))
        name = next(each for each in lost.names if each.policy == policy)
        return name.afterwards.nowhere < name.at_once.nowhere

    def _play(self, emergency: Emergency) -> Exercise:
        snapshot, settings = self._outcome.snapshot, self._outcome.settings
        lost = snapshot.with_state(emergency.clusters, ClusterState(State.DOWN, _SAID_BY))
        fenced = settings.model_copy(update={"fenced": (*settings.fenced, *emergency.clusters)})
        after = self._replan(lost, self._prior, fenced)
        back = self._replan(snapshot, carried_on(self._prior, after), settings)
        replans = Replans(after, back, self._targets)
        gone = frozenset(emergency.clusters)
        found = losses(self._outcome.schedule, after.schedule, gone)
        starts = {name: self._start(each, gone) for name, each in found.items() if each.dies}
        names = tuple(self._names(gone, replans))
        hits = [
            Hit(self._linked[name], found[name], start, self._state(name), gone, self._regions)
            for name, start in starts.items()
        ]
        checks = [check for hit in hits for check in workload_checks(hit, replans)]
        checks += self._name_checks(names, replans)
        checks.sort(key=lambda each: (each.subject, _ORDER[each.item]))
        return Exercise(emergency, found, FrozenMap(starts), names, tuple(checks), after.refused)

    def _names(self, gone: frozenset[str], replans: Replans) -> Iterator[NameExercise]:
        after = Leads(replans.after.schedule, replans.after.endpoints, self._blind)
        back = Leads(replans.back.schedule, replans.back.endpoints, self._blind)
        for each in self._endpoints:
            led = self._led(each)
            outage = outage_of(led, gone, self._today.answers(each.policy))
            afterwards = after.answers(each.policy, gone)
            timeline = outage_timeline(led, outage, gone, self._targets)
            waits = not outage.by_itself and not timeline.by_lever
            yield NameExercise(
                each.policy,
                each.workload,
                each.dns_name,
                today=outage.today,
                at_once=outage.at_once,
                afterwards=afterwards,
                revived=after.answers(each.policy, also=gone & led.running),
                returned=back.answers(each.policy),
                felt=outage.felt,
                by_itself=outage.by_itself,
                timeline=replace(timeline, ends=not (waits and outage.felt and afterwards.nowhere)),
                landing=outage.landing,
                wanted=outage.wanted,
                held=led.is_held(gone),
            )

    def _led(self, endpoint: EndpointDelivery) -> Led:
        # What is carried out: a side that waits for its fence stands by, and holds no primary.
        found = {**self._decisions, **self._outcome.plan.decisions}
        decision = found.get(endpoint.workload, Decision(endpoint.workload, ()))
        workload = self._linked[endpoint.workload].workload
        spec = self._policies[endpoint.policy].spec
        return Led(endpoint, spec, workload, decision, self._regions)

    def _start(self, loss: Loss, gone: Collection[str]) -> Timeline:
        workload, decision = self._linked[loss.workload].workload, self._decisions[loss.workload]
        promotes = loses_primary(workload, decision, gone)
        return start_timeline(loss, workload, self._targets, promotes=promotes)

    def _state(self, workload: str) -> DataState:
        if workload not in self._data:
            self._data[workload] = data_of(self._linked[workload].workload)
        return self._data[workload]

    def _name_checks(self, names: Iterable[NameExercise], replans: Replans) -> Iterator[Check]:
        for each in names:
            if each.hit:
                policy = self._policies[each.policy]
                yield from name_checks(each, policy, self._targets, replans.back)
