"""Updates that are killed anywhere in a switch: `fleet recover`, then `pulumi up` converges.

One stack for all switches: each case switches from wherever the last one ended. The Kubernetes
plugin refuses to create what exists already, as newer ones do.
"""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest

from devkit.dataplane.watch import Sample
from devkit.engine import plugin_path
from tests.harness import strict_plugin
from tests.harness.documents import lay_switchable
from tests.harness.fixtures import new_project
from tests.harness.project import Project, Running, measured
from tests.harness.world import REGIONS, World

pytestmark = pytest.mark.live

ENDS_SECONDS = 150
REPLICAS, STANDBY = 4, 2
SIDES = ("eu-1", "us-1")
ENGINE, PROGRAM, HOST = "engine", "language_program", "language_host"
KUBERNETES, AWS = "pulumi-resource-kubernetes", "devkit.aws"


@dataclass(frozen=True)
class Switch:
    """A switch of the shared stack, from one side to the other."""

    project: Project
    old: str
    new: str

    @property
    def name(self) -> str:
        """The name that must be answered all the time."""
        return f"web.{self.project.zone}"

    def replicas(self) -> dict[str, int]:
        """Replicas asked for, by cluster."""
        return self.project.world.replicas(self.project.name).get("web", {})

    def weights(self) -> dict[str, int]:
        """Weights of the two sides."""
        return self.project.world.weights(self.name)

    def raised(self) -> bool:
        """The new side is told to run everything, and is not proven."""
        return self.replicas().get(self.new) == REPLICAS

    def asked(self) -> bool:
        """Route53 has taken the first change of this switch: nobody may know yet."""
        return self.weights().get(self.new) == 100

    def moved(self) -> bool:
        """The old side is answered no more, and still runs everything until the TTL is over."""
        return self.weights().get(self.old) == 0

    def lowered(self) -> bool:
        """The old side runs no more than a standby."""
        return self.replicas().get(self.old) == STANDBY


def be_strict(project: Project) -> None:
    """From now on the project's Kubernetes plugin refuses what exists."""
    real = plugin_path(project.world.home, "kubernetes")
    project.variables = strict_plugin.install(project.root.parent / "plugin", real)


@pytest.fixture(scope="module")
def shared(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """One stack for all cases; its Kubernetes plugin refuses what exists."""
    one = new_project(world, tmp_path_factory, "recover")
    be_strict(one)
    lay_switchable(one)
    one.up()
    yield one
    world.wipe(one.namespaces)


@pytest.fixture
def switch(shared: Project) -> Switch:
    """The next switch: away from where the traffic is."""
    weights = shared.world.weights(f"web.{shared.zone}")
    old, new = SIDES if weights.get(SIDES[0]) == 100 else SIDES[::-1]
    return Switch(shared, old, new)


SHORT = [
    pytest.param(ENGINE, signal.SIGKILL, Switch.asked, id="the engine is killed as weights rise"),
    pytest.param(AWS, signal.SIGKILL, Switch.asked, id="the AWS plugin is killed as weights rise"),
]
LONG = [
    pytest.param(victim, number, moment, id=f"{victim} {number.name} {moment.__name__}")
    for victim in (ENGINE, PROGRAM, HOST, KUBERNETES, AWS)
    for number in (signal.SIGINT, signal.SIGKILL)
    for moment in (Switch.raised, Switch.asked, Switch.moved, Switch.lowered)
]
Moment = Callable[[Switch], bool]


def hit(up: Running, victim: str, number: signal.Signals) -> None:
    """Sends the signal; an engine that dies on the spot takes nothing else with it by itself."""
    if victim == ENGINE:
        up.kill() if number is signal.SIGKILL else up.interrupt()
        return
    for pid in up.victims(victim):
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def cut_recover_and_go_on(
    switch: Switch, victim: str, number: signal.Signals, moment: Moment
) -> None:
    project = switch.project
    samples: list[Sample] = []
    project.config(activeRegion=REGIONS[switch.new])
    with project.world.watched(switch.name, samples, project.root):
        with project.running("up", "--yes", "--skip-preview") as up:
            project.eventually(lambda: moment(switch), f"{moment.__name__} of a switch")
            hit(up, victim, number)
            ended = up.wait(ENDS_SECONDS)
        recovered = project.fleet("recover", "--yes", "--stack", project.name)
        done = project.up()
    measured(
        f"{victim} {number.name} {moment.__name__}: exit {ended.code} after {ended.seconds:.0f} s,"
        f" recover {recovered.seconds:.0f} s, up {done.seconds:.0f} s\n{recovered.out}"
    )
    assert switch.replicas() == {switch.old: STANDBY, switch.new: REPLICAS}
    assert switch.weights() == {switch.old: 0, switch.new: 100}
    assert [each for each in samples if each.status != 200] == []
    project.unchanged()
    again = project.fleet("recover", "--stack", project.name)
    assert again.out == "nothing to recover\n"


@pytest.mark.parametrize(("victim", "number", "moment"), SHORT)
def test_an_update_that_is_cut_is_recovered(
    switch: Switch, victim: str, number: signal.Signals, moment: Moment
) -> None:
    cut_recover_and_go_on(switch, victim, number, moment)


@pytest.mark.soak
@pytest.mark.parametrize(("victim", "number", "moment"), LONG)
def test_an_update_that_is_cut_anywhere_is_recovered(
    switch: Switch, victim: str, number: signal.Signals, moment: Moment
) -> None:
    cut_recover_and_go_on(switch, victim, number, moment)


def test_a_first_update_that_is_killed_in_a_create_is_recovered(project: Project) -> None:
    be_strict(project)
    lay_switchable(project)

    def is_created() -> bool:
        return "web" in project.world.get("eu-1", project.name, "services")

    project.variables[strict_plugin.SLOW] = "5"
    with project.running("up", "--yes", "--skip-preview") as up:
        project.eventually(is_created, "a Service is created")
        up.kill()
    del project.variables[strict_plugin.SLOW]
    pending = [each["resource"]["urn"] for each in project.pending()]
    assert pending
    warned = project.pulumi("preview")
    assert "run 'fleet recover' before the next one" in warned.text
    asked = project.fleet("recover", "--stack", project.name, code=1)
    assert "exists and is ours: take it into the state" in asked.out
    assert "say --yes" in asked.out
    assert [each["resource"]["urn"] for each in project.pending()] == pending
    done = project.fleet("recover", "--yes", "--stack", project.name)
    measured(f"{len(pending)} pending, recover {done.seconds:.0f} s\n{done.out}")
    assert project.pending() == []
    assert set(pending) <= {each["urn"] for each in project.export()["deployment"]["resources"]}
    project.up()
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 100, "us-1": 0}
    project.unchanged()
    # What was taken in belongs to the plugin that wrote it: the next change conflicts with nobody.
    project.config(activeRegion="us-east-1")
    project.up()
    assert project.world.replicas(project.name) == {"web": {"eu-1": STANDBY, "us-1": REPLICAS}}


def an_object(project: Project) -> bool:
    """A Service exists, and the plugin has not said so yet."""
    return "web" in project.world.get("eu-1", project.name, "services")


def a_record(project: Project) -> bool:
    """A record exists, and is not in sync yet."""
    return bool(project.world.weights(f"web.{project.zone}"))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("victim", "moment"),
    [
        pytest.param(KUBERNETES, an_object, id="the Kubernetes plugin in a create"),
        pytest.param(AWS, a_record, id="the AWS plugin in a create"),
    ],
)
def test_a_first_update_whose_plugin_dies_in_a_create_goes_on(
    project: Project, victim: str, moment: Callable[[Project], bool]
) -> None:
    """No operation is pending then: the next update knows its own by signature and by check."""
    be_strict(project)
    lay_switchable(project)
    project.variables[strict_plugin.SLOW] = "2"
    with project.running("up", "--yes", "--skip-preview") as up:
        project.eventually(lambda: moment(project), "something is created")
        hit(up, victim, signal.SIGKILL)
        assert up.wait(ENDS_SECONDS).code != 0
    del project.variables[strict_plugin.SLOW]
    done = project.fleet("recover", "--yes", "--stack", project.name)
    measured(done.out)
    project.up()
    project.unchanged()
    project.config(activeRegion="us-east-1")
    project.up()
    assert project.world.replicas(project.name) == {"web": {"eu-1": STANDBY, "us-1": REPLICAS}}
    assert project.world.weights(f"web.{project.zone}") == {"eu-1": 0, "us-1": 100}
