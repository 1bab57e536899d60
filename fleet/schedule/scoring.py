"""What a point of each scorer counts for a policy."""

from collections.abc import Iterable
from difflib import get_close_matches

from fleet.errors import InvalidError, SourceError
from fleet.model.policy import PlacementPolicy, Scoring
from fleet.schedule.profile import Profile, Weighted
from fleet.schedule.rules_external import PREFIX, external

_LATENCY = "latency"


def weighted(profile: Profile, scoring: Scoring) -> tuple[Weighted, ...]:
    """The scorers that count anything for a policy, in the order of the profile.

    `external/<name>` is a scorer of its own, after the others. Source: Open Cluster Management's
    prioritizerPolicy.
    """
    said = scoring.weights
    named = [
        Weighted(
            each.scorer, said.get(each.scorer.name, 0 if scoring.exact else each.scorer_weight)
        )
        for each in profile.scorers
    ]
    others = [
        Weighted(external(name.removeprefix(PREFIX)), weight)
        for name, weight in said.items()
        if name.startswith(PREFIX)
    ]
    return tuple(each for each in (*named, *others) if each.scorer_weight)


def check_scoring(profile: Profile, policies: Iterable[PlacementPolicy]) -> None:
    """Refuses names of scorers that do not exist, and `latency` where no limit says from where.

    **Errors**: InvalidError with every such name.
    """
    known = sorted(each.scorer.name for each in profile.scorers)
    faults = [
        fault
        for policy in policies
        for name in policy.spec.scoring.weights
        if (fault := _fault(policy, name, known)) is not None
    ]
    if faults:
        raise InvalidError(faults)


def _fault(policy: PlacementPolicy, name: str, known: list[str]) -> SourceError | None:
    source = policy.origin.at("spec", "scoring", "weights", name)
    path = f"spec.scoring.weights.{name}"
    if name == _LATENCY and policy.spec.latency is None:
        hint = "say spec.latency with the origin that measures"
        return SourceError(source, path, "needs a latency limit, and the policy has none", hint)
    if name in known or name.startswith(PREFIX):
        return None
    near = get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    words = ", ".join(f"'{each}'" for each in (*known, f"{PREFIX}<name>"))
    hint = f"did you mean '{near[0]}'?" if near else f"known are {words}"
    return SourceError(source, path, f"there is no scorer '{name}'", hint)
