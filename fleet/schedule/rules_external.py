"""Scores that another program gave, from an ExternalScores document."""

import numpy as np

from fleet.model.moment import seconds_of
from fleet.model.observation import ExternalScores
from fleet.schedule.columns import Whole
from fleet.schedule.plugin import Scorer
from fleet.schedule.request import Request

PREFIX = "external/"
_FULL = 100


def leveled(points: Whole, *, dislikes: bool) -> Whole:
    """Points of -100..100 as 0..100; where there are dislikes, 0 becomes 50.

    >>> leveled(np.array([-100, 0, 31]), dislikes=True).tolist()
    [0, 50, 65]
    >>> leveled(np.array([0, 31]), dislikes=False).tolist()
    [0, 31]
    """
    return (points + _FULL) // 2 if dislikes else points


def external(name: str) -> Scorer:
    """The scorer of an ExternalScores document."""

    def gives(request: Request) -> Whole:
        table = request.table
        points = np.zeros(table.size, dtype=np.int64)
        document = table.facts.scores.get(name)
        if document is None:
            return points
        for cluster, score in document.spec.scores.items():
            if cluster in table.index and not _expired(document, cluster, table.facts.now):
                points[table.index[cluster]] = score
        return leveled(points, dislikes=min(document.spec.scores.values(), default=0) < 0)

    return Scorer(PREFIX + name, gives, lambda _request: None)


def _expired(document: ExternalScores, cluster: str, now: int | None) -> bool:
    until = document.until(cluster)
    return until is not None and now is not None and seconds_of(until) <= now
