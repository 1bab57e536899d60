"""Runbooks of small fleets: what depends on checks, entries, data and the commands there are."""

from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.drill.emergencies import emergencies
from fleet.drill.exercises import Replan, exercise
from fleet.explain.runbook import Runbook, asked_regions, runbook_text
from fleet.explain.runbook_steps import _consequences
from fleet.model.base import FrozenMap
from fleet.model.exercise import Emergency, Exercise, Kind, Replanned
from fleet.model.inventory import Connection, Entry
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Origin
from fleet.model.survival import Loss
from fleet.model.workload import Manifest
from fleet.schedule import schedule
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, a_workload, linked, settings
from tests.drill.exercising import Replanning
from tests.drill.playing import present

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
    traffic = a_traffic("web", active_region=regions[0], standby=50, health_check=check or {})
    item = linked(
        a_workload("web", 4, main=main, manifests=objects),
        a_policy(division={"mode": "weighted"}),
        traffic=[traffic],
    )
    return a_snapshot(clusters, [item])


def text_of(
    snapshot: Snapshot, *commands: str, stack: str | None = None, replan: Replan | None = None
) -> str:
    """The runbook of a fleet."""
    decided = schedule(snapshot, Prior(), settings())
    plan = deliver(snapshot, decided, Prior(), settings())
    outcome = Outcome(settings(), snapshot, Prior(), decided, plan)
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


def test_writers_are_stopped_where_data_is() -> None:
    text = text_of(a_fleet(manifest=DATA, main="StatefulSet/default/web"))
    kubectl = "kubectl --kubeconfig .kube/config --context it --namespace default"
    assert f"{kubectl} scale statefulset/web --replicas=0\n" in text
    assert f"{kubectl} rollout status statefulset/web --timeout=300s\n" in text
    assert "StatefulSet/web keeps data on eu-1 that nothing replicates" in text
    assert "pulumi config set --path 'fenced[0]' eu-1\n" in text
    assert "pulumi config rm --path 'down[0]'\npulumi config rm --path 'fenced[0]'\n" in text
    assert "fenced" not in text_of(a_fleet())
    assert "there is no writer to stop" in text_of(a_fleet())


def test_a_cluster_behind_a_secret_is_not_asked_by_kubectl() -> None:
    assert "kubectl" not in text_of(a_fleet(connection={"secret": "eu"}))
    text = text_of(a_fleet(connection={"file": "one"}))
    assert "kubectl --kubeconfig one --namespace default rollout" in text


def test_a_custom_resource_has_no_roll_out() -> None:
    assert "rollout" not in text_of(a_fleet(main="Job/default/web"))


def test_where_nobody_is_left_it_says_so() -> None:
    text = text_of(a_fleet(regions=("eu",)))
    assert "Without eu: never answered again" in text
    assert "Nobody is answered until an update is done" in text
    assert "`web`: 4 of 4 replicas have no place." in text
    assert "If Route53's API fails, nobody is answered until it is back." in text
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
