"""KubeFleet's placement policy: which clusters, from the body of any of its placements."""

from collections.abc import Collection
from typing import Any

from fleet.load.importers.kubefleet.clusters import property_name
from fleet.load.importers.native import Native
from fleet.load.importers.reading import Foreign, Part
from fleet.load.importers.selectors import selector, term
from fleet.model.policy import PICK, PlacementPolicy

PICK_ALL, PICK_FIXED, PICK_N = TYPES = ("PickAll", "PickFixed", "PickN")
_KEEPS = 1000
_REFUSED = "the product refuses it"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_ALLOWED = {
    PICK_ALL: ("affinity", "tolerations"),
    PICK_FIXED: ("clusterNames",),
    PICK_N: ("numberOfClusters", "affinity", "topologySpreadConstraints", "tolerations"),
}


def policy_of(
    each: Foreign, spec: Part, known: Collection[str], workload: str
) -> PlacementPolicy | None:
    """The policy of one workload; None where the placement has faults.

    `known` are all clusters; the product leaves out any other. Empty: nobody knows.
    """
    name = workload.replace("/", ".")
    native = Native(each)
    native.put(("metadata", "name"), name, ("metadata", "name"))
    native.put(("spec", "workloads"), [workload], ("metadata", "name"))
    policy = spec.within("policy")
    kind = policy.choice("placementType", TYPES, PICK_ALL)
    _check_fields(policy, kind)
    _put_affinity(native, policy, kind)
    if kind == PICK_FIXED:
        _put_fixed(native, policy, known)
    elif kind == PICK_N:
        _put_number(native, policy)
    native.put(("spec", "scoring"), _scoring(native), policy.path)
    policy.close("a placement policy")
    return None if each.notes.refused else native.made(PlacementPolicy)


def _check_fields(policy: Part, kind: str) -> None:
    """Every type has fields of its own, as the API server says."""
    for other in ("clusterNames", "numberOfClusters", "affinity", "topologySpreadConstraints"):
        if other not in _ALLOWED[kind] and policy.raw(other) not in (None, [], {}):
            policy.fault(other, f"does not go with the placementType '{kind}'", _REFUSED)
    if "tolerations" not in _ALLOWED[kind] and policy.raw("tolerations"):
        policy.fault("tolerations", f"do not go with the placementType '{kind}'", _REFUSED)


def _scoring(native: Native) -> dict[str, Any]:
    """What is placed stays, then wishes count; nothing else does."""
    wishes = "preferred" in native.body["spec"].get("affinity", {})
    weights = {"already-there": _KEEPS} | ({"affinity": 1} if wishes else {})
    return {"exact": True, "weights": weights}


def _put_fixed(native: Native, policy: Part, known: Collection[str]) -> None:
    """The named clusters, whatever their taints."""
    named = policy.texts("clusterNames")
    names = [name for name in named if name in known or not known]
    if named and not names:
        policy.fault("clusterNames", "names no cluster that there is")
    if not named:
        policy.fault("clusterNames", "is empty; 'PickFixed' names its clusters", _REFUSED)
    for index, name in enumerate(named):
        if name not in names:
            why = f"leaves out '{name}'; no cluster has that name"
            native.of.notes.ignored(policy.at("clusterNames", index), why)
    place = policy.at("clusterNames")
    native.put(("spec", "affinity", "required"), [{"clusters": names}], place)
    native.links["spec", "affinity", "required", 0, "clusters"] = place
    native.names["spec", "affinity", "required"] = place
    native.put(("spec", "tolerations"), [{"operator": "Exists"}], place)


def _put_number(native: Native, policy: Part) -> None:
    """At most so many clusters: the product takes fewer where there are fewer."""
    number = policy.whole("numberOfClusters")
    spread: list[dict[str, Any]] = []
    if number is None:
        policy.fault("numberOfClusters", "is required for the placementType 'PickN'", _REFUSED)
    elif number == 0:
        policy.fault("numberOfClusters", "0 selects no cluster", "remove the placement")
    else:
        spread.append({"by": "cluster", "maxDomains": number})
    native.put(("spec", "spread"), spread, policy.at("numberOfClusters"))
    native.names["spec", "spread", 0, "maxDomains"] = policy.at("numberOfClusters")
    native.names[PICK] = policy.at("numberOfClusters")
    for part in policy.parts("topologySpreadConstraints"):
        constraint = _topology(native.of, part)
        if constraint is not None:
            native.links["spec", "spread", len(spread)] = part.path
            native.names["spec", "spread", len(spread), "maxSkew"] = part.at("maxSkew")
            spread.append(constraint)


def _topology(each: Foreign, part: Part) -> dict[str, Any] | None:
    key, skew = part.required("topologyKey"), part.whole("maxSkew", 1)
    action = part.choice("whenUnsatisfiable", ("DoNotSchedule", "ScheduleAnyway"), "DoNotSchedule")
    part.close("a topologySpreadConstraint")
    if action == "ScheduleAnyway":
        why = "only prefers a small skew with ScheduleAnyway; fleet keeps to a skew or knows none"
        knob = "say DoNotSchedule, or spec.spread with minDomains"
        each.notes.differs(part.at("whenUnsatisfiable"), why, knob)
        return None
    return {"by": f"labels.{key}", "maxSkew": 1 if skew is None else skew}


def _put_affinity(native: Native, policy: Part, kind: str) -> None:
    affinity = policy.within("affinity")
    clusters = affinity.within("clusterAffinity")
    required, preferred = clusters.map(_REQUIRED), clusters.parts(_PREFERRED)
    native.names["spec", "affinity", "required"] = clusters.at(_REQUIRED, "clusterSelectorTerms")
    if required is not None:
        _put_required(native, required)
    if preferred and kind == PICK_ALL:
        clusters.fault(_PREFERRED, "does not go with the placementType 'PickAll'", _REFUSED)
    wishes = [wish for part in preferred if (wish := _wish(native.of, part)) is not None]
    native.put(("spec", "affinity", "preferred"), wishes, clusters.at(_PREFERRED))
    clusters.close("a clusterAffinity")
    affinity.close("an affinity")
    native.put(("spec", "tolerations"), _tolerations(policy), policy.at("tolerations"))


def _put_required(native: Native, required: Part) -> None:
    terms = []
    for part in required.parts("clusterSelectorTerms"):
        if part.has("propertySorter"):
            part.fault("propertySorter", "goes with preferred terms only", _REFUSED)
        terms.append(_term(part))
    required.close("a required affinity")
    place = required.at("clusterSelectorTerms")
    native.put(("spec", "affinity", "required"), terms, place)
    if terms:
        why = "keeps what is placed on a cluster that stops to match; fleet takes it away"
        native.of.notes.differs(required.path, why, "keep the label until the workload may move")


def _term(part: Part) -> dict[str, Any]:
    written = term([selector(part.map("labelSelector"))])
    properties = part.within("propertySelector")
    compared = [_compared(each) for each in properties.parts("matchExpressions")]
    properties.close("a propertySelector")
    part.close("a cluster selector term")
    return written | ({"matchProperties": compared} if compared else {})


def _compared(part: Part) -> dict[str, str]:
    name = property_name(part.required("name"))
    operator = part.choice("operator", ("Gt", "Ge", "Eq", "Ne", "Lt", "Le"), "Eq")
    values = part.texts("values")
    part.close("a property selector requirement")
    if len(values) != 1:
        part.fault("values", f"has {len(values)} values, and takes one", _REFUSED)
    return {"property": name, "operator": operator, "value": values[0] if values else "0"}


def _wish(each: Foreign, part: Part) -> dict[str, Any] | None:
    """A preferred term; None for one that is for every cluster, and so changes no order."""
    weight = part.whole("weight", -100, 100)
    where = part.within("preference")
    if where.has("propertySelector"):
        where.fault("propertySelector", "goes with required terms only", _REFUSED)
    sorter = where.map("propertySorter")
    wish: dict[str, Any] = {"weight": weight or 0, "term": _term(where)}
    part.close("a preferred term")
    if sorter is not None:
        order = sorter.choice("sortOrder", ("Descending", "Ascending"), "Descending").lower()
        wish["sort"] = {"property": property_name(sorter.required("name")), "order": order}
        sorter.close("a propertySorter")
    elif not any(wish["term"].values()):
        each.notes.ignored(part.path, "prefers every cluster by it, and so none")
        return None
    return wish


def _tolerations(policy: Part) -> list[dict[str, str]]:
    found = []
    for part in policy.parts("tolerations"):
        operator = part.choice("operator", ("Equal", "Exists"), "Equal")
        effect = part.choice("effect", ("", "NoSchedule"), "")
        said = {"key": part.text("key"), "value": part.text("value"), "effect": effect}
        part.close("a toleration")
        if not said["key"] and operator != "Exists":
            part.fault("key", "an empty key goes with operator 'Exists' only", _REFUSED)
            continue
        if operator == "Exists" and said["value"]:
            part.fault("value", "operator 'Exists' takes no value", _REFUSED)
            continue
        found.append({"operator": operator} | {name: text for name, text in said.items() if text})
    return found
