"""What the modes of a traffic policy ask for beyond a name: places, regions, other names."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from fleet.model.base import FileValue, Flag
from fleet.model.geography import (
    COUNTRY_PARTS,
    EVERYWHERE,
    LATENCY_REGIONS,
    STATES,
    Location,
    countries,
)


def _known_country(code: str) -> str:
    if code not in countries():
        hint = "the United Kingdom is 'GB'" if code == "UK" else "two capitals, as in ISO 3166-1"
        raise ValueError(f"'{code}' is no country: {hint}")
    return code


def _known_part(code: str) -> str:
    country, _, part = code.partition("-")
    if country != COUNTRY_PARTS or part not in STATES:
        raise ValueError(f"'{code}' is no state of the United States, such as 'US-CA'")
    return code


def _known_region(region: str) -> str:
    if region not in LATENCY_REGIONS:
        raise ValueError(f"Route53 measures no latency to '{region}', as it does to 'eu-west-1'")
    return region


LatencyRegion = Annotated[str, AfterValidator(_known_region)]


class Places(FileValue):
    """Whose askers a region or a cluster answers. Source: Route53 geolocation routing.

    `default` is for whoever is in no place that any region or cluster has.
    """

    continents: tuple[Literal["AF", "AN", "AS", "EU", "NA", "OC", "SA"], ...] = ()
    countries: tuple[Annotated[str, AfterValidator(_known_country)], ...] = ()
    subdivisions: tuple[Annotated[str, AfterValidator(_known_part)], ...] = ()
    default: Flag = False

    @model_validator(mode="after")
    def _somewhere(self) -> Self:
        if not self.locations:
            message = "say 'continents', 'countries', 'subdivisions' or 'default: true'"
            raise ValueError(message)
        return self

    @property
    def locations(self) -> tuple[Location, ...]:
        """Every place, the widest first."""
        parts = (code.partition("-") for code in self.subdivisions)
        return (
            *((EVERYWHERE,) if self.default else ()),
            *(Location(continent=each) for each in self.continents),
            *(Location(country=each) for each in self.countries),
            *(Location(country=country, subdivision=part) for country, _, part in parts),
        )


class Vpc(FileValue):
    """A virtual network that sees a private zone. Source: Route53 VPC."""

    id: Annotated[str, Field(pattern=r"^vpc-[0-9a-f]+$")]
    region: Annotated[str, Field(min_length=1)]


def places_fault(places: dict[str, Places]) -> str:
    """What is wrong with the places of one policy together; empty where nothing is."""
    defaults = [name for name, each in places.items() if each.default]
    if len(defaults) != 1:
        found = f"{len(defaults)} have it: {', '.join(defaults)}" if defaults else "none has it"
        return f"exactly one region or cluster is the 'default' of mode 'geolocation'; {found}"
    first: dict[Location, str] = {}
    for name, each in places.items():
        for location in each.locations:
            other = first.setdefault(location, name)
            if other != name:
                return f"'{location.code}' is given to '{other}' and to '{name}'"
        if len(set(each.locations)) != len(each.locations):
            return f"a place of '{name}' is listed twice"
    return ""
