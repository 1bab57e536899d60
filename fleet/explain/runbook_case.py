"""What a runbook speaks of: one name, and the loss of one region that it leads to."""

from dataclasses import dataclass, field

from fleet.explain.shell import line
from fleet.model.data import DataKind
from fleet.model.exercise import Exercise, NameExercise
from fleet.model.plan import Outcome
from fleet.model.traffic import TrafficPolicy

Said = tuple[list[str], list[str]]
"""Sentences, and commands."""

UP = line("pulumi", "up", "--yes", "--skip-preview", "--continue-on-error")
NOW = '"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'


@dataclass(frozen=True, slots=True)
class Case:
    """One name, and the loss of one region that it leads to."""

    outcome: Outcome = field(repr=False)
    policy: TrafficPolicy
    name: NameExercise
    exercise: Exercise
    commands: frozenset[str]

    @property
    def region(self) -> str:
        """The region that is lost."""
        return self.exercise.emergency.domain

    @property
    def clusters(self) -> tuple[str, ...]:
        """The clusters that are lost with it."""
        return self.exercise.emergency.clusters

    @property
    def is_database(self) -> bool:
        """Whether the name's workload has replicated data."""
        return any(
            each.workload.settings.data.kind is DataKind.REPLICATED
            for each in self.outcome.snapshot.linked
            if each.workload.name == self.policy.spec.workload
        )

    def fleet(self, *words: str) -> str:
        """A command of fleet, with the time where the files need one."""
        timed = self.outcome.settings.now is not None and words[0] != "probe"
        return line("fleet", *words) + (f" --now {NOW}" if timed else "")

    @property
    def clock(self) -> list[str]:
        """The command that gives an update the time, where the files need one."""
        return [] if self.outcome.settings.now is None else [f"pulumi config set now {NOW}"]

    @property
    def first(self) -> int:
        """The first free place of the config's list `down`."""
        return len(self.outcome.settings.down)

    @property
    def first_fenced(self) -> int:
        """The first free place of the config's list `fenced`."""
        return len(self.outcome.settings.fenced)

    def ran(self, workload: str) -> list[str]:
        """The lost clusters where the workload runs replicas."""
        before = self.exercise.losses[workload].before
        return [name for name in self.clusters if before.get(name)]
