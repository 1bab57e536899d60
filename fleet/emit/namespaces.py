"""Namespaces: created once per cluster for all that asked, never deleted unless named.

A namespace that exists and is somebody else's is used by reference and left alone.
"""

import asyncio

import pulumi

from fleet.emit.objects import KubernetesObject, accepted, signed
from fleet.emit.run import Run


async def create_namespaces(run: Run) -> None:
    """Registers every namespace that was asked for, and waits until the clusters took them."""
    named = set(run.outcome.settings.delete_namespaces)
    registered = []
    for each in run.outcome.plan.namespaces:
        new = each.name not in run.state.namespaces
        if each.name in run.survey.referenced or (new and run.is_cut_off(each.cluster)):
            continue
        opts = pulumi.ResourceOptions(
            provider=run.providers[each.cluster],
            retain_on_delete=each.namespace not in named,
            ignore_changes=["*"] if run.is_cut_off(each.cluster) else None,
        )
        registered.append(
            KubernetesObject("kubernetes:core/v1:Namespace", each.name, signed(each.body), opts)
        )
    taken = await asyncio.gather(*(accepted(each) for each in registered))
    if not all(taken):
        run.failures.append("not every namespace was accepted; what lives in it failed too")
