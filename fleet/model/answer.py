"""Who gets the traffic of a weighted name, by Route53's documented algorithm.

The same function answers three askers: the plan ("where would traffic land if this region died"),
the local DNS answerer, and the tests that compare both.

Source: Amazon Route 53 Developer Guide, "How Amazon Route 53 chooses records when health checking
is configured" and "Values specific for weighted records".
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One weighted record of a name.

    Attributes:
        set_identifier: what tells the records of one name apart; here the cluster's name.
        dns_weight: 0..255.
        health_check: the key of its health check; None means always healthy.
        targets: what is answered: addresses or host names, in the record's order.
    """

    set_identifier: str
    dns_weight: int
    health_check: str | None = None
    targets: tuple[str, ...] = ()


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
    chosen = _considered(records, frozenset(unhealthy_checks))
    total = sum(record.dns_weight for record in chosen)
    result = {record.set_identifier: Fraction(0) for record in records}
    for record in chosen:
        result[record.set_identifier] = (
            Fraction(record.dns_weight, total) if total else Fraction(1, len(chosen))
        )
    return result


def shares_without_targets(
    records: Sequence[AnswerRecord], dead_targets: Collection[str]
) -> dict[str, Fraction]:
    """Return the shares once the checks of those targets have turned red.

    A record without a check keeps its share, although its target is dead: Route53 cannot know.

    >>> group = [AnswerRecord("eu-1", 100, "a", ("192.0.2.1",)), AnswerRecord("us-1", 0, "b")]
    >>> {name: str(share) for name, share in shares_without_targets(group, {"192.0.2.1"}).items()}
    {'eu-1': '0', 'us-1': '1'}
    """
    dead = frozenset(dead_targets)
    unhealthy = {
        record.health_check
        for record in records
        if record.health_check is not None and not dead.isdisjoint(record.targets)
    }
    return shares(records, unhealthy)


def _considered(
    records: Sequence[AnswerRecord], unhealthy: frozenset[str]
) -> Sequence[AnswerRecord]:
    """Return the records among which the weights decide."""
    healthy = [record for record in records if record.health_check not in unhealthy]
    return [record for record in healthy if record.dns_weight] or healthy or records


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
