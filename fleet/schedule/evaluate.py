"""Runs the rules of a profile over a request: who is barred, how many points each cluster has."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from fleet.errors import PluginError
from fleet.model.decision import Rejection
from fleet.schedule.ask import Where
from fleet.schedule.columns import Mask, Whole
from fleet.schedule.plugin import Filter, Reads, Scorer
from fleet.schedule.points import FULL, Counting, Scores, in_range
from fleet.schedule.profile import Profile, Weighted
from fleet.schedule.request import Request
from fleet.schedule.view import View

_MOST_BYTES = 2**23
"""How much room the answers of one kind may take; each is as long as the inventory."""
T = TypeVar("T")
Rules = Sequence[tuple[Filter, Reads]]


class Evaluator:
    """The rules, and the answers that they gave already.

    The answer of a rule is kept by the part of the request that the rule says it reads, so that a
    thousand workloads under one policy pay once.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._kept_filters = [each for each in profile.filters if each.reads is not None]
        self._other_filters = [each for each in profile.filters if each.reads is None]
        self.native = all(each.by_room for each in self._other_filters)
        self._speaking: list[tuple[Filter, Reads]] | None = None
        self._naming: list[Filter] = []
        self._counting: dict[int, Counting] = {}
        self._bars: dict[Hashable, Mask | None] = {}
        self._points: dict[Hashable, Whole] = {}
        self._views: dict[Hashable, View] = {}
        self.heads: dict[Hashable, Any] = {}
        """What candidates remember of all clusters together."""
        self._sums: dict[Hashable, Scores] = {}

    def view(self, request: Request) -> View:
        """What the filters allow whose answers are kept: room plays no part."""
        rules = self._asked_of(request)
        view = self._named(request, rules) or self._kept_view(request, rules)
        if request.prior:
            spared = [place for place in request.prior if view.barred[place]]
            spared = [place for place in spared if self._is_spared(request, place)]
            if spared:
                barred = view.barred.copy()
                barred[spared] = False
                return View.of(barred)
        return view

    def _asked_of(self, request: Request) -> list[tuple[Filter, Reads]]:
        """The kept filters that may bar anybody in the run that the request is part of."""
        if self._speaking is None:
            self._speaking = [
                (each, each.reads)
                for each in self._kept_filters
                if each.reads is not None and (each.speaks is None or each.speaks(request.table))
            ]
            self._naming = [rule for rule, _ in self._speaking if rule.only is not None]
        return self._speaking

    def _named(self, request: Request, rules: Rules) -> View | None:
        """The view of a policy that lists its clusters; not kept, as it is not worth a key."""
        for rule in self._naming:
            places = rule.only(request) if rule.only is not None else None
            if places is None:
                continue
            for other, reads in rules:
                if other is not rule:
                    mask = self._kept_bars(other, reads(request), request)
                    if mask is not None:
                        places = [place for place in places if not mask[place]]
            return View(request.table.size, places)
        return None

    def _kept_view(self, request: Request, rules: Rules) -> View:
        """The view of all who read the same."""
        key = tuple([reads(request) for _, reads in rules])
        view = self._views.get(key)
        if view is None:
            found = [
                self._kept_bars(rule, read, request)
                for (rule, _), read in zip(rules, key, strict=True)
            ]
            view = View.of(_any_of([mask for mask in found if mask is not None], request))
            _keep(self._views, key, view, request.table.size)
        return view

    def lacks_room(self, request: Request, where: Where, room: Whole) -> Mask:
        """True where one of the other filters bars; `room` is the request's, cut by `where`."""
        lacks: Mask = room < (
            request.needed if isinstance(request.needed, int) else request.needed[where]
        )
        for each in self._other_filters:
            if not each.by_room:
                lacks = lacks | _checked(each.name, each.bars(request), request)[where]
        return lacks

    def barred(self, request: Request) -> Mask:
        """True for each cluster that one of the filters bars."""
        return self._barred(request, self._profile.filters)

    def barred_for_good(self, request: Request) -> Mask:
        """True where not only a state, a taint or the lack of room is in the way."""
        return self._barred(request, [each for each in self._profile.filters if not each.passes])

    def bars(self, request: Request) -> list[tuple[Filter, Mask]]:
        """The answer of every filter, in the order of the profile."""
        return [(each, self._barred_by(each, request)) for each in self._profile.filters]

    def points(self, request: Request) -> list[tuple[Weighted, Whole]]:
        """The answer of every scorer, in the order of the profile."""
        scorers = self.counting(request).scorers
        return [(each, self._points_by(each.scorer, request)) for each in scorers]

    def counting(self, request: Request) -> "Counting":
        """The scorers that count for the policy."""
        scoring = request.policy.spec.scoring
        found = self._counting.get(id(scoring))
        if found is None or found.scoring is not scoring:
            found = Counting.of(self._profile, scoring)
            self._counting[id(scoring)] = found
        return found

    def scores(self, request: Request) -> Scores:
        """The sums of value x scorer_weight that are kept."""
        counting = self.counting(request)
        reads = [
            each.scorer.reads(request) for each in counting.kept if each.scorer.reads is not None
        ]
        key = (counting.key, *reads)
        found = self._sums.get(key)
        if found is None:
            usual = np.zeros(request.table.size, dtype=np.int64)
            there = usual.copy()
            for each in counting.kept:
                points = each.scorer_weight * self._kept_points(each.scorer, request)
                usual += points
                full = each.scorer.full_where_it_runs
                there += each.scorer_weight * FULL if full else points
            falls = self.native and counting.falls
            found = Scores(key, usual, there, counting.share, counting.others, falls)
            _keep(self._sums, key, found, 2 * usual.nbytes)
        return found

    def _points_by(self, rule: Scorer, request: Request) -> Whole:
        """A scorer's answer for all clusters."""
        kept = rule.reads is not None
        points = self._kept_points(rule, request) if kept else in_range(rule, request)
        if rule.full_where_it_runs and request.prior:
            points = points.copy()
            points[list(request.prior)] = FULL
        return points

    def _barred(self, request: Request, filters: Iterable[Filter]) -> Mask:
        return _any_of([self._barred_by(each, request) for each in filters], request)

    def _barred_by(self, rule: Filter, request: Request) -> Mask:
        """One filter's answer; what it spares is taken out of a copy, the kept answer stays."""
        if rule.reads is None:
            barred = _checked(rule.name, rule.bars(request), request)
        else:
            barred = self._kept_mask(rule, request)
        if rule.spares is None:
            return barred
        spared = [each for each in request.prior if barred[each] and rule.spares(request, each)]
        if spared:
            barred = barred.copy()
            barred[spared] = False
        return barred

    def _is_spared(self, request: Request, place: int) -> bool:
        """Whether every kept filter allows, or spares, a cluster where the workload runs."""
        return all(
            not self._kept_mask(each, request)[place]
            or (each.spares is not None and each.spares(request, place))
            for each in self._kept_filters
        )

    def _kept_mask(self, rule: Filter, request: Request) -> Mask:
        """A kept filter's answer."""
        reads = rule.reads(request) if rule.reads is not None else None
        mask = self._kept_bars(rule, reads, request)
        return np.zeros(request.table.size, dtype=bool) if mask is None else mask

    def _kept_bars(self, rule: Filter, reads: Hashable, request: Request) -> Mask | None:
        """A kept filter's answer; None where it bars nobody."""
        key = (rule.name, reads)
        if key not in self._bars:
            mask = _checked(rule.name, rule.bars(request), request)
            _keep(self._bars, key, mask if np.count_nonzero(mask) else None, mask.nbytes)
        return self._bars[key]

    def _kept_points(self, rule: Scorer, request: Request) -> Whole:
        key = (rule.name, rule.reads(request) if rule.reads is not None else None)
        found = self._points.get(key)
        if found is None:
            points = in_range(rule, request)
            found = _keep(self._points, key, points, points.nbytes)
        return found


def explained(
    bars: Iterable[tuple[Filter, Mask]], request: Request, place: int
) -> tuple[Rejection, ...]:
    """All reasons why a cluster is barred, in their order; of a silent filter its name."""
    return tuple(
        rejection
        for each, barred in bars
        if barred[place]
        for rejection in (tuple(each.explains(request, place)) or (Rejection(each.name),))
    )


def _keep(kept: dict[Hashable, T], key: Hashable, value: T, size: int) -> T:
    """Keeps an answer; when they take too much room, all are forgotten."""
    if (len(kept) + 1) * size > _MOST_BYTES:
        kept.clear()
    kept[key] = value
    return value


def _any_of(masks: list[Mask], request: Request) -> Mask:
    if not masks:
        return np.zeros(request.table.size, dtype=bool)
    barred = masks[0].copy()
    for mask in masks[1:]:
        barred |= mask
    return barred


def _checked(name: str, mask: Mask, request: Request) -> Mask:
    """A filter's answer, if it is one truth value per cluster."""
    if mask.shape != (request.table.size,) or mask.dtype != np.bool_:
        raise PluginError(name, "a filter answers with one truth value per cluster")
    return mask
