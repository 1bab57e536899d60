"""What the stack's config, or the command line, says: read once at the door."""

from typing import Annotated, Literal

from pydantic import Field

from fleet.model.base import FileValue, FrozenMap, Whole
from fleet.model.drill_targets import DrillTargets

EVERY_POLICY = "*"
"""The key of `shift` for all traffic policies that have none of their own."""


class MovementBudget(FileValue):
    """What one update may move or take away beyond what the operator named.

    **Units**: percent of all replicas of the prior that leave a cluster; clusters that are
    emptied; workloads that are removed; records that are removed. `targets_left` is the least
    number of living targets that a name with several keeps.
    """

    replicas_percent: Annotated[Whole, Field(ge=0, le=100)] = 30
    clusters_emptied: Annotated[Whole, Field(ge=0)] = 1
    workloads_removed: Annotated[Whole, Field(ge=0)] = 1
    records_removed: Annotated[Whole, Field(ge=0)] = 1
    targets_left: Annotated[Whole, Field(ge=0)] = 1


class Settings(FileValue):
    """The keys of the config namespace `fleet:`; an unknown key is refused.

    `capacity` deducted: what one workload takes, the next does not see. independent: every
    workload sees the inventory as written. `down`, `drain` and `fenced` name clusters and regions;
    `fenced` is the operator's word that a dead side cannot write any more. `shift` is the percent
    of its traffic that a switch of the active region moves, by traffic policy; `failback` are
    policies that may go back to a region that they were driven from. `drill` places nothing: drills
    and the times of recovery are measured by it. `break_glass` is the folder below which each up
    writes the region switches that need no Pulumi.
    """

    inventory: tuple[str, ...] = ("inventory",)
    workloads: tuple[str, ...] = ("workloads",)
    policies: tuple[str, ...] = ("policies",)
    active_region: str | None = None
    active_regions: FrozenMap[str] = FrozenMap()
    shift: FrozenMap[Annotated[Whole, Field(ge=0, le=100)]] = FrozenMap()
    failback: tuple[str, ...] = ()
    down: tuple[str, ...] = ()
    drain: tuple[str, ...] = ()
    decommission: tuple[str, ...] = ()
    fenced: tuple[str, ...] = ()
    delete_namespaces: tuple[str, ...] = ()
    approve: str | None = None
    movement_budget: MovementBudget = MovementBudget()
    capacity: Literal["deducted", "independent"] = "deducted"
    now: str | None = None
    drill: DrillTargets = DrillTargets()
    break_glass: str = ".fleet/break-glass"
