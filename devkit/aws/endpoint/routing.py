"""What a geolocation record may say: the places that the service knows.

Source: the API reference of GeoLocation.
"""

from devkit.aws.data import Table, table, text
from fleet.model.geography import CONTINENTS, COUNTRY_PARTS, countries


def routing_fault(record: Table) -> str:
    """Return what is wrong with a record set's place; empty where nothing is."""
    place = table(record, "GeoLocation")
    return _place_fault(place) if place else ""


def _place_fault(place: Table) -> str:
    continent, country = text(place, "ContinentCode"), text(place, "CountryCode")
    subdivision = text(place, "SubdivisionCode")
    if bool(continent) == bool(country):
        return "Invalid request: GeoLocation wants exactly one of ContinentCode and CountryCode"
    if subdivision and country != COUNTRY_PARTS:
        return f"Invalid request: SubdivisionCode goes with CountryCode {COUNTRY_PARTS} only"
    if continent and continent not in CONTINENTS:
        return f"Invalid request: '{continent}' is not a continent code"
    if country and country not in ("*", *countries()):
        return f"Invalid request: '{country}' is not a country code"
    return ""
