"""A policy's spread as limits, and its static weights as a column; made once per policy."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fleet.model.policy import PlacementPolicy, WeightRule
from fleet.schedule.choice import Limit
from fleet.schedule.columns import Whole
from fleet.schedule.matching import NAMES_ONLY, matching
from fleet.schedule.select import Rules
from fleet.schedule.skew import Skew
from fleet.schedule.table import Table


@dataclass(slots=True, eq=False)
class Spread:
    """What a policy says of domains and weights, in terms of the table.

    `weights` None: no static weights. `wants_several`: more than one cluster must run something.
    `skews` are those limits that ask for even numbers, too, the outermost first.
    """

    limits: tuple[Limit, ...]
    least: int
    most: int | None
    rules: Rules
    weights: Whole | None
    wants_several: bool
    skews: tuple[Skew, ...] = ()


def spread_of(table: Table, policy: PlacementPolicy) -> Spread:
    """Reads a policy once for all its workloads."""
    spec, written = policy.spec, policy.origin
    limits: list[Limit] = []
    least, most, rules = 1, None, Rules(written)
    if spec.pick is not None:
        least, most, rules = spec.pick, spec.pick, Rules(written, ("spec", "pick"))
    for position, each in enumerate(spec.spread):
        if each.by == "cluster":
            least, most = each.min_domains, each.max_domains
            rules = Rules(written, ("spec", "spread", position))
        else:
            domains = table.domains(each.by)
            bounds = (each.min_domains, each.max_domains, domains.of)
            limits.append(Limit(each.by, *bounds, written, position, domains.single))
    several = least > 1 or any(limit.least > 1 for limit in limits)
    skews = _skews(table, policy)
    weights = static_weights(table, spec.division.weights) if spec.division.weights else None
    return Spread(tuple(limits), least, most, rules, weights, several, skews)


def _skews(table: Table, policy: PlacementPolicy) -> tuple[Skew, ...]:
    """The constraints that ask for even numbers."""
    return tuple(
        Skew(
            constraint.by,
            constraint.max_skew,
            constraint.min_domains,
            table.parts(constraint.by),
            policy.origin.at("spec", "spread", position, "maxSkew"),
        )
        for position, constraint in enumerate(policy.spec.spread)
        if constraint.max_skew is not None
    )


def static_weights(table: Table, rules: Sequence[WeightRule]) -> Whole:
    """The largest weight of the rules that match each cluster; 0 where none does."""
    weights = np.zeros(table.size, dtype=np.int64)
    for rule in rules:
        if rule.term.clusters and rule.term.model_fields_set == NAMES_ONLY:
            for name in rule.term.clusters:
                place = table.index.get(name)
                if place is not None:
                    weights[place] = max(weights[place], rule.replica_weight)
            continue
        np.maximum(weights, rule.replica_weight * matching(table, rule.term), out=weights)
    return weights
