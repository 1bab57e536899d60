"""Open Cluster Management's Placement as a placement policy."""

from collections.abc import Container
from typing import Any

from fleet.load.faults import MOST_WHOLE
from fleet.load.importers.native import Native
from fleet.load.importers.ocm.cel import requirements_of
from fleet.load.importers.ocm.clusters import CLAIM, EFFECTS, WORDS
from fleet.load.importers.ocm.scoring import put_scoring, unfollowed
from fleet.load.importers.ocm.sets import Sets
from fleet.load.importers.reading import Foreign, Part
from fleet.load.importers.selectors import ANY, Requirement, Selector, selector, term
from fleet.model.policy import PICK, PlacementPolicy
from fleet.model.source import Path

_FREEZE = "cluster.open-cluster-management.io/experimental-scheduling-disable"
_ONE_UPDATE = "rolls out by decision groups; an update of fleet takes all clusters"


def policy_of(
    each: Foreign, sets: Sets, level: Container[str], workload: str
) -> PlacementPolicy | None:
    """The policy of one workload; None where the Placement has faults."""
    native = Native(each, words=WORDS)
    native.put(("metadata", "name"), f"{each.namespace}.{each.name}", ("metadata", "name"))
    native.put(("spec", "workloads"), [workload], ("metadata", "name"))
    spec = each.body.within("spec")
    _put_terms(native, spec, sets.candidates(each, spec))
    _put_number(native, spec)
    put_scoring(native, spec, level)
    _put_tolerations(native, spec)
    _note_the_rest(each, spec)
    each.body.skip("status")
    spec.close("the spec of a Placement")
    each.body.close("a Placement")
    return None if each.notes.refused else native.made(PlacementPolicy)


def _put_terms(native: Native, spec: Part, candidates: tuple[Selector, ...]) -> None:
    """One of the sets, and one of the predicates: every pair of them is a term."""
    predicates = [_predicate(part) for part in spec.parts("predicates")] or [(ANY,)]
    terms: list[dict[str, Any]] = []
    places = []
    for one in candidates:
        for index, predicate in enumerate(predicates):
            written = term((one, *predicate))
            if written not in terms:
                terms.append(written)
                places.append(spec.at("predicates", index, "requiredClusterSelector"))
    said = "predicates" if spec.has("predicates") else "clusterSets"
    native.names["spec", "affinity", "required"] = spec.at(said)
    if {} not in terms:
        native.put(("spec", "affinity", "required"), terms, spec.at("predicates"))
        for index, place in enumerate(places):
            native.links["spec", "affinity", "required", index] = place


def _predicate(part: Part) -> tuple[Selector, ...]:
    where = part.within("requiredClusterSelector")
    found = _labels_and_claims(where)
    asked = _expressions(where.within("celSelector"))
    where.close("a requiredClusterSelector")
    part.close("a predicate")
    return (*found, asked)


def _expressions(cel: Part) -> Selector:
    """The expressions of a celSelector, all of which hold."""
    asked: list[Requirement] = []
    for index, expression in enumerate(cel.texts("celExpressions")):
        requirements = requirements_of(expression)
        if requirements is None:
            sentence = "fleet knows no CEL, but for labels and claims that are compared with texts"
            hint = "write it as a labelSelector or a claimSelector"
            cel.faults.add(cel.at("celExpressions", index), sentence, hint)
        asked += requirements or ()
    cel.close("a celSelector")
    return Selector((), tuple(asked))


def _labels_and_claims(where: Part) -> tuple[Selector, Selector]:
    return selector(where.map("labelSelector")), selector(where.map("claimSelector"), CLAIM)


def _put_number(native: Native, spec: Part) -> None:
    """At most so many clusters: the product takes fewer where there are fewer."""
    number = spec.whole("numberOfClusters")
    if number == 0:
        spec.fault("numberOfClusters", "0 selects no cluster", "remove the Placement, or the field")
    elif number is not None:
        spread = [{"by": "cluster", "maxDomains": number}]
        native.put(("spec", "spread"), spread, spec.at("numberOfClusters"))
        native.names["spec", "spread", 0, "maxDomains"] = spec.at("numberOfClusters")
        native.names[PICK] = spec.at("numberOfClusters")


def _put_tolerations(native: Native, spec: Part) -> None:
    """The ones that last longest first: any that holds counts there, the first that matches here.

    Source: open-cluster-management-io/ocm, pkg/placement/plugins/tainttoleration.
    """
    found: list[tuple[dict[str, Any], Path]] = []
    for part in spec.parts("tolerations"):
        toleration = _toleration(native.of, part)
        if toleration is None:
            continue
        if "tolerationSeconds" in toleration and "effect" not in toleration:
            found.append(({**toleration, "effect": EFFECTS["NoSelect"]}, part.path))
            del toleration["tolerationSeconds"]
            toleration["effect"] = EFFECTS["NoSelectIfNew"]
        found.append((toleration, part.path))
    found.sort(key=lambda each: -each[0].get("tolerationSeconds", MOST_WHOLE))
    native.put(("spec", "tolerations"), [each for each, _ in found], spec.at("tolerations"))
    for index, (_, path) in enumerate(found):
        native.links["spec", "tolerations", index] = path


def _toleration(each: Foreign, part: Part) -> dict[str, Any] | None:
    operator = part.choice("operator", ("Equal", "Exists"), "Equal")
    key, value = part.text("key"), part.text("value")
    effect = part.choice("effect", ("", *EFFECTS), "")
    seconds = part.whole("tolerationSeconds")
    part.close("a toleration")
    if not key and operator != "Exists":
        part.fault("key", "an empty key goes with operator 'Exists' only", _MISCONFIGURED)
        return None
    if operator == "Exists" and value:
        part.fault("value", "operator 'Exists' takes no value", _MISCONFIGURED)
        return None
    if seconds is not None and effect in {"", "NoSelectIfNew"}:
        why = "counts it for a taint NoSelectIfNew, too; fleet tolerates that for good"
        each.notes.differs(part.at("tolerationSeconds"), why, "taint NoSelect, or do not tolerate")
        seconds = None if effect else seconds
    said = {"key": key, "operator": operator, "value": value, "effect": EFFECTS.get(effect, "")}
    written: dict[str, Any] = {name: text for name, text in said.items() if text}
    return written | ({} if seconds is None else {"tolerationSeconds": seconds})


_MISCONFIGURED = "the product says Misconfigured"


def _note_the_rest(each: Foreign, spec: Part) -> None:
    unfollowed(each, spec, ("spreadPolicy", "sortBy", "scoreRateLimit"))
    strategy = spec.within("decisionStrategy")
    groups = strategy.within("groupStrategy")
    for part in groups.parts("decisionGroups"):
        part.required("groupName")
        where = part.within("groupClusterSelector")
        _labels_and_claims(where)
        where.close("a groupClusterSelector")
        part.close("a decision group")
    groups.skip("clustersPerDecisionGroup")
    if groups.data:
        each.notes.differs(groups.path, _ONE_UPDATE, "place in steps: drain, or fewer workloads")
    groups.close("a groupStrategy")
    strategy.close("a decisionStrategy")
    if each.annotations.get(_FREEZE) == "true":
        path = ("metadata", "annotations", _FREEZE)
        why = "freezes the decisions with this annotation; fleet goes on deciding"
        each.notes.differs(path, why, "remove the Placement's workload from the update")
