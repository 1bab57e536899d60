"""Short ways to ask for a decision in a test."""

from collections.abc import Mapping, Sequence

from fleet.model.decision import Decision, Role, Schedule, Verdict
from fleet.model.inventory import Cluster, State
from fleet.model.quota import Quota
from fleet.model.snapshot import Facts, Linked
from fleet.schedule import schedule
from fleet.schedule.profile import DEFAULT, Profile
from tests.builders import a_prior, a_snapshot, settings


def decide(  # noqa: PLR0913 - one keyword per input of a run
    clusters: Sequence[Cluster],
    *items: Linked,
    prior: Mapping[str, Mapping[str, int]] | None = None,
    roles: Mapping[str, Mapping[str, Role]] | None = None,
    tiers_before: Mapping[str, str] | None = None,
    quotas: Sequence[Quota] = (),
    states: Mapping[str, State] | None = None,
    active: str | None = None,
    actives: Mapping[str, str] | None = None,
    capacity: str = "deducted",
    profile: Profile = DEFAULT,
    facts: Facts | None = None,
) -> Schedule:
    """A run over clusters and workloads; everything else has quiet defaults."""
    snapshot = a_snapshot(
        clusters,
        items,
        states=states,
        active=active,
        actives=actives,
        facts=facts,
        quotas=quotas,
    )
    said = settings(capacity=capacity, active_region=active)
    return schedule(snapshot, a_prior(prior, roles, tiers_before), said, profile)


def only(made: Schedule) -> Decision:
    """The one decision of a run with one workload."""
    (decision,) = made.decisions
    return decision


def replicas(made: Schedule, workload: str = "web") -> dict[str, int]:
    """Replicas by cluster of one workload."""
    (decision,) = [each for each in made.decisions if each.workload == workload]
    return dict(decision.replicas)


def codes(verdict: Verdict) -> list[str]:
    """The codes of a verdict's rejections."""
    return [each.code for each in verdict.rejections]
