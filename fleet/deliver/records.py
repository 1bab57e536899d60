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


def record_type(entry: Entry) -> str | None:
    """A, AAAA or CNAME; None where the addresses are no addresses of one family.

    >>> record_type(Entry(addresses=("192.0.2.1",))), record_type(Entry(hostname="a.example"))
    ('A', 'CNAME')
    """
    if entry.hostname is not None:
        return "CNAME"
    try:
        families = {ip_address(each).version for each in entry.addresses}
    except ValueError:
        return None
    if len(families) != 1:
        return None
    return "A" if families == {4} else "AAAA"


def group_faults(policy: TrafficPolicy, asked: Sequence[Asked]) -> list[Fault]:
    """Everything that Route53 would refuse in the records of one name."""
    types = {each.cluster.name: record_type(each.entry) for each in asked}
    faults = [_no_type(each.cluster) for each in asked if types[each.cluster.name] is None]
    faults += [fault for each in asked if (fault := each.fault()) is not None]
    known = {kind: name for name, kind in reversed(types.items()) if kind is not None}
    if len(known) > 1:
        shown = ", ".join(f"'{name}' {kind}" for kind, name in sorted(known.items()))
        faults.append(_at_name(policy, f"records of one name are of one type, here {shown}"))
    if "CNAME" in known and policy.spec.name == policy.spec.zone.name:
        sentence = f"'{policy.spec.name}' is the top of its zone, where no CNAME can be"
        faults.append(_at_name(policy, sentence, "give the clusters addresses, or take a name"))
    if len(asked) > MAX_RECORDS:
        sentence = f"{len(asked)} clusters under one name; Route53 takes {MAX_RECORDS}"
        faults.append(_at_name(policy, sentence))
    return faults


def _no_type(cluster: Cluster) -> Fault:
    path = (*ENTRY_PATH, "addresses")
    sentence = "addresses are IPv4 or IPv6 addresses, and all of one family"
    return Fault(cluster.origin.at(*path), dotted(path), sentence)


def _at_name(policy: TrafficPolicy, sentence: str, hint: str = "") -> Fault:
    return Fault(policy.origin.at("spec", "name"), "spec.name", sentence, hint)
