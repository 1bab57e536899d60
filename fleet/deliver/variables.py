"""`${cluster.region}` and its siblings in override values and, where asked, in manifests.

`$${` stands for a plain `${`. Keys of mappings are never touched.
"""

import re
from collections.abc import Callable, Mapping

from fleet.deliver.nearest import did_you_mean
from fleet.deliver.place import Place
from fleet.model.data import DataKind
from fleet.model.source import Path

_MARK = re.compile(r"\$\$\{|\$\{([^{}]*)\}|\$\{(?P<open>(?:cluster|data|role|workload)\b[^{}]*)")
LABELS = "cluster.labels."
_MOST_SHOWN = 27

Variables = Mapping[str, str]
Unknown = Callable[[Path, str, str], None]
"""Told of a variable that nobody knows: the path of its text, a sentence, a hint."""


def variables_of(place: Place) -> Variables:
    """Every variable that a place knows."""
    cluster = place.cluster
    labels = {f"{LABELS}{key}": value for key, value in cluster.labels.items()}
    return {
        "cluster.name": cluster.name,
        "cluster.region": cluster.spec.region,
        "cluster.provider": cluster.spec.provider,
        "role": str(place.assignment.role),
        "workload": place.workload.name,
        **_data_of(place),
        **labels,
    }


def _data_of(place: Place) -> Variables:
    """Who is the primary of replicated data, as this place is to see it, and its token."""
    if place.workload.settings.data.kind is not DataKind.REPLICATED:
        return {}
    return {"data.primary": place.cluster.name, "data.token": "", **place.data}


def substituted(value: object, known: Variables, unknown: Unknown, path: Path = ()) -> object:
    """A copy of a JSON value with the variables in its texts replaced.

    What nobody knows stays as it is written, and `unknown` is told.
    """
    if isinstance(value, str):
        return _text(value, known, unknown, path)
    if isinstance(value, Mapping):
        return {key: substituted(each, known, unknown, (*path, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [substituted(each, known, unknown, (*path, i)) for i, each in enumerate(value)]
    return value


def _text(text: str, known: Variables, unknown: Unknown, path: Path) -> str:
    def put(match: re.Match[str]) -> str:
        name = match[1]
        if match["open"] is not None:
            unknown(path, f"'{shown(match[0])}' has no '}}'", "close it; '$${' is a plain '${'")
            return match[0]
        if name is None:
            return "${"
        if name not in known:
            unknown(path, f"no variable '${{{name}}}'", _hint(name, known))
        return known.get(name, match[0])

    return _MARK.sub(put, text)


def shown(text: str) -> str:
    """The beginning of a text, for a sentence.

    >>> shown("${cluster.region and more of it")
    '${cluster.region and mor...'
    """
    flat = " ".join(text.split())
    return flat if len(flat) <= _MOST_SHOWN else f"{flat[: _MOST_SHOWN - 3]}..."


def _hint(name: str, known: Variables) -> str:
    if name.startswith(LABELS):
        labels = [each for each in known if each.startswith(LABELS)]
        return f"the cluster has no label '{name.removeprefix(LABELS)}'; {_among(name, labels)}"
    return f"{_among(name, known)}; '$${{' is a plain '${{'"


def _among(name: str, known: Variables | list[str]) -> str:
    return did_you_mean(name, [f"${{{each}}}" for each in known])
