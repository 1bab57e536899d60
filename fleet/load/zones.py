"""Time zones from the pinned package, never from the machine: every machine plans alike."""

from functools import lru_cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from fleet.load.words import Words

_PACKAGE = "tzdata"


@lru_cache(maxsize=1)
def zone_names() -> Words:
    """All names of zones."""
    return Words(files(_PACKAGE).joinpath("zones").read_text(encoding="utf-8").split())


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """The zone of a name that is known.

    >>> zone_of("Europe/Berlin").key
    'Europe/Berlin'
    """
    with files(_PACKAGE).joinpath("zoneinfo", *name.split("/")).open("rb") as data:
        return ZoneInfo.from_file(data, key=name)
