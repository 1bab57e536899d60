"""What a decision was made of, as short facts that the next run compares with its own.

Per workload: its replicas, requests, policy and traffic. Once per run, not per workload: what the
inventory says of each cluster. Nothing of it decides anything, or is part of the digest.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from fleet.model.inventory import Cluster
from fleet.model.quantity import spell_millionths, spell_quantity
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.source import Origin, Path, dotted
from fleet.model.words import in_words

LONGEST = 80
"""Characters of a fact; of a longer one the beginning and a hash are kept."""

LABELS = "labels."
AMOUNTS = "capacity."
_NOT_READ = frozenset({"state", "connection", "entry", "kubernetesVersion"})
_TRAFFIC = ("mode", "standby", "failover")


@dataclass(frozen=True, slots=True)
class Fact:
    """A value as text, and the place that says so."""

    value: str
    place: str


Facts = Mapping[str, Fact]
"""**Shape**: by the field, in words of the file; sorted."""


def run_facts(snapshot: Snapshot) -> dict[str, dict[str, str]]:
    """What every cluster was, by name, as plain values."""
    return {each.name: as_text(cluster_facts(snapshot, each)) for each in snapshot.clusters}


def as_text(facts: Facts) -> dict[str, str]:
    """Facts without their places."""
    return {field: fact.value for field, fact in facts.items()}


def workload_facts(snapshot: Snapshot, name: str) -> Facts:
    """What the decision on a workload was made of; nothing for one that is gone."""
    place = bisect_left(snapshot.linked, name, key=lambda each: each.workload.name)
    found = snapshot.linked[place : place + 1]
    if not found or found[0].workload.name != name:
        return {}
    return dict(sorted(_workload(snapshot, found[0])))


def _workload(snapshot: Snapshot, linked: Linked) -> Iterator[tuple[str, Fact]]:
    workload, policy = linked.workload, linked.placement
    place = str(workload.replicas_source)
    if workload.autoscaled is not None:
        owner = workload.autoscaled
        yield "replicas", Fact(f"{owner.minimum} to {owner.maximum}", place)
    else:
        yield "replicas", Fact(str(workload.replicas), place)
    for resource, amount in workload.request.items():
        spelled = spell_quantity(resource, amount)
        yield f"request.{resource}", Fact(spelled, str(workload.source))
    yield "policy", Fact(policy.name, str(policy.origin.start))
    said = {key: part for key, part in in_words(policy.spec).items() if key != "workloads"}
    yield from _flat(said, policy.origin, ("spec",))
    for traffic in linked.traffic:
        spoken = in_words(traffic.spec, whole=True)
        for key in _TRAFFIC:
            fact = Fact(str(spoken[key]), str(traffic.origin.at("spec", key)))
            yield f"{traffic.name}.{key}", fact
        wanted = snapshot.wanted.get(traffic.name, ())
        if wanted:
            regions = ", ".join(each.region for each in wanted)
            yield f"{traffic.name}.activeRegion", Fact(regions, wanted[0].said_by)


def cluster_facts(snapshot: Snapshot, cluster: Cluster) -> Facts:
    """What the inventory, and the config, say of a cluster."""
    return dict(sorted(_cluster(snapshot, cluster)))


def _cluster(snapshot: Snapshot, cluster: Cluster) -> Iterator[tuple[str, Fact]]:
    said = snapshot.states[cluster.name]
    yield "state", Fact(said.state.value, said.said_by)
    spec: dict[str, Any] = in_words(cluster.spec)
    word = cluster.origin.word
    spec["taints"] = [
        f"{each.key}={each.value}:{word(each.effect)}" for each in cluster.spec.taints
    ]
    capacity = cluster.spec.capacity
    spec["capacity"] = {
        "allocatable": spelled_amounts(capacity.allocatable),
        "reserved": spelled_amounts(capacity.reserved),
        "nodes": [f"{each.count} x {spelled_amounts(each.free)}" for each in capacity.nodes],
    }
    spec["properties"] = {
        name: spell_millionths(amount) for name, amount in cluster.spec.properties.items()
    }
    read = {key: part for key, part in spec.items() if key not in _NOT_READ}
    for field, fact in _flat(read, cluster.origin, ("spec",)):
        yield field.removeprefix("spec."), fact
    for key, value in cluster.labels.items():
        place = cluster.origin.at("metadata", "labels", key)
        yield f"{LABELS}{key}", Fact(_short(value), str(place))


def spelled_amounts(amounts: Mapping[str, int]) -> dict[str, str]:
    """Amounts in base units as people write them, by resource."""
    return {name: spell_quantity(name, amount) for name, amount in amounts.items()}


def _flat(words: object, origin: Origin, path: Path) -> Iterator[tuple[str, Fact]]:
    """One fact per scalar; a list of scalars is one fact, an empty one is none."""
    if isinstance(words, dict):
        for key, part in words.items():
            yield from _flat(part, origin, (*path, str(key)))
    elif isinstance(words, list) and any(isinstance(each, dict | list) for each in words):
        for place, part in enumerate(words):
            yield from _flat(part, origin, (*path, place))
    elif words not in ([], None):
        text = ", ".join(map(_text, words)) if isinstance(words, list) else _text(words)
        yield dotted(path), Fact(_short(text), str(origin.at(*path)))


def _text(scalar: object) -> str:
    return str(scalar).lower() if isinstance(scalar, bool) else str(scalar)


def _short(text: str) -> str:
    """The text, or its beginning with a hash of all of it.

    >>> _short("a" * 90)[60:]
    '... (6b2ec79170f5)'
    """
    if len(text) <= LONGEST:
        return text
    return f"{text[:60]}... ({sha256(text.encode()).hexdigest()[:12]})"
