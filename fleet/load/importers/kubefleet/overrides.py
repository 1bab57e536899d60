"""KubeFleet's ClusterResourceOverride and ResourceOverride as override policies."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fleet.load.importers.importer import Claim
from fleet.load.importers.kubefleet.objects import Objects, selected
from fleet.load.importers.native import Native, escaped
from fleet.load.importers.reading import Foreign, Part
from fleet.load.importers.selectors import Selector, selector
from fleet.model.inventory import Cluster
from fleet.model.override import OverridePolicy
from fleet.model.source import Path
from fleet.model.workload import Manifest

_NAME = "MEMBER-CLUSTER-NAME"
_LABEL = "MEMBER-CLUSTER-LABEL-KEY-"


def _variable(name: str) -> str | None:
    """A variable of KubeFleet by its name in fleet; None for any other.

    >>> _variable("MEMBER-CLUSTER-NAME"), _variable("MEMBER-CLUSTER-LABEL-KEY-env")
    ('cluster.name', 'cluster.labels.env')
    """
    if name == _NAME:
        return "cluster.name"
    return f"cluster.labels.{name.removeprefix(_LABEL)}" if name.startswith(_LABEL) else None


@dataclass(frozen=True, slots=True)
class Override:
    """An override that was read: its objects, its rules without targets, whom it is for.

    `placement` is the placement that it names (None: all of them), as the key of its document.
    """

    of: Foreign
    objects: tuple[Manifest, ...]
    rules: tuple[tuple[Part, dict[str, Any]], ...]
    placement: tuple[str, str] | None

    def policy(self, workload: str, objects: Sequence[Manifest]) -> OverridePolicy | None:
        """What it changes of one workload; None where that is nothing."""
        mine = {id(each) for each in objects}
        targets = [each for each in self.objects if id(each) in mine]
        native = Native(self.of)
        name = ".".join(part for part in self.of.key if part)
        native.put(("metadata", "name"), name, ("metadata", "name"))
        native.put(("spec", "workloads"), [workload], ("metadata", "name"))
        rules: list[dict[str, Any]] = []
        for part, rule in self.rules:
            for target in targets:
                at: Path = ("spec", "rules", len(rules))
                native.links[at] = part.path
                native.links[(*at, "patch")] = part.at("jsonPatchOverrides")
                rules.append({**rule, "target": _target(target)})
        native.put(("spec", "rules"), rules, ("spec", "policy", "overrideRules"))
        return native.made(OverridePolicy) if rules else None


def _target(manifest: Manifest) -> dict[str, str]:
    said = {
        "apiVersion": manifest.api_version,
        "kind": manifest.kind,
        "name": manifest.name,
        "namespace": manifest.namespace,
    }
    return {name: text for name, text in said.items() if text}


def overrides(
    documents: Iterable[Foreign], objects: Objects, clusters: Sequence[Cluster]
) -> list[Override]:
    """All overrides in the order in which they run: those of a namespace win, so they are last."""
    read = [_read(each, objects, clusters) for each in documents]
    return sorted(read, key=lambda each: (bool(each.of.namespace), each.of.key))


def with_overrides(
    claim: Claim, placement: tuple[str, str], found: Iterable[Override]
) -> tuple[OverridePolicy, ...]:
    """The override policies of a claim."""
    made = (
        each.policy(claim.name, claim.objects)
        for each in found
        if each.placement in {None, placement} and not each.of.notes.refused
    )
    return tuple(each for each in made if each is not None)


def tell_unknown_placements(
    found: Iterable[Override], placements: Container[tuple[str, str]]
) -> None:
    """Notes the overrides that are for a placement that nobody wrote."""
    for each in found:
        if each.placement is not None and each.placement not in placements:
            why = f"changes nothing with it: there is no placement '{each.placement[1]}'"
            each.of.notes.ignored(("spec", "placement", "name"), why)


def _read(each: Foreign, objects: Objects, clusters: Sequence[Cluster]) -> Override:
    spec = each.body.within("spec")
    each.body.skip("status")
    name = "resourceSelectors" if each.namespace else "clusterResourceSelectors"
    chosen = selected(each, spec, name, objects)
    reference = spec.map("placement")
    placement = _reference(each, reference) if reference is not None else None
    policy = spec.within("policy")
    rules = [(part, _rule(each, part, clusters)) for part in policy.parts("overrideRules")]
    policy.close("an override policy")
    spec.close(f"the spec of a {each.kind}")
    each.body.close(f"a {each.kind}")
    kept = tuple((part, rule) for part, rule in rules if rule is not None)
    return Override(each, chosen, kept, placement)


def _reference(each: Foreign, part: Part) -> tuple[str, str]:
    scope = part.choice("scope", ("Cluster", "Namespaced"), "Cluster")
    name = part.required("name")
    part.close("a placement reference")
    return (each.namespace if scope == "Namespaced" else ""), name


def _rule(each: Foreign, part: Part, clusters: Sequence[Cluster]) -> dict[str, Any] | None:
    kind = part.choice("overrideType", ("JSONPatch", "Delete"), "JSONPatch")
    where = _where(each, part, clusters)
    steps = [_step(each) for each in part.parts("jsonPatchOverrides")]
    part.close("an override rule")
    if kind == "Delete":
        sentence = "fleet does not leave single objects of a workload out of a cluster"
        part.fault("overrideType", sentence, "place the object by a placement of its own")
        return None
    if not steps:
        sentence = "is required for the overrideType 'JSONPatch'"
        part.fault("jsonPatchOverrides", sentence, "the product refuses it")
    if where is None:
        each.notes.ignored(part.at("clusterSelector"), "selects no cluster with it")
        return None
    return {"where": where, "patch": steps}


def _step(part: Part) -> dict[str, Any]:
    written = {
        "op": part.choice("op", ("add", "remove", "replace"), "replace"),
        "path": part.required("path"),
    }
    value = part.raw("value")
    part.close("a JSON patch override")
    return written | ({} if written["op"] == "remove" else {"value": escaped(value, _variable)})


def _where(each: Foreign, part: Part, clusters: Sequence[Cluster]) -> dict[str, Any] | None:
    """Which clusters: equal labels stay labels, everything else becomes names."""
    if not part.has("clusterSelector"):
        return None
    chosen = part.within("clusterSelector")
    terms = [_term(one) for one in chosen.parts("clusterSelectorTerms")]
    chosen.close("a clusterSelector")
    if not terms:
        return {}
    if len(terms) == 1 and not terms[0].requirements:
        labels: Mapping[str, str] = dict(terms[0].labels)
        return {"matchLabels": dict(labels)} if labels else {}
    names = [one.name for one in clusters if any(term.holds(one.labels) for term in terms)]
    if names:
        why = "follows labels here; fleet has the clusters that have them now, by name"
        each.notes.differs(chosen.path, why, "use equal labels in one term")
    return {"clusters": names} if names else None


def _term(part: Part) -> Selector:
    for name in ("propertySelector", "propertySorter"):
        if part.has(name):
            part.fault(name, "goes with placements only", "the product refuses it")
    found = selector(part.map("labelSelector"))
    part.close("a cluster selector term")
    return found
