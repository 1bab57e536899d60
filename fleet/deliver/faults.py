"""Faults that repeat on many clusters become one sentence that names the clusters."""

from dataclasses import dataclass, field

from fleet.errors import ErrorList
from fleet.model.source import Source

NAMED = 3


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, without the cluster where it was noticed."""

    source: Source | None
    path: str
    sentence: str
    hint: str = ""


@dataclass(slots=True)
class Faults:
    """Faults as they are found. **Shape**: clusters by fault, in the order of finding."""

    found: dict[Fault, list[str]] = field(default_factory=dict)

    def add(self, fault: Fault, cluster: str | None = None) -> None:
        """Notes a fault; `cluster` is where, if it is not the same everywhere."""
        clusters = self.found.setdefault(fault, [])
        if cluster is not None and cluster not in clusters:
            clusters.append(cluster)

    def tell(self, errors: ErrorList) -> None:
        """Hands every fault on, with its clusters."""
        for fault, clusters in self.found.items():
            sentence = fault.sentence + on_clusters(clusters)
            errors.add(fault.source, fault.path, sentence, fault.hint)


def on_clusters(clusters: list[str]) -> str:
    """The clusters of a fault, as the end of its sentence.

    >>> on_clusters(["eu-1"]), on_clusters(["a", "b", "c", "d", "e"])
    (" on cluster 'eu-1'", " on clusters 'a', 'b', 'c' and 2 more")
    """
    if not clusters:
        return ""
    named = ", ".join(f"'{name}'" for name in sorted(clusters)[:NAMED])
    more = f" and {len(clusters) - NAMED} more" if len(clusters) > NAMED else ""
    return f" on cluster{'s' if len(clusters) > 1 else ''} {named}{more}"
