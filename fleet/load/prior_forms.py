"""Where a document holds the placements: alone, among a stack's outputs, or in a plan as JSON."""

from collections.abc import Iterator, Mapping

from fleet.model.source import Path

CLUSTERS = "$clusters"
"""Beside the workloads: what the inventory said of the clusters."""

_PLAN_ONLY = frozenset({"held", "shortfall", "verdicts"})


def placements_in(data: object) -> tuple[object, Path]:
    """The placements themselves, also out of all outputs of the stack, or of a plan as JSON."""
    if not isinstance(data, Mapping) or not isinstance(data.get("digest"), str):
        return data, ()
    if "placements" in data:
        return data["placements"], ("placements",)
    if isinstance(data.get("workloads"), Mapping) and "records" in data:
        return _planned(data["workloads"], data.get("clusters")), ("workloads",)
    return data, ()


def weights_in(data: object) -> dict[object, dict[object, object]]:
    """The weights by policy and cluster that a plan as JSON lists beside its workloads."""
    found: dict[object, dict[object, object]] = {}
    for each in _listed(data, "records"):
        found.setdefault(each.get("policy"), {})[each.get("cluster")] = each.get("weight")
    return found


def aliases_in(data: object) -> dict[object, dict[object, object]]:
    """Where the aliases of such a plan lead, by policy and resource name, with their weight."""
    found: dict[object, dict[object, object]] = {}
    for each in _listed(data, "aliases"):
        target, weight = each.get("target"), each.get("weight")
        text = target if weight is None else f"{target} {weight}"
        found.setdefault(each.get("policy"), {})[each.get("resource")] = text
    return found


def _listed(data: object, part: str) -> Iterator[Mapping[object, object]]:
    """The entries of a list of a plan as JSON; of any other document none."""
    if placements_in(data)[1] == ("workloads",) and isinstance(data, Mapping):
        listed = data.get(part)
        entries = listed if isinstance(listed, list | tuple) else ()
        yield from (each for each in entries if isinstance(each, Mapping))


def _planned(workloads: Mapping[object, object], clusters: object) -> dict[object, object]:
    """What `fleet plan --output json` printed, without what a plan says beyond the outputs."""
    known = {} if clusters is None else {CLUSTERS: clusters}
    return known | {
        name: {part: value for part, value in found.items() if part not in _PLAN_ONLY}
        if isinstance(found, Mapping)
        else found
        for name, found in workloads.items()
    }
