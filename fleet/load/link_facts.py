"""Documents about what was seen, and the time: which facts hold when the run is made."""

from collections.abc import Iterable, Iterator

from fleet.errors import ErrorList
from fleet.load.moments import check_moments
from fleet.load.names import Names, Spot
from fleet.load.parse import Declared
from fleet.load.windows import check_windows, open_windows
from fleet.load.words import Words
from fleet.model.base import FrozenMap, Resources
from fleet.model.decision import Finding
from fleet.model.finding_codes import OBSERVATION_STALE, PROBE_FAILED, SCORES_EXPIRED
from fleet.model.inventory import Cluster
from fleet.model.moment import seconds_of
from fleet.model.observation import ClusterObservation, ExternalScores
from fleet.model.policy import PlacementPolicy
from fleet.model.settings import Settings
from fleet.model.snapshot import Facts

EXTERNAL = "external/"


def link_facts(declared: Declared, settings: Settings, names: Names) -> Facts:
    """The facts of the run; faults where a name does not resolve or the time is needed."""
    now = None if settings.now is None else seconds_of(settings.now)
    sound = check_windows(declared.clusters, names.errors)
    for observation in declared.observations:
        check_names(observation, names)
        check_moments(observation, now, names.errors)
    for scores in declared.scores:
        check_names(scores, names)
    check_scorers(declared.placements, declared, names)
    if now is None:
        _check_time(declared, names.errors)
    return Facts(
        now=now,
        windows=FrozenMap() if now is None or not sound else open_windows(declared.clusters, now),
        observations=FrozenMap({each.name: each for each in declared.observations}),
        scores=FrozenMap({each.name: each for each in declared.scores}),
        sets=tuple(sorted(declared.sets, key=lambda each: each.name)),
    )


def check_names(document: ClusterObservation | ExternalScores, names: Names) -> None:
    """Every cluster that a document of facts speaks of exists."""
    if isinstance(document, ClusterObservation):
        names.cluster(document.name, Spot.of(document.origin, "metadata", "name"))
        return
    spec = document.spec
    for field, spoken in (
        ("scores", spec.scores),
        ("validUntilByCluster", spec.valid_until_by_cluster),
    ):
        for cluster in spoken:
            names.cluster(cluster, Spot.of(document.origin, "spec", field, cluster))


def observed(declared: Declared) -> list[Cluster]:
    """The clusters as they were seen: an observed amount replaces the inventory's."""
    seen = {each.name: each for each in declared.observations}
    return [_overlaid(each, seen.get(each.name)) for each in declared.clusters]


def _overlaid(cluster: Cluster, observation: ClusterObservation | None) -> Cluster:
    if observation is None:
        return cluster
    seen, said = observation.spec, cluster.spec
    changed: dict[str, object] = {
        "kubernetes_version": seen.kubernetes_version or said.kubernetes_version,
        "nodes": seen.nodes or said.nodes,
        "apis": seen.apis or said.apis,
    }
    if seen.capacity is not None:
        # A copy, not a new value: a cluster may have lost more than its reserve.
        changed["capacity"] = said.capacity.model_copy(
            update={
                "allocatable": Resources(
                    {**said.capacity.allocatable, **seen.capacity.allocatable}
                ),
                "reserved": Resources({**said.capacity.reserved, **seen.capacity.reserved}),
                "nodes": seen.capacity.nodes or said.capacity.nodes,
            }
        )
    return cluster.model_copy(update={"spec": said.model_copy(update=changed)})


def tell_age(facts: Facts) -> Iterator[Finding]:
    """Observations that are old, and scores that do not count any more."""
    if facts.now is None:
        return
    for observation in facts.observations.values():
        yield from _age(observation, facts.now)
    for scores in facts.scores.values():
        expired = [each for each in scores.spec.scores if is_expired(scores, each, facts.now)]
        if expired:
            told: dict[str, str | int] = {"name": scores.name, "clusters": ", ".join(expired)}
            source = scores.origin.at("spec", "validUntil")
            yield Finding(SCORES_EXPIRED, FrozenMap(told), source)


def _age(observation: ClusterObservation, now: int) -> Iterator[Finding]:
    """That what was seen is old, and that the last probe saw nothing, with the place of each."""
    spec = observation.spec
    if (
        spec.observed_at is not None
        and now - seconds_of(spec.observed_at) > spec.stale_after_seconds
    ):
        aged: dict[str, str | int] = {
            "cluster": observation.name,
            "age": now - seconds_of(spec.observed_at),
            "allowed": spec.stale_after_seconds,
        }
        source = observation.origin.at("spec", "observedAt")
        yield Finding(OBSERVATION_STALE, FrozenMap(aged), source)
    if spec.error:
        failed: dict[str, str | int] = {"cluster": observation.name, "error": spec.error}
        if spec.observed_at is not None:
            failed["seen"] = spec.observed_at
        if spec.unreachable_since is not None and not spec.is_dead:
            failed["since"] = spec.unreachable_since
            failed["hold"] = spec.hold_seconds
        source = observation.origin.at("spec", "error")
        yield Finding(PROBE_FAILED, FrozenMap(failed), source)


def is_expired(scores: ExternalScores, cluster: str, now: int) -> bool:
    """Whether the points of a cluster count no more."""
    until = scores.until(cluster)
    return until is not None and seconds_of(until) <= now


def check_scorers(policies: Iterable[PlacementPolicy], declared: Declared, names: Names) -> None:
    """A policy's `external/<name>` is a document."""
    if not names.policies_whole or declared.broken.get("ExternalScores"):
        return
    words = Words(EXTERNAL + each.name for each in declared.scores)
    for policy in policies:
        for scorer in policy.spec.scoring.weights:
            if scorer.startswith(EXTERNAL) and scorer not in words:
                spot = Spot.of(policy.origin, "spec", "scoring", "weights", scorer)
                name = scorer.removeprefix(EXTERNAL)
                spot.fault(
                    names.errors, f"there are no ExternalScores '{name}'", words.hint(scorer)
                )


def _check_time(declared: Declared, errors: ErrorList) -> None:
    """The first place of each kind that cannot be judged without the time."""
    for kind in (_windows, _observations, _expiries, _tolerations, _latencies):
        spot = next(kind(declared), None)
        if spot is not None:
            hint = "say --now, or the config fleet:now, such as 2030-01-31T12:00:00Z"
            spot.fault(errors, "depends on the time of the run, which nobody said", hint)


def _windows(declared: Declared) -> Iterator[Spot]:
    for cluster in declared.clusters:
        if cluster.spec.maintenance:
            yield Spot.of(cluster.origin, "spec", "maintenance")


def _observations(declared: Declared) -> Iterator[Spot]:
    for each in declared.observations:
        yield Spot.of(each.origin, "spec", "observedAt")


def _expiries(declared: Declared) -> Iterator[Spot]:
    for each in declared.scores:
        if each.spec.valid_until is not None:
            yield Spot.of(each.origin, "spec", "validUntil")
        elif each.spec.valid_until_by_cluster:
            yield Spot.of(each.origin, "spec", "validUntilByCluster")


def _tolerations(declared: Declared) -> Iterator[Spot]:
    """Tolerations with seconds for a taint that says when it was added."""
    keys = {
        taint.key
        for cluster in declared.clusters
        for taint in cluster.spec.taints
        if taint.effect == "NoExecute" and taint.time_added is not None
    }
    for policy in declared.placements:
        for index, toleration in enumerate(policy.spec.tolerations):
            meant = toleration.key in keys or (keys and not toleration.key)
            if toleration.toleration_seconds is not None and meant:
                path = ("spec", "tolerations", index, "tolerationSeconds")
                yield Spot.of(policy.origin, *path)


def _latencies(declared: Declared) -> Iterator[Spot]:
    policies: Iterable[PlacementPolicy] = declared.placements if declared.observations else ()
    for policy in policies:
        if policy.spec.latency is not None:
            yield Spot.of(policy.origin, "spec", "latency")
