"""What Route53 refuses in a change batch.

Source: the API reference of ChangeResourceRecordSets and the Developer Guide's "Values that you
specify"; wording as the service's own where it is known.
"""

from collections.abc import Collection, Iterable

from devkit.aws.data import Table, number, table, tables, text
from devkit.aws.endpoint.faults import Refused, bad_batch, bad_input
from devkit.aws.endpoint.names import Key, canonical, described, key_of, policies_of
from devkit.aws.endpoint.routing import routing_fault
from devkit.aws.endpoint.values import faults_of

Records = dict[Key, Table]

LARGEST_GROUP = 100
LARGEST_BATCH = 1000
LONGEST_BATCH = 32_000


def apply_batch(
    zone: str, records: Records, changes: list[Table], checks: Collection[str]
) -> Records:
    """Return the zone's record sets after a change batch: all of it, or nothing.

    Args:
        zone: the zone's canonical name.
        records: what is there; it is left as it is.
        changes: the batch, by the model's names.
        checks: the identifiers of the health checks that exist.

    **Errors**: Refused with Route53's own code.
    """
    _check_size(changes)
    after = dict(records)
    faults: list[str] = []
    for change in changes:
        record = table(change, "ResourceRecordSet")
        _check_form(text(change, "Action"), record)
        _check_health(record, checks)
        faults += _step(zone, after, text(change, "Action"), record)
    touched = {key_of(table(change, "ResourceRecordSet")) for change in changes}
    faults = faults or list(_conflicts(zone, after, {name for name, _, _ in touched}))
    faults = faults or list(_lost_aliases(zone, after, touched))
    if faults:
        raise bad_batch(*faults)
    return after


def _check_size(changes: list[Table]) -> None:
    count = length = 0
    for change in changes:
        factor = 2 if text(change, "Action") == "UPSERT" else 1
        values = tables(table(change, "ResourceRecordSet"), "ResourceRecords")
        count += factor * len(values)
        length += factor * sum(len(text(value, "Value")) for value in values)
    if count > LARGEST_BATCH:
        raise bad_batch(f"Number of records limit of {LARGEST_BATCH} exceeded.")
    if length > LONGEST_BATCH:
        raise bad_batch(f"Sum of lengths of values exceeds the limit of {LONGEST_BATCH}.")


def _check_form(action: str, record: Table) -> None:
    """Refuse a record set that is not whole in itself."""
    name, kind, identifier = key_of(record)
    place = (
        f"in Change with [Action={action}, Name={name}, Type={kind}, "
        f"SetIdentifier={identifier or 'null'}]"
    )
    policies = policies_of(record)
    choices = "[Weight, Region, Failover, GeoLocation, GeoProximityLocation, or MultiValueAnswer]"
    if policies and not identifier:
        raise bad_input(f"Invalid request: Missing field 'SetIdentifier' {place}")
    if identifier and len(policies) != 1:
        found = "more than one" if policies else "none"
        raise bad_input(
            f"Invalid request: Expected exactly one of {choices}, but found {found} {place}"
        )
    fault = routing_fault(record)
    if fault:
        raise bad_input(f"{fault} {place}")
    alias = "AliasTarget" in record
    whole = "TTL" in record and bool(tables(record, "ResourceRecords"))
    partly = "TTL" in record or "ResourceRecords" in record
    if alias == whole or (alias and partly):
        raise bad_input(
            "Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and "
            "ResourceRecords], or TrafficPolicyInstanceId], but found "
            f"{'more than one' if alias else 'none'} {place}"
        )


def _check_health(record: Table, checks: Collection[str]) -> None:
    check = text(record, "HealthCheckId")
    if check and check not in checks:
        raise Refused("NoSuchHealthCheck", f"No health check exists with id: {check}", 404)


def _step(zone: str, after: Records, action: str, record: Table) -> Iterable[str]:
    """Carry out one change in place; return what stands against it."""
    key = key_of(record)
    if action == "DELETE":
        return _delete(zone, after, key, record)
    if not f".{key[0]}".endswith(f".{zone}"):
        return [f"RRSet with DNS name {key[0]} is not permitted in zone {zone}"]
    if action == "CREATE" and key in after:
        return [f"Tried to create resource record set {described(key)} but it already exists"]
    after[key] = {**record, "Name": key[0]}
    return faults_of(record)


def _delete(zone: str, after: Records, key: Key, record: Table) -> Iterable[str]:
    kept = after.get(key)
    if kept is None:
        return [f"Tried to delete resource record set {described(key)} but it was not found"]
    if _comparable(kept) != _comparable(record):
        sentence = "but the values provided do not match the current values"
        return [f"Tried to delete resource record set {described(key)} {sentence}"]
    if key[0] == zone and key[1] in ("NS", "SOA"):
        return [f"A HostedZone must contain at least one {key[1]} record for the zone itself."]
    del after[key]
    return []


def _comparable(record: Table) -> Table:
    """Return a record set so that two equal ones compare equal: values in any order."""
    values = sorted(text(value, "Value") for value in tables(record, "ResourceRecords"))
    kept = {name: value for name, value in record.items() if value is not None}
    alias = table(record, "AliasTarget")
    if alias:
        kept["AliasTarget"] = {**alias, "DNSName": canonical(text(alias, "DNSName"))}
    return {**kept, "Name": canonical(text(record, "Name")), "ResourceRecords": list(values)}


def _conflicts(zone: str, after: Records, touched: Collection[str]) -> Iterable[str]:
    """Yield what stands against the result: names first, then groups."""
    for name in sorted(touched):
        here = [key for key in after if key[0] == name]
        yield from _alone(zone, name, {key[1] for key in here})
        for kind in sorted({key[1] for key in here}):
            group = {key: after[key] for key in sorted(here) if key[1] == kind}
            yield from _group(name, kind, group)


def _alone(zone: str, name: str, kinds: set[str]) -> Iterable[str]:
    """Yield what a CNAME may not do: stand at the apex or beside another type."""
    if "CNAME" not in kinds:
        return
    if name == zone:
        yield f"RRSet of type CNAME with DNS name {name} is not permitted at apex in zone {zone}"
    elif len(kinds) > 1:
        yield (
            f"RRSet of type CNAME with DNS name {name} is not permitted as it conflicts with "
            f"other records with the same DNS name in zone {zone}"
        )


def _group(name: str, kind: str, group: Records) -> Iterable[str]:
    """Yield what the record sets of one name and type may not do together."""
    words = sorted(
        {word for record in group.values() for word in policies_of(record) or ["simple"]}
    )
    which = f"RRSet with DNS name {name}, type {kind}"
    if len(words) > 1:
        yield (
            f"{which} cannot be created as other RRSets exist with the same name and type: "
            f"{' and '.join(words)} routing cannot be mixed"
        )
        return
    if words == ["weighted"]:
        yield from _weighted(which, list(group.values()))
    for field, what in (
        ("Failover", "has the same failover role"),
        ("Region", "has the same region"),
        ("GeoLocation", "has the same geolocation"),
    ):
        said = [repr(record[field]) for record in group.values() if field in record]
        if len(said) != len(set(said)):
            yield f"{which} cannot be created as another one {what}"


def _lost_aliases(zone: str, after: Records, touched: Collection[Key]) -> Iterable[str]:
    """Yield the aliases of this batch whose target is not there, or has another type."""
    for key in sorted(key for key in touched if "AliasTarget" in after.get(key, {})):
        target = canonical(text(table(after[key], "AliasTarget"), "DNSName"))
        inside = f".{target}".endswith(f".{zone}")
        if inside and not any(other[:2] == (target, key[1]) for other in after):
            yield (
                f"Tried to create an alias that targets {target}, type {key[1]} in zone {zone}, "
                "but that target was not found"
            )


def _weighted(which: str, group: list[Table]) -> Iterable[str]:
    ttls = sorted({number(record, "TTL") for record in group if "TTL" in record})
    if len(ttls) > 1:
        yield (
            f"{which} has different TTL values ({', '.join(map(str, ttls))}): all weighted "
            "RRSets of a group must have the same TTL"
        )
    if len(group) > LARGEST_GROUP:
        yield f"{which} has {len(group)} weighted RRSets: the limit of {LARGEST_GROUP} is exceeded"
