"""A loss at random: which cluster dies, when, and how; played on a stack, and judged.

`make test` plays a few, `python -m tests.soak` as many as it is told.
"""

import random
import time
from dataclasses import dataclass

from devkit.dataplane.watch import Sample
from devkit.timings import OK, SAMPLE_SECONDS, Predicted, limit, predicted, seen
from tests.harness.documents import TTL, lay_switchable
from tests.harness.project import Done, Project

INTERVAL, THRESHOLD = 10, 1
REPLICAS = 4
REGION_OF = {"eu-1": "eu-west-1", "us-1": "us-east-1"}
WAYS = ("refuse", "blackhole", "hang")
MOMENTS = ("idle", "in a switch", "before a repair")
SWITCH_SECONDS = 15.0
SLACK_SECONDS = 1.5
"""What the measuring takes: the answerer's next look at the records, a sample, a busy machine."""
PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Loss:
    """What happens in one run.

    `moment`: idle (nobody does anything until answers are good again), in a switch (so many
    seconds after the update began), before a repair (the update starts at once, while the checks
    are still green).
    """

    seed: int
    cluster: str
    how: str
    moment: str
    after: float

    def __str__(self) -> str:
        """In words."""
        when = (
            f"{self.moment}, {self.after:.1f} s in" if self.moment == "in a switch" else self.moment
        )
        return f"seed {self.seed}: {self.cluster} dies ({self.how}) {when}"


def loss_of(seed: int) -> Loss:
    """The run of a seed."""
    dice = random.Random(seed)  # noqa: S311 - a choice that can be repeated, no secret
    return Loss(
        seed,
        dice.choice(sorted(REGION_OF)),
        dice.choice(WAYS),
        dice.choice(MOMENTS),
        dice.uniform(0, SWITCH_SECONDS),
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run went. **Units**: seconds. `faults` empty: everything held."""

    loss: Loss
    promised: Predicted
    dead_answers: int
    last_dead: float
    fewest_ready: int
    update_seconds: float
    faults: tuple[str, ...]


def play(project: Project, loss: Loss) -> Outcome:
    """Plays one loss from a healthy stack to a healthy stack."""
    world, name = project.world, f"web.{project.zone}"
    promised = predicted(INTERVAL, THRESHOLD, TTL)
    project.config(down=None, activeRegion="eu-west-1")
    lay_switchable(project, healthCheck=quick_check())
    project.up()
    await_green(project)
    survivor = "us-1" if loss.cluster == "eu-1" else "eu-1"
    samples: list[Sample] = []
    faults: list[str] = []
    try:
        with world.watched(name, samples, project.root):
            died, seconds = _lose(project, loss, promised)
            repaired = _repair(project, loss, survivor)
            time.sleep(TTL + 1)
            ended = time.time()
        faults += _repair_faults(project, survivor, repaired)
    finally:
        world.revive(loss.cluster)
    faults += _user_faults(samples, died, ended, promised, survivor)
    lost = seen(samples, died)
    return Outcome(
        loss,
        promised,
        lost.dead_answers,
        lost.last_dead,
        min((each.ready for each in samples if each.status == OK), default=0),
        seconds + repaired.seconds,
        tuple(faults),
    )


def quick_check() -> dict[str, object]:
    return {
        "type": "HTTP",
        "path": "/",
        "intervalSeconds": INTERVAL,
        "failureThreshold": THRESHOLD,
    }


def await_green(project: Project) -> None:
    """A cluster that has just returned is taken for dead for a while yet."""

    def green() -> bool:
        names = project.world.names().get(f"web.{project.zone}", {})
        return set(names) == set(REGION_OF) and all(
            each["healthy"] and each["ready"] for each in names.values()
        )

    project.eventually(green, "both sides are healthy", PATIENCE_SECONDS)


def _lose(project: Project, loss: Loss, promised: Predicted) -> tuple[float, float]:
    """The death in its moment; when it was, and how long an update took in which it fell."""
    world = project.world
    if loss.moment != "in a switch":
        time.sleep(loss.after / SWITCH_SECONDS)
        died = time.time()
        world.kill(loss.cluster, loss.how)
        if loss.moment == "idle":
            time.sleep(promised.total + SLACK_SECONDS)
        return died, 0.0
    project.config(activeRegion=REGION_OF["us-1"])
    with project.running("up", "--yes", "--skip-preview") as up:
        time.sleep(loss.after)
        died = time.time()
        world.kill(loss.cluster, loss.how)
        done = up.wait()
    return died, done.seconds


def _repair(project: Project, loss: Loss, survivor: str) -> Done:
    """What the operator says, and the update that makes it true."""
    project.config(down=[loss.cluster], activeRegion=REGION_OF[survivor])
    return project.up()


def _repair_faults(project: Project, survivor: str, repaired: Done) -> list[str]:
    """What the update of the operator has not repaired."""
    faults = []
    if project.world.replicas(project.name)["web"][survivor] != REPLICAS:
        faults.append(f"{survivor} does not run {REPLICAS} replicas after the repair")
    weights = project.world.weights(f"web.{project.zone}")
    if not weights[survivor] or any(each for name, each in weights.items() if name != survivor):
        faults.append(f"the weights after the repair are {weights}")
    if repaired.code:
        faults.append(f"the repair exited {repaired.code}")
    return faults


def _user_faults(
    samples: list[Sample], died: float, ended: float, promised: Predicted, survivor: str
) -> list[str]:
    """What a user saw that was not promised."""
    faults = []
    before = [each for each in samples if each.time < died - SAMPLE_SECONDS]
    lost = seen(samples, died)
    if lost.early:
        faults.append(f"{len(lost.early)} bad answers before the loss, the first: {lost.early[0]}")
    thin = [each for each in before if each.ready < REPLICAS]
    if thin and not lost.early:
        faults.append(f"a living side answered with {thin[0].ready} of {REPLICAS} replicas")
    latest = limit(promised, SLACK_SECONDS)
    if lost.last_dead > latest:
        faults.append(f"the last dead answer came after {lost.last_dead:.1f} s, not {latest:.1f}")
    last = [each for each in samples if each.time < ended][-1]
    if (last.status, last.cluster) != (OK, survivor):
        faults.append(f"at the end {last.cluster or 'nobody'} answers {last.status}")
    return faults
