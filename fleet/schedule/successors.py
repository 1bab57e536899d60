"""Which regions follow when the active one is lost, and whether only a name tells them apart."""

from collections.abc import Mapping
from dataclasses import replace

from fleet.model.decision import Active
from fleet.schedule.active import Before, Resolved

_FEW = 2
"""With so many regions one is active and one could follow: there is nothing to choose."""


def with_successors(
    resolved: Resolved,
    wanted: Mapping[str, tuple[Active, ...]],
    ranked: Mapping[str, object],
    before: Before,
) -> Resolved:
    """The active regions, each with those that follow it, in the order that a loss takes them.

    First what somebody names, then the one that was to follow, then the best.

    **Shape**: `ranked` are the regions with a feasible cluster, best first, with what ranks them
    besides their name.
    """
    if len(ranked) <= _FEW:
        return resolved
    active = {
        policy: _succeeded(each, wanted.get(policy, ()), ranked, before)
        for policy, each in resolved.active.items()
    }
    return replace(resolved, active=active)


def _succeeded(
    active: Active, words: tuple[Active, ...], ranked: Mapping[str, object], before: Before
) -> Active:
    others = [region for region in ranked if region not in active.regions]
    named = [each.region for each in words] + [before.next]
    first = [region for region in dict.fromkeys(named) if region in others]
    then = (*first, *(region for region in others if region not in first))
    equal = 0 if first else [ranked[region] for region in then].count(ranked[then[0]])
    return replace(active, then=then, equal=equal)
