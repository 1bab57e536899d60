"""Looks where load balancers are after a workload was placed: for the next update, not for this.

What is seen goes into the stack's outputs and is the next run's prior. Nothing of this update waits
for it but the look itself, which is bounded.
"""

import asyncio
from collections.abc import Iterable

from fleet.emit.access import ForbiddenError, UnreachableError
from fleet.emit.run import Run
from fleet.explain.placements import target_part
from fleet.model.base import FrozenMap
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import PlannedObject, WorkloadDelivery
from fleet.model.target import KnownTarget, seen_of

LOOK_SECONDS = 30.0
"""How long a load balancer is waited for that nobody has seen yet."""
POLL_SECONDS = 1.0


async def look_at_targets(
    run: Run, workload: WorkloadDelivery, endpoints: Iterable[EndpointDelivery]
) -> dict[str, dict[str, dict[str, str]]]:
    """What is known of every target of a workload's names after this update.

    **Shape**: by policy, then by cluster, as `fleet.load.prior` reads it. A cluster that cannot be
    asked keeps what was known.
    """
    found = {}
    for endpoint in endpoints:
        if endpoint.target:
            known = run.outcome.prior.targets.get(endpoint.policy, FrozenMap[KnownTarget]())
            seen = await asyncio.gather(
                *(
                    _look(run, planned, known.get(planned.cluster, KnownTarget()))
                    for delivery in workload.deliveries
                    for planned in delivery.objects
                    if planned.key == endpoint.target
                )
            )
            everything = dict(known) | dict(seen)
            found[endpoint.policy] = {
                cluster: target_part(each) for cluster, each in sorted(everything.items())
            }
    return found


async def _look(run: Run, planned: PlannedObject, known: KnownTarget) -> tuple[str, KnownTarget]:
    """One load balancer; one that was there before is not waited for."""
    deadline = asyncio.get_running_loop().time() + (0 if known.last else LOOK_SECONDS)
    kind, namespace, name = planned.key.split("/", 2)
    what = (str(planned.body["apiVersion"]), kind, namespace, name)
    while not (run.is_cut_off(planned.cluster) or planned.cluster in run.died):
        try:
            live = await run.accesses[planned.cluster].get(*what)
        except (ForbiddenError, UnreachableError):
            break
        seen = seen_of(live or {})
        if seen.values or asyncio.get_running_loop().time() >= deadline:
            return planned.cluster, KnownTarget(
                seen.values, seen.values or known.last, seen.version
            )
        await asyncio.sleep(POLL_SECONDS)
    return planned.cluster, known
