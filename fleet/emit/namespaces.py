"""Namespaces: created once per cluster for all that asked, never deleted unless named.

A namespace that exists and is somebody else's is used by reference and left alone. One that fleet
created stays when nobody asks any more: it may hold what others put there. Config
`deleteNamespaces` names the ones to delete: one update takes the protection off, the next deletes.
"""

import asyncio

import pulumi

from fleet.emit.objects import (
    NAMESPACE_TYPE,
    KubernetesObject,
    Placing,
    accepted,
    keep_as,
    register_namespace,
)
from fleet.emit.run import Run
from fleet.emit.state import RELEASED
from fleet.model.plan import SharedNamespace


async def create_namespaces(run: Run) -> None:
    """Registers every namespace that was asked for or is fleet's, and waits for the clusters."""
    asked = {each.name: each for each in run.outcome.plan.namespaces}
    registered = [
        _create(run, each)
        for each in asked.values()
        if each.name not in run.survey.referenced and not run.is_cut_off(each.cluster)
    ]
    held = _held(run)
    for name, released in run.state.namespaces.items():
        cluster, _, namespace = name.split("/", 2)
        provider = run.providers.get(cluster)
        if provider is None or (name in asked and not run.is_cut_off(cluster)):
            continue
        if namespace not in run.outcome.settings.delete_namespaces:
            if cluster in held:
                keep_as(NAMESPACE_TYPE, name, Placing(None, provider), retain=True)
        elif not released:
            registered.append(_release(name, provider))
    taken = await asyncio.gather(*(accepted(each) for each in registered))
    if not all(taken):
        run.failures.append("not every namespace was accepted; what lives in it failed too")


def _held(run: Run) -> set[str]:
    """The clusters on which something of this stack stays.

    Where nothing does, the next run has no provider any more: the state lets go of a namespace in
    the same update as of the cluster's last object. On the cluster it stays.
    """
    return {
        each.cluster for workload in run.outcome.plan.workloads for each in workload.deliveries
    } | {
        each.cluster
        for workload in run.outcome.plan.workloads
        for each in workload.leaving
        if each.debt
    }


def _create(run: Run, shared: SharedNamespace) -> KubernetesObject:
    placing = Placing(None, run.providers[shared.cluster])
    import_id = run.survey.imports.get(shared.name)
    return register_namespace(shared.name, shared.body, placing, import_id, retain=True)


def _release(name: str, provider: pulumi.ProviderResource) -> KubernetesObject:
    """Takes the protection off a namespace that nobody asks for and the config names."""
    namespace = name.rpartition("/")[2]
    pulumi.log.info(f"namespace '{name}' is released; the next update deletes it")
    annotations = {RELEASED: "true", "pulumi.com/patchForce": "true"}
    body = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": namespace, "annotations": annotations},
    }
    return register_namespace(name, body, Placing(None, provider), None, retain=False)
