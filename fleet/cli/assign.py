"""`--set key=value`: a config key as `pulumi config set --path` spells it.

>>> raw = {"down": ["eu-1"]}
>>> assign(raw, "down[1]=us-1")
>>> assign(raw, "movementBudget.replicasPercent=10")
>>> raw
{'down': ['eu-1', 'us-1'], 'movementBudget': {'replicasPercent': 10}}
"""

import re
from itertools import pairwise
from typing import Any

from fleet.model.source import Path, Step

_STEP = re.compile(r'(?:^|\.)(?P<word>[^.\[\]"]+)|\[(?P<index>\d{1,6})\]|\["(?P<quoted>[^"]*)"\]')
_WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})\Z")


def assign(raw: dict[str, Any], text: str) -> None:
    """Puts one `key=value` into the raw config.

    **Errors**: ValueError with a sentence when the text is no assignment or the path leads
    nowhere.
    """
    key, equals, value = text.partition("=")
    key = key.strip().removeprefix("fleet:")
    if not equals or not key:
        raise ValueError(f"'{text}' is no KEY=VALUE, such as activeRegion=eu-west-1")
    path = _path(key)
    holder: Any = raw
    for step, following in pairwise(path):
        holder = _below(holder, step, [] if isinstance(following, int) else {}, key)
    _put(holder, path[-1], _typed(value) if len(path) > 1 else value, key)


def _path(key: str) -> Path:
    steps: list[Step] = []
    at = 0
    while at < len(key):
        match = _STEP.match(key, at)
        if match is None or (match["index"] is not None and not steps):
            raise ValueError(f"'{key}' is no path to a config key, such as down[0] or a.b")
        name = match["word"] if match["word"] is not None else match["quoted"]
        steps.append(int(match["index"]) if match["index"] is not None else name)
        at = match.end()
    return tuple(steps)


def _below(holder: Any, step: Step, empty: object, key: str) -> Any:  # noqa: ANN401 - raw config
    """What stands at a step, made where nothing does."""
    if isinstance(holder, dict) and isinstance(step, str):
        present = holder.get(step)
        if present is None or not isinstance(present, dict | list):
            holder[step] = present = empty
        return present
    if isinstance(holder, list) and isinstance(step, int) and step < len(holder):
        return holder[step]
    _put(holder, step, empty, key)
    return empty


def _put(holder: Any, step: Step, value: object, key: str) -> None:  # noqa: ANN401 - raw config
    if isinstance(holder, dict) and isinstance(step, str):
        holder[step] = value
    elif isinstance(holder, list) and isinstance(step, int) and step <= len(holder):
        holder[step : step + 1] = [value]
    elif isinstance(holder, list) and isinstance(step, int):
        raise ValueError(f"'{key}' skips a place: the list has {len(holder)} so far")
    else:
        raise ValueError(f"'{key}' does not fit the value that the config has there")


def _typed(text: str) -> object:
    """A value below a key as Pulumi stores it: true, false and whole numbers are no text."""
    if text in {"true", "false"}:
        return text == "true"
    return int(text) if _WHOLE.match(text) else text
