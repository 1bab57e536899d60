"""Registers a workload's objects on one cluster and waits until they serve, within bounds.

fleet waits by itself instead of leaving it to the plugin: the plugin's own waiting cannot be
cut short when a cluster dies under it, and one workload's waiting must not hold up another name.
"""

import asyncio
from dataclasses import dataclass

import pulumi

from fleet.emit.access import ForbiddenError, UnreachableError
from fleet.emit.objects import KubernetesObject, Placing, accepted, keep, register
from fleet.emit.readiness import missing
from fleet.emit.run import Run, names_of
from fleet.explain.changes import prior_workload
from fleet.model.plan import ClusterDelivery, PlannedObject, ReadyTarget, WorkloadDelivery
from fleet.model.resource_names import split_name

DEAD_AFTER_SECONDS = 20
POLL_SECONDS = 0.5
DEFINITIONS = 1


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a workload did not settle on a cluster; `cut_off`: it could not even be asked."""

    cluster: str
    sentence: str
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Settler:
    """Settles one workload, cluster by cluster."""

    run: Run
    workload: WorkloadDelivery
    parent: pulumi.Resource

    def placing(self, cluster: str) -> Placing:
        """How objects of this workload are registered on a cluster."""
        return Placing(self.parent, self.run.providers[cluster], self.workload.renamed_from)

    def keep_all(self, cluster: str) -> None:
        """Keeps whatever this workload has on the cluster exactly as the state has it."""
        prefixes = tuple(f"{name}/{cluster}/" for name in names_of(self.workload))
        for name, prior in self.run.state.prior.objects.items():
            if name.startswith(prefixes):
                keep(prior, self.placing(cluster), self.workload.workload)

    async def settle(self, delivery: ClusterDelivery) -> Failure | None:
        """Registers all objects of a cluster, in their stages, and waits until they serve."""
        if self.run.is_cut_off(delivery.cluster):
            self.keep_all(delivery.cluster)
            return Failure(delivery.cluster, "it does not answer", cut_off=True)
        for stage in sorted({each.stage for each in delivery.objects}):
            objects = [each for each in delivery.objects if each.stage == stage]
            failure = await self._register(delivery.cluster, objects)
            if failure is None and stage == DEFINITIONS:
                definitions = [
                    each for each in delivery.ready if each.kind == "CustomResourceDefinition"
                ]
                failure = await self._wait(delivery.cluster, definitions)
            if failure is not None:
                self._keep_later(delivery, stage)
                return failure
        if self._is_proven(delivery):
            return None
        return await self._wait(delivery.cluster, list(delivery.ready))

    def _keep_later(self, delivery: ClusterDelivery, failed: int) -> None:
        """Keeps what the state has of the stages that a failure left out."""
        objects = self.run.state.prior.objects
        for planned in delivery.objects:
            rest = split_name(planned.name).rest
            found = [f"{name}/{rest}" for name in names_of(self.workload)]
            prior = next((objects[name] for name in found if name in objects), None)
            if planned.stage > failed and prior is not None:
                keep(prior, self.placing(delivery.cluster), self.workload.workload)

    def _is_proven(self, delivery: ClusterDelivery) -> bool:
        prior = prior_workload(self.run.outcome, self.workload)
        return prior.proven.get(delivery.cluster) == delivery.fingerprint

    async def _register(self, cluster: str, objects: list[PlannedObject]) -> Failure | None:
        placing = self.placing(cluster)
        registered: list[KubernetesObject] = [
            register(each, placing, self.run.survey.imports.get(each.name)) for each in objects
        ]
        for planned, resource in zip(objects, registered, strict=True):
            if not await accepted(resource):
                return Failure(cluster, f"{planned.key} was not accepted")
        return None

    async def _wait(self, cluster: str, targets: list[ReadyTarget]) -> Failure | None:
        """Polls until every target is ready.

        Gives up at the wait limit, or when the cluster stops answering.
        """
        if self.run.preview or not targets:
            return None
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.workload.wait_seconds
        answered = loop.time()
        while True:
            lacking, answers = await self._look(cluster, targets)
            answered = loop.time() if answers else answered
            if loop.time() - answered > DEAD_AFTER_SECONDS:
                self.run.died[cluster] = lacking or ""
            if cluster in self.run.died:
                reason = self.run.died[cluster]
                return Failure(cluster, f"it stopped answering ({reason})", cut_off=True)
            if lacking is None:
                return None
            if loop.time() > deadline:
                return Failure(cluster, f"{lacking} after {self.workload.wait_seconds} s")
            await asyncio.sleep(POLL_SECONDS)

    async def _look(self, cluster: str, targets: list[ReadyTarget]) -> tuple[str | None, bool]:
        """What is lacking, and whether the cluster answered at all."""
        try:
            return await self._lacking(cluster, targets), True
        except ForbiddenError as error:
            return str(error), True
        except UnreachableError as error:
            return str(error), False

    async def _lacking(self, cluster: str, targets: list[ReadyTarget]) -> str | None:
        access = self.run.accesses[cluster]
        for target in targets:
            live = await access.get(target.api_version, target.kind, target.namespace, target.name)
            lacking = missing(target, live)
            if lacking is not None:
                return f"{target.kind} '{target.namespace}/{target.name}': {lacking}"
        return None
