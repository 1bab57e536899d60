"""What there is to tell, or to refuse, about the run as a whole."""

from collections.abc import Iterator

from fleet.errors import InvalidError, SourceError
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.settings import Settings
from fleet.schedule import reasons
from fleet.schedule.active import standby_policies
from fleet.schedule.run import Run
from fleet.schedule.stance import one_group


def undeclared_capacity(run: Run) -> Iterator[Finding]:
    """Clusters whose room counts as unlimited, where anybody asks for room."""
    if not any(any(item.workload.request.values()) for item in run.linked):
        return
    for cluster, declared in zip(run.table.clusters, run.table.declared, strict=True):
        if not declared:
            values = FrozenMap[str | int]({"cluster": cluster.name})
            yield Finding(
                reasons.CAPACITY_UNDECLARED, values, cluster.origin.at("spec", "capacity")
            )


def check_active_region(run: Run, settings: Settings) -> None:
    """Refuses a config's activeRegion where no policy could ever be active.

    States, taints and room do not count: the region may be dead today, and the word for it still
    stand in the config. Guarded by test_active_region_of_a_dead_region_is_no_error.
    """
    wanted = settings.active_region
    if wanted is None:
        return
    possible: set[str] = set()
    for turn, item in enumerate(run.linked):
        if standby_policies(item.traffic):
            request = run.request(turn, one_group(run.table, 1))
            barred = run.evaluator.barred_for_good(request)
            possible.update(
                region for region, out in zip(run.table.regions, barred, strict=True) if not out
            )
    if wanted not in possible:
        allowed = ", ".join(sorted(possible))
        raise InvalidError(
            [
                SourceError(
                    None,
                    "config fleet:activeRegion",
                    f"no active-standby traffic policy has a candidate in region '{wanted}'",
                    f"regions with candidates: {allowed}" if allowed else "",
                )
            ]
        )
