"""Who gets the traffic of a name, by Route53's documented algorithm.

The same functions answer all askers: the plan ("where would traffic land if this region died"),
the local DNS answerer, and the tests that compare both.

Source: Amazon Route 53 Developer Guide, "How Amazon Route 53 chooses records when health checking
is configured" (simple and complex configurations), "Values specific for weighted records",
"Latency-based routing", "Geolocation routing", "Multivalue answer routing".
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, Protocol, TypeVar

from fleet.model.geography import SOMEBODY, Asker, Location

LONGEST_CHAIN: Final = 8
"""Aliases that are followed one after the other."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One weighted record of a name.

    Attributes:
        set_identifier: what tells the records of one name apart; here the cluster's name.
        dns_weight: 0..255.
        health_check: the key of its health check; None means always healthy.
    """

    set_identifier: str
    dns_weight: int
    health_check: str | None = None


def shares(
    records: Sequence[AnswerRecord], unhealthy_checks: Collection[str] = ()
) -> dict[str, Fraction]:
    """Return each record's exact share of the answers while those checks are unhealthy.

    A record of weight zero is considered only when every record with a weight is unhealthy; when
    nothing healthy is left, all are taken for healthy; weights that are all zero share equally.

    **Shape**: every set identifier of the group, in the group's order; the shares add up to 1.
    **Errors**: ValueError for a set identifier that occurs twice or a weight outside 0..255.

    >>> group = [AnswerRecord("eu-1", 3, "a"), AnswerRecord("us-1", 1, "b")]
    >>> group += [AnswerRecord("ap-1", 0, "c")]
    >>> {name: str(share) for name, share in shares(group).items()}
    {'eu-1': '3/4', 'us-1': '1/4', 'ap-1': '0'}
    >>> {name: str(share) for name, share in shares(group, {"a", "b"}).items()}
    {'eu-1': '0', 'us-1': '0', 'ap-1': '1'}
    """
    _refuse_impossible(records)
    unhealthy = frozenset(unhealthy_checks)
    weights = {record.set_identifier: record.dns_weight for record in records}
    healthy = [each.set_identifier for each in records if each.health_check not in unhealthy]
    return {name: Fraction(0) for name in weights} | _by_weight(weights, healthy)


def _by_weight(weights: Mapping[str, int], healthy: Sequence[str]) -> dict[str, Fraction]:
    """Return the shares of those among which the weights decide."""
    left = list(healthy) or list(weights)
    chosen = [name for name in left if weights[name]] or left
    total = sum(weights[name] for name in chosen)
    return {
        name: Fraction(weights[name], total) if total else Fraction(1, len(chosen))
        for name in chosen
    }


def _refuse_impossible(records: Sequence[AnswerRecord]) -> None:
    seen: set[str] = set()
    for record in records:
        if record.set_identifier in seen:
            raise ValueError(f"set identifier '{record.set_identifier}' occurs twice")
        if not 0 <= record.dns_weight <= 255:  # noqa: PLR2004 - Route53's own bound
            raise ValueError(
                f"weight {record.dns_weight} of '{record.set_identifier}' is not 0..255"
            )
        seen.add(record.set_identifier)


class Answerable(Protocol):
    """A record set of any routing policy; empty text and None stand for what it does not say."""

    @property
    def set_identifier(self) -> str:
        """What tells the records of one name and type apart."""

    @property
    def weight(self) -> int | None:
        """Weighted: 0..255."""

    @property
    def failover(self) -> str:
        """Failover: PRIMARY or SECONDARY."""

    @property
    def region(self) -> str:
        """Latency: the region that it is near to."""

    @property
    def location(self) -> Location | None:
        """Geolocation: whose askers it answers."""

    @property
    def multivalue(self) -> bool:
        """Multivalue: one of several that are answered together."""

    @property
    def health_check(self) -> str:
        """The key of its check; without one it is always healthy."""

    @property
    def alias(self) -> str:
        """The name whose records of the same type it stands for."""

    @property
    def evaluate_target_health(self) -> bool:
        """Alias: whether it is healthy only while a record of its target is."""


R = TypeVar("R", bound=Answerable)


@dataclass(frozen=True, slots=True)
class Answering(Generic[R]):
    """The records of one type, and the health of their checks.

    **Shape**: `group` returns the records of a name, none where there are none.
    """

    group: Callable[[str], Sequence[R]]
    is_healthy: Callable[[str], bool]

    def shares(self, name: str, asker: Asker = SOMEBODY) -> list[tuple[R, Fraction]]:
        """Return the share of each record that answers the asker in the end; aliases are followed.

        **Shape**: the shares add up to 1; there are none where nobody is answered.
        """
        return self._shares(name, asker, 0)

    def _shares(self, name: str, asker: Asker, depth: int) -> list[tuple[R, Fraction]]:
        found: list[tuple[R, Fraction]] = []
        for record, part in self.choose(self.group(name), asker):
            if not record.alias:
                found.append((record, part))
            elif depth < LONGEST_CHAIN:
                inner = self._shares(record.alias, asker, depth + 1)
                found += [(each, part * share) for each, share in inner]
        return found

    def choose(self, group: Sequence[R], asker: Asker = SOMEBODY) -> list[tuple[R, Fraction]]:
        """Return who among the records of one name is answered, and how often.

        The unhealthy are left out, unless nobody else is left of those that come into question.
        """
        if any(each.weight is not None for each in group):
            return self._weighted(group)
        ranked = _ranked(group, asker)
        healthy = [each for each in ranked if self.is_live(each)] or ranked
        several = [each for each in healthy if each.multivalue] or healthy[:1]
        return [(each, Fraction(1, len(several))) for each in several]

    def _weighted(self, group: Sequence[R]) -> list[tuple[R, Fraction]]:
        weights = {each.set_identifier: each.weight or 0 for each in group}
        live = [each.set_identifier for each in group if self.is_live(each)]
        parts = _by_weight(weights, live)
        return [
            (each, parts[each.set_identifier]) for each in group if each.set_identifier in parts
        ]

    def is_live(self, record: R, depth: int = 0) -> bool:
        """Say whether a record is taken for healthy: by its check, and its alias's target's."""
        if record.health_check and not self.is_healthy(record.health_check):
            return False
        if record.alias and record.evaluate_target_health and depth < LONGEST_CHAIN:
            targets = self.group(record.alias)
            return not targets or any(self.is_live(each, depth + 1) for each in targets)
        return True


def _ranked(group: Sequence[R], asker: Asker) -> list[R]:
    """Those that come into question for an asker, the first choice first.

    Failover: the primary first. Latency: by the asker's distance. Geolocation: what contains the
    asker, the smallest first.
    """
    if any(each.location is not None for each in group):
        places = {each: rank for rank, each in reversed(list(enumerate(asker.locations)))}
        inside = [each for each in group if each.location in places]
        return sorted(inside, key=lambda each: places[each.location or Location()])
    return sorted(group, key=lambda each: (each.failover, asker.distance(each.region)))
