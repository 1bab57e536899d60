"""Hosted zones and their record sets as Route53 keeps them."""

import secrets
import string
from dataclasses import dataclass, field

from devkit.aws.data import Data, Table, table, text
from devkit.aws.endpoint.faults import Refused, bad_input
from devkit.aws.endpoint.names import (
    Key,
    canonical,
    key_of,
    reversed_labels,
    shown,
    sort_key,
)

NAME_SERVERS = tuple(
    f"ns-{number}.awsdns-{part}.{top}"
    for number, part, top in ((1, "00", "com"), (513, "00", "net"), (1025, "00", "org"))
)
OWN_RECORDS = 2
PAGE = 300


def new_id(letter: str) -> str:
    """Return an identifier in Route53's form: a letter and capitals and digits."""
    alphabet = string.ascii_uppercase + string.digits
    return letter + "".join(secrets.choice(alphabet) for _ in range(20))


@dataclass
class Zone:
    """A hosted zone.

    Attributes:
        name: canonical.
        networks: the VPCs that see it; none: a public zone.
        records: by (name, type, set identifier), values by the model's names.
        busy_until: until when a change is refused, because the previous one is pending.
        coming: what the name servers will answer with, and from when on.
    """

    identifier: str
    name: str
    reference: str
    comment: str
    networks: tuple[Table, ...] = ()
    records: dict[Key, Table] = field(default_factory=dict)
    busy_until: float = 0.0
    coming: list[tuple[float, dict[Key, Table]]] = field(default_factory=list)

    def change(self, after: dict[Key, Table], in_sync: float) -> None:
        """Take over new record sets; the name servers have them once they are in sync."""
        if not self.coming:
            self.coming = [(0.0, self.records)]
        self.records = after
        self.coming.append((in_sync, after))

    def published(self, now: float) -> list[Table]:
        """Return what the name servers answer with now, in Route53's order."""
        while len(self.coming) > 1 and self.coming[1][0] <= now:
            self.coming.pop(0)
        records = self.coming[0][1] if self.coming else self.records
        return sorted(records.values(), key=sort_key)

    def described(self) -> Table:
        """Return the zone as the API shows it."""
        config: Table = {"PrivateZone": bool(self.networks)}
        if self.comment:
            config["Comment"] = self.comment
        return {
            "Id": f"/hostedzone/{self.identifier}",
            "Name": shown(self.name),
            "CallerReference": self.reference,
            "Config": config,
            "ResourceRecordSetCount": len(self.records),
        }

    def sorted_records(self) -> list[Table]:
        """Return every record set in Route53's order."""
        return sorted(self.records.values(), key=sort_key)


class Zones:
    """Every hosted zone of the account, by identifier."""

    def __init__(self) -> None:
        self.by_id: dict[str, Zone] = {}

    def create(self, call: Table) -> Zone:
        """Create a zone with its own NS and SOA record sets; with a VPC a private one."""
        if "DelegationSetId" in call:
            raise bad_input("the local Route53 knows zones without delegation sets only")
        networks = (table(call, "VPC"),) if "VPC" in call else ()
        reference = text(call, "CallerReference")
        if any(zone.reference == reference for zone in self.by_id.values()):
            sentence = f"A hosted zone has already been created with the reference {reference}"
            raise Refused("HostedZoneAlreadyExists", sentence, 409)
        name = canonical(text(call, "Name"))
        if len(name) > len(".") and ".." in name:
            raise Refused("InvalidDomainName", f"{name} is not a valid domain name")
        comment = text(table(call, "HostedZoneConfig"), "Comment")
        zone = Zone(new_id("Z"), name, reference, comment, networks)
        soa = f"{NAME_SERVERS[0]}. awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400"
        for kind, ttl, values in (
            ("NS", 172800, [f"{server}." for server in NAME_SERVERS]),
            ("SOA", 900, [soa]),
        ):
            listed: list[Data] = [{"Value": value} for value in values]
            record: Table = {"Name": name, "Type": kind, "TTL": ttl, "ResourceRecords": listed}
            zone.records[key_of(record)] = record
        self.by_id[zone.identifier] = zone
        return zone

    def associate(self, identifier: str, network: Table) -> None:
        """Let one more VPC see a private zone. **Errors**: Refused."""
        zone = self.get(identifier)
        if not zone.networks:
            sentence = "You cannot associate a VPC with a public hosted zone."
            raise Refused("PublicZoneVPCAssociation", sentence)
        if network not in zone.networks:
            zone.networks = (*zone.networks, network)

    def disassociate(self, identifier: str, network: Table) -> None:
        """Hide a private zone from a VPC; one has to be left. **Errors**: Refused."""
        zone = self.get(identifier)
        left = tuple(each for each in zone.networks if each != network)
        if len(left) == len(zone.networks):
            raise Refused("VPCAssociationNotFound", "The VPC is not associated", 404)
        if not left:
            sentence = "The VPC is the last one of a private hosted zone."
            raise Refused("LastVPCAssociation", sentence)
        zone.networks = left

    def get(self, identifier: str) -> Zone:
        """Return one. **Errors**: NoSuchHostedZone."""
        if identifier not in self.by_id:
            sentence = f"No hosted zone found with ID: {identifier}"
            raise Refused("NoSuchHostedZone", sentence, 404)
        return self.by_id[identifier]

    def delete(self, identifier: str) -> None:
        """Delete an empty one. **Errors**: HostedZoneNotEmpty."""
        if len(self.get(identifier).records) > OWN_RECORDS:
            raise Refused(
                "HostedZoneNotEmpty",
                "The specified hosted zone contains non-required resource record sets "
                "and so cannot be deleted.",
            )
        del self.by_id[identifier]

    def by_name(self) -> list[Zone]:
        """Return every zone in the order of ListHostedZonesByName."""
        return sorted(
            self.by_id.values(), key=lambda zone: (reversed_labels(zone.name), zone.identifier)
        )


def list_records(zone: Zone, call: Table) -> Table:
    """Return one page of a zone's record sets, from the wanted place on."""
    size = _page_size(call)
    start_name, start_type = text(call, "StartRecordName"), text(call, "StartRecordType")
    if start_type and not start_name:
        raise bad_input("StartRecordType needs StartRecordName")
    start = (
        reversed_labels(canonical(start_name)) if start_name else (),
        start_type,
        text(call, "StartRecordIdentifier"),
    )
    rest = [record for record in zone.sorted_records() if sort_key(record) >= start]
    listed: list[Data] = [{**record, "Name": shown(text(record, "Name"))} for record in rest[:size]]
    page: Table = {
        "ResourceRecordSets": listed,
        "IsTruncated": len(rest) > size,
        "MaxItems": str(size),
    }
    if len(rest) > size:
        page["NextRecordName"] = shown(text(rest[size], "Name"))
        page["NextRecordType"] = text(rest[size], "Type")
        if text(rest[size], "SetIdentifier"):
            page["NextRecordIdentifier"] = text(rest[size], "SetIdentifier")
    return page


def _page_size(call: Table) -> int:
    wanted = text(call, "MaxItems") or str(PAGE)
    if not wanted.isdigit() or int(wanted) == 0:
        raise bad_input(f"MaxItems must be a positive number, not '{wanted}'")
    return min(int(wanted), PAGE)


def list_by_marker(items: list[tuple[str, Data]], call: Table, page_size: int = 100) -> Table:
    """Return one page of a list that is continued by the next item's identifier.

    **Shape**: `Items`, and `IsTruncated`, `MaxItems`, `Marker`, `NextMarker` as the API has them.
    """
    size = int(text(call, "MaxItems") or page_size)
    marker = text(call, "Marker")
    names = [name for name, _ in items]
    first = names.index(marker) if marker in names else 0
    shown_items: list[Data] = [item for _, item in items[first : first + size]]
    page: Table = {
        "Items": shown_items,
        "Marker": marker,
        "MaxItems": str(size),
        "IsTruncated": len(items) > first + size,
    }
    if len(items) > first + size:
        page["NextMarker"] = names[first + size]
    return page
