"""Who is answered under a name while some clusters are dead, and what runs where it leads."""

from collections.abc import Collection
from fractions import Fraction

from fleet.model.answering import expected_shares
from fleet.model.base import FrozenMap
from fleet.model.endpoint import EndpointDelivery
from fleet.model.exercise import Answers

NO_ANSWER = Answers(nowhere=Fraction(1))
"""A name without any record."""


def answered(
    endpoint: EndpointDelivery,
    running: Collection[str],
    gone: Collection[str] = (),
    *,
    blind: bool = False,
) -> Answers:
    """The shares of a name whose workload runs on `running`, while the checks of `gone` fail.

    A check fails where nothing runs behind the entry, too, unless it is `blind`: one that opens a
    connection only cannot see that. It also fails where a lever holds the record, until a person
    lets it go.
    """
    if not endpoint.records:
        return NO_ANSWER
    idle = () if blind else {each.cluster for each in endpoint.records}.difference(running)
    held = {each.cluster for each in endpoint.records if each.held}
    out = held.union(gone, idle)
    found = expected_shares(endpoint, {e.check for e in endpoint.records if e.cluster in out})
    alive = [name for name in found if name in running and name not in gone]
    return Answers(
        FrozenMap({name: share for name, share in found.items() if share}),
        1 - sum((found[name] for name in alive), Fraction(0)),
    )
