"""Who asks: everybody here asks from loopback, so that a question can say where it comes from.

An EDNS option of the range for local use holds text, such as `FR nearest=eu-west-1,us-east-1`: a
place by its code (`FR`, `US-CA`, `continent-EU`), and regions, the nearest first. A question that
says nothing comes from a place that Route53 cannot locate.
"""

from dnslib import EDNS0, DNSRecord, EDNSOption

from fleet.model.geography import CONTINENTS, SOMEBODY, Asker, Location

OPTION = 65_001
CONTINENT, NEAREST = "continent-", "nearest="


def asker_of(query: DNSRecord) -> Asker:
    """Return who asks a question. **Errors**: ValueError with one sentence."""
    for record in query.ar:
        options = record.rdata if isinstance(record.rdata, list) else []
        for option in options:
            if option.code == OPTION:
                return read_asker(bytes(option.data).decode("ascii", "replace"))
    return SOMEBODY


def read_asker(text: str) -> Asker:
    """Return the asker that a text describes. **Errors**: ValueError with one sentence.

    >>> read_asker("US-CA nearest=us-west-1,us-east-1").nearest
    ('us-west-1', 'us-east-1')
    """
    location, nearest = Location(), tuple[str, ...]()
    for word in text.split():
        if word.startswith(NEAREST):
            nearest = tuple(word.removeprefix(NEAREST).split(","))
        else:
            location = _location(word)
    return Asker(location, nearest)


def _location(code: str) -> Location:
    if code.startswith(CONTINENT):
        continent = code.removeprefix(CONTINENT)
        if continent not in CONTINENTS:
            raise ValueError(f"'{continent}' is no continent, there are {', '.join(CONTINENTS)}")
        return Location(continent=continent)
    country, _, subdivision = code.partition("-")
    return Location(country=country, subdivision=subdivision)


def said_by(query: DNSRecord, text: str) -> DNSRecord:
    """Add to a question who asks it."""
    query.add_ar(EDNS0(udp_len=4096, opts=[EDNSOption(OPTION, text.encode())]))
    return query
