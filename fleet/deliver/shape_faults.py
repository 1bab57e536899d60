"""What Route53 would refuse in the tree of a name, before anything is asked of it."""

import re
from collections.abc import Iterator, Sequence

from fleet.deliver.checks import Asked
from fleet.deliver.faults import Fault
from fleet.deliver.records import MAX_RECORDS
from fleet.deliver.shape import group_name, side_of
from fleet.model.geography import LATENCY_REGIONS
from fleet.model.source import dotted
from fleet.model.traffic import Mode, TrafficPolicy

_LABEL = re.compile(r"[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?\Z")
_LONGEST = 253


def shape_faults(policy: TrafficPolicy, asked: Sequence[Asked]) -> Iterator[Fault]:
    """Regions that are no part of a name, that Route53 cannot measure, or that are too large."""
    yield from _circles(policy, asked)
    if not policy.spec.is_nested:
        return
    sides: dict[str, list[Asked]] = {}
    for each in asked:
        side = side_of(policy.spec, each.cluster.name, each.cluster.spec.region)
        sides.setdefault(side, []).append(each)
    for side, members in sorted(sides.items()):
        yield from _side_faults(policy, side, members)


def _circles(policy: TrafficPolicy, asked: Sequence[Asked]) -> Iterator[Fault]:
    """Entries that are another name of the policy, which leads to them."""
    for each in asked:
        if each.entry.hostname in policy.spec.names:
            where = ("spec", "entry", "hostname")
            name, entry = each.cluster.name, each.entry.hostname
            sentence = f"the entry of '{name}' is the name '{entry}' itself"
            yield Fault(each.cluster.origin.at(*where), dotted(where), sentence)


def _side_faults(policy: TrafficPolicy, side: str, members: Sequence[Asked]) -> Iterator[Fault]:
    first, where = members[0].cluster, ("spec", "region")
    place = first.origin.at(*where)
    if policy.spec.mode is Mode.LATENCY and side not in LATENCY_REGIONS:
        sentence = f"Route53 measures no latency to '{side}', the region of '{first.name}'"
        hint = (
            f"say 'latencyRegions: {{{side}: eu-west-1}}' in policy '{policy.name}', or the nearest"
        )
        yield Fault(place, dotted(where), sentence, hint)
        return
    name = group_name(policy.spec, side)
    if len(name) > _LONGEST or not all(map(_LABEL.match, name.split("."))):
        sentence = f"the group of '{side}' would be called '{name}', which is no DNS name"
        hint = f"policy '{policy.name}' nests by region: give it a short name in lower case"
        yield Fault(place, dotted(where), sentence, hint)
    if len(members) > MAX_RECORDS:
        sentence = (
            f"{len(members)} clusters of '{side}' under one name; Route53 takes {MAX_RECORDS}"
        )
        yield Fault(policy.origin.at("spec", "name"), "spec.name", sentence)
