"""The structure of placements: terms of tiers and bounds, and workloads that share or avoid."""

from collections.abc import Iterable, Iterator, Sequence

from fleet.load.names import Names, Spot
from fleet.load.words import Words, quoted
from fleet.model.affinity import ClusterTerm
from fleet.model.base import FileValue
from fleet.model.pattern import is_pattern, matches
from fleet.model.policy import PlacementPolicy, PlacementSpec
from fleet.model.source import Path, Source


def structure_terms(spec: PlacementSpec) -> Iterator[tuple[ClusterTerm, Path]]:
    """The terms of tiers, of their overflow and of bounds, with their paths."""
    for outer, tier in enumerate(spec.tiers):
        at: Path = ("spec", "tiers", outer)
        for index, term in enumerate(tier.terms):
            yield term, (*at, "terms", index)
        for inner, overflow in enumerate(tier.overflow):
            for index, term in enumerate(overflow.terms):
                yield term, (*at, "overflow", inner, "terms", index)
    for index, rule in enumerate(spec.division.bounds):
        yield rule.term, ("spec", "division", "bounds", index, "term")


def check_structure(policies: Sequence[PlacementPolicy], names: Names) -> None:
    """Faults where a policy contradicts itself or another one, or a neighbour is nobody."""
    meant = _Meant(names.workloads)
    for policy in policies:
        _check_alone(policy, names, meant)
    if any(policy.spec.apart for policy in policies):
        _check_contradictions(policies, names, meant)


def check_alone(policy: PlacementPolicy, names: Names) -> None:
    """Faults of one policy, whatever the others say."""
    _check_alone(policy, names, _Meant(names.workloads))


def _check_alone(policy: PlacementPolicy, names: Names, meant: "_Meant") -> None:
    _check_tiers(policy, names)
    _check_bounds(policy, names)
    if policy.spec.rules == "karmada":
        _check_rules(policy, names)
    for field, patterns in (("together", policy.spec.together), ("apart", policy.spec.apart)):
        for index, pattern in enumerate(patterns):
            spot = Spot.of(policy.origin, "spec", field, index)
            _check_pattern(policy, pattern, spot, (names, meant))


class _Meant:
    """The workloads that names and patterns mean; each pattern is looked up once."""

    def __init__(self, workloads: Words) -> None:
        self._workloads = workloads
        self._found: dict[str, frozenset[str]] = {}

    def by(self, pattern: str) -> frozenset[str]:
        """The workloads of one name or pattern."""
        if pattern not in self._found:
            known = self._workloads.known if is_pattern(pattern) else (pattern,)
            self._found[pattern] = frozenset(
                word for word in known if word in self._workloads and matches(pattern, word)
            )
        return self._found[pattern]

    def by_any(self, patterns: Iterable[str]) -> frozenset[str]:
        """The workloads of any of them."""
        return frozenset().union(*map(self.by, patterns))


def _check_tiers(policy: PlacementPolicy, names: Names) -> None:
    first: dict[str, int] = {}
    for index, tier in enumerate(policy.spec.tiers):
        if first.setdefault(tier.name, index) != index:
            other = policy.origin.at("spec", "tiers", first[tier.name])
            spot = Spot.of(policy.origin, "spec", "tiers", index, "name")
            sentence = f"the tier '{tier.name}' is already at {other}"
            spot.fault(names.errors, sentence, "name it otherwise")


_UNKNOWN_TO_KARMADA: tuple[Path, ...] = (
    ("spec", "division", "minReplicas"),
    ("spec", "division", "maxReplicas"),
    ("spec", "division", "bounds"),
    ("spec", "division", "keep"),
    ("spec", "scoring"),
    ("spec", "affinity", "preferred"),
    ("spec", "latency"),
    ("spec", "together"),
    ("spec", "apart"),
)


def _check_rules(policy: PlacementPolicy, names: Names) -> None:
    """Karmada's rules know less than fleet's: what they would ignore is refused at its line."""
    spread = enumerate(policy.spec.spread)
    skews = (("spec", "spread", index, "maxSkew") for index, each in spread if each.max_skew)
    said = (path for path in _UNKNOWN_TO_KARMADA if _is_said(policy.spec, path[1:]))
    for path in (*said, *skews):
        sentence = "is nothing that rules 'karmada' know"
        Spot.of(policy.origin, *path).fault(names.errors, sentence, "leave out one of the two")


def _is_said(value: FileValue, path: Path) -> bool:
    """Whether a field of a file is not as it is by itself."""
    first, *rest = path
    fields = type(value).model_fields
    name = next(key for key, field in fields.items() if field.alias == first)
    inner = getattr(value, name)
    return _is_said(inner, tuple(rest)) if rest else inner != fields[name].default


def _check_bounds(policy: PlacementPolicy, names: Names) -> None:
    """The least and the most of a rule, with what the division says where it says nothing."""
    division = policy.spec.division
    for index, rule in enumerate(division.bounds):
        least = division.min_replicas if rule.min_replicas is None else rule.min_replicas
        most = division.max_replicas if rule.max_replicas is None else rule.max_replicas
        if most and most < least:
            spot = Spot.of(policy.origin, "spec", "division", "bounds", index)
            spot.fault(names.errors, f"minReplicas {least} is more than maxReplicas {most}")


def _check_pattern(
    policy: PlacementPolicy, pattern: str, spot: Spot, known: tuple[Names, _Meant]
) -> None:
    """A neighbour is another workload; a policy's own ones are neighbours of each other."""
    names, meant = known
    if not names.workloads_like(pattern, spot) or not names.workloads_whole:
        return
    own = meant.by_any(policy.spec.workloads)
    if len(own) == 1 and own >= meant.by(pattern):
        sentence = f"'{pattern}' is only the policy's own workload"
        spot.fault(names.errors, sentence, "name other workloads")


def _check_contradictions(policies: Sequence[PlacementPolicy], names: Names, meant: _Meant) -> None:
    """Both relations hold both ways: a pair that is in both can be placed nowhere."""
    speaks = {
        workload: policy
        for policy in policies
        if policy.spec.apart
        for workload in meant.by_any(policy.spec.workloads)
    }
    told: set[tuple[str, int]] = set()
    for pair, place in _together(policies, meant):
        for one, other in (pair, pair[::-1]):
            policy = speaks.get(one)
            index = _index(policy.spec.apart, other, meant) if policy else None
            if policy is None or index is None or (policy.name, index) in told:
                continue
            told.add((policy.name, index))
            both = quoted(sorted(pair))
            spot = Spot.of(policy.origin, "spec", "apart", index)
            sentence = f"{both} are kept together at {place}"
            spot.fault(names.errors, sentence, "keep one of the two")


def _together(
    policies: Sequence[PlacementPolicy], meant: _Meant
) -> Iterator[tuple[tuple[str, str], Source]]:
    """The pairs that are kept together, and where that is said."""
    for policy in policies:
        own = sorted(meant.by_any(policy.spec.workloads)) if policy.spec.together else []
        for index, pattern in enumerate(policy.spec.together):
            place = policy.origin.at("spec", "together", index)
            for one in own:
                for other in sorted(meant.by(pattern) - {one}):
                    yield (one, other), place


def _index(patterns: Sequence[str], name: str, meant: _Meant) -> int | None:
    """The first pattern that means a workload."""
    found = (index for index, each in enumerate(patterns) if name in meant.by(each))
    return next(found, None)
