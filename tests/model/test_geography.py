"""Places: every country has one continent, and codes tell places apart."""

from importlib import resources

from botocore.session import Session

from fleet.model.geography import (
    CONTINENTS,
    EVERYWHERE,
    LATENCY_REGIONS,
    STATES,
    Asker,
    Location,
    continent_of,
    countries,
)


def test_the_countries_are_those_of_iso_3166() -> None:
    table = resources.files("tzdata").joinpath("zoneinfo/iso3166.tab").read_text()
    codes = [line.split("\t")[0] for line in table.splitlines() if not line.startswith("#")]
    assert sorted(codes) == list(countries())


def test_the_regions_are_those_of_the_service_model() -> None:
    shape = Session().get_service_model("route53").shape_for("ResourceRecordSetRegion")
    assert sorted(shape.enum) == list(LATENCY_REGIONS)


def test_every_place_has_a_code_of_its_own() -> None:
    places = [Location(continent=each) for each in CONTINENTS]
    places += [Location(country=each) for each in countries()]
    places += [Location(country="US", subdivision=each) for each in STATES]
    assert len({each.code for each in (*places, EVERYWHERE)}) == len(places) + 1
    assert all(continent_of(each) in CONTINENTS for each in countries())


def test_what_contains_a_place() -> None:
    assert EVERYWHERE.wider == ()
    assert Location("EU").wider == (EVERYWHERE,)
    assert Asker(Location(country="FR")).locations == (
        Location(country="FR"),
        Location("EU"),
        EVERYWHERE,
    )
