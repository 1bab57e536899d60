"""What the name servers answer."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from devkit.dataplane.answers import Answers, UnsupportedError
from devkit.dataplane.zone_view import Dump, RecordSet, read_dump
from tests.dataplane.kit import WEB, ZONE, a_dump, a_weighted


def answers(dump: Dump, *unhealthy: str) -> Answers:
    return Answers(dump, lambda check: check not in unhealthy, random.Random(1))  # noqa: S311


def drawn(one: Answers, name: str = WEB, times: int = 2000) -> Counter[str]:
    return Counter(one.choose(name, "A")[0].record.set_identifier for _ in range(times))


PAIR = a_dump(a_weighted("eu-1", 100, "a", check="x"), a_weighted("us-1", 0, "b", check="y"))


def test_the_active_one_answers() -> None:
    assert set(drawn(answers(PAIR))) == {"eu-1"}


def test_the_standby_answers_when_the_active_one_is_unhealthy() -> None:
    assert set(drawn(answers(PAIR, "x"))) == {"us-1"}


def test_all_unhealthy_is_as_if_all_were_healthy() -> None:
    assert set(drawn(answers(PAIR, "x", "y"))) == {"eu-1"}


def test_weights_are_drawn_in_their_proportion() -> None:
    counts = drawn(answers(a_dump(a_weighted("eu-1", 3, "a"), a_weighted("us-1", 1, "b"))))
    assert 1400 < counts["eu-1"] < 1600


def test_the_same_seed_draws_the_same() -> None:
    dump = a_dump(a_weighted("eu-1", 1, "a"), a_weighted("us-1", 1, "b"))
    first, second = answers(dump), answers(dump)
    for _ in range(20):
        assert first.choose(WEB, "A") == second.choose(WEB, "A")


def test_shares_are_told_exactly() -> None:
    dump = a_dump(*(a_weighted(name, 1, "a", check=name) for name in ("a", "b", "c")))
    assert answers(dump).all_shares() == {f"{WEB} A": {"a": "1/3", "b": "1/3", "c": "1/3"}}
    assert answers(dump, "a").all_shares() == {f"{WEB} A": {"a": "0", "b": "1/2", "c": "1/2"}}


def test_failover_goes_to_the_secondary_and_back() -> None:
    records = [
        RecordSet(WEB, "A", 5, (role,), role, failover=role, health_check=role)
        for role in ("SECONDARY", "PRIMARY")
    ]
    for unhealthy, expected in (
        ((), "PRIMARY"),
        (("PRIMARY",), "SECONDARY"),
        (("PRIMARY", "SECONDARY"), "PRIMARY"),
    ):
        (chosen,) = answers(a_dump(*records), *unhealthy).choose(WEB, "A")
        assert chosen.record.set_identifier == expected


def test_multivalue_answers_with_healthy_ones() -> None:
    records = [
        RecordSet(WEB, "A", 5, (f"v{n}",), f"s{n}", multivalue=True, health_check=f"h{n}")
        for n in range(10)
    ]
    assert len(answers(a_dump(*records)).choose(WEB, "A")) == 8
    assert len(answers(a_dump(*records), "h0", "h1", "h2").choose(WEB, "A")) == 7


def test_an_alias_answers_with_its_targets_values_under_its_own_name() -> None:
    alias = RecordSet("www.example.test", "A", 5, alias=WEB)
    (chosen,) = answers(a_dump(alias, a_weighted("eu-1", 1, "a"))).choose("www.example.test", "A")
    assert (chosen.name, chosen.record.values) == ("www.example.test", ("a",))


def test_an_alias_inherits_its_targets_health() -> None:
    def outer(leaf: str, weight: int) -> RecordSet:
        record = RecordSet("www.example.test", "A", 5, (), leaf, weight=weight, alias=leaf)
        return replace(record, evaluate_target_health=True)

    leaves = [
        RecordSet(f"{name}.example.test", "A", 5, (name,), health_check=name) for name in ("a", "b")
    ]
    dump = a_dump(outer("a.example.test", 1), outer("b.example.test", 0), *leaves)
    for unhealthy, expected in (((), "a"), (("a",), "b"), (("a", "b"), "a")):
        (chosen,) = answers(dump, *unhealthy).choose("www.example.test", "A")
        assert chosen.record.values == (expected,)


def test_a_wildcard_answers_for_names_that_are_not_there() -> None:
    dump = a_dump(RecordSet("*.example.test", "A", 5, ("w",)), a_weighted("eu-1", 1, "a"))
    assert answers(dump).choose("other.example.test", "A")[0].record.values == ("w",)
    assert answers(dump).choose(WEB, "A")[0].record.values == ("a",)


def test_the_most_specific_zone_answers() -> None:
    inner = RecordSet("x.sub.example.test", "A", 5, ("inner",))
    dump = Dump({ZONE: (), f"sub.{ZONE}": (inner,)})
    assert answers(dump).zone_of("x.sub.example.test") == "sub.example.test"
    assert answers(dump).zone_of("badexample.test") is None


def test_routing_by_nearness_is_not_answered() -> None:
    with pytest.raises(UnsupportedError):
        answers(a_dump(RecordSet(WEB, "A", 5, ("a",), "s", elsewhere=True))).choose(WEB, "A")


def test_the_endpoints_dump_is_read() -> None:
    document = {
        "HostedZones": [
            {
                "Name": "example.test.",
                "ResourceRecordSets": [],
                "Published": [
                    {
                        "Name": "web.example.test.",
                        "Type": "A",
                        "TTL": 5,
                        "Weight": 0,
                        "SetIdentifier": "eu-1",
                        "HealthCheckId": "x",
                        "ResourceRecords": [{"Value": "127.0.10.1"}],
                    }
                ],
            }
        ],
        "HealthChecks": [{"Id": "x", "HealthCheckConfig": {"Type": "TCP"}}],
    }
    dump = read_dump(document)
    assert dump.zones == {ZONE: (a_weighted("eu-1", 0, "127.0.10.1", check="x"),)}
    assert dump.checks == {"x": {"Type": "TCP"}}
