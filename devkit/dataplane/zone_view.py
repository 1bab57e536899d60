"""What Route53's name servers and checkers know: the endpoint's dump, asked for again and again.

When the API is down the last dump stays: answering and checking are another plane.
"""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from devkit.aws.data import Table, number, table, tables, text, texts
from devkit.dataplane.web import Limits, Target, get
from fleet.model.geography import Location

POLL_SECONDS = 0.2
PAUSE_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class RecordSet:
    """One record set as the name servers have it; the name in lower case without its last dot."""

    name: str
    kind: str
    ttl: int
    values: tuple[str, ...] = ()
    set_identifier: str = ""
    weight: int | None = None
    failover: str = ""
    multivalue: bool = False
    health_check: str = ""
    alias: str = ""
    evaluate_target_health: bool = False
    region: str = ""
    location: Location | None = None
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Dump:
    """Everything that is known: record sets by zone name, health checks by identifier."""

    zones: dict[str, tuple[RecordSet, ...]] = field(default_factory=dict)
    checks: dict[str, Table] = field(default_factory=dict)


def read_dump(document: Table) -> Dump:
    """Return the endpoint's dump as values; a private zone is seen by nobody on the internet."""
    zones = {
        plain_name(text(zone, "Name")): tuple(map(_record, tables(zone, "Published")))
        for zone in tables(document, "HostedZones")
        if zone.get("PrivateZone") is not True
    }
    checks = {
        text(check, "Id"): table(check, "HealthCheckConfig")
        for check in tables(document, "HealthChecks")
    }
    return Dump(zones, checks)


def plain_name(name: str) -> str:
    r"""Return a name as it is compared.

    >>> plain_name("\\052.Example.org.")
    '*.example.org'
    """
    return name.lower().rstrip(".").replace("\\052", "*")


def _record(record: Table) -> RecordSet:
    alias = table(record, "AliasTarget")
    return RecordSet(
        name=plain_name(text(record, "Name")),
        kind=text(record, "Type"),
        ttl=number(record, "TTL", 60),
        values=tuple(text(value, "Value") for value in tables(record, "ResourceRecords")),
        set_identifier=text(record, "SetIdentifier"),
        weight=number(record, "Weight") if "Weight" in record else None,
        failover=text(record, "Failover"),
        multivalue=record.get("MultiValueAnswer") is True,
        health_check=text(record, "HealthCheckId"),
        alias=plain_name(text(alias, "DNSName")),
        evaluate_target_health=alias.get("EvaluateTargetHealth") is True,
        region=text(record, "Region"),
        location=_location(table(record, "GeoLocation")),
        elsewhere=any(key in record for key in ("CidrRoutingConfig", "GeoProximityLocation")),
    )


def _location(place: Table) -> Location | None:
    """Where a record's askers are; `*` is everywhere else."""
    if not place:
        return None
    country = text(place, "CountryCode")
    return Location(
        text(place, "ContinentCode"),
        "" if country == "*" else country,
        text(place, "SubdivisionCode"),
    )


def children_of(config: Table) -> tuple[str, ...]:
    """Return the checks that a calculated check counts."""
    return tuple(texts(config, "ChildHealthChecks"))


class ZoneView:
    """Keeps the dump up to date."""

    def __init__(self, route53_url: str) -> None:
        parts = urlsplit(route53_url)
        self._target = Target(parts.hostname or "", parts.port or 80)
        self._task: asyncio.Task[None] | None = None
        self._raw = b""
        self.dump = Dump()

    async def start(self) -> None:
        """Look once, then begin to follow."""
        with suppress(OSError, TimeoutError, ValueError):
            await self.look()
        self._task = asyncio.create_task(self._follow())

    async def stop(self) -> None:
        """End following."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def look(self) -> None:
        """Take one dump. **Errors**: OSError, TimeoutError, ValueError."""
        answer = await get(self._target, "/_devkit/state", {"Host": "devkit"}, Limits(2, 2, 2))
        if answer.body != self._raw:
            self.dump = read_dump(json.loads(answer.body))
            self._raw = answer.body

    async def _follow(self) -> None:
        while True:
            pause = POLL_SECONDS
            try:
                await self.look()
            except (OSError, TimeoutError, ValueError):
                pause = PAUSE_SECONDS
            await asyncio.sleep(pause)
