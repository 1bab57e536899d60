"""Reading inside Kubernetes objects, whatever their shape."""

import hashlib
import json
from typing import Any, TypeVar

T = TypeVar("T")
Body = dict[str, Any]


def look(value: object, *path: str) -> object:
    """What stands at a path of mappings; None where nothing does.

    >>> look({"spec": {"replicas": 3}}, "spec", "replicas"), look({"spec": None}, "spec", "x")
    (3, None)
    """
    for step in path:
        if not isinstance(value, dict):
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


def with_value(body: Body, value: object, *path: str) -> Body:
    """The body with another value at a path, made where it is missing.

    Only the mappings along the path are new; everything else is shared and stays untouched.

    >>> file = {"kind": "Job", "spec": {"parallelism": 6, "template": {}}}
    >>> with_value(file, 4, "spec", "parallelism")
    {'kind': 'Job', 'spec': {'parallelism': 4, 'template': {}}}
    >>> file["spec"]["parallelism"]
    6
    """
    step, *rest = path
    if not rest:
        return {**body, step: value}
    inner = body.get(step)
    return {**body, step: with_value(inner if isinstance(inner, dict) else {}, value, *rest)}


def copied(value: T) -> T:
    """A deep copy of a JSON value; several times faster than the general one."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}  # type: ignore[return-value] # the same shape
    if isinstance(value, list):
        return [copied(each) for each in value]  # type: ignore[return-value] # the same shape
    return value


def hash_of(value: object) -> str:
    """The sha256 of a value's canonical JSON, in hexadecimal."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
