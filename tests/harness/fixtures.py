"""One devkit for all engine and live tests of a session; one fresh stack for each test."""

import re
from collections.abc import Iterator

import pytest

from tests.harness.project import Project
from tests.harness.world import World, new_world


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Three clusters, Route53 and DNS; at the end nothing of them runs any more."""
    started = new_world(tmp_path_factory.mktemp("world") / "home")
    try:
        yield started
    finally:
        left = started.down()
    assert left == []
    assert not started.home.root.exists()


@pytest.fixture
def project(
    world: World, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Project]:
    """A project with a fresh stack, and namespaces and a DNS zone of its own."""
    count = next(_counter)
    word = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower())[5:25].strip("-")
    one = Project(tmp_path_factory.mktemp("project") / "fleet", world, f"t{count}-{word}")
    one.begin()
    yield one
    world.wipe(one.namespaces)


_counter = iter(range(1, 1000))
