"""Runbooks of small fleets: what depends on checks, entries, data and the commands there are."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.drill.emergencies import emergencies
from fleet.drill.exercises import Replan, exercise
from fleet.explain.difference import WhatIf
from fleet.explain.names import name_blocks
from fleet.explain.runbook import Runbook, asked_regions, runbook_text
from fleet.explain.runbook_case import Case
from fleet.explain.runbook_steps import _consequences, decide
from fleet.explain.what_if import what_if_blocks
from fleet.model import finding_codes
from fleet.model.base import FrozenMap
from fleet.model.data import Data
from fleet.model.exercise import Emergency, Exercise, Kind, NameExercise, Replanned
from fleet.model.inventory import Connection, Entry, State
from fleet.model.outage import Answers
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import ClusterState, Snapshot
from fleet.model.source import Origin
from fleet.model.survival import Loss
from fleet.model.timeline import Step, StepKind, Timeline
from fleet.model.workload import Manifest, WorkloadSettings
from fleet.pipeline import carried_out
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, a_workload, linked, settings
from tests.drill.exercising import Replanning
from tests.drill.playing import present
from tests.explain.outcomes import an_outcome

ADDRESSES = {"addresses": ("192.0.2.1",), "port": 80}
FILE = {"file": ".kube/config", "context": "it"}
DATA = {"spec": {"replicas": 4, "volumeClaimTemplates": [{}]}}


def a_fleet(  # noqa: PLR0913 - one keyword per part of it
    *,
    entry: dict[str, Any] | None = None,
    check: dict[str, Any] | None = None,
    connection: dict[str, Any] | None = None,
    manifest: dict[str, Any] | None = None,
    main: str = "Deployment/default/web",
    regions: tuple[str, ...] = ("eu", "us"),
    data: dict[str, Any] | None = None,
    standby: int = 50,
    lever: dict[str, Any] | None = None,
) -> Snapshot:
    """`web` in regions, the first of them active."""
    clusters = [
        a_cluster(
            f"{region}-1",
            region,
            cpu=9,
            entry=Entry.model_validate(entry or ADDRESSES),
            connection=Connection.model_validate(connection or FILE),
        )
        for region in regions
    ]
    kind = main.partition("/")[0]
    body = {
        "apiVersion": "apps/v1",
        "kind": kind,
        "metadata": {"name": "web", "namespace": "default"},
        **(manifest or {"spec": {"replicas": 4}}),
    }
    objects = (Manifest("apps/v1", kind, "default", "web", body, Origin("workloads/web.yaml")),)
    said = Data.model_validate(data or {})
    if said.is_pinned:
        said = said.model_copy(update={"at": ("eu-1",)})
    manual = {"failover": "manual", "lever": lever}
    failover: dict[str, Any] = manual if lever or not standby else {}
    traffic = a_traffic(
        "web", active_region=regions[0], standby=standby, health_check=check or {}, **failover
    )
    settings_ = WorkloadSettings(data=said)
    item = linked(
        a_workload("web", 4, main=main, manifests=objects, settings=settings_),
        a_policy(division={"mode": "weighted"}),
        traffic=[traffic],
    )
    return a_snapshot(clusters, [item])


def planned(snapshot: Snapshot, prior: Prior) -> Outcome:
    decided = schedule(snapshot, prior, settings())
    plan = deliver(snapshot, decided, prior, settings())
    return Outcome(settings(), snapshot, prior, decided, plan)


def text_of(
    snapshot: Snapshot,
    *commands: str,
    stack: str | None = None,
    replan: Replan | None = None,
    prior: Prior | None = None,
) -> str:
    """The runbook of a fleet."""
    outcome = planned(snapshot, prior or Prior())
    regions = asked_regions(list(emergencies(snapshot, list(Kind))), frozenset())
    played = exercise(outcome, replan or Replanning(), present(outcome), regions).played
    return runbook_text(Runbook(outcome, played, frozenset(commands), stack=stack))


ASKED = [
    pytest.param(
        ADDRESSES,
        {"type": "TCP"},
        "nc -z -w 5 192.0.2.1 80\n",
        id="a connection",
    ),
    pytest.param(
        ADDRESSES,
        {"path": "/ok"},
        " --resolve web.fleet.test:80:192.0.2.1 http://web.fleet.test:80/ok\n",
        id="an address",
    ),
    pytest.param(
        {"addresses": ("2001:db8::1",), "port": 443},
        {"type": "HTTPS"},
        " --resolve 'web.fleet.test:443:[2001:db8::1]' https://web.fleet.test:443/\n",
        id="an address of IPv6, with TLS",
    ),
    pytest.param(
        {"hostname": "lb.example.org", "port": 443},
        {"type": "HTTPS_STR_MATCH", "search_string": "ok"},
        " --max-time 5 https://lb.example.org:443/\n",
        id="a host name",
    ),
]


@pytest.mark.parametrize(("entry", "check", "command"), ASKED)
def test_an_entry_is_asked_as_route53_asks_it(
    entry: dict[str, Any], check: dict[str, Any], command: str
) -> None:
    text = text_of(a_fleet(entry=entry, check=check))
    assert command in text
    assert ("cannot see a service that fails" in text) == (check.get("type") == "TCP")


def test_only_commands_that_exist_are_named() -> None:
    plain = text_of(a_fleet())
    for word in ("probe", "verify", "recover", "break-glass"):
        assert word not in plain
    text = text_of(a_fleet(), "probe", "verify", "recover", "break-glass", stack="prod")
    for command in (
        "fleet probe\n",
        "fleet verify --prior prior.json\n",
        "`fleet recover`",
        "pulumi stack export --file state.json\nfleet break-glass --state state.json\n",
        "pulumi stack select prod\n",
    ):
        assert command in text


COPIED = {
    "kind": "replicated",
    "replication": {"how": "async", "to": ["eu", "us"], "lag_seconds": 5},
    "promote_seconds": 30,
    "promotion": "orders-db",
}
KUBECTL = "kubectl --kubeconfig .kube/config --context it --namespace default"
SCALE = "--request-timeout=10s scale deployment/web --replicas=0"


def part(text: str, title: str) -> str:
    """What a step of a runbook says."""
    return text.partition(f". {title}\n")[2].partition("\n### ")[0]


def test_writers_are_stopped_where_a_copy_is_promoted() -> None:
    text = text_of(a_fleet(data=COPIED))
    fence = part(text, "Fence")
    assert "The primary of `web` was on eu-1." in fence
    assert f"{KUBECTL} {SCALE}\n" in fence
    assert "pulumi config set --path 'fenced[0]' eu-1\n" in fence
    assert "pulumi config rm --path 'down[0]'\npulumi config rm --path 'fenced[0]'\n" in text
    assert (
        "- `web`: once capacity is ready and before traffic moves, the update promotes another copy"
        " by the command 'orders-db'. It takes writes 490 s after the loss (detection 90 + spread"
        " 10 + decision 60 + capacity 300 + data 30)."
    ) in part(text, "Data")


def test_everything_that_writes_is_stopped_or_named() -> None:
    """Stopped is what has replicas, wherever it is; the rest is a person's to stop."""
    fleet = a_fleet(data=COPIED)
    (item,) = fleet.linked
    more = [
        ("apps/v1", "StatefulSet", "db", "orders"),
        ("apps/v1", "DaemonSet", "default", "agent"),
        ("batch/v1", "CronJob", "default", "nightly"),
        ("postgresql.cnpg.io/v1", "Cluster", "db", "orders"),
        ("v1", "ConfigMap", "default", "settings"),
        ("gateway.networking.k8s.io/v1", "HTTPRoute", "default", "web"),
    ]
    objects = [
        Manifest(
            *each,
            {
                "apiVersion": each[0],
                "kind": each[1],
                "metadata": {"namespace": each[2], "name": each[3]},
            },
            Origin("workloads/web.yaml"),
        )
        for each in more
    ]
    workload = replace(item.workload, manifests=(*item.workload.manifests, *objects))
    fleet = replace(fleet, linked=(replace(item, workload=workload),))
    fence = part(text_of(fleet), "Fence")
    kubectl = "kubectl --kubeconfig .kube/config --context it --namespace"
    timeout = "--request-timeout=10s"
    assert f"{kubectl} default {timeout} scale deployment/web --replicas=0\n" in fence
    assert f"{kubectl} db {timeout} scale statefulset/orders --replicas=0\n" in fence
    named = "`DaemonSet/agent`, `CronJob/nightly`, `Cluster/orders`"
    assert f"The commands below do not stop {named}: stop these" in fence
    assert "do not stop" not in part(text_of(a_fleet(data=COPIED)), "Fence")


def test_a_name_that_is_held_already_waits_for_the_fence_of_the_earlier_loss() -> None:
    made = a_fleet(data=COPIED, regions=("eu", "us", "ap"))
    prior = carried_out(planned(made, Prior()))
    dead = made.with_state(["eu-1"], ClusterState(State.DOWN, "the config"))
    fence = part(text_of(dead, prior=prior), "Fence")
    assert "- `web` waits since an earlier loss: the primary was on eu-1, and nobody" in fence
    assert "pulumi config set --path 'fenced[0]' eu-1\n" in fence
    assert "scale" not in fence


def test_what_if_says_that_a_name_is_held() -> None:
    made = a_fleet(data=COPIED, regions=("eu", "us", "ap"))
    prior = carried_out(planned(made, Prior()))
    dead = planned(made.with_state(["eu-1"], ClusterState(State.DOWN, "the config")), prior)
    blocks = what_if_blocks(WhatIf((), planned(made, prior), dead))
    text = "\n".join(fact for each in blocks for fact in each.facts)
    assert "active region eu would be" in text
    assert "held: stays where it is until eu-1 is fenced" in text


SWITCHED = [
    pytest.param(50, "; the name is answered before that.", id="a standby that runs"),
    pytest.param(0, "; resolvers follow after a record change (60 s until", id="none"),
]


@pytest.mark.parametrize(("standby", "told"), SWITCHED)
def test_a_record_change_counts_only_where_the_name_waits_for_it(standby: int, told: str) -> None:
    text = part(text_of(a_fleet(standby=standby)), "Switch")
    assert f"The update raises capacity, then the weights{told}" in text


def test_of_a_held_name_the_block_and_the_finding_tell_the_same_loss() -> None:
    made = a_fleet(data=COPIED, regions=("eu", "us", "ap"))
    prior = carried_out(planned(made, Prior()))
    held = planned(made.with_state(["eu-1"], ClusterState(State.DOWN, "the config")), prior)
    (told,) = (each for each in held.plan.findings if each.code == finding_codes.RECOVERY)
    (block,) = name_blocks(held)
    (loss,) = (each.text for each in block.rows if "unplanned loss" in each.text)
    assert f"{told.values['steps']} = {told.values['total']} s" in loss
    assert "data" not in str(told.values["steps"])


def test_a_database_is_switched_by_a_script_of_its_own_without_pulumi() -> None:
    told = "`sh leave-eu.data.sh --fenced-and-promoted`"
    assert told in text_of(a_fleet(data=COPIED), "break-glass")
    assert told not in text_of(a_fleet(), "break-glass")


def test_every_cluster_of_a_fenced_side_is_said_and_no_other() -> None:
    more = [a_cluster(name, "eu", cpu=0 if name == "eu-3" else 9) for name in ("eu-2", "eu-3")]
    made = a_fleet(data=COPIED)
    entry = Entry.model_validate(ADDRESSES)
    connection = Connection.model_validate(FILE)
    spec = {"entry": entry, "connection": connection}
    more = [it.model_copy(update={"spec": it.spec.model_copy(update=spec)}) for it in more]
    text = text_of(a_snapshot([*made.clusters, *more], made.linked))
    fence = part(text, "Fence")
    assert "The primary of `web` was on eu-1, eu-2." in fence
    assert fence.count(SCALE) == 2
    assert "'fenced[0]' eu-1\npulumi config set --path 'fenced[1]' eu-2\n```" in fence
    assert "'down[2]' eu-3" in text
    removed = "'fenced[1]'\npulumi config rm --path 'fenced[0]'\npulumi refresh --yes\n"
    assert removed in part(text, "Fail back")


HELD = [
    pytest.param(
        {"data": {"kind": "pinned"}},
        "- `web`: its pinned data on eu-1 is copied nowhere. Nothing of it moves by itself, and it"
        " starts nowhere else: wait until eu-1 is back.\n- If you cannot wait: restore or copy the"
        " data to another cluster by hand, say in the fleet.yaml of `web` where it is now (`data:"
        " {kind: pinned, at: [CLUSTER]}`), and run the update of step 6: it starts there.\n- Before"
        " you restore anything elsewhere, see to it that the old copy cannot come back and write:"
        " nobody can merge two.",
        id="pinned",
    ),
    pytest.param(
        {"manifest": DATA, "main": "StatefulSet/default/web"},
        "- `web`: the data of StatefulSet/web on eu-1 is copied nowhere. What the update starts"
        " elsewhere starts without it: restore it there by hand, or wait.",
        id="volumes",
    ),
    pytest.param(
        {"data": {"kind": "object-storage"}},
        "- `web`: its bucket is copied nowhere. What the update starts elsewhere starts without it:"
        " restore it there by hand, or wait.",
        id="a bucket",
    ),
    pytest.param(
        {
            "data": {"kind": "object-storage", "replication": {"how": "sync", "to": ["us"]}},
        },
        "- `web`: the copy is written to by whoever answers.",
        id="a bucket with a copy",
    ),
    pytest.param(
        {"data": {**COPIED, "replication": {"how": "sync", "to": ["eu"]}}},
        "- `web`: every copy of the data died (it ran on eu-1). No update brings it back: wait, or"
        " restore it by hand from a backup.",
        id="every copy was there",
    ),
    pytest.param({}, "- Nothing that is lost holds data: nothing to promote or restore.", id="no"),
]


@pytest.mark.parametrize(("words", "said"), HELD)
def test_what_nobody_promotes_is_neither_fenced_nor_scaled(
    words: dict[str, Any], said: str
) -> None:
    text = text_of(a_fleet(**words))
    assert said in part(text, "Data")
    assert "No database has its primary there" in part(text, "Fence")
    assert "fenced" not in text
    assert "scale" not in text


def test_pinned_data_is_not_said_to_move() -> None:
    text = text_of(a_fleet(data={"kind": "pinned"}, regions=("eu", "us"), standby=0))
    assert "Without eu: never answered again" in text
    assert "no update of these files changes that" in part(text, "Decide")
    assert "`web`: 4 of 4 replicas have no place: nothing of it starts." in part(text, "Capacity")
    switch = part(text, "Switch")
    assert "the name leads nowhere until eu is back" in switch
    assert "raises capacity, then the weights" not in switch


def test_a_handover_goes_back_in_two_updates() -> None:
    handover = {"object": "Cluster/orders", "status": "demotionToken"}
    back = part(text_of(a_fleet(data={**COPIED, "handover": handover})), "Fail back")
    twice = "pulumi up --yes\npulumi refresh --yes\npulumi up --yes\npulumi config rm"
    assert twice in back
    assert "Going back takes two updates" in back
    assert "pulumi refresh" not in part(text_of(a_fleet()), "Fail back")


def test_writers_that_were_stopped_by_hand_start_again_with_the_way_back() -> None:
    back = part(text_of(a_fleet(data=COPIED)), "Fail back")
    assert "config rm --path 'fenced[0]'\npulumi refresh --yes\npulumi preview\n" in back
    assert "Step 3 stopped writers there" in back
    unreached = part(text_of(a_fleet(data=COPIED, connection={"secret": "eu"})), "Fail back")
    assert "pulumi refresh" not in unreached


def test_the_way_back_is_committed_as_the_way_out_was() -> None:
    told = text_of(a_fleet())
    out, back = part(told, "Record"), part(told, "Fail back")
    assert "git commit --all --message 'down: eu-1'" in out
    assert back.index("git commit --all --message 'back: eu-1'") > back.rindex("pulumi")


def test_a_cluster_behind_a_secret_is_not_asked_by_kubectl() -> None:
    assert "kubectl" not in text_of(a_fleet(connection={"secret": "eu"}))
    text = text_of(a_fleet(connection={"file": "one"}))
    assert "kubectl --kubeconfig one --namespace default rollout" in text


def test_a_custom_resource_has_no_roll_out() -> None:
    assert "rollout" not in text_of(a_fleet(main="Job/default/web"))


def test_where_nobody_is_left_it_says_so() -> None:
    text = text_of(a_fleet(regions=("eu",)))
    assert "Without eu: never answered again" in text
    assert "Nobody is answered, and no update of these files changes that" in text
    assert "`web`: 4 of 4 replicas have no place." in text
    assert "If Route53's API fails" not in text
    assert "failback[" not in text


def test_every_step_stands_in_its_order() -> None:
    steps = [each for each in text_of(a_fleet()).splitlines() if each.startswith("### ")]
    assert [each.split(". ")[1] for each in steps] == [
        "Detect",
        "Decide",
        "Fence",
        "Capacity",
        "Data",
        "Switch",
        "Verify",
        "Record",
        "Fail back",
    ]


def test_an_update_with_faults_is_told_before_it_is_needed() -> None:
    replan = Replanning()

    def refusing(snapshot: Snapshot, prior: Prior, words: Settings) -> Replanned:
        made = replan(snapshot, prior, words)
        return Replanned(made.schedule, made.endpoints, ("policies/web.yaml:1:1: no",))

    text = text_of(a_fleet(), replan=refusing)
    assert "**The update that declares it has faults**: policies/web.yaml:1:1: no" in text


@pytest.mark.parametrize(("dies", "said"), [(1, "1 replica is gone;"), (2, "2 replicas are gone;")])
def test_what_is_gone_is_counted(dies: int, said: str) -> None:
    loss = Loss("web", FrozenMap({"us-1": dies}), FrozenMap(), dies, 0, 0)
    lost = Emergency(Kind.REGION, "us", ("us-1",))
    found = list(_consequences(Exercise(lost, FrozenMap({"web": loss}))))
    assert said in found[0]


CONTROL = "arn:aws:route53-recovery-control::123456789012:controlpanel/a/routingcontrol/b"
LEVERS = [
    pytest.param(
        {"release": "https://levers.example/{region}/release", "out": "https://l.example/{region}"},
        "- Without an update: put an object at https://levers.example/us/release; within 30 s"
        " Route53 may answer with us-1. Remove it when the update is done.\n- The update raises",
        id="an object",
    ),
    pytest.param(
        {"routing_controls": {"us": CONTROL}},
        f"- Without an update: turn on routing control {CONTROL} (us-1).\n- The update raises",
        id="a routing control",
    ),
]


@pytest.mark.parametrize(("lever", "said"), LEVERS)
def test_a_held_standby_is_released_by_the_lever(lever: dict[str, Any], said: str) -> None:
    text = text_of(a_fleet(lever=lever))
    assert "Without eu: answered again after 250 s, by the lever;" in text
    assert "Nobody is answered until the lever lets a standby go: step 6" in part(text, "Decide")
    switch = part(text, "Switch")
    assert said in switch
    assert "l.example/" not in switch
    assert "the lever works as before; update later." in switch


def test_data_that_is_promoted_is_not_said_to_answer_by_itself() -> None:
    text = text_of(a_fleet(data=COPIED))
    assert "Without eu: answered again after 550 s, by an update;" in text
    assert (
        "- Without any update, after 160 s: us-1 100% (2 of 4 replicas). But its data is not the"
        " primary: writes fail until the update has promoted it, 550 s after the loss."
    ) in part(text, "Decide")


NOWHERE = Answers(FrozenMap({"us-1": Fraction(1)}), Fraction(1))
HALF = Answers(FrozenMap({"us-1": Fraction(1)}), Fraction(1, 2))
UNAIDED = [
    pytest.param(HALF, True, "after 0 s: us-1 100%; 50% leads nowhere. Declare", id="a part"),
    pytest.param(NOWHERE, True, "Nobody is answered until an update is done", id="nobody"),
    pytest.param(NOWHERE, False, "no update of these files changes that", id="for ever"),
]


@pytest.mark.parametrize(("at_once", "ends", "said"), UNAIDED)
def test_what_nobody_has_to_do_is_told_before_what_somebody_has(
    at_once: Answers, said: str, *, ends: bool
) -> None:
    timeline = Timeline((Step(StepKind.DECISION, 60),), ends=ends)
    name = NameExercise("web", "web", "web.test", HALF, at_once, timeline=timeline)
    lost = Exercise(Emergency(Kind.REGION, "eu", ("eu-1",)))
    case = Case(an_outcome(), a_traffic("web"), name, lost, frozenset())
    assert said in " ".join(decide(case)[0])
