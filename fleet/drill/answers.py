"""Who is answered under a name while some clusters are dead, and what runs where it leads."""

from collections.abc import Collection
from fractions import Fraction

from fleet.model.answer import AnswerRecord, shares
from fleet.model.base import FrozenMap
from fleet.model.exercise import Answers
from fleet.model.plan import EndpointDelivery

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
    connection only cannot see that.
    """
    records = [
        AnswerRecord(each.cluster, each.dns_weight, each.check, each.targets)
        for each in endpoint.records
    ]
    if not records:
        return NO_ANSWER
    idle = () if blind else {each.set_identifier for each in records}.difference(running)
    red = {
        each.health_check
        for each in records
        if each.set_identifier in gone or each.set_identifier in idle
    }
    found = shares(records, {each for each in red if each is not None})
    alive = [name for name in found if name in running and name not in gone]
    return Answers(
        FrozenMap({name: share for name, share in found.items() if share}),
        1 - sum((found[name] for name in alive), Fraction(0)),
    )
