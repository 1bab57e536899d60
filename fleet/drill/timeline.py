"""How long a workload is without what died: its replicas, and the primary of its data.

Names have the timeline of `fleet.model.outage`, which preview asks, too.
"""

from collections.abc import Iterable

from fleet.model.drill_targets import DrillTargets
from fleet.model.survival import Loss
from fleet.model.timeline import Need, Step, Timeline, noticed_steps, update_steps
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload


def start_timeline(
    loss: Loss, workload: Workload, words: DrillTargets, *, promotes: bool
) -> Timeline:
    """Until everything of a workload runs again, from the alarm; no time where nothing moves."""
    need = Need(lacks=bool(loss.moves), promotes=promotes)
    return Timeline(update_steps(need, workload, words), ends=loss.is_survived)


def data_timeline(start: Timeline, named: Iterable[TrafficPolicy], words: DrillTargets) -> Timeline:
    """Until a database takes writes again, from its death on.

    The alarm is the slowest check of its names; without a name nobody knows how long that takes,
    and it is counted from the alarm.
    """
    noticed: list[tuple[Step, Step]] = [noticed_steps(each.spec, words) for each in named]
    slowest = max(noticed, key=lambda each: each[0].seconds, default=())
    return Timeline((*slowest, *start.steps), ends=start.ends)
