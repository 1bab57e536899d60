"""The record of one cluster under one name: its type and what it answers."""

from collections.abc import Sequence
from ipaddress import ip_address

from fleet.deliver.checks import Asked
from fleet.deliver.faults import Fault
from fleet.model.inventory import Cluster, Entry
from fleet.model.source import dotted
from fleet.model.traffic import TrafficPolicy

MAX_RECORDS = 100
"""Source: Route53 quotas, weighted records with the same name and type."""

ENTRY_PATH = ("spec", "entry")


def record_types(entry: Entry) -> tuple[str, ...]:
    """A, AAAA or both, or CNAME; none where the addresses are no addresses.

    >>> record_types(Entry(addresses=("192.0.2.1",))), record_types(Entry(hostname="a.example"))
    (('A',), ('CNAME',))
    >>> record_types(Entry(addresses=("192.0.2.1", "2001:db8::1")))
    ('A', 'AAAA')
    """
    if entry.hostname is not None:
        return ("CNAME",)
    try:
        return tuple(sorted({_type_of(each) for each in entry.addresses}))
    except ValueError:
        return ()


def _type_of(address: str) -> str:
    return "A" if ip_address(address).version == 4 else "AAAA"  # noqa: PLR2004 - the family


def targets_of(entry: Entry, kind: str) -> tuple[str, ...]:
    """What a record of a type answers."""
    if entry.hostname is not None:
        return (entry.hostname,)
    return tuple(each for each in entry.addresses if _type_of(each) == kind)


def group_faults(policy: TrafficPolicy, asked: Sequence[Asked]) -> list[Fault]:
    """Everything that Route53 would refuse in the records of one name."""
    types = {each.cluster.name: record_types(each.entry) for each in asked}
    faults = [_no_type(each.cluster) for each in asked if not types[each.cluster.name]]
    faults += [fault for each in asked if (fault := each.fault()) is not None]
    known = {kinds: name for name, kinds in reversed(types.items()) if kinds}
    if len(known) > 1:
        shown = ", ".join(
            f"'{name}' {' and '.join(kinds)}" for kinds, name in sorted(known.items())
        )
        faults.append(_at_name(policy, f"records of one name are of one type, here {shown}"))
    if ("CNAME",) in known and policy.spec.zone.name in policy.spec.all_names:
        sentence = f"'{policy.spec.zone.name}' is the top of its zone, where no CNAME can be"
        faults.append(_at_name(policy, sentence, "give the clusters addresses, or take a name"))
    if len(asked) > MAX_RECORDS and not policy.spec.is_nested:
        sentence = f"{len(asked)} clusters under one name; Route53 takes {MAX_RECORDS}"
        faults.append(_at_name(policy, sentence))
    return faults


def _no_type(cluster: Cluster) -> Fault:
    path = (*ENTRY_PATH, "addresses")
    sentence = "addresses are IPv4 or IPv6 addresses"
    return Fault(cluster.origin.at(*path), dotted(path), sentence)


def _at_name(policy: TrafficPolicy, sentence: str, hint: str = "") -> Fault:
    return Fault(policy.origin.at("spec", "name"), "spec.name", sentence, hint)
