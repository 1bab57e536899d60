"""What moved since the prior, and which inputs are not what they were.

A prior without facts (an older one, or one by hand) says only what moved.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from fleet.explain.changes import prior_workload
from fleet.explain.inputs import AMOUNTS, LABELS, Facts, as_text, cluster_facts, workload_facts
from fleet.model.base import FrozenMap
from fleet.model.plan import Outcome, WorkloadDelivery

_SPREAD = {"zones": "zone", "provider": "provider"}
_PLACES = ("capacity.allocatable.", "capacity.reserved.")


@dataclass(frozen=True, slots=True)
class Cause:
    """An input that changed; `cluster` is empty for one of the workload's own.

    `was` or `now` empty: it was not there, or is not there any more.
    """

    cluster: str
    field: str
    was: str
    now: str
    place: str

    @property
    def sentence(self) -> str:
        """In words: `eu-1: capacity.allocatable.cpu 40 -> 20`."""
        whose = f"{self.cluster}: " if self.cluster else ""
        return f"{whose}{self.field} {self.was or '-'} -> {self.now or '-'}"


class Since:
    """A run against its prior; what every workload asks for is worked out once."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    def moved(self, workload: WorkloadDelivery) -> dict[str, tuple[int | None, int | None]]:
        """Replicas before and now, by cluster, where they differ; nothing without a prior."""
        if not self._outcome.prior.known:
            return {}
        before = prior_workload(self._outcome, workload).replicas
        after = workload.decision.replicas if workload.decision else FrozenMap[int]()
        return {
            each: (before.get(each), after.get(each))
            for each in sorted({*before, *after})
            if before.get(each) != after.get(each)
        }

    def causes(self, workload: WorkloadDelivery) -> list[Cause]:
        """What changed of the inputs that a decision which moved something was made of.

        Its own first, then those of the clusters where something moved. Only where there is
        neither, what changed of other clusters is named: they may have been in its way.
        """
        where = self.moved(workload)
        before = prior_workload(self._outcome, workload).inputs
        if not where or not before:
            return []
        own = workload_facts(self._outcome.snapshot, workload.workload)
        found = list(_differences("", before, own))
        found += [each for each in self._changed if each.cluster in where and _matters(each, own)]
        return found or [each for each in self._changed if _matters(each, own)]

    def neighbours(self, workload: WorkloadDelivery) -> list[str]:
        """Other workloads that moved on the same clusters, and so took or left room there."""
        found = {name for cluster in self.moved(workload) for name in self._movers[cluster]}
        return sorted(found - {workload.workload})

    @cached_property
    def _movers(self) -> dict[str, list[str]]:
        """The workloads that moved, by cluster."""
        movers: dict[str, list[str]] = {}
        for each in self._outcome.plan.workloads:
            for cluster in self.moved(each):
                movers.setdefault(cluster, []).append(each.workload)
        return movers

    @cached_property
    def _changed(self) -> list[Cause]:
        """What changed of every cluster; nothing where the prior does not know clusters."""
        known, snapshot = self._outcome.prior.clusters, self._outcome.snapshot
        now = {each.name: each for each in snapshot.clusters}
        found: list[Cause] = []
        for name in sorted({*known, *now}) if known else ():
            if name not in now:
                found.append(Cause(name, "in the inventory", "yes", "no", ""))
            elif name not in known:
                place = str(now[name].origin.start)
                found.append(Cause(name, "in the inventory", "no", "yes", place))
            else:
                found += _differences(name, known[name], cluster_facts(snapshot, now[name]))
        return found


def _differences(cluster: str, before: FrozenMap[str], facts: Facts) -> Iterator[Cause]:
    now = as_text(facts)
    for field in sorted({*before, *now}):
        was, is_now = before.get(field, ""), now.get(field, "")
        if was != is_now:
            place = facts[field].place if field in facts else ""
            yield Cause(cluster, field, was, is_now, place)


def _matters(cause: Cause, own: Facts) -> bool:
    """Whether a workload reads that of a cluster at all."""
    if cause.field.startswith(LABELS):
        return _reads(own, cause.field.removeprefix(LABELS))
    if cause.field in _SPREAD:
        return _reads(own, _SPREAD[cause.field])
    if cause.field.startswith(AMOUNTS):
        asked = [f"request.{cause.field.removeprefix(each)}" for each in _PLACES]
        return any(each in own for each in asked) or cause.field == "capacity.nodes"
    return True


def _reads(own: Facts, word: str) -> bool:
    """Whether the policy speaks of a label or a field, as a key or as a value."""
    return any(word in field or word in fact.value for field, fact in own.items())
