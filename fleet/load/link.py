"""Names resolve, and the Snapshot closes: what every workload has to do with whom."""

from collections.abc import Iterable
from dataclasses import replace

from fleet.errors import ErrorList
from fleet.load.link_capacity import check_reserved
from fleet.load.link_data import check_data, directed
from fleet.load.link_entries import check_entries
from fleet.load.link_facts import link_facts, observed, tell_age
from fleet.load.link_policies import match_policies
from fleet.load.link_quotas import check_tenants
from fleet.load.link_remains import check_remains
from fleet.load.link_structure import check_structure
from fleet.load.link_traffic import check_reach, check_traffic, wanted_regions
from fleet.load.names import check_distinct, collect_names
from fleet.load.objects import identity_of, spoken
from fleet.load.parse import INVENTORY, Declared
from fleet.load.states import check_config, states_of
from fleet.load.words import quoted
from fleet.load.workloads import Workloads
from fleet.model.settings import Settings
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Manifest, Workload


def link(
    declared: Declared, workloads: Workloads, settings: Settings, errors: ErrorList
) -> Snapshot:
    """The closed Snapshot; it is complete only if `errors` stays empty."""
    check_reserved([*declared.clusters, *declared.observations], errors)
    declared = replace(declared, clusters=observed(declared))
    _check_names(declared, errors)
    _check_clusters(declared, settings, errors)
    _check_objects(workloads.found, errors)
    _check_renames(workloads, errors)
    names = collect_names(declared, workloads, errors)
    check_config(settings, names)
    states = states_of(declared.clusters, settings, declared.observations)
    facts = link_facts(declared, settings, names)
    matched = match_policies(declared, workloads, names)
    check_data(workloads.found, names)
    directed_by_data = directed(declared.traffic, workloads.found)
    policies = sorted(directed_by_data, key=lambda each: each.name)
    check_traffic(declared.traffic, names)
    check_structure(declared.placements, names)
    check_tenants([*declared.quotas, *declared.sets], workloads, errors)
    check_remains(declared, workloads, names)
    wanted = wanted_regions(policies, settings, names)
    findings = check_reach(policies, matched.placements, states, names)
    linked = [
        Linked(
            workload=workload,
            placement=matched.placements[workload.name],
            overrides=tuple(matched.overrides.get(workload.name, ())),
            traffic=traffic,
        )
        for workload, traffic in _with_traffic(workloads.found, policies)
        if workload.name in matched.placements
    ]
    return Snapshot(
        clusters=tuple(sorted(declared.clusters, key=lambda each: each.name)),
        linked=tuple(linked),
        states=states,
        wanted=wanted,
        findings=(*findings, *tell_age(facts), *declared.findings),
        facts=facts,
        quotas=tuple(sorted(declared.quotas, key=lambda each: each.name)),
    )


def _with_traffic(
    workloads: Iterable[Workload], policies: Iterable[TrafficPolicy]
) -> list[tuple[Workload, tuple[TrafficPolicy, ...]]]:
    """Every workload with the policies that lead to it, both in the order of names."""
    by_workload: dict[str, list[TrafficPolicy]] = {}
    for policy in policies:
        by_workload.setdefault(policy.spec.workload, []).append(policy)
    return [
        (workload, tuple(by_workload.get(workload.name, ())))
        for workload in sorted(workloads, key=lambda each: each.name)
    ]


def _check_names(declared: Declared, errors: ErrorList) -> None:
    for noun, documents in (
        ("cluster", declared.clusters),
        ("placement policy", declared.placements),
        ("override policy", declared.overrides),
        ("traffic policy", declared.traffic),
        ("observation of cluster", declared.observations),
        ("external scores", declared.scores),
        ("cluster set", declared.sets),
        ("quota", declared.quotas),
    ):
        check_distinct([(each.name, each.origin) for each in documents], noun, errors)


def _check_clusters(declared: Declared, settings: Settings, errors: ErrorList) -> None:
    check_entries(declared.clusters, errors)
    some = declared.clusters or declared.broken.get("Cluster")
    if not some and INVENTORY not in declared.unread:
        sentence = f"there is no Cluster document in {quoted(settings.inventory)}"
        hint = "a fleet has at least one cluster; is fleet:inventory the right path?"
        errors.add(None, "config fleet:inventory", sentence, hint)


def _check_objects(workloads: Iterable[Workload], errors: ErrorList) -> None:
    """One object in two workloads would be written by both; only an equal Namespace is shared."""
    first: dict[tuple[str, str, str, str], tuple[str, Manifest]] = {}
    for workload in workloads:
        for manifest in workload.manifests:
            owner, other = first.setdefault(identity_of(manifest), (workload.name, manifest))
            if owner == workload.name or _is_shared(manifest, other):
                continue
            place = f"workload '{owner}' at {other.source}"
            if manifest.kind == "Namespace":
                sentence = f"the namespace '{manifest.name}' differs from the one of {place}"
                hint = "make the two equal, or keep one"
            else:
                sentence = f"{spoken(manifest)} already belongs to {place}"
                hint = "an object belongs to one workload"
            errors.add(manifest.source, "", sentence, hint)


def _is_shared(manifest: Manifest, other: Manifest) -> bool:
    is_namespace = (manifest.api_version, manifest.kind) == ("v1", "Namespace")
    return is_namespace and manifest.body == other.body


def _check_renames(workloads: Workloads, errors: ErrorList) -> None:
    """A workload takes the place of one that is gone, and of one that nobody else takes."""
    taken: dict[str, str] = {}
    for workload in workloads.found:
        for name in workload.settings.renamed_from:
            if name in workloads.names:
                sentence = f"renamedFrom names '{name}', which is still a workload"
                errors.add(workload.source, "", sentence, "remove the name, or the old workload")
            elif taken.setdefault(name, workload.name) != workload.name:
                sentence = f"renamedFrom names '{name}', and so does '{taken[name]}'"
                errors.add(workload.source, "", sentence, "only one workload follows another")
