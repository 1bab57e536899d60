"""What the observed file says after a probe, from what it said before. Pure.

A failed probe leaves the values that were seen before, with their time. Silence and return count
from the first probe of their kind, so that nothing dies or comes back by a single answer.
"""

from collections.abc import Mapping

from fleet.model.base import FrozenMap
from fleet.model.document import Metadata
from fleet.model.moment import seconds_of, spelled
from fleet.model.observation import ClusterObservation, LatencySample, ObservationSpec
from fleet.probe.values import Answer, Reach

KEPT_SECONDS = 3600
KEPT_SAMPLES = 100
CUT_OFF = "no cluster answered: the fault may be on this side"


def follow(
    before: Mapping[str, ClusterObservation],
    answers: Mapping[str, Answer],
    now: int,
    origin: str,
) -> dict[str, ClusterObservation]:
    """The observations of all clusters that were asked. **Units**: `now` in seconds since 1970.

    Where not one cluster answered, whoever asks is cut off: nobody is taken for silent by that.
    """
    cut_off = all(each.reach is not Reach.ANSWERS for each in answers.values())
    return {
        name: ClusterObservation(
            metadata=before[name].metadata if name in before else Metadata(name=name),
            spec=_spec(before.get(name), _believed(answer, cut_off=cut_off), now, origin),
        )
        for name, answer in answers.items()
    }


def _believed(answer: Answer, *, cut_off: bool) -> Answer:
    if cut_off and answer.reach is Reach.SILENT:
        return Answer(Reach.UNKNOWN, error=f"{answer.error}; {CUT_OFF}")
    return answer


def _spec(
    before: ClusterObservation | None, answer: Answer, now: int, origin: str
) -> ObservationSpec:
    at = spelled(now)
    spec = before.spec if before is not None else ObservationSpec(probed_at=at)
    changed: dict[str, object] = {"error": answer.error, "probed_at": at}
    if answer.reach is Reach.UNKNOWN:
        # Silence and return go on from where they were: this probe proves neither.
        changed["probed_at"] = spec.asked_at
    else:
        changed |= _reach(spec, at, answers=answer.reach is Reach.ANSWERS)
    if answer.seen is not None:
        seen = answer.seen
        changed |= {
            "observed_at": at,
            "probed_at": None,
            "latency": _latency(spec, now, origin, seen.milliseconds),
            "capacity": seen.capacity,
            "kubernetes_version": seen.kubernetes_version,
            "nodes": seen.nodes or None,
            "apis": seen.apis,
            "load_balancers": seen.load_balancers,
        }
    return spec.model_copy(update=changed)


def _reach(spec: ObservationSpec, at: str, *, answers: bool) -> dict[str, object]:
    """Since when it is silent, and since when it answers again."""
    if not answers:
        since = spec.unreachable_since or at
        return {"reachable": False, "unreachable_since": since, "reachable_since": None}
    again = spec.reachable_since or at
    returned: dict[str, object] = {
        "reachable": True,
        "unreachable_since": None,
        "reachable_since": None,
    }
    if not spec.is_dead:
        return returned
    coming = {"reachable": True, "reachable_since": again, "probed_at": at}
    still_held = spec.model_copy(update=coming).is_dead
    held: dict[str, object] = {
        "unreachable_since": spec.unreachable_since,
        "reachable_since": again,
    }
    return returned | held if still_held else returned


def _latency(
    spec: ObservationSpec, now: int, origin: str, milliseconds: int
) -> FrozenMap[tuple[LatencySample, ...]]:
    """The samples of the last hour with the one before it, of the other origins all."""
    sample = LatencySample(at=spelled(now), milliseconds=milliseconds)
    samples = sorted((*spec.latency.get(origin, ()), sample), key=lambda each: seconds_of(each.at))
    old = [each for each in samples if seconds_of(each.at) <= now - KEPT_SECONDS]
    young = samples[len(old) :]
    return FrozenMap({**spec.latency, origin: tuple([*old[-1:], *young][-KEPT_SAMPLES:])})
