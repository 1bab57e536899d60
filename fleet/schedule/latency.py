"""What was measured of the way to each cluster, and what counts of it.

Pure: samples, the time of the run and how long to look back. The sample before the stretch counts,
too, because it was the last word when the stretch began; without one the stretch is not covered.
Samples after the time of the run do not count.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fleet.model.moment import seconds_of
from fleet.model.observation import ClusterObservation, LatencySample
from fleet.schedule.columns import Mask, Whole

Sample = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The samples that count, one entry per cluster. **Units**: milliseconds.

    `measured` is False where there is none; `covered` where they do not reach back far enough.
    """

    least: Whole
    most: Whole
    middle: Whole
    measured: Mask
    covered: Mask


class Latencies:
    """The samples of all clusters; what counts of them is found once per question."""

    def __init__(
        self, names: Sequence[str], observations: Mapping[str, ClusterObservation], now: int | None
    ) -> None:
        self._names = names
        self._observations = observations
        self._now = now or 0
        self._samples: dict[str, list[list[Sample]]] = {}
        self._found: dict[tuple[str, int], Evidence] = {}

    def evidence(self, origin: str, hold_seconds: int) -> Evidence:
        """What counts of the samples from an origin within the last seconds."""
        key = origin, hold_seconds
        if key not in self._found:
            begin = self._now - hold_seconds
            found = [counting(each, begin, self._now) for each in self._of(origin)]
            self._found[key] = Evidence(
                least=_whole(min((ms for _, ms in each), default=0) for each, _ in found),
                most=_whole(max((ms for _, ms in each), default=0) for each, _ in found),
                middle=_whole(_middle([ms for _, ms in each]) for each, _ in found),
                measured=np.array([bool(each) for each, _ in found], dtype=bool),
                covered=np.array([covered for _, covered in found], dtype=bool),
            )
        return self._found[key]

    def _of(self, origin: str) -> list[list[Sample]]:
        """The samples of each cluster, oldest first; of one moment the slowest last."""
        if origin not in self._samples:
            self._samples[origin] = [
                sorted(_sample(each) for each in self._spoken(name, origin)) for name in self._names
            ]
        return self._samples[origin]

    def _spoken(self, name: str, origin: str) -> tuple[LatencySample, ...]:
        observation = self._observations.get(name)
        return observation.spec.latency.get(origin, ()) if observation is not None else ()


def counting(samples: Sequence[Sample], begin: int, now: int) -> tuple[list[Sample], bool]:
    """The samples of a stretch with the last one before it, and whether there is that one.

    >>> counting([(1, 80), (5, 90), (9, 70), (12, 10)], begin=6, now=10)
    ([(5, 90), (9, 70)], True)
    """
    before = [each for each in samples if each[0] <= begin][-1:]
    within = [each for each in samples if begin < each[0] <= now]
    return before + within, bool(before)


def _sample(sample: LatencySample) -> Sample:
    return seconds_of(sample.at), sample.milliseconds


def _middle(values: Sequence[int]) -> int:
    """The median, of two in the middle the slower; 0 of none."""
    return sorted(values)[len(values) // 2] if values else 0


def _whole(values: Iterable[int]) -> Whole:
    return np.fromiter(values, dtype=np.int64)
