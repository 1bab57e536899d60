"""Clusters with fewer workloads, whatever those ask for."""

from fleet.schedule.columns import Whole
from fleet.schedule.counts import evenness
from fleet.schedule.plugin import Scorer
from fleet.schedule.request import Request


def _gives(request: Request) -> Whole:
    return evenness(request.others)


FEWEST = Scorer("fewest-workloads", _gives)
