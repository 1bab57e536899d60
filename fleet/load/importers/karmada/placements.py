"""Karmada's placement -> a native one that follows Karmada's rules."""

from typing import Any

from fleet.load.importers.karmada.forms import (
    ClusterAffinity,
    FieldRequirement,
    Placement,
    Propagation,
    ReplicaScheduling,
    Requirement,
    SpreadBy,
)
from fleet.load.importers.places import origin_of
from fleet.load.source import Document
from fleet.model.affinity import Affinity, ClusterTerm, Expression, FieldExpression
from fleet.model.document import Metadata
from fleet.model.policy import (
    Division,
    DivisionMode,
    Overflow,
    PlacementPolicy,
    PlacementSpec,
    SpreadConstraint,
    Tier,
    Toleration,
    WeightRule,
)
from fleet.model.source import Path

_PLACEMENT: Path = ("spec", "placement")
_SCHEDULING: Path = (*_PLACEMENT, "replicaScheduling")
_WEIGHTS: Path = (*_SCHEDULING, "weightPreference", "staticWeightList")
_NAMES = {"minDomains": "minGroups", "maxDomains": "maxGroups"}
EVERY_NAMESPACE = "*"

# What a converted value starts from: it was checked as Karmada's, and a copy costs little.
_EVERY = ClusterTerm()
_NAMED = Metadata(name="any")
_SPEC = PlacementSpec(workloads=("any",))
_POLICY = PlacementPolicy(metadata=_NAMED, spec=_SPEC)
_LABEL = Expression(key="any", operator="Exists")
_FIELD = FieldExpression(key="region", operator="Exists")
_TOLERATED = Toleration(operator="Exists")
_SPREAD = SpreadConstraint(by="cluster")
_WEIGHT = WeightRule(replica_weight=1, term=_EVERY)
_TIER = Tier(name="any", terms=(_EVERY,))
_OVERFLOW = Overflow(terms=(_EVERY,))
_DIVISIONS = {mode: Division(mode=mode) for mode in DivisionMode}


def name_of_policy(form: Propagation) -> str:
    """A policy's name, unique among those of all namespaces: `<namespace>/<name>`.

    A policy of the cluster has `*` for the namespace, because it speaks of all.
    """
    namespaced = form.kind == "PropagationPolicy"
    namespace = (form.metadata.namespace or "default") if namespaced else EVERY_NAMESPACE
    return f"{namespace}/{form.metadata.name}"


def policy_of(form: Propagation, document: Document, priority: int = 0) -> PlacementPolicy:
    """The placement policy; the names of its workloads are put in by who claims them."""
    placement = form.spec.placement
    spread = tuple(_spread(each) for each in placement.spread_constraints)
    links = _links(placement)
    spec = {
        "workloads": (),
        "affinity": _affinity(placement),
        "tolerations": tuple(_tolerations(placement)),
        "spread": tuple(each for each in spread if each is not None),
        "division": _division(placement.replica_scheduling),
        "tiers": _tiers(placement),
        "priority": priority,
        "rules": "karmada",
    }
    metadata = {"name": name_of_policy(form), "labels": form.metadata.labels}
    return _POLICY.model_copy(
        update={
            "metadata": _NAMED.model_copy(update=metadata),
            "spec": _SPEC.model_copy(update=spec),
            "origin": origin_of(document, links, _names(placement, links)),
        }
    )


def _links(placement: Placement) -> dict[Path, Path]:
    """Where the native fields stand in the document."""
    links: dict[Path, Path] = {
        ("spec", "workloads"): ("spec", "resourceSelectors"),
        ("spec",): _PLACEMENT,
        ("spec", "affinity"): (*_PLACEMENT, "clusterAffinity"),
        ("spec", "tolerations"): (*_PLACEMENT, "clusterTolerations"),
        ("spec", "spread"): (*_PLACEMENT, "spreadConstraints"),
        ("spec", "division"): _SCHEDULING,
        ("spec", "division", "weights"): _WEIGHTS,
        ("spec", "tiers"): (*_PLACEMENT, "clusterAffinities"),
        ("spec", "priority"): ("spec", "schedulePriority"),
    }
    native = 0
    for index, each in enumerate(placement.spread_constraints):
        if _spread(each) is not None:
            there = (*_PLACEMENT, "spreadConstraints", index)
            links["spec", "spread", native] = there
            for name, foreign in _NAMES.items():
                links["spec", "spread", native, name] = (*there, foreign)
            native += 1
    return links


def _names(placement: Placement, links: dict[Path, Path]) -> dict[Path, Path]:
    """The fields that mean the same in both: what advice speaks of."""
    spread = {path: there for path, there in links.items() if path[-1] in _NAMES}
    groups: dict[Path, Path] = {
        ("spec", "tiers", index, "terms"): (*_PLACEMENT, "clusterAffinities", index)
        for index in range(len(placement.cluster_affinities))
    }
    return {
        **spread,
        **groups,
        ("spec", "affinity", "required"): (*_PLACEMENT, "clusterAffinity"),
        ("spec", "division", "weights"): _WEIGHTS,
        ("spec", "division", "mode"): (*_SCHEDULING, "weightPreference", "dynamicWeight"),
    }


def term_of(affinity: ClusterAffinity) -> ClusterTerm:
    """The clusters that an affinity selects."""
    labels, fields = affinity.label_selector, affinity.field_selector
    said: dict[str, Any] = {"clusters": affinity.cluster_names}
    if affinity.exclude:
        said["exclude_clusters"] = affinity.exclude
    if labels is not None:
        said["match_labels"] = labels.match_labels
        said["match_expressions"] = tuple(
            _LABEL.model_copy(update=_expression(each)) for each in labels.match_expressions
        )
    if fields is not None:
        said["match_fields"] = tuple(
            _FIELD.model_copy(update=_expression(each)) for each in fields.match_expressions
        )
    return _EVERY.model_copy(update=said)


def _expression(each: Requirement | FieldRequirement) -> dict[str, object]:
    return {"key": each.key, "operator": each.operator, "values": each.values}


def _affinity(placement: Placement) -> Affinity:
    said = placement.cluster_affinity
    if said is None or said == ClusterAffinity():
        return Affinity()
    return Affinity(required=(term_of(said),))


def _tiers(placement: Placement) -> tuple[Tier, ...]:
    return tuple(
        _TIER.model_copy(
            update={
                "name": each.affinity_name,
                "terms": (term_of(each),),
                "overflow": tuple(
                    _OVERFLOW.model_copy(update={"terms": (term_of(over),)})
                    for over in each.overflow_affinities
                ),
            }
        )
        for each in placement.cluster_affinities
    )


def _tolerations(placement: Placement) -> list[Toleration]:
    return [
        _TOLERATED.model_copy(
            update={
                "key": each.key,
                "operator": each.operator or "Equal",
                "value": each.value,
                "effect": each.effect or None,
            }
        )
        for each in placement.cluster_tolerations
    ]


def _spread(constraint: SpreadBy) -> SpreadConstraint | None:
    """The constraint; None for one by label, which Karmada does not implement."""
    if constraint.spread_by_label and not constraint.spread_by_field:
        return None
    return _SPREAD.model_copy(
        update={
            "by": constraint.spread_by_field or "cluster",
            "min_domains": constraint.min_groups or 1,
            "max_domains": constraint.max_groups,
        }
    )


def _division(said: ReplicaScheduling | None) -> Division:
    """Duplicated unless said; Divided is by weight unless said, and all weigh 1 unless said."""
    if said is None or said.replica_scheduling_type == "Duplicated":
        return _DIVISIONS[DivisionMode.DUPLICATED]
    if said.replica_division_preference == "Aggregated":
        return _DIVISIONS[DivisionMode.AGGREGATED]
    preference = said.weight_preference
    by_weight = _DIVISIONS[DivisionMode.WEIGHTED]
    if preference is not None and preference.dynamic_weight:
        return by_weight
    rules = preference.static_weight_list if preference is not None else ()
    weights = tuple(
        _WEIGHT.model_copy(
            update={"replica_weight": each.weight, "term": term_of(each.target_cluster)}
        )
        for each in rules
    )
    return by_weight.model_copy(update={"weights": weights or (_WEIGHT,)})
