"""Who holds the primary of a workload's replicated data, before this update and after it.

What the next run is told of it (`data` of its placement, all texts): `primary`, clusters joined by
`,`; during a handover `to`, the region, and `stale`, the token of an earlier one; afterwards
`token`, with which the primary was promoted; `next`, the standby region that alone is answered
after a loss, where there are several.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fleet.deliver.faults import Fault, Faults
from fleet.deliver.history import History, Past
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.data import DataKind
from fleet.model.decision import Assignment, Decision, Finding, Role, Schedule
from fleet.model.inventory import GONE, State
from fleet.model.plan import DataStep, WorkloadDelivery
from fleet.model.settings import Settings
from fleet.model.snapshot import Handing, Linked, Snapshot
from fleet.model.workload import Workload

NO_HANDING = Handing("")


def primaries(past: Past) -> tuple[str, ...]:
    """The clusters that held the primary, as the last update said; else its active ones."""
    said = past.data.get("primary", "")
    if said:
        return tuple(said.split(","))
    return tuple(name for name, role in past.roles.items() if role is Role.ACTIVE)


@dataclass(frozen=True, slots=True)
class Side:
    """The data of one workload in this update.

    **Shape**: `views` has the primary as each cluster is to see it; `standing` are active clusters
    that the override rules take for standbys.
    """

    data: FrozenMap[str]
    views: FrozenMap[str] = FrozenMap()
    standing: frozenset[str] = frozenset()
    token: str = ""
    step: DataStep | None = None

    @property
    def is_held(self) -> bool:
        """Whether traffic stays where it is, because the data cannot follow."""
        return self.step is not None and bool(self.step.unfenced)

    def assigned(self, assignment: Assignment) -> Assignment:
        """An assignment as the override rules see it."""
        if assignment.cluster not in self.standing:
            return assignment
        return replace(assignment, role=Role.STANDBY)

    def carried(self, assignment: Assignment) -> Assignment:
        """An assignment as it is carried out: what waits for a fence stands by.

        A side that is demoted is answered until the next update, and stays active.
        """
        return self.assigned(assignment) if self.is_held else assignment

    def variables(self, cluster: str) -> Mapping[str, str]:
        """What `${data.…}` is on a cluster."""
        return {"data.primary": self.views.get(cluster, cluster), "data.token": self.token}


@dataclass(slots=True)
class Sides:
    """The data of all workloads. **Shape**: `found` by workload, replicated data only."""

    snapshot: Snapshot
    history: History
    settings: Settings
    faults: Faults
    found: dict[str, Side] = field(default_factory=dict)

    def decide(self, decisions: Mapping[str, Decision]) -> None:
        """Finds every workload's sides."""
        for linked in self.snapshot.linked:
            replicated = linked.workload.settings.data.kind is DataKind.REPLICATED
            if replicated and linked.workload.name in decisions:
                self.found[linked.workload.name] = self._side(
                    linked, decisions[linked.workload.name]
                )

    def carried(self, schedule: Schedule) -> Schedule:
        """The schedule with the roles that are carried out."""
        return replace(schedule, decisions=tuple(map(self._carried, schedule.decisions)))

    def _carried(self, decision: Decision) -> Decision:
        side = self.found.get(decision.workload)
        if side is None or not side.is_held:
            return decision
        return replace(decision, assignments=tuple(map(side.carried, decision.assignments)))

    def findings(self) -> Iterator[Finding]:
        """What is done with the data, and what is refused."""
        for name, side in sorted(self.found.items()):
            if side.step is not None:
                yield _told(side.step, len(self.settings.fenced))
            elif "to" in side.data:
                yield self._handing(name, side)
        yield from self._idle_fences()

    def _idle_fences(self) -> Iterator[Finding]:
        """Words in `fenced` that speak of nothing dead: they would count for the next loss."""
        for word in self.settings.fenced:
            named = [
                each.name
                for each in self.snapshot.clusters
                if word in {each.name, each.spec.region}
            ]
            if named and all(self.snapshot.states[each].state not in GONE for each in named):
                yield Finding(codes.FENCED_IDLE, FrozenMap({"word": word}))

    def _side(self, linked: Linked, decision: Decision) -> Side:
        workload = linked.workload
        past, handing = self.history.of(workload.name), self.snapshot.handovers.get(workload.name)
        before = primaries(past)
        active = self._active(decision)
        self._refuse_two(linked, active)
        if handing is not None and not handing.token:
            return self._demotes(decision, before, active, handing)
        kept = past.data.get("token", "")
        if not before or not active or linked.keeps_primary(before, active):
            return _stays(decision, _known_first(active, before) or before, kept)
        step = self._step(workload, before, active)
        if step.unfenced:
            self._refuse_giving_up(linked, before, step.unfenced)
            views = dict.fromkeys(_places(decision), before[0])
            data = FrozenMap({"primary": ",".join(before)})
            return Side(data, FrozenMap(views), frozenset(active).difference(before), step=step)
        handed = handing or NO_HANDING
        alive = [each for each in before if each not in step.lost]
        if workload.settings.data.handover and alive and not handed.token:
            self._refuse_leaving(workload, alive)
        side = _stays(decision, active, handed.token)
        return replace(side, step=step)

    def _active(self, decision: Decision) -> tuple[str, ...]:
        return tuple(
            each.cluster
            for each in sorted(decision.assignments, key=lambda each: each.cluster)
            if each.role is Role.ACTIVE and self.snapshot.states[each.cluster].state not in GONE
        )

    def _step(
        self, workload: Workload, before: tuple[str, ...], active: tuple[str, ...]
    ) -> DataStep:
        states = self.snapshot.states
        lost = [each for each in before if each not in states or states[each].state in GONE]
        regions = self._regions()
        fenced = set(self.settings.fenced)
        return DataStep(
            workload.name,
            regions[active[0]],
            active,
            before,
            tuple(lost),
            tuple(each for each in lost if fenced.isdisjoint({each, regions.get(each, each)})),
            workload.settings.data.promotion,
            workload.data_source("promotion"),
        )

    def _demotes(
        self,
        decision: Decision,
        before: tuple[str, ...],
        active: tuple[str, ...],
        handing: Handing,
    ) -> Side:
        """The first update of a handover: the old side sees the new primary, nobody else does."""
        regions = self._regions()
        target = next(
            (each for each in _places(decision) if regions[each] == handing.region),
            min(name for name, region in regions.items() if region == handing.region),
        )
        views = dict.fromkeys(_places(decision), before[0]) | dict.fromkeys(active, target)
        data = {"primary": ",".join(before), "to": handing.region, "stale": handing.stale}
        return Side(FrozenMap(data), FrozenMap(views), frozenset(active))

    def _regions(self) -> dict[str, str]:
        return {each.name: each.spec.region for each in self.snapshot.clusters}

    def _refuse_two(self, linked: Linked, active: tuple[str, ...]) -> None:
        """Two sides that write the same data. With a handover each cluster is a side."""
        workload, regions = linked.workload, self._regions()
        sides = {regions[each] for each in active}
        if workload.settings.data.handover is not None:
            sides = set(active)
        if len(sides) > 1:
            self.faults.add(
                Fault(
                    workload.data_source(),
                    "spec.data",
                    f"the replicated data of '{workload.name}' would have {len(sides)} active"
                    f" sides: {', '.join(sorted(sides))}",
                    "one side writes; give it one TrafficPolicy of mode active-standby, and place"
                    " it so that the active region is one side, without a shift",
                )
            )

    def _refuse_leaving(self, workload: Workload, alive: list[str]) -> None:
        self.faults.add(
            Fault(
                workload.data_source("handover"),
                "spec.data.handover",
                f"'{workload.name}' would leave its primary on {', '.join(alive)} before it is"
                " demoted",
                "switch activeRegion first, which takes two updates, and drain it then",
            )
        )

    def _refuse_giving_up(
        self, linked: Linked, before: tuple[str, ...], unfenced: tuple[str, ...]
    ) -> None:
        """Names that cannot stay: the records of a decommissioned cluster go."""
        states = self.snapshot.states
        if not linked.traffic or not all(
            each in states and states[each].state is State.DECOMMISSIONED for each in before
        ):
            return
        index = len(self.settings.fenced)
        words = [
            f"pulumi config set --path 'fenced[{index + place}]' {name}"
            for place, name in enumerate(unfenced)
        ]
        self.faults.add(
            Fault(
                linked.workload.data_source(),
                "spec.data",
                f"the primary of '{linked.workload.name}' is on {', '.join(before)}, given up by"
                " 'decommissioned', and nobody says that it cannot write any more: its names would"
                " lead to a copy that is not promoted",
                "switch activeRegion first and decommission it then; if it is dead and cut off: "
                + " && ".join(words),
            )
        )

    def _handing(self, name: str, side: Side) -> Finding:
        linked = next(each for each in self.snapshot.linked if each.workload.name == name)
        handover = linked.workload.settings.data.handover
        values: dict[str, str | int] = {
            "workload": name,
            "clusters": ", ".join(side.data["primary"].split(",")),
            "region": side.data["to"],
            "object": handover.object if handover else "",
            "status": handover.status if handover else "",
        }
        source = linked.workload.data_source("handover")
        return Finding(codes.HANDOVER_FIRST, FrozenMap(values), source)


def with_data(delivery: WorkloadDelivery, side: Side | None, following: str) -> WorkloadDelivery:
    """A delivery that knows what happens to its data, and which region would follow."""
    if side is None:
        return delivery
    data = side.data
    if data and following:
        data = FrozenMap({**data, "next": following})
    return replace(delivery, step=side.step, data=data)


def _known_first(active: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    """The active clusters; those of the side that it was first, so that the primary stays."""
    known = tuple(each for each in before if each in active)
    return (*known, *(each for each in active if each not in known))


def _places(decision: Decision) -> list[str]:
    return sorted(each.cluster for each in decision.assignments)


def _stays(decision: Decision, primary: tuple[str, ...], token: str) -> Side:
    """Everybody sees the same primary."""
    if not primary:
        return Side(FrozenMap())
    data = {"primary": ",".join(primary)} | ({"token": token} if token else {})
    views = dict.fromkeys(_places(decision), primary[0])
    return Side(FrozenMap(data), FrozenMap(views), token=token)


def _told(step: DataStep, fenced: int) -> Finding:
    values: dict[str, str | int] = {
        "workload": step.workload,
        "region": step.region,
        "previous": ", ".join(step.previous),
    }
    if step.unfenced:
        values |= {"clusters": ", ".join(step.unfenced), "index": fenced}
        return Finding(codes.FENCE_FIRST, FrozenMap(values), step.source)
    if step.promotion is not None:
        values["promotion"] = step.promotion
    return Finding(codes.DATA_STEP, FrozenMap(values), step.source)
