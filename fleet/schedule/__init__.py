"""Snapshot and prior -> decisions. Pure: no file, no clock, no chance, no order of documents."""

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Finding, Schedule
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule.decide import decide
from fleet.schedule.notes import check_active_region, undeclared_capacity
from fleet.schedule.profile import DEFAULT, Profile
from fleet.schedule.run import Run


def schedule(
    snapshot: Snapshot, prior: Prior, settings: Settings, profile: Profile = DEFAULT
) -> Schedule:
    """Decides every workload, in the order of their names.

    **Errors**: InvalidError when the config's activeRegion suits no traffic policy at all;
    PluginError when a rule of the profile answers what it may not.
    """
    run = Run(snapshot, prior, settings, profile)
    check_active_region(run, settings)
    active: dict[str, Active] = {}
    findings: list[Finding] = list(undeclared_capacity(run))
    decisions = []
    for turn in range(len(run.linked)):
        decided = decide(run, turn)
        decisions.append(decided.decision)
        active.update(decided.active)
        findings += decided.findings
    return Schedule(tuple(decisions), FrozenMap(active), tuple(findings))
