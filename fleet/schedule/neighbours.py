"""Workloads that share their clusters, or avoid each other's.

Both relations hold both ways, whoever's policy says them. A workload that is together with others
goes only to clusters that all of them use that are decided already; the first is free. One that is
apart goes to none that any of them uses. What runs counts as decided until its turn; where a
workload runs already it may stay. Source: Karmada's WorkloadAffinity and WorkloadAntiAffinity.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.pattern import is_pattern, matches
from fleet.model.snapshot import Linked
from fleet.model.source import Origin, Source
from fleet.schedule import reasons

_NOWHERE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Neighbour:
    """A workload that matters for another one, where it is, and which policy says so."""

    name: str
    places: frozenset[int]
    origin: Origin
    field: str

    @property
    def source(self) -> Source:
        """The line that says so."""
        return self.origin.at("spec", self.field)


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """The neighbours of one workload in its turn: those it must be with, those it must avoid."""

    together: tuple[Neighbour, ...] = ()
    apart: tuple[Neighbour, ...] = ()

    @property
    def allowed(self) -> frozenset[int] | None:
        """The clusters that all use; None: any."""
        if not self.together:
            return None
        return frozenset.intersection(*(each.places for each in self.together))

    @property
    def avoided(self) -> frozenset[int]:
        """The clusters that any uses."""
        if not self.apart:
            return _NOWHERE
        return frozenset().union(*(each.places for each in self.apart))


NOBODY = Beside()
_Says = Mapping[int, tuple[Origin, str]]


class Neighbours:
    """Who matters for whom, and where everybody is as the run goes.

    **Shape**: a turn is a position in `linked`; `running` has the clusters where each workload
    runs, and may still run, by turn.
    """

    def __init__(self, linked: Sequence[Linked], running: Sequence[Collection[int]]) -> None:
        self._names = [item.workload.name for item in linked]
        self._running = [frozenset(places) if places else _NOWHERE for places in running]
        self._decided: dict[int, frozenset[int]] = {}
        self._partners = {
            field: _partners(linked, self._names, field) for field in ("together", "apart")
        }
        self._with_partners = frozenset().union(*self._partners.values())

    def beside(self, turn: int) -> Beside:
        """Those that matter for the workload of that turn, as they are when it is decided."""
        if not self.matter_to(turn):
            return NOBODY
        together, apart = (tuple(self._found(turn, field)) for field in ("together", "apart"))
        return Beside(together, apart) if together or apart else NOBODY

    def matter_to(self, turn: int) -> bool:
        """Whether the workload of that turn has neighbours at all."""
        return turn in self._with_partners

    def decide(self, turn: int, places: Collection[int]) -> None:
        """Notes where a workload is from its turn on."""
        self._decided[turn] = frozenset(places)

    def gave_up(self) -> bool:
        """Whether a workload is not where it was taken to be by one decided before it."""
        return any(
            min(partners) < turn and self._now(turn) != self._running[turn]
            for by_turn in self._partners.values()
            for turn, partners in by_turn.items()
        )

    def restart(self) -> None:
        """Begins again; what was left counts no longer as running."""
        self._running = [self._now(turn) for turn in range(len(self._running))]
        self._decided.clear()

    def _now(self, turn: int) -> frozenset[int]:
        """Where a workload is taken to run from now on: not where it left.

        For those that share its clusters also where it went besides.
        """
        running = self._running[turn]
        decided = self._decided.get(turn, running)
        return decided if running and turn in self._partners["together"] else running & decided

    def _found(self, turn: int, field: str) -> Iterator[Neighbour]:
        for other, (origin, said) in self._partners[field].get(turn, {}).items():
            places = self._running[other]
            if other < turn:
                places = self._decided.get(other, places)
            if places:
                yield Neighbour(self._names[other], places, origin, said)


def kept_apart(
    linked: Linked, names: Sequence[str], beside: Beside, given: Collection[int]
) -> list[Finding]:
    """Clusters where a workload stays, though one that it should avoid is there."""
    return [
        Finding(
            reasons.APART_KEPT,
            FrozenMap[str | int](
                {"workload": linked.workload.name, "other": each.name, "cluster": names[place]}
            ),
            each.source,
        )
        for each in beside.apart
        for place in sorted(each.places.intersection(given))
    ]


def _partners(linked: Sequence[Linked], names: Sequence[str], field: str) -> dict[int, _Says]:
    """By turn: the turns of its partners in their order, with the policy that says so."""
    if not any(item.placement.spec.together or item.placement.spec.apart for item in linked):
        return {}
    turns = {name: turn for turn, name in enumerate(names)}

    @cache
    def meant(pattern: str) -> list[int]:
        if is_pattern(pattern):
            return [turn for turn, name in enumerate(names) if matches(pattern, name)]
        return [turns[pattern]] if pattern in turns else []

    found: dict[int, dict[int, tuple[Origin, str]]] = {}
    for turn, item in enumerate(linked):
        policy = item.placement
        patterns = policy.spec.together if field == "together" else policy.spec.apart
        for other in sorted({each for pattern in patterns for each in meant(pattern)} - {turn}):
            found.setdefault(turn, {})[other] = (policy.origin, field)
            found.setdefault(other, {}).setdefault(turn, (policy.origin, field))
    return {turn: dict(sorted(partners.items())) for turn, partners in found.items()}
