"""Capacity whose record goes in the same update: the record first, the capacity an update later.

The engine deletes what is gone from the program at the end of an update, records and objects
together. Who was answered with a cluster until then would find nothing there for one TTL. Where a
record stays, its weight falls and the TTL passes before capacity goes; one that the files do not
describe any more (its entry, its place or the tree that it stood in is gone) cannot fall.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from fleet.deliver.past import past_of
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import WorkloadDelivery
from fleet.model.prior import Prior
from fleet.model.record_names import split_record_name


def records_first(
    workloads: Iterable[WorkloadDelivery], endpoints: Iterable[EndpointDelivery], prior: Prior
) -> tuple[WorkloadDelivery, ...]:
    """The workloads, with what has to wait until the record that leads there is gone."""
    led: dict[str, set[str]] = {}
    for each in endpoints:
        led.setdefault(each.workload, set()).update(_led_to(each, prior))
    return tuple(_waiting(each, led.get(each.workload, set())) for each in workloads)


def _waiting(workload: WorkloadDelivery, led: Collection[str]) -> WorkloadDelivery:
    leaving = tuple(
        replace(each, waits=True) if each.cluster in led and not each.debt else each
        for each in workload.leaving
    )
    return workload if leaving == workload.leaving else replace(workload, leaving=leaving)


def _led_to(endpoint: EndpointDelivery, prior: Prior) -> Iterator[str]:
    """The clusters that are answered until a record goes: their own, or an alias of the tree.

    An alias of another public name leads to this one, where weights have fallen by then.
    """
    past = past_of(prior, endpoint.policy)
    going = {each.name for each in endpoint.leaving}
    all_go = any(
        not split_record_name(name).cluster
        and past.aliases.get(name, "").partition(" ")[0] != endpoint.dns_name
        for name in going
    )
    for name, weight in past.weights.items():
        if weight and (all_go or name in going):
            yield split_record_name(name).cluster


def record_first_findings(
    workloads: Iterable[WorkloadDelivery], endpoints: Iterable[EndpointDelivery]
) -> Iterator[Finding]:
    """What stays for another update, and for how long at least."""
    ttls: Mapping[str, int] = {
        workload: max(each.ttl_seconds for each in found)
        for workload, found in _by_workload(endpoints).items()
    }
    for each in workloads:
        clusters = [leaving.cluster for leaving in each.leaving if leaving.waits]
        if clusters:
            values: dict[str, str | int] = {
                "workload": each.workload,
                "clusters": ", ".join(clusters),
                "ttl": ttls[each.workload],
            }
            yield Finding(codes.RECORD_FIRST, FrozenMap(values), each.source)


def _by_workload(endpoints: Iterable[EndpointDelivery]) -> dict[str, list[EndpointDelivery]]:
    found: dict[str, list[EndpointDelivery]] = {}
    for each in endpoints:
        found.setdefault(each.workload, []).append(each)
    return found
