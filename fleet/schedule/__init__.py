"""Snapshot and prior -> decisions. Pure: no file, no clock, no chance, no order of documents."""

from fleet.model.base import FrozenMap
from fleet.model.decision import Active, Finding, Schedule
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.schedule.changes import AllChanges, AllCures
from fleet.schedule.notes import (
    beyond_limits,
    check_active_region,
    few_clusters,
    nowhere,
    repeated_jobs,
    undeclared_capacity,
    unknown_latency,
)
from fleet.schedule.profile import DEFAULT, Profile
from fleet.schedule.run import Run
from fleet.schedule.scoring import check_scoring
from fleet.schedule.settle import settled


def schedule(
    snapshot: Snapshot, prior: Prior, settings: Settings, profile: Profile = DEFAULT
) -> Schedule:
    """Decides every workload: larger priorities first, then in the order of their names.

    **Errors**: InvalidError when the config's activeRegion suits no traffic policy at all, or a
    policy names a scorer that does not exist;
    PluginError when a rule of the profile answers what it may not.
    """
    check_scoring(profile, (each.placement for each in snapshot.linked))

    def begin(before: Prior) -> Run:
        run = Run(snapshot, before, settings, profile)
        check_active_region(run, settings)
        return run

    run, made = settled(begin, prior)
    by_name = sorted(made, key=lambda each: each.decision.workload)
    active: dict[str, Active] = {}
    findings: list[Finding] = [
        *undeclared_capacity(run),
        *unknown_latency(run),
        *beyond_limits(run),
    ]
    for decided in by_name:
        active.update(decided.active)
        findings += decided.findings
    decisions = tuple(decided.decision for decided in by_name)
    in_turn = [decided.decision for decided in made]
    for tell in (repeated_jobs, nowhere, few_clusters):
        findings += tell(in_turn, run)

    def again(changed: Snapshot) -> Schedule:
        """The same run over another snapshot; the config's region concerns only a whole one."""
        whole = len(changed.linked) == len(snapshot.linked)
        said = settings if whole else settings.model_copy(update={"active_region": None})
        return schedule(changed, prior, said, profile)

    changes = AllChanges(snapshot, decisions, again)
    return Schedule(decisions, FrozenMap(active), tuple(findings), changes, AllCures(changes))
