"""Entries: what Route53 can point a name at, and whether one group of records can hold them.

Source: Route53, "values specific for weighted records": all records of a group have one type; a
CNAME cannot stand at the apex of a zone.
"""

import re
from collections.abc import Iterable, Sequence
from ipaddress import ip_address

from fleet.errors import ErrorList
from fleet.load.names import Spot
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.finding_codes import NO_ENTRY
from fleet.model.inventory import Cluster, Entry
from fleet.model.traffic import TrafficPolicy

_HOSTNAME = re.compile(r"(?=.{1,254}\Z)([a-zA-Z0-9_]([-a-zA-Z0-9_]{0,61}[a-zA-Z0-9_])?\.?)+\Z")
HOSTNAME = "a hostname"
_PATH = ("spec", "entry")


def check_entries(clusters: Iterable[Cluster], errors: ErrorList) -> None:
    """Every entry by itself: addresses are addresses, a hostname is one."""
    for cluster in clusters:
        entry = cluster.spec.entry
        if entry is not None:
            _check_hostname(cluster, entry, errors)
            _check_addresses(cluster, entry, errors)


def _check_hostname(cluster: Cluster, entry: Entry, errors: ErrorList) -> None:
    name = entry.hostname
    if name is None:
        return
    spot = Spot.of(cluster.origin, *_PATH, "hostname")
    if family_of(name) is not None:
        hint = f"write addresses: [{name}]"
        spot.fault(errors, f"'{name}' is an address", hint)
    elif not _HOSTNAME.match(name):
        hint = "a name only, such as lb.example.org: no scheme, port or path"
        spot.fault(errors, f"'{name}' is no hostname", hint)


def _check_addresses(cluster: Cluster, entry: Entry, errors: ErrorList) -> None:
    for index, written in enumerate(entry.addresses):
        if family_of(written) is None:
            spot = Spot.of(cluster.origin, *_PATH, "addresses", index)
            sentence = f"'{written}' is no IPv4 or IPv6 address"
            spot.fault(errors, sentence, "a name goes under 'hostname'")


def family_of(address: str) -> str | None:
    """IPv4 or IPv6; None where the text is no address.

    >>> family_of("192.0.2.1"), family_of("2001:db8::1"), family_of("lb.example.org")
    ('IPv4', 'IPv6', None)
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return None
    return None if "%" in address else f"IPv{parsed.version}"


def _kind(entry: Entry) -> str:
    """What records of an entry hold: a hostname, or addresses of one family or both."""
    if entry.hostname is not None:
        return HOSTNAME
    families = {family_of(each) or "unknown" for each in entry.addresses}
    return f"{' and '.join(sorted(families))} addresses"


def check_targets(
    policy: TrafficPolicy, candidates: Sequence[Cluster], errors: ErrorList
) -> list[Finding]:
    """Whether a name can lead to the clusters that its workload could run on.

    A policy with a `target` needs no entries.
    """
    if policy.spec.target is not None:
        return []
    with_entry = [(each, each.spec.entry) for each in candidates if each.spec.entry is not None]
    if candidates and not with_entry:
        place = Spot.of(policy.origin, "spec", "workload")
        names = ", ".join(each.name for each in candidates)
        sentence = f"no cluster that '{policy.spec.workload}' may use has an entry: {names}"
        place.fault(errors, sentence, "write spec.entry to the Clusters")
        return []
    kinds = [(cluster, _kind(entry)) for cluster, entry in with_entry]
    _check_one_kind(policy, kinds, errors)
    _check_apex(policy, kinds, errors)
    return [
        Finding(
            NO_ENTRY, FrozenMap({"cluster": each.name, "policy": policy.name}), policy.origin.start
        )
        for each in candidates
        if each.spec.entry is None
    ]


def _check_one_kind(
    policy: TrafficPolicy, kinds: Sequence[tuple[Cluster, str]], errors: ErrorList
) -> None:
    for cluster, kind in kinds[1:]:
        first, first_kind = kinds[0]
        if kind != first_kind:
            spot = Spot.of(policy.origin, "spec", "name")
            sentence = (
                f"all records of a name have one type, but the entry of '{first.name}' has "
                f"{first_kind} ({first.origin.at(*_PATH)}) and that of '{cluster.name}' {kind} "
                f"({cluster.origin.at(*_PATH)})"
            )
            hint = "make the entries alike, or keep the workload to clusters whose entries are"
            spot.fault(errors, sentence, hint)
            return


def _check_apex(
    policy: TrafficPolicy, kinds: Sequence[tuple[Cluster, str]], errors: ErrorList
) -> None:
    if policy.spec.zone.name not in policy.spec.all_names:
        return
    for cluster, kind in kinds:
        if kind == HOSTNAME:
            spot = Spot.of(policy.origin, "spec", "name")
            sentence = (
                f"'{policy.spec.zone.name}' is the zone itself, where a CNAME to a hostname is not "
                f"allowed, and the entry of '{cluster.name}' has a hostname"
            )
            hint = "use a name below the zone, or entries with addresses"
            spot.fault(errors, sentence, hint)
            return
