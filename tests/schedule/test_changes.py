"""What flips a verdict, tried out."""

from hypothesis import given
from hypothesis import strategies as st

from fleet.model.decision import Outcome
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot
from fleet.schedule import schedule
from tests.builders import settings
from tests.schedule.applying import applied
from tests.schedule.fleets import by_name, fleets, priors

PLACED = {Outcome.ASSIGNED, Outcome.SELECTED}


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    snapshot = draw(fleets())
    return snapshot, draw(priors(snapshot))


@given(situations())
def test_every_change_flips_its_verdict(situation: tuple[Snapshot, Prior]) -> None:
    snapshot, prior = situation
    made = schedule(snapshot, prior, settings())
    for decision in made.decisions:
        for name, verdict in decision.verdicts.items():
            changes = made.changes[decision.workload][name]
            if verdict.outcome in PLACED:
                assert changes == ()
                continue
            assert changes, (verdict, snapshot)
            again = schedule(applied(snapshot, changes), prior, settings())
            after = by_name(again)[decision.workload].verdicts[name].outcome
            if verdict.outcome is Outcome.INFEASIBLE:
                assert after is not Outcome.INFEASIBLE, changes
            else:
                assert after in PLACED, changes
