"""How KubeFed divides replicas: a ReplicaSchedulingPreference, or an override per cluster."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fleet.load.importers.kubefed.objects import PREFIX, Where, is_known
from fleet.load.importers.reading import Foreign, Part
from fleet.model.source import Path

ALL = "*"
_MOST_WEIGHT = 1_000_000


@dataclass(frozen=True, slots=True)
class Preference:
    """What a preference says of one cluster; `most` None is no limit."""

    weight: int = 0
    least: int = 0
    most: int | None = None

    @property
    def used(self) -> bool:
        """Whether the cluster can get anything."""
        return (self.weight > 0 or self.least > 0) and self.most != 0

    @property
    def native_weight(self) -> int:
        """A weight of 0 gets its least and no more: here 1, with the least as the most."""
        return self.weight or 1

    @property
    def bounds(self) -> dict[str, int]:
        """The bounds, as in a file of fleet."""
        most = self.most if self.weight else self.least
        written = {"minReplicas": self.least} if self.least else {}
        return written | ({} if most is None else {"maxReplicas": most})


@dataclass(frozen=True, slots=True)
class Preferences:
    """A ReplicaSchedulingPreference. **Shape**: `clusters` in the order of the file."""

    of: Foreign
    total: int
    rebalance: bool
    intersect: bool
    clusters: Mapping[str, Preference]
    path: tuple[str, ...]


def preferences(each: Foreign, known: Collection[str]) -> Preferences:
    """Reads a ReplicaSchedulingPreference."""
    spec = each.body.within("spec")
    each.body.skip("status")
    spec.choice("targetKind", ("FederatedDeployment", "FederatedReplicaSet"), "FederatedDeployment")
    if not spec.has("targetKind"):
        spec.fault("targetKind", "is required, but not there")
    total = spec.whole("totalReplicas", 1)
    if not spec.has("totalReplicas"):
        spec.fault("totalReplicas", "is required, but not there")
    listed = spec.within("clusters")
    clusters = {
        name: _preference(listed.within(name))
        for name in listed.data
        if name == ALL or is_known(each, listed.at(name), name, known)
    }
    found = Preferences(
        each,
        total or 1,
        spec.flag("rebalance"),
        spec.flag("intersectWithClusterSelector"),
        clusters if listed.data else {ALL: Preference(weight=1)},
        ("spec", "clusters"),
    )
    spec.close("the spec of a ReplicaSchedulingPreference")
    each.body.close("a ReplicaSchedulingPreference")
    return found


def target_kind(each: Foreign) -> str:
    """The kind of the object inside the federated one that it is for."""
    spec = each.body.data.get("spec")
    kind = spec.get("targetKind") if isinstance(spec, dict) else None
    return kind.removeprefix(PREFIX) if isinstance(kind, str) else ""


def _preference(part: Part) -> Preference:
    weight, least = part.whole("weight", 0, _MOST_WEIGHT), part.whole("minReplicas")
    most = part.whole("maxReplicas")
    part.close("a cluster preference")
    if most is not None and least is not None and most < least:
        part.fault("maxReplicas", f"{most} is less than minReplicas {least}")
    return Preference(weight or 0, least or 0, most)


def where_preferred(found: Preferences, selected: Where | None) -> Where | None:
    """The clusters that the preferences speak of; the selector counts only where they say so."""
    if found.intersect and selected is None:
        return None
    base = Where(None, selected.selectors) if found.intersect and selected else Where(None)
    if ALL in found.clusters and found.clusters[ALL].used:
        return base
    names = tuple(name for name, each in found.clusters.items() if each.used and name != ALL)
    return Where(names).within(base)


def weighted(found: Preferences) -> dict[str, Any]:
    """A division by the weights of a preference, within its bounds."""
    named = [name for name in found.clusters if name != ALL]
    weights, bounds = [], []
    for name, each in found.clusters.items():
        others: dict[str, Any] = {"excludeClusters": named} if named else {}
        term = others if name == ALL else {"clusters": [name]}
        if each.used:
            weights.append({"replicaWeight": each.native_weight, "term": term})
            if each.bounds:
                bounds.append({"term": term, **each.bounds})
        elif name != ALL:
            weights.append({"replicaWeight": 0, "term": term})
    written: dict[str, Any] = {"mode": "weighted", "weights": weights}
    if not found.rebalance:
        written["keep"] = True
    if len(found.clusters) == 1 and bounds and ALL in found.clusters:
        return written | found.clusters[ALL].bounds
    return written | ({"bounds": bounds} if bounds else {})


def names_of(found: Preferences) -> dict[Path, Path]:
    """Which fields of the preference mean the same as those that `weighted` writes.

    With weight 0 the least is the most, whatever `maxReplicas` says.
    """
    names: dict[Path, Path] = {("spec", "division", "weights"): found.path}
    bounded = [name for name, each in found.clusters.items() if each.used and each.bounds]
    for index, name in enumerate(bounded):
        at: Path = ("spec", "division", "bounds", index)
        if [*found.clusters] == [ALL]:
            at = ("spec", "division")
        for field in ("minReplicas", "maxReplicas") if found.clusters[name].weight else ():
            names[(*at, field)] = (*found.path, name, field)
    return names


def fixed(counts: Mapping[str, int], names: Sequence[str], default: int) -> dict[str, Any]:
    """A division that gives every cluster its own number, and no more."""
    numbers = {name: counts.get(name, default) for name in names}
    terms = [({"clusters": [name]}, number) for name, number in numbers.items() if number]
    return {
        "mode": "weighted",
        "weights": [{"replicaWeight": number, "term": term} for term, number in terms],
        "bounds": [
            {"term": term, "minReplicas": number, "maxReplicas": number} for term, number in terms
        ],
    }
