"""What the scorers of a policy give together: points that stay, and points that fall."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from fleet.errors import PluginError
from fleet.model.policy import Scoring
from fleet.schedule.ask import Where
from fleet.schedule.columns import Whole
from fleet.schedule.plugin import Scorer
from fleet.schedule.profile import Profile, Weighted
from fleet.schedule.request import Request
from fleet.schedule.scoring import weighted

FULL = 100


@dataclass(frozen=True, slots=True, eq=False)
class Counting:
    """The scorers that count for a policy, and what is known of them together.

    `key` stands for the scoring where it is not the profile's own. `share` is what a percent counts
    of the scarcest resource. `falls`: all points are for something good, and what is not kept falls
    as capacity does.
    """

    scoring: Scoring
    key: Hashable
    scorers: tuple[Weighted, ...]
    kept: tuple[Weighted, ...]
    others: tuple[Weighted, ...]
    share: int
    falls: bool

    @classmethod
    def of(cls, profile: Profile, scoring: Scoring) -> "Counting":
        """What a policy says of scorers, over the profile's weights."""
        scorers = weighted(profile, scoring)
        kept = tuple(each for each in scorers if each.scorer.reads is not None)
        unkept = [each for each in scorers if each.scorer.reads is None]
        others = tuple(each for each in unkept if not each.scorer.by_share)
        return cls(
            scoring=scoring,
            key=scoring if scoring.exact or scoring.weights else None,
            scorers=scorers,
            kept=kept,
            others=others,
            share=sum(each.scorer_weight for each in unkept if each.scorer.by_share),
            falls=not others and all(each.scorer_weight > 0 for each in scorers),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The points that stay as they are, one sum per cluster; `key` stands for them.

    `usual` where a workload does not run, `there` where it does. `share` is what a percent counts
    of the scarcest resource, for a request that spreads load; `others` are to be asked each time.
    `falls`: all points together only fall while the run goes on.
    """

    key: Hashable
    usual: Whole
    there: Whole
    share: int
    others: tuple[Weighted, ...]
    falls: bool


def totals(request: Request, where: Where, scores: Scores) -> Whole:
    """The sum of value x scorer_weight for each cluster; `scores` are the request's."""
    total = scores.usual
    if request.prior:
        total = total.copy()
        runs = list(request.prior)
        total[runs] = scores.there[runs]
    return _with_others(request, where, scores, total[where])


def usual_totals(request: Request, where: Where, scores: Scores) -> Whole:
    """The same for a workload that runs nowhere."""
    return _with_others(request, where, scores, scores.usual[where])


def _with_others(request: Request, where: Where, scores: Scores, total: Whole) -> Whole:
    """Adds the points that are not kept."""
    if scores.share and request.spreads_load:
        percent = request.ledger.free_percent(request.asked, where)
        total = total + scores.share * percent.astype(np.int64)
    for each in scores.others:
        total = total + each.scorer_weight * in_range(each.scorer, request)[where]
    return total


def in_range(rule: Scorer, request: Request) -> Whole:
    """A scorer's answer, if it is one whole number of 0..100 per cluster."""
    points = rule.gives(request)
    if points.shape != (request.table.size,) or not np.issubdtype(points.dtype, np.integer):
        raise PluginError(rule.name, "a scorer answers with one whole number per cluster")
    if points.size and (points.min() < 0 or points.max() > FULL):
        place = int(np.argmax((points < 0) | (points > FULL)))
        raise PluginError(
            rule.name,
            f"gives {points[place]} to '{request.table.names[place]}', 0 to 100 is allowed",
        )
    return points
