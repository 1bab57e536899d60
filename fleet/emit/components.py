"""The components that stand for a decision: their plain inputs are what the engine diffs.

Scores and sentences are outputs, where a change causes no update. The type tokens are part of
every URN below and never change.
"""

from collections.abc import Mapping

import pulumi

from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import WorkloadDelivery


class WorkloadComponent(pulumi.ComponentResource):
    """A workload: where it runs (inputs), and why (outputs)."""

    def __init__(
        self, delivery: WorkloadDelivery, weights: Mapping[str, Mapping[str, int]]
    ) -> None:
        inputs: dict[str, object] = {
            "assignments": {each.cluster: each.replicas for each in delivery.deliveries},
            "roles": {each.cluster: str(each.role) for each in delivery.deliveries},
            "dnsWeights": {policy: dict(by_cluster) for policy, by_cluster in weights.items()},
            "debt": sorted(each.cluster for each in delivery.leaving if each.debt),
        }
        if delivery.held:
            inputs["held"] = {
                name: f"until {it} {'are' if ', ' in it else 'is'} fenced"
                for name, it in delivery.held.items()
            }
        aliases: list[pulumi.Input[str | pulumi.Alias]] = [
            pulumi.Alias(name=old) for old in delivery.renamed_from
        ]
        super().__init__(
            "fleet:index:Workload",
            delivery.workload,
            inputs,
            pulumi.ResourceOptions(aliases=aliases or None),
        )


class EndpointComponent(pulumi.ComponentResource):
    """A public name: who is answered, by which weights."""

    def __init__(self, delivery: EndpointDelivery) -> None:
        inputs: dict[str, object] = {
            "name": delivery.dns_name,
            "mode": str(delivery.mode),
            "dnsWeights": {each.cluster: each.dns_weight for each in delivery.records},
        }
        if delivery.active_region is not None:
            inputs["activeRegion"] = delivery.active_region
        if delivery.aliases:
            inputs["aliases"] = {each.name: each.text for each in delivery.aliases}
        super().__init__("fleet:index:Endpoint", delivery.policy, inputs)
