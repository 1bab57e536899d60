"""Open Cluster Management's ManagedClusterSets, and the namespaces that they are bound to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fleet.load.importers.ocm.clusters import DEFAULT_SET, SET_LABEL
from fleet.load.importers.reading import Foreign, Part
from fleet.load.importers.selectors import ANY, Selector, selector
from fleet.load.words import Words, quoted

_GLOBAL_SET = "global"
_BY_LABEL = ("ExclusiveClusterSetLabel", "LegacyClusterSetLabel")


@dataclass(frozen=True, slots=True)
class Sets:
    """Which clusters each set has, and which sets each namespace may use.

    **Shape**: `bound` by namespace, names of sets in the order of files.
    """

    selectors: Mapping[str, Selector]
    bound: Mapping[str, tuple[str, ...]]

    def candidates(self, placement: Foreign, spec: Part) -> tuple[Selector, ...]:
        """Whom a Placement may choose from: one of the selectors must hold.

        **Errors**: the reasons for which the product itself decides nothing.
        """
        wanted = spec.texts("clusterSets")
        bound = self.bound.get(placement.namespace, ())
        notes = placement.notes
        if not bound:
            namespace = placement.namespace
            sentence = f"no ManagedClusterSet is bound to the namespace '{namespace}'"
            hint = "add a ManagedClusterSetBinding (the product says NoManagedClusterSetBindings)"
            notes.fault(("metadata", "namespace"), sentence, hint)
            return ()
        for index, name in enumerate(wanted):
            if name not in bound:
                why = f"leaves out '{name}', which is not bound to the namespace"
                notes.ignored(spec.at("clusterSets", index), why)
        used = [name for name in bound if name in wanted or not wanted]
        if not used:
            sentence = f"none of these sets is bound to the namespace; bound are {quoted(bound)}"
            notes.fault(spec.at("clusterSets"), sentence, "the product says NoIntersection")
        return tuple(self.selectors[name] for name in used)


def cluster_sets(sets: Iterable[Foreign], bindings: Iterable[Foreign]) -> Sets:
    """Reads all sets and bindings; 'default' and 'global' are there without a document."""
    selectors = {DEFAULT_SET: _labelled(DEFAULT_SET), _GLOBAL_SET: ANY}
    selectors |= {each.name: _selector(each) for each in sets}
    bound: dict[str, tuple[str, ...]] = {}
    for each in bindings:
        name = _bound(each, Words(selectors))
        if name is not None:
            bound[each.namespace] = (*bound.get(each.namespace, ()), name)
    return Sets(selectors, bound)


def _labelled(name: str) -> Selector:
    return Selector(((SET_LABEL, name),))


def _selector(each: Foreign) -> Selector:
    spec = each.body.within("spec")
    each.body.skip("status")
    part = spec.within("clusterSelector")
    kind = part.choice("selectorType", (*_BY_LABEL, "LabelSelector"), _BY_LABEL[0])
    chosen = selector(part.map("labelSelector"))
    if kind == "LabelSelector" and not part.has("labelSelector"):
        part.fault("selectorType", "LabelSelector without a labelSelector selects no cluster")
    if kind in _BY_LABEL and part.has("labelSelector"):
        why = f"ignores it with the selectorType '{kind}': the label '{SET_LABEL}' says the set"
        each.notes.ignored(part.at("labelSelector"), why)
    part.close("a cluster selector")
    spec.close("the spec of a ManagedClusterSet")
    each.body.close("a ManagedClusterSet")
    return chosen if kind == "LabelSelector" else _labelled(each.name)


def _bound(each: Foreign, known: Words) -> str | None:
    spec = each.body.within("spec")
    each.body.skip("status")
    name = spec.required("clusterSet")
    if name and name not in known:
        spec.fault("clusterSet", f"there is no ManagedClusterSet '{name}'", known.hint(name))
    if not each.namespace:
        each.notes.fault(("metadata",), "a ManagedClusterSetBinding has a namespace")
    spec.close("the spec of a ManagedClusterSetBinding")
    each.body.close("a ManagedClusterSetBinding")
    return name if name in known else None
