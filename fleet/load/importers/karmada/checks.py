"""What Karmada's webhooks refuse, what its scheduler ignores, and what is different here."""

from collections.abc import Container, Sequence

from fleet.load.importers.importer import Notes
from fleet.load.importers.karmada.forms import (
    ClusterAffinity,
    LabelSelector,
    Placement,
    Preferences,
    Propagation,
    PropagationSpec,
    ReplicaScheduling,
    SpreadBy,
    Tolerated,
)
from fleet.load.importers.karmada.placements import name_of_policy
from fleet.load.words import Words
from fleet.model.source import Path

_PLACEMENT: Path = ("spec", "placement")
_SPREAD: Path = (*_PLACEMENT, "spreadConstraints")
_SCHEDULING: Path = (*_PLACEMENT, "replicaScheduling")
_DEFAULT_SCHEDULER = "default-scheduler"


def check_placement(form: Propagation, notes: Notes) -> None:
    """Everything that there is to say of a policy's placement and its other fields."""
    placement = form.spec.placement
    _check_affinities(placement, notes)
    _check_tolerations(placement.cluster_tolerations, notes)
    _check_spread(placement, notes)
    if placement.replica_scheduling is not None:
        _check_division(placement.replica_scheduling, notes)
    if placement.workload_affinity is not None:
        notes.ignored(
            (*_PLACEMENT, "workloadAffinity"),
            "follows it only with the feature gate WorkloadAffinity, which is off by default",
        )
    _check_failover(form.spec, notes)
    _check_rest(form.spec, notes)


def check_names(form: Propagation, known: Words, notes: Notes) -> None:
    """Clusters that a policy names and that are not there: Karmada waits for them in silence."""
    placement = form.spec.placement
    affinities: list[tuple[Path, ClusterAffinity]] = [
        ((*_PLACEMENT, "clusterAffinities", index), each)
        for index, each in enumerate(placement.cluster_affinities)
    ]
    if placement.cluster_affinity is not None:
        affinities.append(((*_PLACEMENT, "clusterAffinity"), placement.cluster_affinity))
    preference = placement.replica_scheduling and placement.replica_scheduling.weight_preference
    for index, rule in enumerate(preference.static_weight_list if preference else ()):
        path = (*_SCHEDULING, "weightPreference", "staticWeightList", index, "targetCluster")
        affinities.append((path, rule.target_cluster))
    for path, affinity in affinities:
        for name, listed in (
            ("clusterNames", affinity.cluster_names),
            ("exclude", affinity.exclude),
        ):
            for index, cluster in enumerate(listed):
                if cluster not in known:
                    hint = known.hint(cluster)
                    why = f"takes no notice that there is no cluster '{cluster}'"
                    notes.ignored((*path, name, index), f"{why}{f' - {hint}' if hint else ''}")


def check_overrides(form: Propagation, known: Container[str], notes: Notes) -> None:
    """Override policies that must be there before anything is placed.

    `known` are `<namespace>/<name>`, of one for all namespaces `*/<name>`: those of the policy's
    own namespace count, or those for all. Source: Karmada's IsDependentOverridesPresent.
    """
    namespace = name_of_policy(form).partition("/")[0]
    kind = form.kind.replace("Propagation", "Override")
    for index, name in enumerate(form.spec.dependent_overrides):
        if f"{namespace}/{name}" not in known:
            notes.fault(
                ("spec", "dependentOverrides", index),
                f"Karmada places nothing before there is the {kind} '{name}', and no file has it",
                "write it, or take the name out",
            )


def _check_affinities(placement: Placement, notes: Notes) -> None:
    groups = placement.cluster_affinities
    path = (*_PLACEMENT, "clusterAffinities")
    if placement.cluster_affinity is not None:
        place = (*_PLACEMENT, "clusterAffinity", "labelSelector")
        check_labels(placement.cluster_affinity.label_selector, place, notes)
    if groups and placement.cluster_affinity is not None:
        notes.fault(
            path, "'clusterAffinities' and 'clusterAffinity' exclude each other", "keep one"
        )
    seen: set[str] = set()
    for index, each in enumerate(groups):
        check_labels(each.label_selector, (*path, index, "labelSelector"), notes)
        if each.affinity_name in seen:
            place = (*path, index, "affinityName")
            notes.fault(place, f"the group '{each.affinity_name}' is there twice")
        seen.add(each.affinity_name)
        if each.overflow_affinities and not _is_by_room(placement.replica_scheduling):
            notes.fault(
                (*path, index, "overflowAffinities"),
                "overflow goes with Aggregated or dynamicWeight only",
            )


def _is_by_room(said: ReplicaScheduling | None) -> bool:
    if said is None or said.replica_scheduling_type == "Duplicated":
        return False
    dynamic = said.weight_preference is not None and said.weight_preference.dynamic_weight
    return said.replica_division_preference == "Aggregated" or bool(dynamic)


def _check_tolerations(tolerations: Sequence[Tolerated], notes: Notes) -> None:
    for index, each in enumerate(tolerations):
        path = (*_PLACEMENT, "clusterTolerations", index)
        if not each.key and each.operator != "Exists":
            notes.fault(path, "an empty key needs operator 'Exists'")
        if each.operator == "Exists" and each.value:
            notes.fault((*path, "value"), "operator 'Exists' takes no value")
        if each.toleration_seconds is not None:
            if each.effect != "NoExecute":
                place = (*path, "tolerationSeconds")
                notes.fault(place, "'tolerationSeconds' goes with effect 'NoExecute' only")
            notes.ignored(
                (*path, "tolerationSeconds"),
                "counts them only where --enable-no-execute-taint-eviction is set; its scheduler"
                " tolerates the taint without an end",
            )


def _check_spread(placement: Placement, notes: Notes) -> None:
    constraints = placement.spread_constraints
    fields = [each.spread_by_field or "cluster" for each in constraints if _is_by_field(each)]
    for index, each in enumerate(constraints):
        _check_constraint(each, (*_SPREAD, index), notes)
    for name in sorted({each for each in fields if fields.count(each) > 1}):
        notes.fault(_SPREAD, f"spread by '{name}' is said twice")
    if any(each != "cluster" for each in fields) and "cluster" not in fields:
        hint = "add {spreadByField: cluster, minGroups: 1, maxGroups: N}"
        notes.fault(_SPREAD, "a spread by a field needs one by 'cluster' besides", hint)
    if constraints and _is_static(placement.replica_scheduling):
        notes.ignored(_SPREAD, "ignores them with static weights: every candidate is taken")


def _is_by_field(constraint: SpreadBy) -> bool:
    return bool(constraint.spread_by_field) or not constraint.spread_by_label


def _is_static(said: ReplicaScheduling | None) -> bool:
    if said is None or said.replica_scheduling_type == "Duplicated":
        return False
    return not _is_by_room(said)


def _check_constraint(each: SpreadBy, path: Path, notes: Notes) -> None:
    if each.spread_by_label:
        if each.spread_by_field:
            sentence = "'spreadByLabel' and 'spreadByField' exclude each other"
            notes.fault((*path, "spreadByLabel"), sentence, "keep one")
        notes.differs(
            (*path, "spreadByLabel"),
            "does not implement it, and places nothing where it is the only constraint",
            f"here it counts as not said; 'by: labels.{each.spread_by_label}' does it in a"
            " PlacementPolicy",
        )
        return
    if 0 < each.max_groups < each.min_groups:
        sentence = f"maxGroups {each.max_groups} is less than minGroups {each.min_groups}"
        notes.fault((*path, "maxGroups"), sentence)
    if each.spread_by_field in {"zone", "provider"}:
        notes.ignored(
            (*path, "spreadByField"),
            f"spreads over no {each.spread_by_field}s: it only leaves out the clusters that have"
            " none",
        )
    elif not each.max_groups:
        notes.ignored(path, "has no default for maxGroups: without it nothing is selected")


def _check_division(said: ReplicaScheduling, notes: Notes) -> None:
    preference = said.weight_preference
    path = (*_SCHEDULING, "weightPreference")
    if said.replica_scheduling_type == "Duplicated":
        unused = {
            "replicaDivisionPreference": bool(said.replica_division_preference),
            "weightPreference": preference is not None,
        }
        for name in (name for name, there in unused.items() if there):
            notes.ignored((*_SCHEDULING, name), "ignores it with Duplicated")
    elif preference is not None:
        if said.replica_division_preference == "Aggregated":
            notes.ignored(path, "ignores it with Aggregated: the room of the clusters decides")
        elif preference.dynamic_weight and preference.static_weight_list:
            notes.ignored((*path, "staticWeightList"), "ignores it where dynamicWeight is set")
        _check_weights(preference, notes)


def _check_weights(preference: Preferences, notes: Notes) -> None:
    path = (*_SCHEDULING, "weightPreference", "staticWeightList")
    for index, each in enumerate(preference.static_weight_list):
        check_labels(
            each.target_cluster.label_selector,
            (*path, index, "targetCluster", "labelSelector"),
            notes,
        )
        if not each.weight:
            place = (*path, index, "weight")
            notes.ignored(place, "wants at least 1 here; 0 gives the clusters nothing")


def _check_failover(spec: PropagationSpec, notes: Notes) -> None:
    if spec.failover is None:
        return
    path: Path = ("spec", "failover")
    knob = "a TrafficPolicy with failover, or another run with 'down', does it here"
    application = spec.failover.application
    if application is not None:
        grace = application.grace_period_seconds
        if grace is not None and application.purge_mode not in {"Gracefully", "Graciously"}:
            place = (*path, "application", "gracePeriodSeconds")
            notes.fault(place, "'gracePeriodSeconds' goes with purgeMode 'Gracefully' only")
        why = "moves an application that stays unhealthy"
        notes.differs((*path, "application"), why, knob)
    if spec.failover.cluster is not None:
        why = "moves what ran on a failed cluster, where the gate Failover is on"
        notes.differs((*path, "cluster"), why, knob)


def _check_rest(spec: PropagationSpec, notes: Notes) -> None:
    for index, each in enumerate(spec.resource_selectors):
        check_labels(
            each.label_selector, ("spec", "resourceSelectors", index, "labelSelector"), notes
        )
    if spec.propagate_deps or spec.association:
        field = "propagateDeps" if spec.propagate_deps else "association"
        why = "sends what the object refers to along with it"
        notes.differs(("spec", field), why, "select those objects, too")
    if spec.suspension is not None and spec.suspension != type(spec.suspension)():
        sentence = "Karmada holds the objects back; fleet cannot, and would deliver them"
        notes.fault(
            ("spec", "suspension"), sentence, "take the objects out of the files until then"
        )
    if spec.scheduler_name != _DEFAULT_SCHEDULER:
        why = f"leaves the placement to the scheduler '{spec.scheduler_name}'"
        notes.differs(("spec", "schedulerName"), why, "fleet decides as Karmada's own would")
    if spec.preemption == "Always":
        why = "follows it only with the feature gate PropagationPolicyPreemption, which is off"
        notes.ignored(("spec", "preemption"), why)
    if spec.activation_preference:
        why = "waits for the next change of the object"
        knob = "a plan follows its policies at once"
        notes.differs(("spec", "activationPreference"), why, knob)
    if spec.preserve_resources_on_deletion:
        why = "leaves the copies in the clusters when the object is deleted"
        knob = "here they are deleted; say 'decommission' for what is to be forgotten"
        notes.differs(("spec", "preserveResourcesOnDeletion"), why, knob)


def check_labels(selector: LabelSelector | None, path: Path, notes: Notes) -> None:
    """What a label selector may not say. Source: meta/v1 LabelSelectorAsSelector."""
    for index, each in enumerate(selector.match_expressions if selector else ()):
        wants = each.operator in {"In", "NotIn"}
        if wants != bool(each.values):
            count = "one or more values" if wants else "no values"
            place = (*path, "matchExpressions", index)
            notes.fault(place, f"'{each.operator}' takes {count}")
