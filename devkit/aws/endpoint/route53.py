"""The operations of the local Route53, by the service model's names."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from devkit.aws.data import Data, Table, table, tables, text, texts
from devkit.aws.endpoint.checks import HealthChecks
from devkit.aws.endpoint.control import Settings
from devkit.aws.endpoint.faults import Refused
from devkit.aws.endpoint.names import canonical, reversed_labels, shown
from devkit.aws.endpoint.rules import apply_batch
from devkit.aws.endpoint.zones import (
    NAME_SERVERS,
    Zone,
    Zones,
    list_by_marker,
    list_records,
    new_id,
)

PENDING, INSYNC = "PENDING", "INSYNC"


class Route53:
    """One account: zones, record sets, health checks, tags and changes under way."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.zones = Zones()
        self.checks = HealthChecks()
        self._tags: dict[tuple[str, str], dict[str, Data]] = {}
        self._changes: dict[str, tuple[float, str]] = {}
        self._lock = threading.RLock()
        self._operations: dict[str, Callable[[Table], Table]] = {
            "CreateHostedZone": self._create_zone,
            "GetHostedZone": self._get_zone,
            "GetHostedZoneCount": lambda _: {"HostedZoneCount": len(self.zones.by_id)},
            "ListHostedZones": self._list_zones,
            "ListHostedZonesByName": self._list_zones_by_name,
            "UpdateHostedZoneComment": self._update_comment,
            "DeleteHostedZone": self._delete_zone,
            "AssociateVPCWithHostedZone": self._associate,
            "DisassociateVPCFromHostedZone": self._disassociate,
            "ChangeResourceRecordSets": self._change_records,
            "ListResourceRecordSets": lambda call: list_records(self._zone(call), call),
            "GetChange": self._get_change,
            "CreateHealthCheck": lambda call: {"HealthCheck": self.checks.create(call)},
            "GetHealthCheck": lambda call: {"HealthCheck": self.checks.get(_check_id(call))},
            "UpdateHealthCheck": lambda call: {"HealthCheck": self.checks.update(call)},
            "DeleteHealthCheck": self._delete_check,
            "ListHealthChecks": self._list_checks,
            "GetHealthCheckCount": lambda _: {"HealthCheckCount": len(self.checks.by_id)},
            "ChangeTagsForResource": self._change_tags,
            "ListTagsForResource": self._list_tags,
            "ListTagsForResources": self._list_tags_of_many,
        }

    def call(self, operation: str, arguments: Table) -> Table:
        """Carry out one operation. **Errors**: Refused."""
        if operation not in self._operations:
            raise Refused("UnknownOperationException", f"not part of this stand-in: {operation}")
        with self._lock:
            return self._operations[operation](arguments)

    def dump(self) -> Table:
        """Return every zone with its record sets and every health check, as data.

        **Shape**: `Published` is what the name servers answer with: changes in sync only.
        """
        with self._lock:
            zones: list[Data] = [
                {
                    "Id": zone.identifier,
                    "Name": zone.name,
                    "PrivateZone": bool(zone.networks),
                    "ResourceRecordSets": list[Data](zone.sorted_records()),
                    "Published": list[Data](zone.published(time.monotonic())),
                }
                for zone in self.zones.by_name()
            ]
            checks: list[Data] = [self.checks.by_id[name] for name in sorted(self.checks.by_id)]
            return {"HostedZones": zones, "HealthChecks": checks}

    def _zone(self, call: Table) -> Zone:
        return self.zones.get(text(call, "HostedZoneId") or text(call, "Id"))

    def _change_info(self) -> Table:
        """Begin a change: pending now, in sync after the delay."""
        identifier = new_id("C")
        submitted = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._changes[identifier] = (time.monotonic() + self.settings.delay, submitted)
        return {"Id": f"/change/{identifier}", "Status": PENDING, "SubmittedAt": submitted}

    def _get_change(self, call: Table) -> Table:
        identifier = text(call, "Id")
        if identifier not in self._changes:
            raise Refused("NoSuchChange", f"Could not find resource with ID: {identifier}", 404)
        done, submitted = self._changes[identifier]
        status = INSYNC if time.monotonic() >= done else PENDING
        info: Table = {"Id": f"/change/{identifier}", "Status": status, "SubmittedAt": submitted}
        return {"ChangeInfo": info}

    def _create_zone(self, call: Table) -> Table:
        zone = self.zones.create(call)
        return {**_zone_answer(zone), "ChangeInfo": self._change_info()}

    def _get_zone(self, call: Table) -> Table:
        return _zone_answer(self._zone(call))

    def _associate(self, call: Table) -> Table:
        self.zones.associate(self._zone(call).identifier, table(call, "VPC"))
        return {"ChangeInfo": self._change_info()}

    def _disassociate(self, call: Table) -> Table:
        self.zones.disassociate(self._zone(call).identifier, table(call, "VPC"))
        return {"ChangeInfo": self._change_info()}

    def _list_zones(self, call: Table) -> Table:
        items: list[tuple[str, Data]] = [
            (name, zone.described()) for name, zone in sorted(self.zones.by_id.items())
        ]
        page = list_by_marker(items, call)
        return {**page, "HostedZones": page["Items"]}

    def _list_zones_by_name(self, call: Table) -> Table:
        start = text(call, "DNSName")
        first = reversed_labels(canonical(start)) if start else ()
        zones = [zone for zone in self.zones.by_name() if reversed_labels(zone.name) >= first]
        size = int(text(call, "MaxItems") or "100")
        listed: list[Data] = [zone.described() for zone in zones[:size]]
        page: Table = {
            "HostedZones": listed,
            "IsTruncated": len(zones) > size,
            "MaxItems": str(size),
        }
        if start:
            page["DNSName"] = start
        if len(zones) > size:
            page["NextDNSName"] = shown(zones[size].name)
            page["NextHostedZoneId"] = zones[size].identifier
        return page

    def _update_comment(self, call: Table) -> Table:
        zone = self._zone(call)
        zone.comment = text(call, "Comment")
        return {"HostedZone": zone.described()}

    def _delete_zone(self, call: Table) -> Table:
        identifier = self._zone(call).identifier
        self.zones.delete(identifier)
        self._tags.pop(("hostedzone", identifier), None)
        return {"ChangeInfo": self._change_info()}

    def _change_records(self, call: Table) -> Table:
        zone = self._zone(call)
        if time.monotonic() < zone.busy_until:
            raise Refused(
                "PriorRequestNotComplete",
                "The request was rejected because Route 53 was still processing a prior request.",
            )
        changes = tables(table(call, "ChangeBatch"), "Changes")
        after = apply_batch(zone.name, zone.records, changes, self.checks.by_id)
        zone.change(after, time.monotonic() + self.settings.delay)
        busy = self.settings.delay if self.settings.busy is None else self.settings.busy
        zone.busy_until = time.monotonic() + busy
        return {"ChangeInfo": self._change_info()}

    def _delete_check(self, call: Table) -> Table:
        self.checks.delete(_check_id(call))
        self._tags.pop(("healthcheck", _check_id(call)), None)
        return {}

    def _list_checks(self, call: Table) -> Table:
        items: list[tuple[str, Data]] = [*sorted(self.checks.by_id.items())]
        page = list_by_marker(items, call)
        return {**page, "HealthChecks": page["Items"]}

    def _tagged(self, kind: str, identifier: str) -> dict[str, Data]:
        """Return the tags of one resource, which must exist."""
        if kind == "hostedzone":
            self.zones.get(identifier)
        else:
            self.checks.get(identifier)
        return self._tags.setdefault((kind, identifier), {})

    def _change_tags(self, call: Table) -> Table:
        tags = self._tagged(text(call, "ResourceType"), text(call, "ResourceId"))
        for name in texts(call, "RemoveTagKeys"):
            tags.pop(name, None)
        tags.update({text(tag, "Key"): text(tag, "Value") for tag in tables(call, "AddTags")})
        return {}

    def _list_tags(self, call: Table) -> Table:
        return {
            "ResourceTagSet": self._tag_set(text(call, "ResourceType"), text(call, "ResourceId"))
        }

    def _list_tags_of_many(self, call: Table) -> Table:
        kind = text(call, "ResourceType")
        return {"ResourceTagSets": [self._tag_set(kind, one) for one in texts(call, "ResourceIds")]}

    def _tag_set(self, kind: str, identifier: str) -> Table:
        listed: list[Data] = [
            {"Key": key, "Value": value}
            for key, value in sorted(self._tagged(kind, identifier).items())
        ]
        return {"ResourceType": kind, "ResourceId": identifier, "Tags": listed}


def _zone_answer(zone: Zone) -> Table:
    """Return a zone with who answers for it, or who sees it."""
    if zone.networks:
        return {"HostedZone": zone.described(), "VPCs": list[Data](zone.networks)}
    servers: list[Data] = list(NAME_SERVERS)
    return {"HostedZone": zone.described(), "DelegationSet": {"NameServers": servers}}


def _check_id(call: Table) -> str:
    return text(call, "HealthCheckId")
