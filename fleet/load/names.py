"""The names that exist, and the fault where a policy or the config says another.

Where a file or a document could not be read, the names in it are not known: then nothing is called
unknown, because the first fault is the one to mend.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fleet.errors import ErrorList
from fleet.load.parse import INVENTORY, POLICIES, Declared, name_of
from fleet.load.settings import config_path
from fleet.load.words import Words
from fleet.load.workloads import Workloads
from fleet.model.inventory import Cluster
from fleet.model.pattern import is_pattern, matches
from fleet.model.source import Origin, Path, Step, dotted


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that names something: a field of a document, or (`origin` None) a key of the config.

    Its line is looked up only when there is a fault.
    """

    origin: Origin | None
    path: Path

    @classmethod
    def of(cls, origin: Origin, *path: Step) -> "Spot":
        """A field of a document."""
        return cls(origin, path)

    @classmethod
    def config(cls, *path: Step) -> "Spot":
        """A key of the config."""
        return cls(None, path)

    def fault(self, errors: ErrorList, sentence: str, hint: str = "") -> None:
        """Notes a fault here."""
        if self.origin is None:
            errors.add(None, config_path(*self.path), sentence, hint)
        else:
            errors.add(self.origin.at(*self.path), dotted(self.path), sentence, hint)


@dataclass(frozen=True, slots=True)
class Names:
    """All names of a run, and whether they are all that there are.

    **Shape**: `by_name` has every cluster without faults; `facts_whole`: those are all.
    """

    errors: ErrorList
    by_name: Mapping[str, Cluster]
    clusters: Words
    regions: Words
    workloads: Words
    traffic: Words
    clusters_whole: bool
    regions_whole: bool
    facts_whole: bool
    workloads_whole: bool
    claims_whole: bool
    policies_whole: bool

    def cluster(self, name: str, spot: Spot) -> bool:
        """Whether there is such a cluster; a fault if not."""
        if name in self.clusters or not self.clusters_whole:
            return True
        spot.fault(self.errors, f"there is no cluster '{name}'", self.clusters.hint(name))
        return False

    def region(self, name: str, spot: Spot) -> bool:
        """Whether any cluster is in a region; a fault if not."""
        if name in self.regions or not self.regions_whole:
            return True
        spot.fault(self.errors, f"no cluster is in a region '{name}'", self.regions.hint(name))
        return False

    def is_place(self, word: str) -> bool:
        """Whether a word is a cluster or a region, or nobody knows because a file is unread."""
        known = word in self.clusters or word in self.regions
        return known or not (self.clusters_whole and self.regions_whole)

    def place_hint(self, word: str) -> str:
        """The nearest cluster or region."""
        return Words((*self.clusters.known, *self.regions.known)).hint(word)

    def place(self, word: str, spot: Spot) -> bool:
        """Whether a word is a cluster or a region; a fault if not."""
        if self.is_place(word):
            return True
        hint = self.place_hint(word)
        spot.fault(self.errors, f"there is no cluster or region '{word}'", hint)
        return False

    def regions_like(self, pattern: str, spot: Spot) -> bool:
        """Whether a name or pattern is the region of any cluster; a fault if not."""
        if not is_pattern(pattern) or not self.regions_whole:
            return self.region(pattern, spot)
        if any(matches(pattern, word) for word in self.regions.known):
            return True
        sentence = f"no cluster's region matches '{pattern}'"
        spot.fault(self.errors, sentence, self.regions.hint(pattern))
        return False

    def workload(self, name: str, spot: Spot) -> bool:
        """Whether there is such a workload; a fault if not."""
        if name in self.workloads or not self._are_workloads_known(name):
            return True
        spot.fault(self.errors, f"there is no workload '{name}'", self.workloads.hint(name))
        return False

    def workloads_like(self, pattern: str, spot: Spot) -> bool:
        """Whether a name or pattern is any workload; a fault if not."""
        if not is_pattern(pattern) or not self._are_workloads_known(pattern):
            return self.workload(pattern, spot)
        if any(matches(pattern, word) for word in self.workloads.known):
            return True
        sentence = f"no workload matches '{pattern}'"
        spot.fault(self.errors, sentence, self.workloads.hint(pattern))
        return False

    def _are_workloads_known(self, name: str) -> bool:
        """Whether there is no such workload where none was found; claims have a '/' in names."""
        may_be_claimed = "/" in name or is_pattern(name)
        return self.workloads_whole and (self.claims_whole or not may_be_claimed)

    def traffic_policy(self, name: str, spot: Spot) -> bool:
        """Whether there is such a traffic policy; a fault if not."""
        if name in self.traffic or not self.policies_whole:
            return True
        spot.fault(self.errors, f"there is no traffic policy '{name}'", self.traffic.hint(name))
        return False


def collect_names(declared: Declared, workloads: Workloads, errors: ErrorList) -> Names:
    """The names of everything that was read, also of documents with faults."""
    broken = declared.broken
    whole = INVENTORY not in declared.unread and _are_named(declared, "Cluster")
    read = _broken_clusters(declared)
    return Names(
        errors=errors,
        by_name={each.name: each for each in declared.clusters},
        clusters=Words(
            {each.name for each in declared.clusters} | declared.broken_names("Cluster")
        ),
        regions=Words(
            {each.spec.region for each in declared.clusters}
            | {each.spec.region for each in read if each is not None}
        ),
        workloads=Words(workloads.names),
        traffic=Words(
            {each.name for each in declared.traffic} | declared.broken_names("TrafficPolicy")
        ),
        clusters_whole=whole,
        regions_whole=whole and None not in read,
        facts_whole=whole and not broken.get("Cluster"),
        workloads_whole=workloads.whole,
        claims_whole=workloads.claimed,
        policies_whole=POLICIES not in declared.unread and _are_named(declared, "TrafficPolicy"),
    )


def _broken_clusters(declared: Declared) -> list[Cluster | None]:
    """The clusters with faults, None where not even the region can be read."""
    read = [each for each in declared.remains if isinstance(each.readings[0], Cluster)]
    found: list[Cluster | None] = [
        None if each.is_guessed("spec.region") else each.readings[0] for each in read
    ]
    unread = len(declared.broken.get("Cluster", ())) - len(read)
    return [*found, *[None] * unread]


def _are_named(declared: Declared, kind: str) -> bool:
    """Whether every document with faults at least says its name."""
    return all(name_of(each.data) is not None for each in declared.broken.get(kind, ()))


def check_distinct(documents: Iterable[tuple[str, Origin]], noun: str, errors: ErrorList) -> None:
    """Two documents of one kind with one name: a fault at the second."""
    first: dict[str, Origin] = {}
    path: Path = ("metadata", "name")
    for name, origin in documents:
        other = first.setdefault(name, origin)
        if other is not origin:
            sentence = f"the {noun} '{name}' is already at {other.start}"
            Spot(origin, path).fault(errors, sentence, "keep one of the two")
