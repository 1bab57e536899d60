"""What the last update assigned: from the `placements` stack output, or a file by hand.

Two forms of a workload are read: `{"eu-1": 4}`, and the full one of the stack output with
`assignments`, `roles`, `hashes`, `proven`, `tier`, `dnsWeights`, `aliases`, `inputs`, `data`,
`passedOver`, `targets` and `standing`. What the inventory said of the clusters stands beside the
workloads, under `$clusters`, which no workload can be called. What `fleet plan --output json`
printed is read too: "and after that?". What cannot be read is an error and never "nothing was
there": everything would move.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeVar

from fleet.errors import ErrorList
from fleet.load.faults import MOST_WHOLE
from fleet.load.prior_forms import CLUSTERS, aliases_in, placements_in, weights_in
from fleet.load.prior_text import HOW, sole_document
from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.source import Origin, Path, dotted
from fleet.model.target import KnownTarget

T = TypeVar("T")
_PARTS = (
    "assignments",
    "roles",
    "hashes",
    "proven",
    "tier",
    "dnsWeights",
    "aliases",
    "inputs",
    "data",
    "passedOver",
    "targets",
    "standing",
)
_MAX_DNS_WEIGHT = 255


def prior_from_document(data: object, origin: Origin | None = None) -> Prior:
    """The prior that a document describes.

    Whole numbers may come as floats, because the engine hands outputs back that way. `origin`
    gives faults their place; without it (a stack output) they name the field only.

    **Errors**: InvalidError with every fault of the document.
    """
    reader = _Reader(origin)
    placements, at = placements_in(data)
    clusters: dict[str, FrozenMap[str]] = {}
    if isinstance(placements, Mapping) and CLUSTERS in placements:
        clusters = reader.each(placements[CLUSTERS], (*at, CLUSTERS), reader.texts)
        placements = {key: each for key, each in placements.items() if key != CLUSTERS}
    workloads = reader.each(placements, at, reader.workload)
    listed = reader.each(weights_in(data), ("records",), reader.listed_weights)
    turned = reader.each(aliases_in(data), ("aliases",), reader.texts)
    reader.errors.raise_if_any()
    return Prior(
        known=True,
        workloads=FrozenMap({name: found.prior for name, found in workloads.items()}),
        dns_weights=FrozenMap(
            {
                policy: weights
                for found in workloads.values()
                for policy, weights in found.dns_weights.items()
            }
            | listed
        ),
        clusters=FrozenMap(clusters),
        targets=FrozenMap(
            {policy: each for found in workloads.values() for policy, each in found.targets.items()}
        ),
        aliases=FrozenMap(
            {
                policy: aliases
                for found in workloads.values()
                for policy, aliases in found.aliases.items()
            }
            | turned
        ),
        standing=FrozenMap(
            {
                policy: each
                for found in workloads.values()
                for policy, each in found.standing.items()
            }
        ),
    )


def prior_from_text(file: str, text: str) -> Prior:
    """The prior that a file holds, as JSON or YAML; every fault with its place in the file.

    **Errors**: InvalidError; a file that holds nothing is a fault, `{}` is a fleet where nothing
    was placed.
    """
    document = sole_document(file, text)
    return prior_from_document(document.data, document.origin)


@dataclass(frozen=True, slots=True)
class _Read:
    """One workload as it was read, with the weights of the policies that lead to it."""

    prior: PriorWorkload
    dns_weights: FrozenMap[FrozenMap[int]] = FrozenMap()
    targets: FrozenMap[FrozenMap[KnownTarget]] = FrozenMap()
    aliases: FrozenMap[FrozenMap[str]] = FrozenMap()
    standing: FrozenMap[str] = FrozenMap()


@dataclass(slots=True)
class _Reader:
    """Turns a document into values and notes every fault on the way."""

    origin: Origin | None
    errors: ErrorList = field(default_factory=ErrorList)
    policies: dict[str, Path] = field(default_factory=dict)

    def fault(self, at: Path, sentence: str, hint: str = "") -> None:
        """Notes one fault at a path of the document."""
        place = self.origin.at(*at) if self.origin else None
        path = dotted(at) if self.origin else dotted(("prior", *at))
        self.errors.add(place, path, sentence, hint)

    def each(
        self, value: object, at: Path, read: Callable[[object, Path], T | None]
    ) -> dict[str, T]:
        """A map, read entry by entry; what cannot be read is noted and left out."""
        if not isinstance(value, Mapping):
            hint = "" if at else HOW
            self.fault(at, f"{_kind(value)} stands where a map is wanted", hint)
            return {}
        found: dict[str, T] = {}
        for key, item in value.items():
            if not isinstance(key, str) or not key:
                self.fault(at, f"the key '{key}' is no name")
                continue
            entry = read(item, (*at, key))
            if entry is not None:
                found[key] = entry
        return found

    def workload(self, value: object, at: Path) -> _Read:
        """A workload in either form; the full one is known by a map among its values."""
        if isinstance(value, Mapping) and _is_full(value):
            return self._full(value, at)
        return _Read(PriorWorkload(FrozenMap(self.each(value, at, self._replicas))))

    def _full(self, value: Mapping[object, object], at: Path) -> _Read:
        for key in value:
            if key not in _PARTS:
                self.fault((*at, str(key)), f"unknown part '{key}'", _nearest(str(key)))
        if "assignments" not in value:
            self.fault(at, "'assignments' is missing", "without it every replica would be new")
            return _Read(PriorWorkload())

        def part(name: str, read: Callable[[object, Path], T | None]) -> FrozenMap[T]:
            return FrozenMap(self.each(value.get(name, {}), (*at, name), read))

        prior = PriorWorkload(
            replicas=part("assignments", self._replicas),
            roles=part("roles", self._role),
            hashes=part("hashes", self.texts),
            proven=part("proven", self._text),
            tier=self._text(value.get("tier", ""), (*at, "tier")) or "",
            inputs=part("inputs", self._text),
            data=part("data", self._text),
            passed_over=part("passedOver", self._text),
        )
        return _Read(
            prior,
            dns_weights=part("dnsWeights", self._policy),
            targets=part("targets", self._targets),
            aliases=part("aliases", self.texts),
            standing=part("standing", self._text),
        )

    def _targets(self, value: object, at: Path) -> FrozenMap[KnownTarget]:
        return FrozenMap(self.each(value, at, self._target))

    def _target(self, value: object, at: Path) -> KnownTarget:
        """Where a load balancer was seen: three texts, of which each may be missing."""
        texts = self.texts(value, at)
        version = texts.get("version", "")
        return KnownTarget(
            values=tuple(texts.get("at", "").split()),
            last=tuple(texts.get("last", "").split()),
            version=int(version) if version.isdecimal() else 0,
        )

    def _policy(self, value: object, at: Path) -> FrozenMap[int]:
        policy = str(at[-1])
        before = self.policies.setdefault(policy, at)
        if before != at:
            self.fault(at, f"policy '{policy}' has weights at '{dotted(before)}' already")
        return self.listed_weights(value, at)

    def listed_weights(self, value: object, at: Path) -> FrozenMap[int]:
        """A map of weights, as a plan lists them."""
        return FrozenMap(self.each(value, at, self._dns_weight))

    def texts(self, value: object, at: Path) -> FrozenMap[str]:
        """A map of texts."""
        return FrozenMap(self.each(value, at, self._text))

    def _text(self, value: object, at: Path) -> str | None:
        if isinstance(value, str):
            return value
        self.fault(at, f"{_kind(value)} stands where text is wanted")
        return None

    def _role(self, value: object, at: Path) -> Role | None:
        if isinstance(value, str) and value in set(Role):
            return Role(value)
        self.fault(at, f"{_kind(value)} is no role; 'active' and 'standby' are")
        return None

    def _dns_weight(self, value: object, at: Path) -> int | None:
        weight = self._replicas(value, at)
        if weight is not None and weight > _MAX_DNS_WEIGHT:
            self.fault(at, f"the dns weight {weight} is more than {_MAX_DNS_WEIGHT}")
            return None
        return weight

    def _replicas(self, value: object, at: Path) -> int | None:
        whole = _whole(value)
        if whole is None:
            self.fault(at, f"{_kind(value)} stands where a whole number is wanted")
        elif whole < 0:
            self.fault(at, f"{whole} is negative; 0 or more is wanted")
            return None
        elif whole > MOST_WHOLE:
            self.fault(at, f"{_kind(value)} is too large; at most {MOST_WHOLE} is wanted")
            return None
        return whole


def _is_full(value: Mapping[object, object]) -> bool:
    """Whether this is the stack output's form: no cluster's replicas are a map."""
    return any(isinstance(part, Mapping) for part in value.values())


def _whole(value: object) -> int | None:
    """A whole number, also one that came as 4.0; never a truth value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value)


def _kind(value: object) -> str:
    """What stands there, in a reader's words."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, Mapping):
        return "a map"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, bool):
        return f"'{str(value).lower()}'"
    return f"'{value}'"


def _nearest(word: str) -> str:
    """The known part that was meant, or all of them."""
    near = get_close_matches(word, _PARTS, n=1)
    return (
        f"did you mean '{near[0]}'?"
        if near
        else f"known are {', '.join(_PARTS)}; a newer fleet knows more"
    )
