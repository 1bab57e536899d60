"""A manifest whose body is made later is the same value as one that has it."""

import pickle
from copy import deepcopy
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from fleet.model.source import Origin
from fleet.model.workload import Manifest

BODY = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
NOW = Manifest("v1", "ConfigMap", "shop", "a", BODY, Origin("a.yaml"))


def later(body: dict[str, Any], asked: list[int]) -> Manifest:
    def unread() -> dict[str, Any]:
        asked.append(1)
        return body

    return Manifest.later(("v1", "ConfigMap", "shop", "a"), Origin("a.yaml"), unread)


def test_body_is_made_when_it_is_asked_for_and_once() -> None:
    asked: list[int] = []
    manifest = later(BODY, asked)
    assert (manifest.key, manifest.source.file) == ("ConfigMap/shop/a", "a.yaml")
    assert hash(manifest) == hash(NOW)
    assert repr(manifest) == repr(NOW)
    assert asked == []
    assert manifest.body is BODY
    assert manifest.body is BODY
    assert asked == [1]


def test_equality_asks_for_the_body() -> None:
    assert later(BODY, []) == NOW
    assert later({**BODY, "data": {}}, []) != NOW
    assert later(BODY, []) == later(dict(BODY), [])


def test_manifest_is_never_changed_in_place() -> None:
    manifest = later(BODY, [])
    for name in ("body", "kind", "unread"):
        with pytest.raises(FrozenInstanceError):
            setattr(manifest, name, {})
    assert manifest == NOW


@pytest.mark.parametrize("copied", [deepcopy, lambda each: pickle.loads(pickle.dumps(each))])  # noqa: S301 - made here
def test_copy_has_the_body(copied: Any) -> None:
    assert copied(later(BODY, [])) == NOW
    assert replace(later(BODY, []), name="b").body == BODY


def test_what_a_manifest_has_not_is_an_attribute_error() -> None:
    for manifest in (later(BODY, []), NOW, object.__new__(Manifest)):
        with pytest.raises(AttributeError):
            manifest.nothing  # type: ignore[attr-defined] # noqa: B018 - that is the question
    with pytest.raises(AttributeError):
        object.__new__(Manifest).body  # noqa: B018 - that is the question
