"""What is there already and is not fleet's: found before anything is registered.

Newer Kubernetes plugins refuse to create what exists, older ones silently take it over. fleet
relies on neither: it asks each cluster for every object that its state does not hold.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fleet.deliver.identity import OWNER
from fleet.emit.access import ClusterAccess, ForbiddenError, UnreachableError
from fleet.emit.objects import owner_of
from fleet.emit.state import OwnState
from fleet.model.plan import DeliveryPlan, PlannedObject, SharedNamespace, WorkloadDelivery
from fleet.model.resource_names import split_name

AT_ONCE = 16


@dataclass(slots=True)
class Survey:
    """What the clusters said.

    **Shape**: `unreachable` cluster -> reason; `imports` resource name -> import id;
    `referenced` resource names of namespaces that exist and stay somebody else's; `refusals`
    sentences.
    """

    unreachable: dict[str, str] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)
    referenced: set[str] = field(default_factory=set)
    refusals: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Surveyor:
    accesses: Mapping[str, ClusterAccess]
    survey: Survey
    gate: asyncio.Semaphore

    async def ask(self, access: ClusterAccess) -> None:
        reason = await access.reachable()
        if reason is not None:
            self.survey.unreachable[access.cluster] = reason

    async def look(self, planned: PlannedObject, workload: WorkloadDelivery) -> None:
        kind, namespace, name = planned.key.split("/", 2)
        live = await self._get(
            planned.cluster, (str(planned.body["apiVersion"]), kind, namespace, name)
        )
        if live is None:
            return
        annotations = (live.get("metadata") or {}).get("annotations") or {}
        owner = annotations.get(OWNER)
        ours = {owner_of(each) for each in (workload.workload, *workload.renamed_from)}
        if owner in ours or workload.adopt:
            self._take_over(planned)
            return
        whose = f"it belongs to workload '{owner}'" if owner else "it is not fleet's"
        self.survey.refusals.append(
            f"{workload.source}: {kind} '{namespace}/{name}' exists on cluster"
            f" '{planned.cluster}' already and {whose} - say 'adopt: true' in the workload's"
            " fleet.yaml to take it over, or give it another name"
        )

    def _take_over(self, planned: PlannedObject) -> None:
        """An import, followed by the update that brings the object to what the file says."""
        _, namespace, name = planned.key.split("/", 2)
        self.survey.imports[planned.name] = f"{namespace}/{name}" if namespace else name

    async def look_namespace(self, shared: SharedNamespace) -> None:
        live = await self._get(shared.cluster, ("v1", "Namespace", "", shared.namespace))
        if live is None:
            return
        annotations = (live.get("metadata") or {}).get("annotations") or {}
        if str(annotations.get(OWNER, "")).startswith(owner_of("")):
            self.survey.imports[shared.name] = shared.namespace
        else:
            self.survey.referenced.add(shared.name)

    async def look_missing(self, cluster: str, namespace: str, workload: WorkloadDelivery) -> None:
        live = await self._get(cluster, ("v1", "Namespace", "", namespace))
        if live is None and self._answers(cluster):
            self.survey.refusals.append(
                f"{workload.source}: namespace '{namespace}' does not exist on cluster '{cluster}'"
                " - ask for it with 'namespaces: {create: ["
                f"{namespace}]}}' in the workload's fleet.yaml, or create it"
            )

    def _answers(self, cluster: str) -> bool:
        return cluster in self.accesses and cluster not in self.survey.unreachable

    async def _get(self, cluster: str, what: tuple[str, str, str, str]) -> dict[str, Any] | None:
        if not self._answers(cluster):
            return None
        async with self.gate:
            try:
                return await self.accesses[cluster].get(*what)
            except ForbiddenError as error:
                self.survey.refusals.append(
                    f"cluster '{cluster}': nobody can tell whether {what[1]} '{what[2]}/{what[3]}'"
                    f" exists: {error} - give the login the right to 'get'"
                )
            except UnreachableError as error:
                self.survey.unreachable[cluster] = str(error)
        return None


async def survey(
    plan: DeliveryPlan, state: OwnState, accesses: Mapping[str, ClusterAccess]
) -> Survey:
    """Asks every cluster whether it answers, then for each object that is new to the state."""
    surveyor = _Surveyor(accesses, Survey(), asyncio.Semaphore(AT_ONCE))
    await asyncio.gather(*(surveyor.ask(access) for access in accesses.values()))
    created = {(each.cluster, each.namespace) for each in plan.namespaces}
    used: dict[tuple[str, str], WorkloadDelivery] = {}
    questions = []
    for workload in plan.workloads:
        former = (workload.workload, *workload.renamed_from)
        for delivery in workload.deliveries:
            for planned in delivery.objects:
                rest = split_name(planned.name).rest
                if not any(f"{name}/{rest}" in state.prior.objects for name in former):
                    questions.append(surveyor.look(planned, workload))
                    used.setdefault((planned.cluster, planned.key.split("/", 2)[1]), workload)
    questions += [
        surveyor.look_namespace(each)
        for each in plan.namespaces
        if each.name not in state.namespaces
    ]
    questions += [
        surveyor.look_missing(cluster, namespace, workload)
        for (cluster, namespace), workload in used.items()
        if namespace and (cluster, namespace) not in created
    ]
    await asyncio.gather(*questions)
    surveyor.survey.refusals.sort()
    return surveyor.survey
