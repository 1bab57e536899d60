"""Break-glass batches of trees: every alias that exists, from below, and no record that is new."""

from typing import Any

import pytest

from devkit.aws.endpoint.rules import apply_batch
from fleet.model.endpoint import EndpointDelivery
from fleet.recover.turns import turns
from tests.deliver.test_shape import GEO, LATENCY, NESTED, after, endpoint_of

DRAINED = {"eu-1": 2, "eu-2": 1, "us-1": 3}


def written(now: EndpointDelivery, then: EndpointDelivery) -> list[dict[str, Any]]:
    changes = list(turns(now, then, "Z1"))
    assert {each["Action"] for each in changes} == {"UPSERT"}
    return [each["ResourceRecordSet"] for each in changes]


def groups(endpoint: EndpointDelivery) -> list[dict[str, Any]]:
    """The clusters' records as changes, as the zone has them."""
    return [
        {
            "Action": "UPSERT",
            "ResourceRecordSet": {
                "Name": each.dns_name,
                "Type": each.type,
                "SetIdentifier": each.cluster,
                "Weight": each.dns_weight,
                "TTL": 60,
                "ResourceRecords": [{"Value": value} for value in each.targets],
            },
        }
        for each in endpoint.records
    ]


@pytest.mark.parametrize("words", [LATENCY, GEO, NESTED], ids=["latency", "places", "nested"])
def test_route53_takes_every_batch(words: dict[str, Any]) -> None:
    now = endpoint_of(words)
    then = endpoint_of(words, DRAINED, prior=after(now))
    zone = apply_batch("fleet.test.", {}, groups(now) + list(turns(now, now, "Z1")), ())
    changed = apply_batch("fleet.test.", zone, list(turns(now, then, "Z1")), ())
    assert set(changed) == set(zone)
    assert changed != zone


def test_a_region_that_is_left_leads_to_the_heaviest_one() -> None:
    now = endpoint_of(LATENCY)
    then = endpoint_of(LATENCY, DRAINED, prior=after(now))
    (left,) = (each for each in written(now, then) if each.get("Region") == "ap-south-1")
    assert left["AliasTarget"] == {
        "HostedZoneId": "Z1",
        "DNSName": "us-east-1._latency.web.fleet.test",
        "EvaluateTargetHealth": True,
    }


def test_places_and_weights_are_said() -> None:
    found = {each["SetIdentifier"]: each for each in written(*[endpoint_of(GEO)] * 2)}
    places = {name: each.get("GeoLocation") for name, each in found.items()}
    assert places["default"] == {"CountryCode": "*"}
    assert places["FR"] == {"CountryCode": "FR"}
    assert places["US-CA"] == {"CountryCode": "US", "SubdivisionCode": "CA"}
    assert places["continent-EU"] == {"ContinentCode": "EU"}
    assert found["_leaf"]["Weight"] == 100


def test_the_name_comes_last() -> None:
    assert written(*[endpoint_of(LATENCY)] * 2)[-1]["Name"] == "web.fleet.test"


def test_a_region_that_an_update_left_is_left_to_its_check() -> None:
    now = endpoint_of(LATENCY, DRAINED, prior=after(endpoint_of(LATENCY)))
    (left,) = (each for each in written(now, now) if each.get("Region") == "ap-south-1")
    assert left["AliasTarget"]["DNSName"] == "ap-south-1._latency.web.fleet.test"
