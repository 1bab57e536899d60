"""What a loss may cost by the records and checks of a name, and what it did cost.

**Source**: Route53: an endpoint is taken for dead after interval x threshold; a look that gets no
answer ends after its own time limit; resolvers keep an answer for its TTL.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from devkit.dataplane.probe import CONNECT_SECONDS, STATUS_SECONDS, TCP_SECONDS
from devkit.dataplane.watch import Sample

OK = 200
SAMPLE_SECONDS = 0.5
"""How far a sample may begin from the moment that it tells of."""
SLACK_SECONDS = 1.0
"""What the measuring itself may take: the answerer's next look at the records."""


@dataclass(frozen=True, slots=True)
class Predicted:
    """The longest that each step takes. **Units**: seconds."""

    detection: float
    ttl: float

    @property
    def total(self) -> float:
        """From the death to the last dead answer."""
        return self.detection + self.ttl


def predicted(interval: int, threshold: int, ttl: int, kind: str = "HTTP") -> Predicted:
    """What the plan promises of a loss.

    >>> predicted(10, 3, 20).total
    56
    """
    limit = TCP_SECONDS if kind == "TCP" else CONNECT_SECONDS + STATUS_SECONDS
    return Predicted(interval * threshold + limit, ttl)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a user saw of a loss. **Units**: seconds after the death; 0 dead answers: no loss.

    `early` are bad answers before it; a look that began just before may have been under way.
    `last_dead` is when the last look began that got no good answer.
    """

    early: tuple[Sample, ...]
    dead_answers: int
    last_dead: float
    answered_by: tuple[str, ...]


def limit(promised: Predicted, slack: float = SLACK_SECONDS) -> float:
    """The latest dead answer that keeps a promise, as it can be measured. **Units**: seconds.

    >>> limit(predicted(10, 3, 20))
    57.5
    """
    return promised.total + slack + SAMPLE_SECONDS


def seen(samples: Sequence[Sample], died: float) -> Seen:
    """What the samples before and after a death say.

    >>> from devkit.dataplane.watch import Sample
    >>> good, bad = Sample(1, "a", "", 0, "eu", 200, 4), Sample(2, "a", "", 0, "eu", 0)
    >>> seen([good, bad, Sample(3, "a", "", 0, "us", 200, 2)], 1.5)
    Seen(early=(), dead_answers=1, last_dead=0.5, answered_by=('us',))
    """
    before = [each for each in samples if each.time < died - SAMPLE_SECONDS]
    later = [each for each in samples if each.time >= died]
    dead = [each for each in later if each.status != OK]
    good = [each for each in later if each.status == OK]
    return Seen(
        early=tuple(each for each in before if each.status != OK),
        dead_answers=len(dead),
        last_dead=max((each.time - died for each in dead), default=0.0),
        answered_by=tuple(dict.fromkeys(each.cluster for each in good)),
    )
