"""The structure of placements: terms of tiers and bounds, and workloads that share or avoid."""

from collections.abc import Iterable, Iterator, Sequence

from fleet.load.names import Names, Spot
from fleet.load.words import Words
from fleet.model.pattern import is_pattern, matches
from fleet.model.policy import ClusterTerm, PlacementPolicy, PlacementSpec
from fleet.model.source import Path

_Pair = frozenset[str]


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
    for policy in policies:
        _check_tiers(policy, names)
        _check_bounds(policy, names)
        for field, patterns in _neighbours(policy.spec):
            for index, pattern in enumerate(patterns):
                _check_pattern(policy, pattern, Spot.of(policy.origin, "spec", field, index), names)
    _check_contradictions(policies, names)


def _check_tiers(policy: PlacementPolicy, names: Names) -> None:
    first: dict[str, int] = {}
    for index, tier in enumerate(policy.spec.tiers):
        if first.setdefault(tier.name, index) != index:
            other = policy.origin.at("spec", "tiers", first[tier.name])
            spot = Spot.of(policy.origin, "spec", "tiers", index, "name")
            sentence = f"the tier '{tier.name}' is already at {other}"
            spot.fault(names.errors, sentence, "name it otherwise")


def _check_bounds(policy: PlacementPolicy, names: Names) -> None:
    """The least and the most of a rule, with what the division says where it says nothing."""
    division = policy.spec.division
    for index, rule in enumerate(division.bounds):
        least = division.min_replicas if rule.min_replicas is None else rule.min_replicas
        most = division.max_replicas if rule.max_replicas is None else rule.max_replicas
        if most and most < least:
            spot = Spot.of(policy.origin, "spec", "division", "bounds", index)
            spot.fault(names.errors, f"minReplicas {least} is more than maxReplicas {most}")


def _neighbours(spec: PlacementSpec) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (("together", spec.together), ("apart", spec.apart))


def _check_pattern(policy: PlacementPolicy, pattern: str, spot: Spot, names: Names) -> None:
    """A neighbour is another workload; a policy's own ones are neighbours of each other."""
    if not names.workloads_like(pattern, spot) or not names.workloads_whole:
        return
    own = set(_meant(policy.spec.workloads, names.workloads))
    if len(own) == 1 and own.issuperset(_meant((pattern,), names.workloads)):
        spot.fault(
            names.errors,
            f"'{pattern}' is only the policy's own workload",
            "name other workloads",
        )


def _meant(patterns: Iterable[str], workloads: Words) -> list[str]:
    """The workloads that names and patterns mean."""
    found: dict[str, None] = {}
    for pattern in patterns:
        if not is_pattern(pattern):
            found |= dict.fromkeys([pattern] if pattern in workloads else [])
        else:
            found |= dict.fromkeys(word for word in workloads.known if matches(pattern, word))
    return list(found)


def _check_contradictions(policies: Sequence[PlacementPolicy], names: Names) -> None:
    """Both relations hold both ways: a pair that is in both can be placed nowhere."""
    together: dict[_Pair, str] = {}
    if not any(policy.spec.apart for policy in policies):
        return
    for policy in policies:
        for pair, index in _pairs(policy, policy.spec.together, names.workloads):
            together.setdefault(pair, str(policy.origin.at("spec", "together", index)))
    for policy in policies if together else ():
        told: set[int] = set()
        for pair, index in _pairs(policy, policy.spec.apart, names.workloads):
            if pair in together and index not in told:
                told.add(index)
                one, other = sorted(pair)
                sentence = f"'{one}' and '{other}' are kept together at {together[pair]}"
                spot = Spot.of(policy.origin, "spec", "apart", index)
                spot.fault(names.errors, sentence, "keep one of the two")


def _pairs(
    policy: PlacementPolicy, patterns: Sequence[str], workloads: Words
) -> Iterator[tuple[_Pair, int]]:
    """The pairs of workloads that patterns of a policy make, each with the pattern's index."""
    own = _meant(policy.spec.workloads, workloads) if patterns else []
    for index, pattern in enumerate(patterns):
        for other in _meant((pattern,), workloads):
            for one in own:
                if one != other:
                    yield frozenset((one, other)), index
