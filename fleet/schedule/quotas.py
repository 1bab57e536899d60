"""What teams or namespaces may use of all clusters together, in the order of decisions.

What runs, and is still wanted, is set aside until its turn as far as the quota reaches, so that
nobody who chooses earlier takes it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.pattern import matches
from fleet.model.quota import Quota
from fleet.model.snapshot import Linked
from fleet.model.workload import Workload
from fleet.schedule import reasons
from fleet.schedule.table import UNLIMITED


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many replicas the quotas leave for a workload, and what to say where more are wanted."""

    replicas: int
    over: Rejection | None = None


NO_QUOTA = Allowance(UNLIMITED)


class Quotas:
    """What is left of each quota as the run goes.

    **Shape**: `running` has the replicas that each workload runs and still wants, by turn.
    """

    def __init__(
        self, quotas: Sequence[Quota], linked: Sequence[Linked], running: Sequence[int]
    ) -> None:
        self._quotas = sorted(quotas, key=lambda quota: quota.name)
        self._requests = [item.workload.request for item in linked]
        self._of = [quotas_of(item.workload, self._quotas) for item in linked]
        self._reserved: list[int] = []
        self._given: dict[int, int] = {}
        self._bounded: set[int] = set()
        self._left: list[dict[str, int]] = []
        self._reserve(running)

    def speak_of(self, turn: int) -> bool:
        """Whether any quota counts the workload of that turn."""
        return bool(self._of[turn])

    def allows(self, turn: int) -> Allowance:
        """What the workload of that turn may use; its own share that is set aside included."""
        if not self._of[turn]:
            return NO_QUOTA
        return self._allowance(turn, self._reserved[turn])

    def charge(self, turn: int, replicas: int, *, bounded: bool) -> None:
        """Notes what the workload of that turn takes, and whether a quota bounded it."""
        if self._of[turn]:
            self._take(turn, replicas - self._reserved[turn])
            self._given[turn] = replicas
            if bounded:
                self._bounded.add(turn)

    def gave_up(self) -> bool:
        """Whether a workload left some of a quota that bounded one decided before it."""
        return any(
            given < self._reserved[turn]
            and any(
                first < turn and not set(self._of[first]).isdisjoint(self._of[turn])
                for first in self._bounded
            )
            for turn, given in self._given.items()
        )

    def restart(self) -> None:
        """Begins again; no more is set aside than was kept."""
        kept = [
            min(reserved, self._given.get(turn, 0)) for turn, reserved in enumerate(self._reserved)
        ]
        self._given.clear()
        self._bounded.clear()
        self._reserve(kept)

    def _reserve(self, running: Sequence[int]) -> None:
        self._left = [dict(quota.spec.limits) for quota in self._quotas]
        self._reserved = []
        for turn, replicas in enumerate(running):
            kept = 0
            if self._of[turn]:
                kept = min(replicas, self._allowance(turn, 0).replicas)
                self._take(turn, kept)
            self._reserved.append(kept)

    def _take(self, turn: int, replicas: int) -> None:
        for position in self._of[turn]:
            left = self._left[position]
            for resource in left:
                left[resource] -= self._requests[turn].get(resource, 0) * replicas

    def _allowance(self, turn: int, own: int) -> Allowance:
        """What all quotas leave, `own` replicas of the workload counted as free."""
        least = NO_QUOTA
        for position in self._of[turn]:
            for resource, rest in self._left[position].items():
                amount = self._requests[turn].get(resource, 0)
                left = rest + amount * own
                if amount and left // amount < least.replicas:
                    quota = self._quotas[position]
                    least = Allowance(left // amount, _over(quota, resource, left, left // amount))
        return least


def _over(quota: Quota, resource: str, left: int, replicas: int) -> Rejection:
    values: dict[str, str | int] = {
        "quota": quota.name,
        "resource": resource,
        "limit": quota.spec.limits[resource],
        "left": left,
        "replicas": replicas,
    }
    return Rejection(reasons.QUOTA, FrozenMap(values), quota.origin.at("spec", "limits", resource))


def granted(targets: Mapping[int, int], order: Sequence[int], replicas: int) -> dict[int, int]:
    """Targets of groups that a quota leaves, the groups in the given order first.

    >>> granted({0: 4, 1: 2, 2: 9}, [1, 0], 5)
    {0: 3, 1: 2, 2: 0}
    """
    left, given = replicas, dict.fromkeys(targets, 0)
    for group in order:
        given[group] = min(left, targets[group])
        left -= given[group]
    return given


def cut(
    given: Mapping[int, int], order: Sequence[int], running: Mapping[int, int], replicas: int
) -> dict[int, int]:
    """Whole copies that a quota leaves, the best clusters first; what runs may stay in part.

    **Shape**: sorted by cluster; `order` best first.

    >>> cut({0: 3, 1: 3, 2: 3}, [2, 0, 1], {0: 2}, 5)
    {0: 2, 2: 3}
    """
    left, kept = replicas, {}
    for place in order:
        count = given[place]
        if count > left:
            count = min(left, running.get(place, 0))
        if count or not given[place]:
            kept[place] = count
            left -= count
    return dict(sorted(kept.items()))


def quotas_of(workload: Workload, quotas: Sequence[Quota]) -> list[int]:
    """The positions of the quotas that speak of a workload."""
    if not quotas:
        return []
    return [
        position
        for position, quota in enumerate(quotas)
        if _named(quota.spec.teams, workload.settings.team)
        or _named(quota.spec.namespaces, workload.namespace)
    ]


def _named(patterns: Sequence[str], name: str) -> bool:
    return bool(name) and any(matches(pattern, name) for pattern in patterns)
