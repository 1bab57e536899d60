"""The soft rules: 0..100 for each cluster, more is better."""

import numpy as np

from fleet.model.inventory import Taint
from fleet.schedule.columns import Whole
from fleet.schedule.filters import untolerated
from fleet.schedule.ledger import Where
from fleet.schedule.matching import matching
from fleet.schedule.plugin import Scorer
from fleet.schedule.request import Request

_FULL = 100


def _preferred(request: Request) -> Whole:
    """The weights of the terms that match, at most 100 together."""
    points = np.zeros(request.table.size, dtype=np.int64)
    for wish in request.policy.spec.affinity.preferred:
        points += wish.weight * matching(request.table, wish.term)
    return np.minimum(points, _FULL)


def _elsewhere(request: Request) -> Whole:
    """0 but for the clusters where the last update placed the workload."""
    return np.zeros(request.table.size, dtype=np.int64)


def _balance(request: Request) -> Whole:
    return _balance_at(request, slice(None))


def _balance_at(request: Request, where: Where) -> Whole:
    """What is left of the scarcest requested resource, in percent, after earlier workloads.

    No part in `aggregated`, which asks to be packed; nor without requests.
    """
    if request.packed or not request.asked:
        return np.zeros(request.table.size, dtype=np.int64)[where]
    return request.ledger.free_percent(request.asked, where).astype(np.int64)


def _untainted(request: Request) -> Whole:
    """100 without an untolerated PreferNoSchedule taint."""

    def avoided(taint: Taint) -> bool:
        return taint.effect == "PreferNoSchedule" and untolerated(request, taint)

    spoiled = request.table.taints.where(lambda taints: any(map(avoided, taints)))
    return np.where(spoiled, 0, _FULL)


PREFERRED = Scorer("affinity", _preferred, lambda request: request.policy.spec.affinity.preferred)
ALREADY_THERE = Scorer("already-there", _elsewhere, lambda _request: None, full_where_it_runs=True)
BALANCE = Scorer("balance", _balance, gives_at=_balance_at)
UNTAINTED = Scorer(
    "untainted",
    _untainted,
    lambda request: request.policy.spec.tolerations,
    full_where_it_runs=True,
)
