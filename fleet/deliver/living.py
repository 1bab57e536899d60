"""How many living targets an update leaves under each name.

A target lives where its cluster is in use and the workload runs there. A cluster that somebody took
out of use counts on neither side, and a switch that somebody asked for is not judged.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fleet.deliver.budget import Mover
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.endpoint import EndpointDelivery
from fleet.model.inventory import State
from fleet.model.prior import Prior

SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Targets:
    """Counts the targets of names before and after an update.

    **Shape**: `mainless` are workloads without replicas of their own.
    """

    prior: Prior
    mover: Mover
    mainless: frozenset[str]

    def breaches(self, endpoints: tuple[EndpointDelivery, ...], least: int) -> Iterator[Finding]:
        """A finding for each name that had several living targets and keeps fewer than `least`."""
        for endpoint in endpoints:
            if self.mover.is_switched(endpoint.workload):
                continue
            before, left = self._before(endpoint), self._left(endpoint)
            if before >= SEVERAL and left < min(before, least):
                values: dict[str, str | int] = {
                    "limit": "targetsLeft",
                    "counted": left,
                    "allowed": least,
                    "what": endpoint.dns_name,
                }
                source = endpoint.source
                yield Finding(codes.MOVEMENT_BUDGET, FrozenMap(values), source, blocks=True)

    def _before(self, endpoint: EndpointDelivery) -> int:
        ran = self.mover.history.of(endpoint.workload).replicas
        names = self.prior.dns_weights.get(endpoint.policy, FrozenMap[int]())
        return self._living(endpoint, dict.fromkeys(names, 0), ran)

    def _left(self, endpoint: EndpointDelivery) -> int:
        runs = {
            each.cluster: each.replicas
            for each in self.mover.workloads[endpoint.workload].deliveries
        }
        names = {each.cluster: each.dns_weight for each in endpoint.records}
        return self._living(endpoint, names, runs)

    def _living(
        self, endpoint: EndpointDelivery, names: Mapping[str, int], runs: Mapping[str, int]
    ) -> int:
        """Of clusters with a record those in use that run what there is to run."""
        counts = endpoint.workload not in self.mainless
        return sum(
            self.mover.states.get(name) is State.ACTIVE
            and name in runs
            and (runs[name] > 0 or not counts)
            for name in names
        )
