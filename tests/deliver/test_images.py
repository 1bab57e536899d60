"""Image references, taken apart and changed in parts."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.deliver.images import Image, changed_image, containers_of, parse_image
from fleet.model.override import ImageChange

DIGEST = "sha256:" + "0" * 64
OTHER = "sha256:" + "1" * 64

PARSED = [
    ("nginx", Image("", "nginx")),
    ("perl:5.34.0", Image("", "perl", "5.34.0")),
    ("library/nginx:1", Image("", "library/nginx", "1")),
    ("ghcr.io/a/b:1", Image("ghcr.io", "a/b", "1")),
    ("localhost/a", Image("localhost", "a")),
    ("localhost:5000/a/b:1.2", Image("localhost:5000", "a/b", "1.2")),
    ("host:5000/a", Image("host:5000", "a")),
    ("Host/a", Image("Host", "a")),
    (f"ghcr.io/a@{DIGEST}", Image("ghcr.io", "a", "", DIGEST)),
    (f"ghcr.io/a:1@{DIGEST}", Image("ghcr.io", "a", "1", DIGEST)),
]


@pytest.mark.parametrize(("text", "expected"), PARSED)
def test_a_reference_comes_apart_and_together(text: str, expected: Image) -> None:
    assert parse_image(text) == expected
    assert str(expected) == text


CHANGED = [
    pytest.param("perl:5.34.0", {"registry": "k8s.io"}, "k8s.io/perl:5.34.0", id="a registry"),
    pytest.param("a.io/x:1", {"registry": ""}, "x:1", id="no registry"),
    pytest.param("a.io:80/x:1", {"registry": "b.io/"}, "b.io/x:1", id="a registry with a port"),
    pytest.param("a.io/x:1", {"repository": "/y/z"}, "a.io/y/z:1", id="a repository"),
    pytest.param("a.io/x:1", {"tag": "2"}, "a.io/x:2", id="a tag"),
    pytest.param("a.io/x", {"tag": "2"}, "a.io/x:2", id="a tag where there was none"),
    pytest.param(f"x:1@{DIGEST}", {"tag": "2"}, "x:2", id="a tag drops the digest"),
    pytest.param("x:1", {"digest": DIGEST}, f"x@{DIGEST}", id="a digest drops the tag"),
    pytest.param("x:1", {"digest": DIGEST, "tag": "2"}, f"x:2@{DIGEST}", id="a digest and a tag"),
    pytest.param(f"x@{DIGEST}", {"digest": OTHER}, f"x@{OTHER}", id="another digest"),
    pytest.param(f"x@{DIGEST}", {"repository": "y"}, f"y@{DIGEST}", id="the digest stays"),
    pytest.param("x:1", {"tag": ""}, "x", id="no tag"),
]


@pytest.mark.parametrize(("text", "change", "expected"), CHANGED)
def test_parts_change_alone(text: str, change: dict[str, str], expected: str) -> None:
    assert changed_image(text, ImageChange(**change)) == expected


names = st.from_regex(r"[a-z][a-z0-9]{0,5}(/[a-z][a-z0-9]{0,5}){0,2}", fullmatch=True)


@given(
    st.sampled_from(["", "ghcr.io", "localhost", "host:5000"]),
    names,
    st.sampled_from(["", "1.2", "latest"]),
    st.sampled_from(["", DIGEST]),
)
def test_any_reference_survives(registry: str, repository: str, tag: str, digest: str) -> None:
    if not registry and repository.startswith("localhost/"):
        return
    image = Image(registry, repository, tag, digest)
    assert parse_image(str(image)) == image


POD = {"containers": [{"name": "a"}], "initContainers": [{"name": "b"}, "no container"]}
PODS = [
    pytest.param({"kind": "Pod", "spec": POD}, ["b", "a"], id="a Pod"),
    pytest.param(
        {"kind": "Deployment", "spec": {"template": {"spec": POD}}}, ["b", "a"], id="both"
    ),
    pytest.param(
        {"kind": "CronJob", "spec": {"jobTemplate": {"spec": {"template": {"spec": POD}}}}},
        ["b", "a"],
        id="a CronJob",
    ),
    pytest.param({"kind": "PodTemplate", "template": {"spec": POD}}, ["b", "a"], id="a template"),
    pytest.param({"kind": "Thing", "spec": POD}, [], id="containers that are no pod's"),
    pytest.param({"kind": "Service"}, [], id="none"),
]


@pytest.mark.parametrize(("body", "expected"), PODS)
def test_containers_are_found(body: dict[str, Any], expected: list[str]) -> None:
    assert [each["name"] for each in containers_of(body)] == expected
