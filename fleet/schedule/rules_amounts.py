"""Scorers by amounts: allocatable CPU and memory, and what a core costs."""

import numpy as np

from fleet.schedule.columns import Amounts, Whole
from fleet.schedule.plugin import Scorer
from fleet.schedule.request import Request

COST = "cost-per-core"
_FULL = 100


def by_size(amounts: Amounts) -> Whole:
    """0 for the least, 100 for the most, between them in proportion, rounded down.

    All equal is 100; a cluster without the amount has 0. Source: Open Cluster Management's
    ResourceAllocatable prioritizers, whose -100..100 is mapped to 0..100.
    """
    if not amounts.present.any():
        return np.zeros(len(amounts.values), dtype=np.int64)
    known = amounts.values[amounts.present]
    least, most = int(known.min()), int(known.max())
    if least == most:
        return np.where(amounts.present, _FULL, 0)
    above = np.where(amounts.present, amounts.values - least, 0)
    points: Whole = np.floor(above.astype(np.float64) * _FULL / (most - least)).astype(np.int64)
    return points


def by_thrift(amounts: Amounts) -> Whole:
    """100 for the least, 0 for the most; all equal is 100, without the amount 0."""
    turned = Amounts(-amounts.values, amounts.present, amounts.unit)
    return by_size(turned)


def _cpu(request: Request) -> Whole:
    return by_size(request.table.amounts("allocatable.cpu"))


def _memory(request: Request) -> Whole:
    return by_size(request.table.amounts("allocatable.memory"))


def _cost(request: Request) -> Whole:
    return by_thrift(request.table.amounts(COST))


CPU = Scorer("allocatable-cpu", _cpu, lambda _request: None)
MEMORY = Scorer("allocatable-memory", _memory, lambda _request: None)
CHEAP = Scorer("cost", _cost, lambda _request: None)
