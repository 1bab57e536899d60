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


def new_project(world: World, folders: pytest.TempPathFactory, word: str) -> Project:
    """A project with a fresh stack, and a namespace and a DNS zone of its own."""
    short = re.sub(r"[^a-z0-9]+", "-", word.lower())[:20].strip("-")
    one = Project(folders.mktemp("project") / "fleet", world, f"t{next(_counter)}-{short}")
    one.begin()
    return one


@pytest.fixture
def project(
    world: World, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Project]:
    """A project of one test; what it left in the world is removed."""
    one = new_project(world, tmp_path_factory, request.node.name.removeprefix("test_"))
    yield one
    world.wipe(one.namespaces)


_counter = iter(range(1, 1000))
