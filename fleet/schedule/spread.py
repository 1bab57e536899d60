"""What policies say of domains and weights, in terms of the table."""

from collections.abc import Hashable
from dataclasses import dataclass

from fleet.model.policy import PlacementPolicy, PlacementSpec, WeightRule
from fleet.model.source import Origin, Path
from fleet.schedule.choice import Limit
from fleet.schedule.select import Rules
from fleet.schedule.skew import Skew
from fleet.schedule.table import Table
from fleet.schedule.weights import Weights


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """How many domains of each kind; the same for all policies that say the same.

    **Shape**: `clusters` is the path of the limit on clusters.
    """

    limits: tuple[Limit, ...]
    least: int
    most: int | None
    clusters: Path
    wants_several: bool


@dataclass(slots=True, eq=False)
class Spread:
    """What a policy says of domains and weights.

    `weights` None: no static weights. `wants_several`: more than one cluster must run something.
    `skews` are those limits that ask for even numbers, too, the outermost first.
    """

    limits: tuple[Limit, ...]
    least: int
    most: int | None
    wants_several: bool
    weights: Weights | None
    skews: tuple[Skew, ...]
    written: Origin
    clusters: Path

    @property
    def rules(self) -> Rules:
        """Where it is written."""
        return Rules(self.written, self.clusters)


class Spreads:
    """The spreads of a run's policies; what many policies say is worked out once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._numbers: dict[Hashable, Numbers] = {}
        self._weights: dict[tuple[WeightRule, ...], Weights] = {}

    def of(self, policy: PlacementPolicy) -> Spread:
        """Reads a policy."""
        spec = policy.spec
        key = (spec.pick, *[(each.by, each.min_domains, each.max_domains) for each in spec.spread])
        numbers = self._numbers.get(key)
        if numbers is None:
            numbers = self._numbers[key] = _numbers(self._table, spec)
        return Spread(
            numbers.limits,
            numbers.least,
            numbers.most,
            numbers.wants_several,
            self._weighed(spec.division.weights) if spec.division.weights else None,
            _skews(self._table, policy) if spec.spread else (),
            policy.origin,
            numbers.clusters,
        )

    def _weighed(self, rules: tuple[WeightRule, ...]) -> Weights:
        """Weights by name are hardly ever said twice, so that only the others are kept."""
        weights = Weights(self._table, rules)
        return weights if weights.named is not None else self._weights.setdefault(rules, weights)


def _numbers(table: Table, spec: PlacementSpec) -> Numbers:
    """The limits of a policy on domains, and that on clusters: `pick` or a spread by cluster."""
    limits: list[Limit] = []
    clusters: Path = ()
    least, most = 1, None
    if spec.pick is not None:
        least, most, clusters = spec.pick, spec.pick, ("spec", "pick")
    for position, each in enumerate(spec.spread):
        if each.by == "cluster":
            least, most, clusters = each.min_domains, each.max_domains, ("spec", "spread", position)
        else:
            domains = table.domains(each.by)
            bounds = (each.min_domains, each.max_domains, domains.of)
            limits.append(Limit(each.by, *bounds, position, domains.single))
    several = least > 1 or any(limit.least > 1 for limit in limits)
    return Numbers(tuple(limits), least, most, clusters, several)


def _skews(table: Table, policy: PlacementPolicy) -> tuple[Skew, ...]:
    """The constraints that ask for even numbers."""
    return tuple(
        [
            Skew(
                constraint.by,
                constraint.max_skew,
                constraint.min_domains,
                table.parts(constraint.by),
                policy.origin.at("spec", "spread", position, "maxSkew"),
            )
            for position, constraint in enumerate(policy.spec.spread)
            if constraint.max_skew is not None
        ]
    )
