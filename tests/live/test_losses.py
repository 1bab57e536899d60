"""Losses at random moments: dead answers last no longer than promised, no update lengthens them."""

import pytest

from tests.harness.project import Project, measured
from tests.live.losses import loss_of, play

pytestmark = pytest.mark.live

SEEDS = range(1, 9)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_loss_at_random_is_felt_no_longer_than_promised(project: Project, seed: int) -> None:
    found = play(project, loss_of(seed))
    measured(
        f"{found.loss}: {found.dead_answers} dead answers, the last after {found.last_dead:.1f} s"
        f" of {found.promised.total:.0f} s, updates {found.update_seconds:.1f} s"
    )
    assert found.faults == ()
    # The cluster returns, and everything is as it was.
    project.config(down=None, activeRegion="eu-west-1")
    project.up()
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 0}
