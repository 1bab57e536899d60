"""Open Cluster Management's prioritizers as the weights of scorers.

A prioritizer gives -100 to 100, a scorer 0 to 100: its points are (score + 100) / 2. So a weight
counts twice here, and every total is the product's plus 100 for each point of weight, which is the
same for all clusters: the order stays. What gives 0 to 100 there and here counts once: Steady, and
the scores of an add-on of which none is below 0.
"""

from collections.abc import Container, Iterable
from typing import Any

from fleet.load.importers.native import Native
from fleet.load.importers.reading import Foreign, Part

BUILT_IN = {
    "Balance": ("fewest-workloads", 2),
    "Steady": ("already-there", 1),
    "ResourceAllocatableCPU": ("allocatable-cpu", 2),
    "ResourceAllocatableMemory": ("allocatable-memory", 2),
}
"""The scorer of each prioritizer, and how often a point of weight counts."""

_DEFAULTS = {"Balance": 1, "Steady": 1}
_ONLY_IN_THE_API = "knows it in the API only; its scheduler does not follow it"
_MOST = 10
EXTERNAL = "external/"


def score_name(resource: str, score: str) -> str:
    """The name of the ExternalScores document of one score of an AddOnPlacementScore.

    >>> score_name("resource-usage-score", "cpuAvailable")
    'resource-usage-score.cpuavailable'
    """
    return f"{resource}.{score}".lower()


def put_scoring(native: Native, spec: Part, level: Container[str]) -> None:
    """Reads a Placement's prioritizerPolicy; only what it names, or its defaults, counts.

    `level` has the names of external scores with a value below 0: those only are mapped.
    """
    policy = spec.within("prioritizerPolicy")
    mode = policy.choice("mode", ("Additive", "Exact"), "Additive")
    weights: dict[str, int] = {}
    for name, weight in (_DEFAULTS if mode == "Additive" else {}).items():
        scorer, times = BUILT_IN[name]
        weights[scorer] = weight * times
    for part in policy.parts("configurations"):
        found = _configured(native.of, part, level)
        if found is not None:
            weights[found[0]] = found[1]
    unfollowed(native.of, policy, ("sortBy", "scoreRateLimit"))
    policy.close("a prioritizerPolicy")
    native.put(("spec", "scoring"), _scoring(weights), policy.path)


def _scoring(weights: dict[str, int]) -> dict[str, Any]:
    used = {name: weight for name, weight in weights.items() if weight}
    return {"exact": True} | ({"weights": used} if used else {})


def unfollowed(each: Foreign, part: Part, names: Iterable[str]) -> None:
    """Fields that exist in the API, and that the product's scheduler does not read."""
    for name in names:
        if part.has(name):
            each.notes.ignored(part.at(name), _ONLY_IN_THE_API)


def _configured(each: Foreign, part: Part, level: Container[str]) -> tuple[str, int] | None:
    """The scorer that a configuration means, and its weight; None where it has no effect."""
    weight = part.whole("weight", -_MOST, _MOST)
    weight = 1 if weight is None else weight
    named = part.text("name")
    if not part.has("scoreCoordinate") and not named:
        part.fault("scoreCoordinate", "is required, but not there")
        return None
    where = part.within("scoreCoordinate")
    kind = where.choice("type", ("BuiltIn", "AddOn"), "BuiltIn")
    built_in, add_on = where.text("builtIn", named), where.map("addOn")
    unfollowed(each, part, ("sortBy", "scoreRateLimit"))
    unused = "builtIn" if kind == "AddOn" else "addOn"
    if where.has(unused):
        each.notes.ignored(where.at(unused), f"ignores it with the type '{kind}'")
    where.close("a scoreCoordinate")
    part.close("a prioritizer configuration")
    if kind == "AddOn":
        return _add_on(where, add_on, weight, level)
    if built_in == "Spread":
        each.notes.ignored(where.at("builtIn"), _ONLY_IN_THE_API)
        return None
    if built_in not in BUILT_IN:
        sentence = f"'{built_in}' is no prioritizer; there are {', '.join(sorted(BUILT_IN))}"
        where.fault("builtIn", sentence, "the product says Misconfigured")
        return None
    scorer, times = BUILT_IN[built_in]
    return scorer, weight * times


def _add_on(
    where: Part, add_on: Part | None, weight: int, level: Container[str]
) -> tuple[str, int] | None:
    if add_on is None:
        sentence = "is required for the type 'AddOn'"
        where.fault("addOn", sentence, "the product says Misconfigured")
        return None
    resource, score = add_on.required("resourceName"), add_on.required("scoreName")
    add_on.close("an addOn score")
    name = score_name(resource, score)
    return EXTERNAL + name, weight * (2 if name in level else 1)
