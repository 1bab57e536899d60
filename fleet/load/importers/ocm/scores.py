"""Open Cluster Management's AddOnPlacementScores as ExternalScores."""

from collections.abc import Iterable
from typing import Any

from fleet.load.importers.native import Native
from fleet.load.importers.ocm.scoring import score_name
from fleet.load.importers.reading import Foreign, Part

API_VERSION = "fleet/v1"
KIND = "ExternalScores"
_LEAST, _MOST = -100, 100


def external_scores(documents: Iterable[Foreign], clusters: Iterable[Foreign]) -> list[Native]:
    """One document for each score: the product has one for each cluster, in its namespace.

    **Shape**: sorted by the first appearance of the score; its places are those of that document.
    """
    known = {each.name for each in clusters}
    found: dict[str, Native] = {}
    for each in documents:
        status = _status(each)
        until = status.text("validUntil")
        if known and each.namespace not in known:
            why = f"reads scores from the namespace of a cluster; '{each.namespace}' is none"
            each.notes.ignored(("metadata", "namespace"), why)
            continue
        for part in status.parts("scores"):
            _add(found, each, part, until)
    return list(found.values())


def _status(each: Foreign) -> Part:
    each.body.skip("spec")
    status = each.body.within("status")
    status.skip("conditions", "scores", "validUntil")
    status.close("the status of an AddOnPlacementScore")
    each.body.close("an AddOnPlacementScore")
    return status


def _add(found: dict[str, Native], each: Foreign, part: Part, until: str) -> None:
    score, value = part.required("name"), part.whole("value", _LEAST, _MOST)
    part.close("a score")
    if value is None:
        return
    name = score_name(each.name, score)
    native = found.get(name)
    if native is None:
        native = found[name] = Native(each, {"apiVersion": API_VERSION, "kind": KIND})
        native.put(("metadata", "name"), name, ("metadata", "name"))
        native.put(("spec", "scores"), {each.namespace: value}, part.path)
    spec: dict[str, Any] = native.body["spec"]
    spec["scores"][each.namespace] = value
    if until:
        spec.setdefault("validUntilByCluster", {})[each.namespace] = until


def goes_below(native: Native) -> bool:
    """Whether any of the scores is below 0."""
    scores: dict[str, int] = native.body["spec"]["scores"]
    return min(scores.values()) < 0
