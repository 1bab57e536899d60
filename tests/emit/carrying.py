"""Carries out a plan as the program does, in the pretended engine."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fleet.emit.existing import Survey
from fleet.emit.namespaces import create_namespaces
from fleet.emit.placement import carry_out
from fleet.emit.promotion import Promotion
from fleet.emit.providers import aws_provider
from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.emit.state import OwnState
from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.plan import DeliveryPlan
from fleet.model.prior import PriorWorkload
from tests.emit.engine import Engine
from tests.emit.plans import PretendCluster, Question, a_run


@dataclass
class Scene:
    """A plan, what the state holds, and how the clusters behave."""

    plan: DeliveryPlan
    state: OwnState
    clusters: tuple[PretendCluster, ...] = ()
    unreachable: dict[str, str] = field(default_factory=dict)
    promotions: Mapping[str, Promotion] = field(default_factory=dict)

    def carry_out(self, engine: Engine) -> Run:
        """The run, after all of it was carried out."""
        return engine.run(self._program)

    async def _program(self) -> Run:
        survey = Survey(unreachable=dict(self.unreachable))
        run = a_run(self.plan, self.state, *self.clusters, survey=survey)
        run.promotions = self.promotions
        traffic = Traffic(run, aws_provider())
        traffic.prepare()
        await create_namespaces(run)
        await asyncio.gather(*(carry_out(run, each, traffic) for each in self.plan.workloads))
        return run


def never_ready(cluster: str) -> PretendCluster:
    """A cluster where no replica ever comes up."""

    def answer(_: Question) -> dict[str, Any]:
        return {"status": {}}

    return PretendCluster(cluster, answer=answer)


def a_past(replicas: Mapping[str, int], **proven: str) -> PriorWorkload:
    """What the last update assigned; `eu_1="x"` is what was proven on eu-1."""
    return PriorWorkload(
        replicas=FrozenMap(replicas),
        roles=FrozenMap(dict.fromkeys(replicas, Role.ACTIVE)),
        hashes=FrozenMap({each: FrozenMap({"key": "was"}) for each in replicas}),
        proven=FrozenMap({key.replace("_", "-"): each for key, each in proven.items()}),
        inputs=FrozenMap({"replicas": "was"}),
    )
