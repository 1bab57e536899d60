"""Runs the rules of a profile over a request: who is barred, how many points each cluster has."""

from collections.abc import Hashable, Iterable

import numpy as np

from fleet.errors import PluginError
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.plugin import Filter, Scorer
from fleet.schedule.profile import Profile, Weighted
from fleet.schedule.request import Request

_FULL = 100


class Evaluator:
    """The rules, and the answers that they gave already.

    The answer of a rule is kept by the part of the request that the rule says it reads, so that a
    thousand workloads under one policy pay once.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._kept_filters = [each for each in profile.filters if each.reads is not None]
        self._other_filters = [each for each in profile.filters if each.reads is None]
        self._bars: dict[tuple[str, Hashable], Mask] = {}
        self._kept_points: dict[tuple[str, Hashable], Whole] = {}

    def barred(self, request: Request, filters: Iterable[Filter] | None = None) -> Mask:
        """True for each cluster that one of the filters (all of the profile) bars."""
        barred = np.zeros(request.table.size, dtype=bool)
        for each in self._profile.filters if filters is None else filters:
            barred |= self._barred_by(each, request)
        return barred

    def barred_by_policy(self, request: Request) -> Mask:
        """True where one of the filters bars whose answers are kept: room plays no part."""
        return self.barred(request, self._kept_filters)

    def barred_by_room(self, request: Request) -> Mask:
        """True where one of the other filters bars."""
        return self.barred(request, self._other_filters)

    def barred_for_good(self, request: Request) -> Mask:
        """True where not only a state, a taint or the lack of room is in the way."""
        return self.barred(request, [each for each in self._profile.filters if not each.passes])

    def bars(self, request: Request) -> list[tuple[Filter, Mask]]:
        """The answer of every filter, in the order of the profile."""
        return [(each, self._barred_by(each, request)) for each in self._profile.filters]

    def points(self, request: Request) -> list[tuple[Weighted, Whole]]:
        """The answer of every scorer, in the order of the profile."""
        return [(each, self._points_by(each.scorer, request)) for each in self._profile.scorers]

    def totals(self, request: Request) -> Whole:
        """The sum of value x scorer_weight for each cluster."""
        total = np.zeros(request.table.size, dtype=np.int64)
        for each in self._profile.scorers:
            total += each.scorer_weight * self._points_by(each.scorer, request)
        return total

    def _barred_by(self, rule: Filter, request: Request) -> Mask:
        """One filter's answer; what it spares is taken out of a copy, the kept answer stays."""
        if rule.reads is None:
            barred = _checked(rule.name, rule.bars(request), request)
        else:
            key = (rule.name, rule.reads(request))
            if key not in self._bars:
                self._bars[key] = _checked(rule.name, rule.bars(request), request)
            barred = self._bars[key]
        if rule.spares is None:
            return barred
        spared = [each for each in request.prior if barred[each] and rule.spares(request, each)]
        if spared:
            barred = barred.copy()
            barred[spared] = False
        return barred

    def _points_by(self, rule: Scorer, request: Request) -> Whole:
        if rule.reads is None:
            return _in_range(rule.name, rule.gives(request), request)
        key = (rule.name, rule.reads(request))
        if key not in self._kept_points:
            self._kept_points[key] = _in_range(rule.name, rule.gives(request), request)
        return self._kept_points[key]


def _checked(name: str, mask: Mask, request: Request) -> Mask:
    """A filter's answer, if it is one truth value per cluster."""
    if mask.shape != (request.table.size,) or mask.dtype != np.bool_:
        raise PluginError(name, "a filter answers with one truth value per cluster")
    return mask


def _in_range(name: str, points: Whole, request: Request) -> Whole:
    """A scorer's answer, if it is one whole number of 0..100 per cluster."""
    if points.shape != (request.table.size,) or not np.issubdtype(points.dtype, np.integer):
        raise PluginError(name, "a scorer answers with one whole number per cluster")
    if points.size and (points.min() < 0 or points.max() > _FULL):
        place = int(np.argmax((points < 0) | (points > _FULL)))
        raise PluginError(
            name, f"gives {points[place]} to '{request.table.names[place]}', 0 to 100 is allowed"
        )
    return points
