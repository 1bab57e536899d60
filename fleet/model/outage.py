"""What the death of clusters does to a public name: who is answered, and what the end of it takes.

Preview, drill and runbook ask here, so that they say the same of the same loss.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from fleet.model.answering import expected_shares
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.decision import Decision, Role
from fleet.model.drill_targets import DrillTargets
from fleet.model.endpoint import EndpointDelivery
from fleet.model.timeline import Need, Timeline, Way, loss_timeline, switch_timeline
from fleet.model.traffic import Mode, TrafficSpec
from fleet.model.workload import Workload


@dataclass(frozen=True, slots=True)
class Answers:
    """Who is answered under a name. **Shape**: the exact share by cluster, none that is 0.

    `nowhere` is the share of answers that lead to what is dead, or to where nothing runs.
    `by` is `latency` or `geolocation` where who is answered hangs on who asks: shares are then
    those of `fleet.model.answering.askers_of`, which nobody has counted.
    """

    shares: FrozenMap[Fraction] = FrozenMap()
    nowhere: Fraction = Fraction(0)
    by: str = ""


NOT_ASKED = Answers()
NO_ANSWER = Answers(nowhere=Fraction(1))
"""A name without any record."""


def answered(
    endpoint: EndpointDelivery,
    running: Collection[str],
    gone: Collection[str] = (),
    *,
    blind: bool = False,
) -> Answers:
    """The shares of a name whose workload runs on `running`, while the checks of `gone` fail.

    A check fails where nothing runs behind the entry, too, unless it is `blind`: one that opens a
    connection only cannot see that. It also fails where a lever holds the record, until a person
    lets it go.
    """
    if not endpoint.records:
        return NO_ANSWER
    idle = () if blind else {each.cluster for each in endpoint.records}.difference(running)
    held = {each.cluster for each in endpoint.records if each.held}
    out = held.union(gone, idle)
    found = expected_shares(endpoint, {e.check for e in endpoint.records if e.cluster in out})
    alive = [name for name in found if name in running and name not in gone]
    return Answers(
        FrozenMap({name: share for name, share in found.items() if share}),
        1 - sum((found[name] for name in alive), Fraction(0)),
        endpoint.form if endpoint.answers_by_asker else "",
    )


def running(decision: Decision) -> frozenset[str]:
    """The clusters where something answers; a workload without replicas answers wherever it is."""
    counts = decision.replicas
    some = frozenset(cluster for cluster, count in counts.items() if count)
    return some or frozenset(counts)


def is_blind(spec: TrafficSpec) -> bool:
    """Whether the check only opens a connection."""
    return spec.health_check.type == "TCP"


def loses_primary(workload: Workload, decision: Decision, gone: Collection[str]) -> bool:
    """Whether replicated data has no primary left: every active cluster of it is gone.

    A copy that dies promotes nothing.
    """
    active = {each.cluster for each in decision.assignments if each.role is Role.ACTIVE}
    replicated = workload.settings.data.kind is DataKind.REPLICATED
    return replicated and bool(active) and active.issubset(gone)


@dataclass(frozen=True, slots=True)
class Led:
    """A name as it is planned, and what runs behind it. **Shape**: `regions` by cluster."""

    endpoint: EndpointDelivery
    spec: TrafficSpec
    workload: Workload
    decision: Decision
    regions: Mapping[str, str]

    @property
    def running(self) -> frozenset[str]:
        """The clusters where the workload answers."""
        return running(self.decision)

    def answers(self, gone: Collection[str] = ()) -> Answers:
        """Who is answered while the checks of `gone` fail."""
        return answered(self.endpoint, self.running, gone, blind=is_blind(self.spec))

    def standing(self, gone: Collection[str]) -> int:
        """The replicas that an update could lead to without starting any.

        One region takes over from the active one: one that is answered without an update, where
        there is any, of several the largest.
        """
        found: dict[str, int] = {}
        living = [each for each in self.endpoint.records if each.cluster not in gone]
        for each in [it for it in living if not it.held] or living:
            region = self.regions.get(each.cluster, "")
            count = self.decision.replicas.get(each.cluster, 0)
            found[region] = found.get(region, 0) + count
        single = self.spec.mode is Mode.ACTIVE_STANDBY
        return max(found.values(), default=0) if single else sum(found.values())

    def wanted(self, today: Answers) -> int:
        """The replicas behind what is answered."""
        return sum(self.decision.replicas.get(name, 0) for name in today.shares)

    def is_held(self, gone: Collection[str]) -> bool:
        """Whether a living standby is kept from being answered."""
        held = {each.cluster for each in self.endpoint.records if each.held}
        return not (held & self.running).issubset(gone)

    def domains(self, today: Collection[str]) -> dict[str, tuple[str, ...]]:
        """What a prediction takes away, by name: each region of the clusters answered `today`.

        Each cluster instead where a name that is not active-standby leads into one region only.
        """
        by_region: dict[str, list[str]] = {}
        for name, region in self.regions.items():
            by_region.setdefault(region, []).append(name)
        answered_regions = sorted({self.regions[name] for name in today if name in self.regions})
        led = {self.regions.get(each.cluster) for each in self.endpoint.records}
        if len(led) == 1 and self.spec.mode is not Mode.ACTIVE_STANDBY:
            return {name: (name,) for name in today}
        return {region: tuple(sorted(by_region[region])) for region in answered_regions}


@dataclass(frozen=True, slots=True)
class Outage:
    """A name while clusters are dead, before any update.

    `felt` is the share of today's answers that leads to what died. `by_itself`: others answer
    without anybody's help. `landing` of `wanted` replicas answer then (both 0: there are none).
    """

    today: Answers
    at_once: Answers
    felt: Fraction = Fraction(0)
    by_itself: bool = False
    landing: int = 0
    wanted: int = 0


def outage_of(led: Led, gone: Collection[str], today: Answers | None = None) -> Outage:
    """What a name is while `gone` are dead."""
    today = led.answers() if today is None else today
    at_once, died = led.answers(gone), led.running.intersection(gone)
    felt = sum((today.shares[name] for name in died & today.shares.keys()), Fraction(0))
    counts = led.decision.replicas
    return Outage(
        today=today,
        at_once=at_once,
        felt=felt,
        by_itself=bool(felt) and not at_once.nowhere,
        landing=sum(counts.get(name, 0) for name in at_once.shares if name not in gone),
        wanted=led.wanted(today),
    )


def outage_timeline(
    led: Led, outage: Outage, gone: Collection[str], words: DrillTargets
) -> Timeline:
    """Until the name is answered again; no step where the outage is not felt."""
    if not outage.felt:
        return Timeline()
    promotes = loses_primary(led.workload, led.decision, gone)
    # Data that has to be promoted needs the update in any case.
    can_release = led.spec.lever is not None and led.is_held(gone) and not promotes
    way = Way.LEVER if can_release else Way.UPDATE
    need = Need(
        Way.ITSELF if outage.by_itself else way,
        lacks=led.standing(gone) < outage.wanted,
        promotes=promotes,
    )
    return loss_timeline(need, led.spec, led.workload, words)


@dataclass(frozen=True, slots=True)
class Prediction:
    """The worst of the losses that a name is predicted for: `domain` of `clusters` is gone."""

    domain: str
    clusters: tuple[str, ...]
    timeline: Timeline


def worst_loss(led: Led, words: DrillTargets) -> Prediction | None:
    """The loss that takes longest; the first by name of several. None: nobody is answered."""
    today = led.answers()
    found: Iterable[Prediction] = (
        Prediction(
            domain, clusters, outage_timeline(led, outage_of(led, clusters, today), clusters, words)
        )
        for domain, clusters in led.domains(today.shares).items()
    )
    return max(found, key=lambda each: each.timeline.total, default=None)


def planned_switch(led: Led, words: DrillTargets) -> Timeline:
    """How long a switch away from what is answered today takes.

    Only a standby may lack replicas: other modes move weights among regions that run theirs.
    """
    today = led.answers()
    regions = {led.regions.get(name) for name in today.shares}
    left = {name for name, region in led.regions.items() if region in regions}
    replicated = led.workload.settings.data.kind is DataKind.REPLICATED
    standby = led.spec.mode is Mode.ACTIVE_STANDBY
    lacks = standby and led.standing(left) < led.wanted(today)
    need = Need(Way.UPDATE, lacks, promotes=replicated)
    return switch_timeline(need, led.spec, led.workload, words)
