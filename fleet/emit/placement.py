"""Carries out one workload: new capacity, then its data, then its names, then the old side.

A failure anywhere leaves traffic on what works: the old side is registered as it is, so that
nothing of it is changed or deleted, and the next update goes on from there.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

import pulumi

from fleet.emit.components import WorkloadComponent
from fleet.emit.objects import keep
from fleet.emit.promotion import promote
from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.emit.settle import Failure, Settler
from fleet.emit.targets import look_at_targets
from fleet.explain.changes import prior_workload
from fleet.explain.placements import carried_parts, tier_part, workload_placements
from fleet.explain.sentences import finding_sentence
from fleet.explain.table import workload_line
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import Change, ClusterDelivery, WorkloadDelivery
from fleet.model.resource_names import split_name


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a workload came. **Shape**: `failed` and `kept` are clusters.

    `stopped`: the old side, or a part of it, is still there. What is `kept` was not touched.
    """

    stopped: bool = False
    failed: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()


async def carry_out(run: Run, workload: WorkloadDelivery, traffic: Traffic) -> None:
    """Places one workload and directs its names; one that is gone with all it had is not there."""
    if workload.source is None and not _is_owed(run, workload):
        return
    endpoints = [each for each in run.outcome.plan.endpoints if each.workload == workload.workload]
    weights = {
        each.policy: {record.cluster: record.dns_weight for record in each.records}
        for each in endpoints
    }
    component = WorkloadComponent(workload, weights)
    if workload.decision is not None:
        pulumi.log.info(workload_line(run.outcome, workload.workload), component)
    settler = Settler(run, workload, component)
    for leaving in workload.leaving:
        if leaving.debt:
            settler.keep_all(leaving.cluster)
    early = [each for each in workload.deliveries if each.change is not Change.SHRINK]
    late = [each for each in workload.deliveries if each.change is Change.SHRINK]
    failures = await _raise(settler, early)
    hold = _blocks(failures, early) or any(each.waits for each in endpoints)
    hold = hold or not await _step_data(run, workload)
    directed = await asyncio.gather(*(traffic.direct(each, hold=hold) for each in endpoints))
    hold = hold or not all(directed)
    if not hold:
        await _outlive_caches(run, workload, endpoints, late)
    failures += await _let_go(settler, late, hold=hold)
    _report(run, workload, failures)
    reached = Reached(
        stopped=hold or bool(failures),
        failed=frozenset(each.cluster for each in failures),
        kept=frozenset(
            each.cluster
            for each in workload.deliveries
            if run.is_cut_off(each.cluster) or (hold and each in late)
        ),
    )
    document = placement_document(run, workload, reached)
    if not run.preview and any(each.target for each in endpoints):
        document["targets"] = await look_at_targets(run, workload, endpoints)
    if workload.decision is not None or any(each.debt for each in workload.leaving):
        run.placements[workload.workload] = document
    component.register_outputs({"placement": document})


def _is_owed(run: Run, workload: WorkloadDelivery) -> bool:
    """Whether anything of a workload that it leaves cannot be taken away in this update."""
    return any(each.debt or run.is_cut_off(each.cluster) for each in workload.leaving)


async def _raise(settler: Settler, early: list[ClusterDelivery]) -> list[Failure]:
    """Settles what does not shrink: where the data moves, first the side that is demoted.

    Where that fails, nothing is promoted: two sides would write.
    """
    step = settler.workload.step
    previous = step.previous if step is not None else ()
    demoted = [each for each in early if each.cluster in previous]
    others = [each for each in early if each.cluster not in previous]
    failures = await _settle(settler, demoted)
    if not failures:
        return await _settle(settler, others)
    for each in others:
        settler.keep_all(each.cluster)
    waiting = f"it waits until {', '.join(previous)} is demoted"
    return failures + [Failure(each.cluster, waiting) for each in others]


async def _step_data(run: Run, workload: WorkloadDelivery) -> bool:
    """Moves the primary of the data; False where traffic must not follow.

    A step that is refused moves no traffic by the plan already, and makes the exit non-zero.
    """
    step = workload.step
    if step is None or run.preview:
        return True
    if step.unfenced:
        told = (each for each in run.outcome.plan.findings if each.code == codes.FENCE_FIRST)
        run.failures.extend(
            finding_sentence(each) for each in told if each.values["workload"] == step.workload
        )
        return True
    if step.promotion is None:
        return True
    clusters = ", ".join(step.clusters)
    pulumi.log.info(f"{step.workload}: '{step.promotion}' promotes its data on {clusters}")
    fault = await promote(step, run.promotions[step.promotion])
    if fault is not None:
        run.failures.append(
            f"{step.workload}: {fault} - traffic and the old side stay as they were; the next"
            " update goes on"
        )
    return fault is None


async def _settle(settler: Settler, deliveries: Iterable[ClusterDelivery]) -> list[Failure]:
    results = await asyncio.gather(*(settler.settle(each) for each in deliveries))
    return [each for each in results if each is not None]


def _blocks(failures: list[Failure], early: list[ClusterDelivery]) -> bool:
    """Whether the old side has to stay: new capacity is missing, or a living cluster is unwell.

    A cluster that is cut off and gains nothing holds up nobody else.
    """
    gaining = {each.cluster for each in early if each.change is Change.GAIN}
    return any(not each.cut_off or each.cluster in gaining for each in failures)


async def _outlive_caches(
    run: Run,
    workload: WorkloadDelivery,
    endpoints: list[EndpointDelivery],
    late: list[ClusterDelivery],
) -> None:
    """Waits until resolvers have forgotten the old answer, where an old side is to go.

    A side that is answered no more may have been answered until a moment ago, also where this
    update moves no weight: the last one may have been cut while it waited.
    """
    going = {each.cluster for each in late} | {
        each.cluster for each in workload.leaving if not each.stays
    }
    answered = [
        each
        for each in endpoints
        if (each.moves and going)
        or any(record.cluster in going and record.dns_weight == 0 for record in each.records)
    ]
    if run.preview or not answered:
        return
    seconds = max(_ttl(run, each) for each in answered)
    pulumi.log.info(
        f"{workload.workload}: the weights have moved; {seconds} s until resolvers have forgotten"
        " the old answer, then the old side goes"
    )
    await asyncio.sleep(seconds)


def _ttl(run: Run, endpoint: EndpointDelivery) -> int:
    """Seconds for which an answer may be kept: by the records of today, or the ones before."""
    before = (run.state.prior.records.get(each.name) for each in endpoint.records)
    spoken = (int(each.body.get("ttl") or 0) for each in before if each is not None)
    return max(endpoint.ttl_seconds, *spoken, 0)


async def _let_go(settler: Settler, late: list[ClusterDelivery], *, hold: bool) -> list[Failure]:
    """Shrinks and leaves; with `hold`, keeps the old side as it is."""
    workload, run = settler.workload, settler.run
    for leaving in workload.leaving:
        if not leaving.debt and (hold or leaving.waits or run.is_cut_off(leaving.cluster)):
            settler.keep_all(leaving.cluster)
    if not hold:
        return await _settle(settler, late)
    for delivery in late:
        settler.keep_all(delivery.cluster)
    for prior in workload.removed:
        cluster = split_name(prior.name).cluster
        if not run.is_cut_off(cluster):
            keep(prior, settler.placing(cluster), workload.workload)
    return []


def _report(run: Run, workload: WorkloadDelivery, failures: list[Failure]) -> None:
    """Cut-off clusters are named once for the whole run, everything else here."""
    run.failures.extend(
        f"{workload.workload} on {each.cluster}: {each.sentence}"
        " - traffic and the old side stay as they were; the next update goes on"
        for each in failures
        if not (each.cut_off and run.is_cut_off(each.cluster))
    )


def placement_document(run: Run, workload: WorkloadDelivery, reached: Reached) -> dict[str, object]:
    """What the next run reads as its prior: plain values only.

    Where the update stopped half-way the assignments are the prior's, so that the next run
    decides the same and goes on. Only what was seen ready is proven, and a cluster that was not
    touched keeps its hashes.
    """
    planned = workload_placements(run.outcome, workload)
    if not reached.stopped:
        return planned
    prior = prior_workload(run.outcome, workload)
    unproven = reached.failed | reached.kept
    settled = {
        each.cluster: each.fingerprint
        for each in workload.deliveries
        if each.cluster not in unproven
    }
    kept = {each: dict(prior.hashes.get(each, FrozenMap[str]())) for each in reached.kept}
    for part in ("tier", "data", "passedOver"):
        planned.pop(part, None)
    return {
        **planned,
        **tier_part(prior.tier),
        "assignments": dict(prior.replicas),
        "roles": {cluster: str(role) for cluster, role in prior.roles.items()},
        "hashes": planned["hashes"] | kept,
        "proven": dict(prior.proven) | settled,
        "inputs": dict(prior.inputs),
        **carried_parts(_data_reached(prior.data, workload.data), prior.passed_over),
    }


def _data_reached(before: FrozenMap[str], planned: FrozenMap[str]) -> FrozenMap[str]:
    """What is known of the data after an update that stopped: the primary is where it was.

    A handover that began goes on: the token that the next update waits for is newer than the one
    that stood there when this one began.
    """
    begun = {key: planned[key] for key in ("to", "stale") if key in planned}
    return FrozenMap({**before, **begun})
