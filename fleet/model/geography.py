"""Where an asker is, and which places contain it, as Route53's geolocation routing knows them.

Source: Route53 API reference, GeoLocation: a continent by code, a country by its ISO 3166-1 code,
a state of the United States by its two letters; `*` is everywhere else.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

_COUNTRIES: Final = {
    "AF": "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA"
    " MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW",
    "AN": "AQ BV GS HM TF",
    "AS": "AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB"
    " LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TM TR TW UZ VN YE",
    "EU": "AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE"
    " LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA",
    "NA": "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX"
    " NI PA PM PR SV SX TC TT US VC VG VI",
    "OC": "AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TL TO TV UM VU WF WS",
    "SA": "AR BO BR CL CO EC FK GF GY PE PY SR UY VE",
}
CONTINENTS: Final = tuple(_COUNTRIES)
_REGIONS: Final = (
    "af-south-1 ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1"
    " ap-south-2 ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5"
    " ap-southeast-6 ap-southeast-7 ca-central-1 ca-west-1 cn-north-1 cn-northwest-1"
    " eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2 eu-west-3"
    " eusc-de-east-1 il-central-1 me-central-1 me-south-1 mx-central-1 sa-east-1 us-east-1"
    " us-east-2 us-gov-east-1 us-gov-west-1 us-west-1 us-west-2"
)
LATENCY_REGIONS: Final = tuple(_REGIONS.split())
"""The regions that Route53 measures latency to. Source: ResourceRecordSetRegion."""
COUNTRY_PARTS: Final = "US"
"""The country whose states Route53 tells apart."""


@cache
def continent_of(country: str) -> str:
    """The continent of a country; empty where there is no such country.

    >>> continent_of("FR"), continent_of("UK")
    ('EU', '')
    """
    return next((name for name, held in _COUNTRIES.items() if country in held.split()), "")


@cache
def countries() -> tuple[str, ...]:
    """Every country, sorted."""
    return tuple(sorted(each for held in _COUNTRIES.values() for each in held.split()))


_STATES: Final = (
    "AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE"
    " NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY"
)
STATES: Final = tuple(_STATES.split())


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A continent, a country, or a part of one; nothing said: everywhere else."""

    continent: str = ""
    country: str = ""
    subdivision: str = ""

    @property
    def code(self) -> str:
        """How it is told apart from others: `continent-EU`, `FR`, `US-CA` or `default`.

        A continent and a country can have the same two letters, such as `NA`.
        """
        if self.subdivision:
            return f"{self.country}-{self.subdivision}"
        if self.country:
            return self.country
        return f"continent-{self.continent}" if self.continent else "default"

    @property
    def wider(self) -> tuple["Location", ...]:
        """What contains it, the next wider first; everywhere else is last.

        >>> [each.code for each in Location(country="US", subdivision="CA").wider]
        ['US', 'continent-NA', 'default']
        """
        found = []
        if self.subdivision:
            found.append(Location(country=self.country))
        if self.country:
            found.append(Location(continent=continent_of(self.country)))
        return (*found, EVERYWHERE) if self != EVERYWHERE else ()


EVERYWHERE: Final = Location()


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: where that is, and which regions are near.

    **Shape**: `nearest` are regions, the lowest latency first; one that is missing is farther.
    An asker without a place is one that Route53 cannot locate.
    """

    location: Location = EVERYWHERE
    nearest: tuple[str, ...] = ()

    @property
    def locations(self) -> tuple[Location, ...]:
        """Every place that contains the asker, the smallest first."""
        return (self.location, *self.location.wider)

    def distance(self, region: str) -> tuple[int, str]:
        """What regions are sorted by; those that nothing is known of by name."""
        far = len(self.nearest)
        return (self.nearest.index(region) if region in self.nearest else far, region)


SOMEBODY: Final = Asker()
