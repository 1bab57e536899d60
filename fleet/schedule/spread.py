"""A policy's spread as limits, and its static weights as a column; made once per policy."""

from dataclasses import dataclass

import numpy as np

from fleet.model.policy import PlacementPolicy, SpreadConstraint
from fleet.schedule.choice import Limit
from fleet.schedule.columns import Whole
from fleet.schedule.matching import matching
from fleet.schedule.select import Rules
from fleet.schedule.skew import Skew
from fleet.schedule.table import Table


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """What a policy says of domains and weights, in terms of the table.

    `weights` None: no static weights. `skews` are those limits that ask for even numbers, too.
    """

    limits: tuple[Limit, ...]
    least: int
    most: int | None
    rules: Rules
    weights: Whole | None
    skews: tuple[Skew, ...] = ()


def spread_of(table: Table, policy: PlacementPolicy) -> Spread:
    """Reads a policy once for all its workloads."""
    limits = tuple(
        _limit(table, policy, position, constraint)
        for position, constraint in enumerate(policy.spec.spread)
        if constraint.by != "cluster"
    )
    least, most, rules = _clusters(policy)
    return Spread(limits, least, most, rules, _weights(table, policy), _skews(table, policy))


def _skews(table: Table, policy: PlacementPolicy) -> tuple[Skew, ...]:
    """The constraints that ask for even numbers, the outermost first."""
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


def _limit(
    table: Table, policy: PlacementPolicy, position: int, constraint: SpreadConstraint
) -> Limit:
    at = ("spec", "spread", position)
    return Limit(
        constraint.by,
        constraint.min_domains,
        constraint.max_domains,
        table.domains(constraint.by).of,
        policy.origin.at(*at, "minDomains"),
        policy.origin.at(*at, "maxDomains"),
    )


def _clusters(policy: PlacementPolicy) -> tuple[int, int | None, Rules]:
    """The limits on the number of clusters, from `pick` or a spread by cluster."""
    spread = policy.origin.at("spec", "spread")
    if policy.spec.pick is not None:
        source = policy.origin.at("spec", "pick")
        return policy.spec.pick, policy.spec.pick, Rules(source, source, spread)
    for position, constraint in enumerate(policy.spec.spread):
        if constraint.by == "cluster":
            at = ("spec", "spread", position)
            least = policy.origin.at(*at, "minDomains")
            most = policy.origin.at(*at, "maxDomains")
            return constraint.min_domains, constraint.max_domains, Rules(least, most, spread)
    return 1, None, Rules(None, None, spread)


def _weights(table: Table, policy: PlacementPolicy) -> Whole | None:
    """The largest weight of the rules that match each cluster; 0 where none does."""
    division = policy.spec.division
    if not division.weights:
        return None
    weights = np.zeros(table.size, dtype=np.int64)
    for rule in division.weights:
        np.maximum(weights, rule.replica_weight * matching(table, rule.term), out=weights)
    return weights
