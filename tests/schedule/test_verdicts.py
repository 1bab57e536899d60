"""An explanation that is asked for later is the one of the moment of the decision."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fleet.schedule.settle as room
from fleet.model.decision import Verdict
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from fleet.schedule.decide import Decided, decide
from fleet.schedule.run import Run
from tests.builders import settings
from tests.schedule.fleets import by_name, fleets, priors

Said = dict[str, list[Verdict]]


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior, Sequence[tuple[int, str]]]:
    """A fleet, what ran there, and an order in which somebody asks."""
    snapshot = draw(fleets())
    names = [cluster.name for cluster in snapshot.clusters]
    pairs = [(turn, name) for turn in range(len(snapshot.linked)) for name in names]
    return snapshot, draw(priors(snapshot)), draw(st.permutations(pairs))


def at_the_moment(snapshot: Snapshot, prior: Prior, capacity: str) -> Said:
    """The verdicts, asked for as soon as each workload is decided; the last pass counts."""
    said: Said = {}

    def listening(run: Run, turn: int) -> Decided:
        decided = decide(run, turn)
        verdicts = decided.decision.verdicts
        said[decided.decision.workload] = [verdicts[name] for name in verdicts]
        return decided

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "decide", listening)
        schedule(snapshot, prior, settings(capacity=capacity))
    return said


@given(situations(), st.sampled_from(["deducted", "independent"]))
def test_later_in_any_order_every_verdict_is_what_it_was(
    situation: tuple[Snapshot, Prior, Sequence[tuple[int, str]]], capacity: str
) -> None:
    snapshot, prior, order = situation
    said = at_the_moment(snapshot, prior, capacity)
    made = schedule(snapshot, prior, settings(capacity=capacity))
    assert set(said) == set(by_name(made))
    places = {cluster.name: place for place, cluster in enumerate(snapshot.clusters)}
    for turn, name in order:
        decision = made.decisions[turn]
        assert decision.verdicts[name] == said[decision.workload][places[name]]


@given(situations())
def test_all_at_once_is_one_by_one(
    situation: tuple[Snapshot, Prior, Sequence[tuple[int, str]]],
) -> None:
    snapshot, prior, _ = situation
    for decision in schedule(snapshot, prior, settings()).decisions:
        verdicts = decision.verdicts
        one_by_one = {name: verdicts[name] for name in verdicts}
        assert dict(verdicts.items()) == one_by_one
        assert list(verdicts.values()) == list(one_by_one.values())
