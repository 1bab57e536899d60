"""Reading inside Kubernetes objects, whatever their shape."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

Body = dict[str, Any]


def look(value: object, *path: str) -> object:
    """What stands at a path of mappings; None where nothing does.

    >>> look({"spec": {"replicas": 3}}, "spec", "replicas"), look({"spec": None}, "spec", "x")
    (3, None)
    """
    for step in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(step)
    return value


def text_at(value: object, *path: str) -> str:
    """The text at a path; empty where there is none."""
    found = look(value, *path)
    return found if isinstance(found, str) else ""


def count_at(value: object, *path: str, default: int) -> int:
    """The whole number at a path; `default` where there is none."""
    found = look(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else default


def mapping_at(body: Body, *path: str) -> Body:
    """The mapping at a path of one's own copy, made where it is missing."""
    for step in path:
        inner = body.get(step)
        if not isinstance(inner, dict):
            inner = body[step] = {}
        body = inner
    return body


def group_of(api_version: str) -> str:
    """The API group; empty for the core.

    >>> group_of("apps/v1"), group_of("v1")
    ('apps', '')
    """
    return api_version.rpartition("/")[0]


def hash_of(value: object) -> str:
    """The sha256 of a value's canonical JSON, in hexadecimal."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
