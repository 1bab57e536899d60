"""Modes in files: what they ask for, and every way to get it wrong."""

from collections.abc import Callable

import pytest

from fleet.load.spell import spelled
from fleet.model.geography import EVERYWHERE, Location
from fleet.model.traffic import TrafficSpec, ZoneRef

Faults = Callable[..., list[str]]
GEO = "mode: geolocation, geolocation"


def a_traffic(spec: str, name: str = "t", dns: str = "web.fleet.test") -> str:
    zone = "" if "zone:" in spec else ", zone: {name: fleet.test}"
    return (
        f"apiVersion: fleet/v1\nkind: TrafficPolicy\nmetadata: {{name: {name}}}\n"
        f"spec: {{workload: web, name: {dns}{zone}, {spec}}}\n"
    )


GOOD = [
    pytest.param("mode: latency", id="latency"),
    pytest.param("mode: latency, latencyRegions: {us-east-1: us-west-2}", id="another region"),
    pytest.param(f"{GEO}: {{eu-west-1: {{default: true}}}}", id="a default is enough"),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true, continents: [EU]}}, us-1: {{countries: [US, CA]}}}}",
        id="a region and a cluster",
    ),
    pytest.param("mode: weighted, nested: true", id="nested weights"),
    pytest.param("activeRegion: eu-west-1, nested: true", id="a nested standby"),
    pytest.param("mode: weighted, names: [fleet.test, www.fleet.test]", id="several names"),
    pytest.param(
        "mode: weighted, zone: {name: fleet.test, create: true, private: true,"
        " vpcs: [{id: vpc-0a1b, region: eu-west-1}]}",
        id="a private zone",
    ),
]


@pytest.mark.parametrize("spec", GOOD)
def test_what_is_right_is_taken(faults: Faults, spec: str) -> None:
    assert faults({"policies/t.yaml": a_traffic(spec)}) == []


BAD = [
    pytest.param(
        "mode: latency, latencyRegions: {us-east-1: fra1}",
        "Route53 measures no latency to 'fra1'",
        id="latency to nowhere",
    ),
    pytest.param(
        "mode: latency, latencyRegions: {us-est-1: us-west-2}",
        "no cluster is in a region 'us-est-1' - did you mean 'us-east-1'?",
        id="latency from nowhere",
    ),
    pytest.param(
        "mode: weighted, latencyRegions: {us-east-1: us-west-2}",
        "'latencyRegions' go with mode 'latency'",
        id="latency of another mode",
    ),
    pytest.param(
        "mode: geolocation", "'geolocation' and mode 'geolocation' go together", id="no places"
    ),
    pytest.param(
        "mode: latency, geolocation: {eu-west-1: {default: true}}",
        "'geolocation' and mode 'geolocation' go together",
        id="places of another mode",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{continents: [EU]}}}}",
        "exactly one region or cluster is the 'default' of mode 'geolocation'; none has it",
        id="no default",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true}}, us-east-1: {{default: true}}}}",
        "; 2 have it: eu-west-1, us-east-1",
        id="two defaults",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true, countries: [FR]}}, us-east-1: {{countries: [FR]}}}}",
        "'FR' is given to 'eu-west-1' and to 'us-east-1'",
        id="one place twice",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true, countries: [FR, FR]}}}}",
        "a place of 'eu-west-1' is listed twice",
        id="a place listed twice",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true, countries: [UK]}}}}",
        "'UK' is no country: the United Kingdom is 'GB'",
        id="the United Kingdom",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true, countries: [fr]}}}}",
        "'fr' is no country: two capitals, as in ISO 3166-1",
        id="a country in small letters",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true, subdivisions: [DE-BY]}}}}",
        "'DE-BY' is no state of the United States",
        id="a state of another country",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true, continents: [XX]}}}}",
        "'XX' is not allowed; allowed are 'AF', 'AN', 'AS'",
        id="a continent that is none",
    ),
    pytest.param(
        f"{GEO}: {{eu-west-1: {{default: true}}, us-east-1: {{}}}}",
        "say 'continents', 'countries', 'subdivisions' or 'default: true'",
        id="a region without places",
    ),
    pytest.param(
        f"{GEO}: {{eu-wst-1: {{default: true}}}}",
        "no cluster is in a region 'eu-wst-1' - did you mean 'eu-west-1'?",
        id="places of nobody",
    ),
    pytest.param(
        "mode: latency, activeRegion: eu-west-1",
        "'activeRegion' goes with mode 'active-standby'",
        id="latency with an active region",
    ),
    pytest.param(
        "mode: latency, dnsWeights: {eu-1: 1}",
        "'dnsWeights' go with mode 'weighted'",
        id="latency with weights",
    ),
    pytest.param(
        "mode: weighted, names: [www.fleet.test, web.fleet.test]",
        "spec.names[1]: the name 'web.fleet.test' is said already",
        id="its own name",
    ),
    pytest.param(
        "mode: weighted, names: [www.fleet.test, www.fleet.test]",
        "spec.names[1]: the name 'www.fleet.test' is said already",
        id="another name twice",
    ),
    pytest.param(
        "mode: weighted, names: [www.other.test]",
        "name 'www.other.test' is not in zone 'fleet.test'",
        id="a name of another zone",
    ),
    pytest.param(
        "mode: weighted, names: [_latency.web.fleet.test]",
        "'_latency.web.fleet.test' begins as the names that fleet gives to its own groups",
        id="a name of fleet's own",
    ),
    pytest.param(
        "mode: weighted, zone: {name: fleet.test, create: true, private: true}",
        "'vpcs' go with 'create' and 'private'",
        id="a private zone that nobody sees",
    ),
    pytest.param(
        "mode: weighted, zone: {name: fleet.test, create: true, private: true,"
        " vpcs: [{id: net-1, region: eu-west-1}]}",
        "is not a network's id, such as vpc-0a1b2c3d",
        id="no network",
    ),
]


@pytest.mark.parametrize(("spec", "sentence"), BAD)
def test_what_is_wrong_is_one_sentence(faults: Faults, spec: str, sentence: str) -> None:
    (found,) = faults({"policies/t.yaml": a_traffic(spec)})
    assert found.startswith("policies/t.yaml:4:")
    assert sentence in found


def test_a_name_has_one_policy_among_all_names(faults: Faults) -> None:
    files = {
        "policies/t.yaml": a_traffic("mode: weighted, names: [a.fleet.test]"),
        "policies/u.yaml": a_traffic("mode: weighted", "u", "a.fleet.test"),
    }
    (found,) = faults(files)
    assert "the name 'a.fleet.test' belongs to 't' at policies/t.yaml:4:" in found


def test_config_gives_no_active_region_to_latency(faults: Faults) -> None:
    found = faults({"policies/t.yaml": a_traffic("mode: latency")}, activeRegions={"t": "x"})
    assert "the policy 't' is of mode 'latency' and has no active region" in "\n".join(found)


def test_places_of_a_file_are_locations() -> None:
    spec = TrafficSpec.model_validate(
        {
            "workload": "web",
            "name": "web.fleet.test",
            "zone": {"name": "fleet.test"},
            "mode": "geolocation",
            "geolocation": {
                "eu": {"default": True, "continents": ["EU"], "subdivisions": ["US-CA"]}
            },
        }
    )
    assert spec.geolocation["eu"].locations == (
        EVERYWHERE,
        Location("EU"),
        Location(country="US", subdivision="CA"),
    )
    assert TrafficSpec.model_validate(spelled(spec)) == spec


def test_zones_of_one_name_are_told_apart() -> None:
    keys = [
        ZoneRef(name="fleet.test").key,
        ZoneRef(name="fleet.test", private=True).key,
        ZoneRef(name="fleet.test", id="Z1").key,
    ]
    assert keys == ["fleet.test", "private/fleet.test", "Z1"]
