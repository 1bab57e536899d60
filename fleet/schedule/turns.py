"""Who chooses first where workloads compete."""

from collections.abc import Iterable

from fleet.model.snapshot import Linked


def in_turns(linked: Iterable[Linked]) -> tuple[Linked, ...]:
    """The larger priority first, then the lower place in a queue, then the name.

    Whoever chooses later keeps what it runs: room that is set aside for it is nobody else's.
    """
    return tuple(sorted(linked, key=_turn))


def _turn(item: Linked) -> tuple[int, bool, int, str]:
    queue = item.workload.settings.queue
    return (-item.placement.spec.priority, queue is None, queue or 0, item.workload.name)
