"""Fixed weights that leave what runs: only what is missing is divided by them."""

from collections.abc import Sequence

from fleet.model.webster import Seats, webster
from fleet.schedule.divide import Party


def by_weight_kept(parties: Sequence[Party], replicas: int) -> Seats:
    """The floors first, then what runs, the larger weight first; Webster goes on from there.

    Where fewer are wanted than run, the last of that order give up theirs. Bounds hold always, as
    in fleet.schedule.divide. Source: KubeFed's planner without `rebalance`.

    >>> by_weight_kept([Party(1, 99), Party(1, 99), Party(1, 99, before=30)], 50)
    [10, 10, 30]
    >>> by_weight_kept([Party(1, 99), Party(1, 99, before=8)], 15)
    [7, 8]
    >>> by_weight_kept([Party(1, 99, before=30), Party(2, 99, before=30)], 40)
    [10, 30]
    """
    order = sorted(range(len(parties)), key=lambda each: _turn(parties[each]))
    given, caps, left = [0] * len(parties), [0] * len(parties), replicas
    for each in order:
        party = parties[each]
        if party.least <= min(left, party.cap):
            given[each], caps[each] = party.least, party.cap
            left -= party.least
        elif not party.floor:
            caps[each] = party.cap
    for each in order:
        kept = min(parties[each].kept, caps[each], given[each] + left)
        left -= max(0, kept - given[each])
        given[each] = max(given[each], kept)
    return webster([party.weight for party in parties], left, caps, given)


def _turn(party: Party) -> tuple[bool, int]:
    return not party.needed, -party.weight
