"""Askers: the answerer leads them as the model says."""

import random
from collections import Counter

import pytest
from dnslib import QTYPE, RCODE, DNSRecord

from devkit.aws.data import Data
from devkit.dataplane.answers import Answers
from devkit.dataplane.askers import read_asker, said_by
from devkit.dataplane.dns import Answerer
from devkit.dataplane.places import Places
from devkit.dataplane.zone_view import Dump, RecordSet, read_dump
from fleet.model.answer import Answering
from fleet.model.geography import Location
from tests.dataplane.kit import WEB, a_dump

PLACES: dict[str, Data] = {
    "default": {"CountryCode": "*"},
    "continent-EU": {"ContinentCode": "EU"},
    "FR": {"CountryCode": "FR"},
    "US-CA": {"CountryCode": "US", "SubdivisionCode": "CA"},
}
ADDRESSES = {code: f"127.0.10.{place}" for place, code in enumerate(PLACES, 1)}


def geolocated() -> Dump:
    """Four places, as the endpoint tells them."""
    published: list[Data] = [
        {
            "Name": f"{WEB}.",
            "Type": "A",
            "TTL": 5,
            "SetIdentifier": code,
            "GeoLocation": place,
            "ResourceRecords": [{"Value": ADDRESSES[code]}],
        }
        for code, place in PLACES.items()
    ]
    zone: Data = {"Name": "example.test.", "Published": published}
    return read_dump({"HostedZones": [zone]})


def by_latency() -> Dump:
    """Two regions, each with a weighted group below."""
    tops = [
        RecordSet(
            *(WEB, "A", 5, (), one),
            alias=f"{one}.x.example.test",
            evaluate_target_health=True,
            region=one,
        )
        for one in ("eu", "us")
    ]
    leaves = [
        RecordSet(f"{one}.x.example.test", "A", 5, (f"{one}{n}",), str(n), n, health_check=one)
        for one in ("eu", "us")
        for n in (1, 2)
    ]
    return a_dump(*tops, *leaves)


def reply(dump: Dump, asker: str) -> DNSRecord:
    one = Answers(dump, lambda _: True, random.Random(1))  # noqa: S311
    question = said_by(DNSRecord.question(WEB), asker)
    return DNSRecord.parse(Answerer(lambda: one, Places([])).respond(bytes(question.pack())))


@pytest.mark.parametrize(
    ("asker", "code"),
    [
        ("FR", "FR"),
        ("DE", "continent-EU"),
        ("continent-EU", "continent-EU"),
        ("US-CA", "US-CA"),
        ("US", "default"),
        ("", "default"),
    ],
)
def test_a_question_says_where_it_comes_from(asker: str, code: str) -> None:
    (found,) = reply(geolocated(), asker).rr
    assert (found.rtype, str(found.rdata)) == (QTYPE.A, ADDRESSES[code])


def test_a_question_from_nowhere_that_there_is() -> None:
    assert reply(geolocated(), "continent-XX").header.rcode == RCODE.FORMERR


def test_who_asks_is_read_from_text() -> None:
    asker = read_asker("US-CA nearest=us-west-1,us-east-1")
    assert asker.location == Location(country="US", subdivision="CA")
    assert asker.nearest == ("us-west-1", "us-east-1")


@pytest.mark.parametrize("dead", [(), ("eu",), ("us",), ("eu", "us")])
@pytest.mark.parametrize("asker", ["nearest=eu,us", "nearest=us,eu"])
def test_the_answers_are_those_of_the_model(dead: tuple[str, ...], asker: str) -> None:
    dump = by_latency()
    one = Answers(dump, lambda check: check not in dead, random.Random(1))  # noqa: S311
    drawn = Counter(
        one.choose(WEB, "A", read_asker(asker))[0].record.values[0] for _ in range(3000)
    )
    model = Answering(lambda name: one.group(name, "A"), lambda check: check not in dead)
    expected = {each.values[0]: part for each, part in model.shares(WEB, read_asker(asker))}
    assert set(drawn) == set(expected)
    for value, part in expected.items():
        assert abs(drawn[value] / 3000 - part) < 0.05
