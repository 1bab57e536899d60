"""The stack's config, or the command line's options -> Settings, strictly.

Values may come as a person typed them after `pulumi config set`: text that means a number, a list
as JSON or as one word.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from fleet.errors import ErrorList
from fleet.load.shapes import fields_at
from fleet.load.wording import Fault, words_for
from fleet.load.words import Words
from fleet.model.moment import seconds_of
from fleet.model.settings import EVERY_POLICY, Settings
from fleet.model.source import Path, dotted

NAMESPACE = "fleet:"
SECRET = "kubeconfigs"  # noqa: S105 - the name of a key, not a secret
_KNOWN = fields_at(Settings, ())
_KEYS = Words((*_KNOWN.known, SECRET))
_LISTS = frozenset(
    {"inventory", "workloads", "policies", "down", "drain", "decommission", "fenced", "failback"}
)
_MAPS = frozenset({"activeRegions", "drill", "movementBudget"})
_WHOLE = re.compile(r"-?\d{1,18}\Z", re.ASCII)


def parse_settings(raw: Mapping[str, Any]) -> Settings:
    """The settings of a run, from the keys of the namespace `fleet:` (with it or without).

    `kubeconfigs` is left to the door: it is a secret and decides nothing. Raises InvalidError with
    every fault.

    >>> parse_settings({"fleet:down": '["eu-1"]', "drain": "us-1"}).down
    ('eu-1',)
    """
    errors = ErrorList()
    data: dict[str, object] = {}
    for written, value in raw.items():
        key = written.removeprefix(NAMESPACE)
        if key not in _KEYS:
            errors.add(None, "", f"unknown config key '{NAMESPACE}{key}'", _KEYS.hint(key))
        elif key != SECRET:
            data[key] = _FORMS.get(key, _text)(value)
    settings = _validated(data, errors)
    errors.raise_if_any()
    return settings


def config_path(*path: str | int) -> str:
    """A place in the config, as errors name it.

    >>> config_path("down", 0)
    'config fleet:down[0]'
    """
    return f"config {NAMESPACE}{dotted(path)}"


def _validated(data: Mapping[str, object], errors: ErrorList) -> Settings:
    _check_now(data.get("now"), errors)
    _check_empty(data, errors)
    try:
        return Settings.model_validate(data, by_alias=True, by_name=False)
    except ValidationError as invalid:
        for details in invalid.errors(include_url=False):
            path: Path = tuple(details["loc"])
            if details["type"] == "extra_forbidden":
                hint = fields_at(Settings, path[:-1]).hint(str(path[-1]))
                errors.add(None, config_path(*path), "is no key that is known here", hint)
                continue
            fault = Fault(details["type"], details["input"], None, details.get("ctx", {}))
            errors.add(None, config_path(*path), *words_for(fault))
        return Settings()


def _check_now(value: object, errors: ErrorList) -> None:
    if value is None or (isinstance(value, str) and (_is_time(value) or not value.strip())):
        return  # an empty text is told by _check_empty
    sentence = f"'{value}' is no time of RFC 3339 that can be counted from"
    errors.add(None, config_path("now"), sentence, "such as 2030-01-31T12:00:00Z")


def _is_time(text: str) -> bool:
    try:
        seconds_of(text)
    except ValueError:
        return False
    return True


def _check_empty(data: Mapping[str, object], errors: ErrorList) -> None:
    """An empty text is a slip: a key that says nothing is removed."""
    for key, value in data.items():
        words = value if isinstance(value, list) else [value]
        if any(isinstance(word, str) and not word.strip() for word in words):
            hint = f"pulumi config rm {NAMESPACE}{key}"
            errors.add(None, config_path(key), "is empty", hint)


def _text(value: object) -> object:
    """Text, also where the config made a number of it (a digest of digits only)."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _list(value: object) -> object:
    """A list, a list as JSON, or one word."""
    value = _text(_from_json(value, "["))
    if isinstance(value, str):
        return [value]
    return [_text(item) for item in value] if isinstance(value, list) else value


def _map(value: object) -> object:
    """A map or a map as JSON; whole numbers may be text."""
    value = _from_json(value, "{")
    if not isinstance(value, dict):
        return value
    return {str(key): _number(each) for key, each in value.items()}


def _shift(value: object) -> object:
    """Percent by policy, or one number for all; `10%` is 10."""
    found = _map(value)
    if not isinstance(found, dict):
        found = {EVERY_POLICY: found}
    return {key: _number(_percent(each)) for key, each in found.items()}


def _percent(value: object) -> object:
    return value.removesuffix("%").strip() if isinstance(value, str) else value


def _number(value: object) -> object:
    return int(value) if isinstance(value, str) and _WHOLE.match(value) else value


def _from_json(value: object, start: str) -> object:
    if not isinstance(value, str) or not value.lstrip().startswith(start):
        return value
    try:
        decoded: object = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return decoded


_FORMS: dict[str, Callable[[object], object]] = {
    **dict.fromkeys((*_LISTS, "deleteNamespaces"), _list),
    **dict.fromkeys(_MAPS, _map),
    "shift": _shift,
}
