"""What records are called in the stack, and what fleet's own names in a zone are.

A cluster's record is `<policy>/<cluster>`, and `<policy>/<cluster>/<form>` where its group has a
name of its own below the public one; a second record type of the same entry ends in `/AAAA`.
Aliases begin with `_`, as no cluster's name does: `<policy>/_leaf` is the public name's.
"""

from dataclasses import dataclass
from typing import Final

LEAF: Final = "_leaf"
"""The alias at the public name, and its set identifier: it is flipped, never replaced."""
ALSO: Final = "_also"
"""Aliases at the other names of a policy."""
SPARE: Final = "_spare"
"""The group of all regions, for whoever would find nobody otherwise."""
STAR: Final = "_star"
FLAT: Final = ""
"""The form where the clusters' records stand at the public name itself."""
FORMS: Final = ("weighted", "latency", "geolocation")
"""The forms whose records stand below it, as `_<form>.<name>`."""


@dataclass(frozen=True, slots=True)
class RecordName:
    """A record's resource name in parts; an alias has no cluster."""

    policy: str
    cluster: str
    form: str = FLAT


def record_name(policy: str, *parts: str) -> str:
    """A resource name; parts that are empty are left out.

    >>> record_name("web", "eu-1", "", ""), record_name("web", "eu-1", "latency", "AAAA")
    ('web/eu-1', 'web/eu-1/latency/AAAA')
    """
    return "/".join((policy, *(each for each in parts if each)))


def split_record_name(name: str) -> RecordName:
    """The parts of a record's resource name.

    >>> split_record_name("web/eu-1/latency/AAAA")
    RecordName(policy='web', cluster='eu-1', form='latency')
    >>> split_record_name("web/_leaf").cluster
    ''
    """
    policy, second, *rest = [*name.split("/"), ""]
    if second.startswith("_"):
        return RecordName(policy, "")
    return RecordName(policy, second, rest[0] if rest and rest[0] in FORMS else FLAT)


def leaf_name(name: str, form: str) -> str:
    """The name under which a form's records stand.

    >>> leaf_name("web.fleet.test", "latency"), leaf_name("*.fleet.test", "latency")
    ('_latency.web.fleet.test', '_latency._star.fleet.test')
    """
    return f"_{form}.{name.replace('*', STAR)}"


def form_of(target: str) -> str:
    """The form that an alias's target belongs to; flat where it is no leaf.

    >>> form_of("_latency.web.fleet.test"), form_of("web.fleet.test")
    ('latency', '')
    """
    first = target.partition(".")[0].removeprefix("_")
    return first if target.startswith("_") and first in FORMS else FLAT
