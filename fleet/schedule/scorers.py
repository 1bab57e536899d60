"""The soft rules: 0..100 for each cluster, more is better."""

import numpy as np

from fleet.model.affinity import PreferredTerm
from fleet.model.inventory import Taint
from fleet.schedule.columns import Whole
from fleet.schedule.filters import untolerated
from fleet.schedule.matching import matching
from fleet.schedule.plugin import Scorer
from fleet.schedule.request import Request
from fleet.schedule.rules_external import leveled

_FULL = 100


def _preferred(request: Request) -> Whole:
    """The weights of the terms that match, together -100 to 100.

    Where the policy has a weight below 0, the sum is halved around 50, so that a cluster which
    nobody wishes for or dislikes has 50; sums that differ by 1 may then be equal.
    """
    wishes = request.policy.spec.affinity.preferred
    points = np.zeros(request.table.size, dtype=np.int64)
    for wish in wishes:
        points += _weights(request, wish) * matching(request.table, wish.term)
    dislikes = any(wish.weight < 0 for wish in wishes)
    return leveled(points.clip(-_FULL, _FULL), dislikes=dislikes)


def _weights(request: Request, wish: PreferredTerm) -> Whole:
    """The weight of a wish for each cluster: all of it, or a share by an amount.

    A cluster without the amount has no share, nor has any where all are equal; halves are rounded
    away from 0. Source: KubeFleet's property sorter.
    """
    if wish.sort is None:
        return np.full(request.table.size, wish.weight, dtype=np.int64)
    amounts = request.table.amounts(wish.sort.property)
    known = amounts.values[amounts.present]
    span = int(known.max()) - int(known.min()) if known.size else 0
    if not span:
        return np.zeros(request.table.size, dtype=np.int64)
    share = (amounts.values - int(known.min())).astype(np.float64)
    if wish.sort.order == "ascending":
        share = span - share
    exact = np.where(amounts.present, share, 0.0) * wish.weight / span
    rounded: Whole = (np.sign(exact) * np.floor(np.abs(exact) + 0.5)).astype(np.int64)
    return rounded


def _elsewhere(request: Request) -> Whole:
    """0 but for the clusters where the last update placed the workload."""
    return np.zeros(request.table.size, dtype=np.int64)


def _balance(request: Request) -> Whole:
    """What is left of the scarcest requested resource, in percent, after earlier workloads."""
    if not request.spreads_load:
        return np.zeros(request.table.size, dtype=np.int64)
    return request.free_percent.astype(np.int64)


def _untainted(request: Request) -> Whole:
    """100 without an untolerated PreferNoSchedule taint."""

    def avoided(taint: Taint) -> bool:
        return taint.effect == "PreferNoSchedule" and untolerated(request, taint)

    spoiled = request.table.taints.where(lambda taints: any(map(avoided, taints)))
    return np.where(spoiled, 0, _FULL)


PREFERRED = Scorer("affinity", _preferred, lambda request: request.policy.spec.affinity.preferred)
ALREADY_THERE = Scorer("already-there", _elsewhere, lambda _request: None, full_where_it_runs=True)
BALANCE = Scorer("balance", _balance, by_share=True)
UNTAINTED = Scorer(
    "untainted",
    _untainted,
    lambda request: request.policy.spec.tolerations if request.table.avoided else None,
    full_where_it_runs=True,
)
