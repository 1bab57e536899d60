"""Scorers by amounts: allocatable CPU and memory, and what a core costs.

An amount is compared with those of the clusters that the policy allows: one that it cannot use
turns no order. Source: Open Cluster Management scores what its filters left.
"""

from collections.abc import Hashable

import numpy as np

from fleet.schedule.columns import Amounts, Mask, Whole
from fleet.schedule.filters import tainted
from fleet.schedule.matching import allowed
from fleet.schedule.plugin import Scorer
from fleet.schedule.request import Request

COST = "cost-per-core"
_FULL = 100


def by_size(amounts: Amounts, among: Mask) -> Whole:
    """0 for the least, 100 for the most, between them in proportion, rounded down.

    The least and the most are those of the clusters `among` which one is chosen; beyond them it
    stays at 0 and 100. All equal is 100; a cluster without the amount has 0. Source: Open Cluster
    Management's ResourceAllocatable prioritizers, whose -100..100 is mapped to 0..100.
    """
    counts: Mask = amounts.present & among
    if not counts.any():
        return np.zeros(len(amounts.values), dtype=np.int64)
    known = amounts.values[counts]
    least, most = int(known.min()), int(known.max())
    if least == most:
        return np.where(amounts.present, _FULL, 0)
    inside = amounts.values.clip(least, most)
    above = np.where(amounts.present, inside - least, 0)
    points: Whole = np.floor(above.astype(np.float64) * _FULL / (most - least)).astype(np.int64)
    return points


def by_thrift(amounts: Amounts, among: Mask) -> Whole:
    """100 for the least, 0 for the most; all equal is 100, without the amount 0."""
    return by_size(Amounts(-amounts.values, amounts.present, amounts.unit), among)


def _usable(request: Request) -> Mask:
    """The clusters that the policy allows, whatever room and state they have."""
    usable: Mask = allowed(request.table, request.policy.spec) & ~tainted(request)
    return usable


def _reads(request: Request) -> Hashable:
    spec = request.policy.spec
    return spec.affinity.required, spec.residency, spec.tolerations


def _cpu(request: Request) -> Whole:
    return by_size(request.table.amounts("allocatable.cpu"), _usable(request))


def _memory(request: Request) -> Whole:
    return by_size(request.table.amounts("allocatable.memory"), _usable(request))


def _cost(request: Request) -> Whole:
    return by_thrift(request.table.amounts(COST), _usable(request))


CPU = Scorer("allocatable-cpu", _cpu, _reads)
MEMORY = Scorer("allocatable-memory", _memory, _reads)
CHEAP = Scorer("cost", _cost, _reads)
