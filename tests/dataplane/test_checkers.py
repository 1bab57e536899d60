"""Health checkers: what is healthy, how often they ask, when they flip."""

import asyncio
import time
from typing import Any

import pytest

from devkit.dataplane.checkers import Checkers, State
from devkit.dataplane.places import Places, lay_out
from devkit.dataplane.probe import probe
from tests.dataplane.kit import Backend, a_backend, a_cluster, until

NOWHERE = Places([])


def a_check(port: int, **changed: object) -> dict[str, Any]:
    config = {
        "Type": "HTTP",
        "IPAddress": "127.0.0.1",
        "Port": port,
        "FullyQualifiedDomainName": "web.example.test",
        "ResourcePath": "/ready",
        "RequestInterval": 10,
        "FailureThreshold": 2,
        **changed,
    }
    return {name: value for name, value in config.items() if value is not None}


async def probed(backend: Backend, **changed: object) -> str:
    return await probe(a_check(backend.port, **changed), NOWHERE)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (200, ""),
        (204, ""),
        (302, ""),
        (399, ""),
        (199, "HTTP status 199"),
        (404, "HTTP status 404"),
        (503, "HTTP status 503"),
    ],
)
def test_the_status_decides(status: int, reason: str) -> None:
    async def run() -> None:
        async with a_backend() as backend:
            backend.status = status
            assert await probed(backend) == reason
            assert backend.asked == [("web.example.test", "/ready")]

    asyncio.run(run())


def test_without_a_name_the_address_is_the_host() -> None:
    async def run() -> None:
        async with a_backend() as backend:
            assert await probed(backend, FullyQualifiedDomainName=None, ResourcePath=None) == ""
            assert backend.asked == [("127.0.0.1", "/")]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("body", "healthy"),
    [(b"x" * 5100 + b"ok", True), (b"x" * 5119 + b"ok", False), (b"", False)],
)
def test_a_string_is_searched_in_the_first_5120_bytes(body: bytes, *, healthy: bool) -> None:
    async def run() -> None:
        async with a_backend() as backend:
            backend.body = body
            found = await probed(backend, Type="HTTP_STR_MATCH", SearchString="ok")
            assert (found == "") is healthy

    asyncio.run(run())


def test_an_answer_must_come_within_two_seconds() -> None:
    async def run() -> None:
        async with a_backend() as backend:
            backend.seconds = 3
            began = time.monotonic()
            assert await probed(backend) == "no answer in time"
            assert 1.9 < time.monotonic() - began < 2.9

    asyncio.run(run())


def test_tcp_wants_a_connection_only() -> None:
    async def run() -> None:
        async with a_backend() as backend:
            assert await probed(backend, Type="TCP") == ""
        assert "Connect call failed" in await probed(backend, Type="TCP")

    asyncio.run(run())


def test_an_address_of_the_world_is_asked_where_it_is_served() -> None:
    async def run() -> None:
        async with a_backend() as backend:
            cluster = a_cluster("eu-1", "127.0.0.1", port=backend.port)
            places = Places(lay_out([cluster], "/home"))
            config = a_check(backend.port, IPAddress=None, FullyQualifiedDomainName="127.0.0.1")
            assert await probe(config, places) == ""

    asyncio.run(run())


def test_nobody_is_asked_beyond_this_machine() -> None:
    found = asyncio.run(probe(a_check(80, IPAddress="192.0.2.1"), NOWHERE))
    assert found == "'192.0.2.1' is not on this machine"


@pytest.mark.parametrize(
    ("threshold", "results", "healthy"),
    [
        (1, "x", False),
        (3, "xx", True),
        (3, "xxx", False),
        (3, "xx.xx", True),
        (3, "xx.xxx", False),
        (2, "xx..", True),
        (2, "xx.x.", False),
        (2, "xx.x..", True),
    ],
)
def test_as_many_results_in_a_row_as_the_threshold_flip_it(
    threshold: int, results: str, *, healthy: bool
) -> None:
    state = State()
    for result in results:
        state.take("bad" if result == "x" else "", threshold, now=1.0)
    assert state.healthy is healthy
    assert state.looks == len(results)


def test_checkers_follow_interval_and_threshold() -> None:
    async def run() -> None:
        checkers = Checkers(NOWHERE, speed=100)
        async with a_backend() as backend:
            backend.status = 503
            checkers.follow({"x": a_check(backend.port, FailureThreshold=3)})
            assert checkers.is_healthy("x"), "a new check is healthy until it has data"
            began = time.monotonic()
            await until(lambda: not checkers.is_healthy("x"))
            assert len(backend.asked) == 3
            assert time.monotonic() - began >= 0.2
            backend.status = 200
            await until(lambda: checkers.is_healthy("x"))
            assert checkers.unhealthy() == frozenset()
        await checkers.stop()

    asyncio.run(run())


def test_a_changed_check_is_asked_anew_and_a_gone_one_no_more() -> None:
    async def run() -> None:
        checkers = Checkers(NOWHERE, speed=100)
        async with a_backend() as backend:
            checkers.follow({"x": a_check(backend.port)})
            await asyncio.sleep(0.05)
            checkers.follow({"x": a_check(backend.port, ResourcePath="/other")})
            await asyncio.sleep(0.05)
            assert backend.asked[-1][1] == "/other"
            checkers.follow({})
            await asyncio.sleep(0.02)
            count = len(backend.asked)
            await asyncio.sleep(0.3)
            assert len(backend.asked) == count
            assert checkers.status() == {}
        await checkers.stop()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("changed", "healthy"),
    [
        ({}, False),
        ({"Inverted": True}, True),
        ({"Disabled": True}, True),
        ({"Disabled": True, "Inverted": True}, False),
    ],
)
def test_inverted_and_disabled(changed: dict[str, object], *, healthy: bool) -> None:
    async def run() -> None:
        checkers = Checkers(NOWHERE, speed=1000)
        checkers.follow({"x": a_check(1, FailureThreshold=1, **changed)})
        await asyncio.sleep(0.1)
        assert checkers.is_healthy("x") is healthy
        await checkers.stop()

    asyncio.run(run())


@pytest.mark.parametrize(("threshold", "healthy"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_calculated_check_counts_its_children(threshold: int, *, healthy: bool) -> None:
    async def run() -> None:
        checkers = Checkers(NOWHERE, speed=1000)
        children = {"a": a_check(1, Disabled=True), "b": a_check(1, FailureThreshold=1)}
        both = {"Type": "CALCULATED", "ChildHealthChecks": ["a", "b"], "HealthThreshold": threshold}
        checkers.follow({**children, "both": both})
        await asyncio.sleep(0.1)
        assert checkers.is_healthy("both") is healthy
        await checkers.stop()

    asyncio.run(run())


NAMES = ("entry", "out", "release")


def _looks(checkers: Checkers, name: str) -> int:
    described = checkers.status()[name]
    assert isinstance(described, dict)
    return int(str(described["looks"]))


@pytest.mark.parametrize(
    ("readable", "healthy"),
    [
        ("entry release", True),
        ("entry", False),
        ("release", False),
        ("entry out release", False),
        ("out", False),
        ("", False),
    ],
)
def test_a_record_is_held_by_its_levers(readable: str, *, healthy: bool) -> None:
    """The entry answers, the object that takes out is not there, the one that lets go is."""

    async def run() -> None:
        checkers = Checkers(NOWHERE, speed=1000)
        async with a_backend() as backend:
            there = readable.split()
            checks = {
                name: a_check(backend.port if name in there else 1, FailureThreshold=1)
                for name in NAMES
            }
            checks["out"]["Inverted"] = True
            gate = {"Type": "CALCULATED", "ChildHealthChecks": [*NAMES], "HealthThreshold": 3}
            checkers.follow({**checks, "gate": gate})
            await until(lambda: all(_looks(checkers, name) for name in NAMES))
            assert checkers.is_healthy("gate") is healthy
        await checkers.stop()

    asyncio.run(run())


def test_an_inverted_calculated_check_is_turned_round() -> None:
    async def run() -> None:
        checkers = Checkers(NOWHERE, speed=1000)
        both = {"Type": "CALCULATED", "ChildHealthChecks": ["a"], "HealthThreshold": 1}
        checkers.follow({"a": a_check(1, Disabled=True), "x": {**both, "Inverted": True}})
        assert checkers.unhealthy() == frozenset({"x"})
        await checkers.stop()

    asyncio.run(run())


def test_checks_that_ask_nothing_say_what_they_follow() -> None:
    """A routing control is taken for on: the devkit plays none."""

    async def run() -> None:
        checkers = Checkers(NOWHERE, speed=1000)
        both = {"Type": "CALCULATED", "ChildHealthChecks": ["c"], "HealthThreshold": 1}
        control = {"Type": "RECOVERY_CONTROL", "RoutingControlArn": "arn:x"}
        checkers.follow({"a": both, "c": control})
        endpoints = [
            each["endpoint"] for each in checkers.status().values() if isinstance(each, dict)
        ]
        assert endpoints == ["CALCULATED 1 of 1", "RECOVERY_CONTROL arn:x"]
        assert checkers.unhealthy() == frozenset()
        await checkers.stop()

    asyncio.run(run())
