"""Snapshot and prior -> decisions. Pure: no file, no clock, no chance, no order of documents."""

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Finding, Schedule
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule.changes import AllChanges, AllCures
from fleet.schedule.decide import Decided, decide
from fleet.schedule.notes import check_active_region, undeclared_capacity
from fleet.schedule.profile import DEFAULT, Profile
from fleet.schedule.run import Run

PASSES = 4
"""How often a run starts again at most, because room that was set aside turned out to be free."""


def schedule(
    snapshot: Snapshot, prior: Prior, settings: Settings, profile: Profile = DEFAULT
) -> Schedule:
    """Decides every workload, in the order of their names.

    **Errors**: InvalidError when the config's activeRegion suits no traffic policy at all;
    PluginError when a rule of the profile answers what it may not.
    """
    run = Run(snapshot, prior, settings, profile)
    check_active_region(run, settings)
    made = _decide_all(run)
    for _ in range(PASSES):
        if not run.gave_up():
            break
        made = _decide_all(run)
    active: dict[str, Active] = {}
    findings: list[Finding] = list(undeclared_capacity(run))
    for decided in made:
        active.update(decided.active)
        findings += decided.findings
    decisions = tuple(decided.decision for decided in made)

    def again(changed: Snapshot) -> Schedule:
        """The same run over another snapshot; the config's region concerns only a whole one."""
        whole = len(changed.linked) == len(snapshot.linked)
        said = settings if whole else settings.model_copy(update={"active_region": None})
        return schedule(changed, prior, said, profile)

    changes = AllChanges(snapshot, decisions, again)
    return Schedule(decisions, FrozenMap(active), tuple(findings), changes, AllCures(changes))


def _decide_all(run: Run) -> list[Decided]:
    """Every workload in its turn."""
    return [decide(run, turn) for turn in range(len(run.linked))]
