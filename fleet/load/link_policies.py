"""Placement and override policies: every name in them exists, every workload has one placement."""

from collections.abc import Iterator
from dataclasses import dataclass

from fleet.errors import ErrorList
from fleet.load.link_properties import check_property
from fleet.load.link_structure import structure_terms
from fleet.load.names import Names, Spot
from fleet.load.parse import POLICIES, Declared
from fleet.load.words import Words
from fleet.load.workloads import Workloads
from fleet.model.affinity import ClusterTerm
from fleet.model.cluster_set import ClusterSet
from fleet.model.override import OverridePolicy
from fleet.model.pattern import is_pattern, matches
from fleet.model.policy import PlacementPolicy
from fleet.model.source import Origin, Path

_LABEL = "labels."
_DOMAINS = ("region", "zone", "provider")


@dataclass(frozen=True, slots=True)
class Matched:
    """Policies by workload; overrides in the order of their names, then what claims bring."""

    placements: dict[str, PlacementPolicy]
    overrides: dict[str, list[OverridePolicy]]


def match_policies(declared: Declared, workloads: Workloads, names: Names) -> Matched:
    """Which policies speak of which workload; faults where names do not resolve."""
    _check_words(declared, names)
    chosen = {
        name: claim.placement
        for name, claim in workloads.claims.items()
        if claim.placement is not None
    }
    for placement in declared.placements:
        for workload, index in _workloads_of(placement, names):
            first = chosen.setdefault(workload, placement)
            if first is not placement:
                _two_placements(workload, placement, index, (first, names.errors))
    _check_placed(chosen, declared, workloads, names.errors)
    return Matched(chosen, _overrides(declared, workloads, names))


def _overrides(
    declared: Declared, workloads: Workloads, names: Names
) -> dict[str, list[OverridePolicy]]:
    """The overrides of each workload: native ones by name, then those of its claim."""
    overrides: dict[str, list[OverridePolicy]] = {}
    for override in sorted(declared.overrides, key=lambda each: each.name):
        for workload, _ in _workloads_of(override, names):
            overrides.setdefault(workload, []).append(override)
    for name, claim in workloads.claims.items():
        overrides.setdefault(name, []).extend(claim.overrides)
    return overrides


def _check_words(declared: Declared, names: Names) -> None:
    """Every name in every policy and set exists."""
    for placement in declared.placements:
        check_placement(placement, names)
    for override in declared.overrides:
        check_override(override, names)
    for each in declared.sets:
        check_set(each, names)


def _workloads_of(
    policy: PlacementPolicy | OverridePolicy, names: Names
) -> Iterator[tuple[str, int]]:
    """The workloads that a policy names, each once, and the index of the name or pattern."""
    seen: set[str] = set()
    for index, pattern in enumerate(policy.spec.workloads):
        known = names.workloads
        if is_pattern(pattern):
            found = [word for word in known.known if matches(pattern, word)]
        else:
            found = [pattern] if pattern in known else []
        for workload in found:
            if workload not in seen:
                seen.add(workload)
                yield workload, index


def _two_placements(
    workload: str, second: PlacementPolicy, index: int, first: tuple[PlacementPolicy, ErrorList]
) -> None:
    other, errors = first
    spot = Spot.of(second.origin, "spec", "workloads", index)
    sentence = (
        f"the workload '{workload}' has two placement policies, "
        f"'{other.name}' at {other.origin.start} and '{second.name}'"
    )
    spot.fault(errors, sentence, "leave it to one of the two")


def _check_placed(
    chosen: dict[str, PlacementPolicy], declared: Declared, workloads: Workloads, errors: ErrorList
) -> None:
    """A workload without a placement policy would run nowhere."""
    broken = declared.broken.get("PlacementPolicy", ())
    patterns = [_patterns(each.data) for each in broken]
    if POLICIES in declared.unread or None in patterns:
        return
    covered = [pattern for each in patterns for pattern in each or ()]
    for workload, source in workloads.names.items():
        if workload in chosen or any(matches(pattern, workload) for pattern in covered):
            continue
        sentence = f"no placement policy names the workload '{workload}'"
        hint = f"write a PlacementPolicy with spec.workloads: [{workload}]"
        errors.add(source, "", sentence, hint)


def _patterns(data: object) -> list[str] | None:
    """The workloads of a placement policy with faults; None where it does not say."""
    spec = data.get("spec") if isinstance(data, dict) else None
    named = spec.get("workloads") if isinstance(spec, dict) else None
    if not isinstance(named, list) or not all(isinstance(each, str) for each in named):
        return None
    return named


def check_placement(policy: PlacementPolicy, names: Names) -> None:
    """Every name in a placement policy exists."""
    origin, spec = policy.origin, policy.spec
    _check_workloads(policy, names)
    for term, path in _terms(policy):
        _check_term(term, origin, path, names)
    if spec.residency is not None:
        for index, pattern in enumerate(spec.residency.regions):
            names.regions_like(pattern, Spot.of(origin, "spec", "residency", "regions", index))
    _check_tolerations(policy, names)
    _check_wishes(policy, names)
    for index, constraint in enumerate(spec.spread):
        _check_domain(constraint.by, Spot.of(origin, "spec", "spread", index, "by"), names)
    if spec.survive is not None:
        _check_domain(spec.survive, Spot.of(origin, "spec", "survive"), names)


def _check_wishes(policy: PlacementPolicy, names: Names) -> None:
    for index, preferred in enumerate(policy.spec.affinity.preferred):
        path: Path = ("spec", "affinity", "preferred", index)
        if preferred.sort is not None:
            spot = Spot.of(policy.origin, *path, "sort", "property")
            check_property(preferred.sort.property, spot, names)
        elif preferred.term == ClusterTerm():
            sentence = "says no 'term' and no 'sort': every cluster would get the weight"
            spot = Spot.of(policy.origin, *path)
            spot.fault(names.errors, sentence, "name clusters, or remove it")


def _check_tolerations(policy: PlacementPolicy, names: Names) -> None:
    """Only NoExecute moves anything, and so only it can wait. Source: core/v1 validation."""
    for index, each in enumerate(policy.spec.tolerations):
        if each.toleration_seconds is not None and each.effect != "NoExecute":
            spot = Spot.of(policy.origin, "spec", "tolerations", index, "tolerationSeconds")
            sentence = "'tolerationSeconds' goes with effect 'NoExecute' only"
            spot.fault(names.errors, sentence, "as in Kubernetes")


def _terms(policy: PlacementPolicy) -> Iterator[tuple[ClusterTerm, Path]]:
    spec = policy.spec
    for index, term in enumerate(spec.affinity.required):
        yield term, ("spec", "affinity", "required", index)
    for index, preferred in enumerate(spec.affinity.preferred):
        yield preferred.term, ("spec", "affinity", "preferred", index, "term")
    for index, rule in enumerate(spec.division.weights):
        yield rule.term, ("spec", "division", "weights", index, "term")
    yield from structure_terms(spec)


def _check_term(term: ClusterTerm, origin: Origin, path: Path, names: Names) -> None:
    for name, listed in (("clusters", term.clusters), ("excludeClusters", term.exclude_clusters)):
        for index, cluster in enumerate(listed):
            names.cluster(cluster, Spot.of(origin, *path, name, index))
    for index, pattern in enumerate(term.regions):
        names.regions_like(pattern, Spot.of(origin, *path, "regions", index))
    for index, compared in enumerate(term.match_properties):
        spot = Spot.of(origin, *path, "matchProperties", index, "property")
        check_property(compared.property, spot, names)
    for outer, each in enumerate(term.match_fields):
        check = {"name": names.cluster, "region": names.region}.get(each.key)
        if check is not None and each.operator == "In":
            for inner, value in enumerate(each.values):
                check(value, Spot.of(origin, *path, "matchFields", outer, "values", inner))


def _check_domain(by: str, spot: Spot, names: Names) -> None:
    """A spread over something that no cluster has leaves nothing feasible, nor can it be lost."""
    if not names.facts_whole:
        return
    clusters = names.by_name.values()
    if by.startswith(_LABEL):
        key = by.removeprefix(_LABEL)
        keys = Words(label for cluster in clusters for label in cluster.labels)
        if key not in keys:
            sentence = f"no cluster has a label '{key}'"
            spot.fault(names.errors, sentence, keys.hint(key))
    elif by in _DOMAINS and not any(_has(cluster.spec, by) for cluster in clusters):
        spot.fault(names.errors, f"no cluster says its {by}", "")


def _has(spec: object, by: str) -> bool:
    return bool(getattr(spec, "zones" if by == "zone" else by))


def check_override(policy: OverridePolicy, names: Names) -> None:
    """Every name in an override policy exists."""
    _check_workloads(policy, names)
    for index, rule in enumerate(policy.spec.rules):
        path: Path = ("spec", "rules", index, "where")
        for inner, cluster in enumerate(rule.where.clusters):
            names.cluster(cluster, Spot.of(policy.origin, *path, "clusters", inner))
        for inner, pattern in enumerate(rule.where.regions):
            names.regions_like(pattern, Spot.of(policy.origin, *path, "regions", inner))


def check_set(each: ClusterSet, names: Names) -> None:
    """Every name in a cluster set exists."""
    for index, term in enumerate(each.spec.clusters):
        _check_term(term, each.origin, ("spec", "clusters", index), names)


def _check_workloads(policy: PlacementPolicy | OverridePolicy, names: Names) -> None:
    for index, pattern in enumerate(policy.spec.workloads):
        names.workloads_like(pattern, Spot.of(policy.origin, "spec", "workloads", index))
