"""What holds for the drill of any fleet."""

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from fleet.deliver import deliver
from fleet.errors import InvalidError
from fleet.model import finding_codes as codes
from fleet.model.data import Data
from fleet.model.exercise import ALL_KINDS, Exercise, Item, NameExercise, Result
from fleet.model.inventory import Cluster, Entry
from fleet.model.outage import Answers
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.workload import WorkloadSettings
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, a_workload, linked
from tests.drill.exercising import dead, drilled, name_of, the_exercise, today

REGIONS = ("ap-south-1", "eu-west-1", "us-east-1")
CHECKS = [{"type": "TCP"}, {"interval_seconds": 10}, {"failure_threshold": 1}, {}]


REPLICATED = {
    "kind": "replicated",
    "replication": {"how": "async", "to": list(REGIONS), "lag_seconds": 5},
    "promote_seconds": 7,
}
HELD = {"failover": "manual", "lever": {"release": "https://levers.example/{region}"}}


@st.composite
def sites(draw: st.DrawFn) -> list[Cluster]:
    return [
        a_cluster(
            f"c{number}",
            draw(st.sampled_from(REGIONS)),
            cpu=draw(st.sampled_from([None, 1, 3, 6, 20])),
            entry=draw(st.sampled_from([Entry(addresses=(f"192.0.2.{number}",))] * 5 + [None])),
        )
        for number in range(draw(st.integers(2, 6)))
    ]


@st.composite
def items(draw: st.DrawFn, name: str) -> Linked:
    mode = draw(st.sampled_from(["duplicated", "weighted", "aggregated"]))
    spread = draw(st.sampled_from([[], [{"by": "region", "max_domains": 1}], [{"by": "cluster"}]]))
    words: dict[str, Any] = {
        "ttl_seconds": draw(st.sampled_from([1, 20, 300])),
        "health_check": draw(st.sampled_from(CHECKS)),
        "recovery": draw(st.sampled_from([{}, {"rto_seconds": 60}])),
    }
    data: dict[str, Any] = {}
    if draw(st.booleans()):
        standby = draw(st.sampled_from([50, 100]))
        words |= {"active_region": draw(st.sampled_from(REGIONS)), "standby": standby}
        data = draw(st.sampled_from([{}, {"kind": "pinned"}, REPLICATED]))
        words |= draw(st.sampled_from([{}, {"failover": "manual"}, HELD]))
    else:
        words["mode"] = draw(st.sampled_from(["weighted", "latency"]))
    policy = a_policy(name, division={"mode": mode}, spread=spread)
    settings = WorkloadSettings(data=Data.model_validate(data))
    workload = a_workload(name, draw(st.integers(0, 9)), settings=settings)
    return linked(workload, policy, traffic=[a_traffic(name, **words)])


@st.composite
def named_fleets(draw: st.DrawFn) -> Snapshot:
    """A fleet whose names lead somewhere today."""
    made = [draw(items(f"w{number}")) for number in range(draw(st.integers(1, 2)))]
    snapshot = a_snapshot(draw(sites()), made)
    try:
        today(snapshot)
    except InvalidError:
        assume(condition=False)
    return snapshot


def stages(name: NameExercise) -> list[Answers]:
    return [name.today, name.at_once, name.afterwards, name.revived, name.returned]


def some_of(data: st.DataObject, snapshot: Snapshot) -> tuple[list[str], list[str]]:
    """Clusters that die, and more of them."""
    names = [each.name for each in snapshot.clusters]
    few = data.draw(st.lists(st.sampled_from(names), unique=True, min_size=1), "few")
    more = data.draw(st.lists(st.sampled_from(names), unique=True), "more")
    return few, sorted({*few, *more})


def played(snapshot: Snapshot, clusters: list[str]) -> Exercise | None:
    found = drilled(snapshot, dead(*clusters)).played
    return found[0] if found else None


@given(named_fleets(), st.data())
def test_shares_add_up_to_1(snapshot: Snapshot, data: st.DataObject) -> None:
    few, _ = some_of(data, snapshot)
    found = played(snapshot, few)
    for name in found.names if found else ():
        for answers in stages(name):
            assert sum(answers.shares.values()) == (1 if answers.shares else 0)
            assert 0 <= answers.nowhere <= 1
            assert answers.shares or answers.nowhere == 1
        assert set(few).isdisjoint(name.at_once.shares) or not name.by_itself


@given(named_fleets(), st.data())
def test_more_that_is_dead_is_never_felt_for_a_shorter_time(
    snapshot: Snapshot, data: st.DataObject
) -> None:
    few, more = some_of(data, snapshot)
    less = played(snapshot, few)
    if less is None:
        return
    worse = the_exercise(snapshot, *more)
    for one, two in zip(less.names, worse.names, strict=True):
        assert one.felt <= two.felt <= 1
        assert one.by_itself or not one.hit or not two.by_itself
        if two.at_once.shares.keys() <= one.at_once.shares.keys():
            assert two.landing <= one.landing or two.at_once.nowhere or one.at_once.nowhere
        if one.timeline.ends and two.timeline.ends:
            assert one.timeline.total <= two.timeline.total
            assert one.timeline.dns <= two.timeline.dns


@given(named_fleets())
def test_an_emergency_is_quiet_where_nothing_runs_and_only_there(snapshot: Snapshot) -> None:
    decisions = today(snapshot).schedule.decisions
    used = {each.cluster for one in decisions for each in one.assignments}
    found = drilled(snapshot, *ALL_KINDS)
    assert all(used.isdisjoint(each.clusters) for each in found.quiet)
    for each in found.played:
        assert not each.emergency.clusters or not used.isdisjoint(each.emergency.clusters)
        assert each.dies == sum(loss.dies for loss in each.losses.values())


@given(named_fleets(), st.data())
def test_checks_say_what_the_timelines_are(snapshot: Snapshot, data: st.DataObject) -> None:
    few, _ = some_of(data, snapshot)
    found = played(snapshot, few)
    if found is None:
        return
    limits = {
        policy.spec.name: policy.spec.recovery.rto_seconds
        for linked_ in snapshot.linked
        for policy in linked_.traffic
    }
    results = {(each.item, each.subject): each.result for each in found.checks}
    for name in found.names:
        assert ((Item.RTO, name.dns_name) in results) == name.hit
        if name.hit:
            own = limits[name.dns_name]
            total = name.timeline.total
            in_time = total < 300 if own is None else total <= own
            passes = name.timeline.ends and in_time
            assert (results[Item.RTO, name.dns_name] is Result.PASS) == passes
    died = {name for name, loss in found.losses.items() if loss.dies}
    assert {each.subject for each in found.checks if each.item is Item.APPLICATION} == died


@given(named_fleets())
def test_preview_says_what_the_drill_of_the_same_loss_plays(snapshot: Snapshot) -> None:
    """Never another time, nor another way: whatever preview prints, a drill can be asked for."""
    try:
        plan = deliver(snapshot, schedule(snapshot, Prior(), Settings()), Prior(), Settings())
    except InvalidError:
        assume(condition=False)
    regions: dict[str, list[str]] = {}
    for each in snapshot.clusters:
        regions.setdefault(each.spec.region, []).append(each.name)
        regions[each.name] = [each.name]
    for told in plan.findings:
        if told.code == codes.RECOVERY:
            found = the_exercise(snapshot, *regions[str(told.values["domain"])])
            line = name_of(found, str(told.values["name"])).timeline
            assert (told.values["steps"], told.values["total"]) == (line.spelled, line.total)
