"""Looks whether a plan has come true: public names, entries and ready replicas, all at once."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import dns.resolver

from fleet.emit.access import ClusterAccess, ForbiddenError, UnreachableError
from fleet.emit.kubeconfig import KubeconfigError
from fleet.emit.readiness import missing
from fleet.model.answering import expected_shares
from fleet.model.check_state import entry_probes, is_good
from fleet.model.endpoint import CheckDelivery, EndpointDelivery
from fleet.model.plan import ClusterDelivery, DeliveryPlan, ReadyTarget
from fleet.model.verified import Aspect, Verified
from fleet.probe.entries import ask_entry
from fleet.probe.names import addresses_of, ask
from fleet.probe.together import together

PAUSE_SECONDS = 1.0
LIMIT_SECONDS = 30.0
_LATE = "no answer in time"
_ANY = "fleet-verify"
Found = list[Verified]


@dataclass(frozen=True, slots=True)
class Asking:
    """What to compare with, and how to ask. `asks` is how often a name is asked each time."""

    plan: DeliveryPlan
    accesses: Mapping[str, ClusterAccess]
    resolver: dns.resolver.Resolver | None
    asks: int


def verify(asking: Asking, timeout: float) -> Found:
    """Every comparison, sorted, of the first time that all agree or of the last in time.

    **Units**: `timeout` in seconds; one look is always taken.
    """
    end = time.monotonic() + timeout
    while True:
        found = look(asking)
        if all(each.agrees for each in found) or time.monotonic() >= end:
            return found
        time.sleep(min(PAUSE_SECONDS, max(0.0, end - time.monotonic())))


def look(asking: Asking) -> Found:
    """Every comparison, once."""
    tasks: dict[str, Callable[[], Found]] = {}
    late: dict[str, Verified] = {}
    for name, aside, task in _tasks(asking):
        tasks[name], late[name] = task, aside
    results = together(tasks, LIMIT_SECONDS)
    found = [each for name, one in results.items() for each in (one or [late[name]])]
    return sorted(found)


def _tasks(asking: Asking) -> Iterator[tuple[str, Verified, Callable[[], Found]]]:
    """Each task with a name and with what is said where it takes too long."""
    for endpoint in asking.plan.endpoints:
        if asking.resolver is not None and endpoint.records:
            aside = Verified(Aspect.NAME, endpoint.dns_name, "-", "an answer", _LATE, agrees=False)
            task = partial(_name, asking.resolver, endpoint, asking.asks)
            yield f"name {endpoint.policy}", aside, task
    asked = {
        each.name: each
        for name in _serving(asking.plan)
        for each in entry_probes(asking.plan.checks, name)
    }
    for name, check in sorted(asked.items()):
        yield f"entry {name}", _entry(check, _LATE), partial(_entries, check)
    for workload in asking.plan.workloads:
        for delivery in workload.deliveries:
            for target in delivery.ready:
                aside = _ready(delivery, target, workload.workload, _LATE)
                task = partial(_replicas, asking.accesses, delivery, target, workload.workload)
                key = f"{target.kind}/{target.namespace}/{target.name}"
                yield f"replicas {delivery.cluster} {key}", aside, task


def _serving(plan: DeliveryPlan) -> set[str]:
    """The checks of records whose workload runs replicas there: the others may be red."""
    running = {
        (workload.workload, each.cluster)
        for workload in plan.workloads
        for each in workload.deliveries
        if each.replicas
    }
    return {
        record.check
        for endpoint in plan.endpoints
        for record in endpoint.records
        if (endpoint.workload, record.cluster) in running
    }


def _name(resolver: dns.resolver.Resolver, endpoint: EndpointDelivery, asks: int) -> Found:
    """Who is answered: everybody who is must have a share."""
    name = endpoint.dns_name.replace("*", _ANY, 1)
    kinds = sorted({each.type if each.type != "CNAME" else "A" for each in endpoint.records})
    answers = [ask(resolver, name, kind) for kind in kinds for _ in range(asks)]
    targets: dict[str, set[str]] = {}
    for record in endpoint.records:
        seen = targets.setdefault(record.cluster, set())
        seen.update(addresses_of(resolver, record.targets))
    wanted = expected_shares(endpoint, {each.check for each in endpoint.records if each.held})
    hits: Counter[str] = Counter()
    strange: Counter[str] = Counter()
    for each in answers:
        hit = [cluster for cluster, values in targets.items() if values & each.values]
        hits.update(hit)
        if not hit:
            strange[each.error or ", ".join(sorted(each.values))] += 1
    found = [
        Verified(
            Aspect.NAME,
            endpoint.dns_name,
            cluster,
            _wanted(share, endpoint),
            f"{hits[cluster]} of {len(answers)} answers",
            agrees=bool(share) or not hits[cluster],
        )
        for cluster, share in wanted.items()
    ]
    found += [
        Verified(Aspect.NAME, endpoint.dns_name, "-", "0", f"{times} x {said}", agrees=False)
        for said, times in strange.items()
    ]
    return found


def _wanted(share: Fraction, endpoint: EndpointDelivery) -> str:
    """A share in percent, as far as anybody knows it: it may hang on who asks."""
    known = not share or not endpoint.answers_by_asker
    return f"{round(100 * share)}%" if known else "some"


def _entries(check: CheckDelivery) -> Found:
    return [_entry(check, ask_entry(check))]


def _entry(check: CheckDelivery, fault: str) -> Verified:
    kind = check.check.type if check.check is not None else ""
    where = f"{kind} {check.address or check.hostname}:{check.port}{check.path}"
    asked = f"{where} as {check.host}" if check.host else where
    return Verified(
        Aspect.ENTRY,
        asked,
        check.cluster,
        "healthy",
        fault or "healthy",
        agrees=is_good(check, fault),
    )


def _replicas(
    accesses: Mapping[str, ClusterAccess],
    delivery: ClusterDelivery,
    target: ReadyTarget,
    workload: str,
) -> Found:
    what = (target.api_version, target.kind, target.namespace, target.name)
    try:
        live = accesses[delivery.cluster].find(*what)
        fault = missing(target, live) or ""
    except KeyError:
        fault = "the inventory does not say how to connect"
    except (ForbiddenError, UnreachableError, KubeconfigError) as error:
        fault = str(error)
    return [_ready(delivery, target, workload, fault)]


def _ready(delivery: ClusterDelivery, target: ReadyTarget, workload: str, fault: str) -> Verified:
    wanted = f"{target.replicas} ready" if target.replicas else "ready"
    subject = f"{workload} {target.kind}/{target.name}"
    return Verified(
        Aspect.REPLICAS, subject, delivery.cluster, wanted, fault or "ready", agrees=not fault
    )
