"""`fleet explain`: every cluster, every reason, every place."""

from dataclasses import replace
from typing import Any

import pytest

from fleet.explain import flips as module
from fleet.explain.document import workload_document
from fleet.explain.table import summary_table
from fleet.explain.workload import UnknownNameError, explain_workload
from fleet.model.base import FrozenMap
from fleet.model.change import Change
from fleet.model.decision import Assignment, Decision, Rejection
from fleet.model.decision import Outcome as Judged
from fleet.model.plan import DataStep, WorkloadDelivery
from fleet.model.source import Source
from tests.builders import a_prior
from tests.explain.outcomes import TAINT, a_delivery, a_verdict, an_outcome, leaving, the_decision


def test_every_cluster_has_its_verdict_and_its_place() -> None:
    shown = explain_workload(an_outcome(prior=a_prior({"web": {"eu-1": 1, "us-1": 2}})), "web")
    assert "ap-1   not feasible   inventory/ap-1.yaml:1:1" in shown
    assert "eu-1   assigned   replicas 1 -> 4   inventory/eu-1.yaml:1:1" in shown
    assert "sa-1   feasible, not selected   inventory/sa-1.yaml:1:1" in shown
    assert "us-1   assigned   replicas 2   inventory/us-1.yaml:1:1" in shown


def test_reasons_scores_and_room_are_all_there() -> None:
    shown = explain_workload(an_outcome(), "web")
    assert (
        "barred   untolerated taint maintenance=true:NoSchedule   inventory/dev.yaml:31:9" in shown
    )
    assert "because  domain limit reached: 2 by region   policies/web.yaml:12:5" in shown
    assert "score    85 = affinity 60 + already there 25" in shown
    assert "room     for 12 replicas when it was decided" in shown
    assert "cluster  eu-west-1, aws, active says inventory/eu-1.yaml:1:1" in shown


def test_every_reason_of_a_cluster_is_named() -> None:
    second = Rejection("no-domain", FrozenMap({"by": "zone"}), Source("policies/web.yaml", 9, 7))
    verdict = a_verdict("ap-1", Judged.INFEASIBLE, 0, TAINT, second)
    decision = Decision("web", (), verdicts={"ap-1": verdict})
    outcome = an_outcome(workloads=[WorkloadDelivery("web", decision, ())])
    shown = explain_workload(outcome, "web", "ap-1")
    assert "barred   untolerated taint" in shown
    assert "and      has no zone to spread by   policies/web.yaml:9:7" in shown


def test_what_would_flip_a_verdict_stands_below_its_reasons() -> None:
    place = Source("policies/web.yaml", 4, 3)
    words = FrozenMap({"key": "maintenance", "value": "true", "effect": "NoSchedule"})
    changes = (
        Change("tolerate", words, (), place),
        Change("raise", FrozenMap({"field": "spec.pick", "was": 2, "to": 3}), ()),
    )
    shown = explain_workload(an_outcome(changes={"web": {"ap-1": changes}}), "web", "ap-1")
    assert (
        "  change   tolerate maintenance=true:NoSchedule   policies/web.yaml:4:3\n"
        "  and      raise spec.pick to 3\n"
    ) in shown


def test_one_cluster_alone() -> None:
    shown = explain_workload(an_outcome(), "web", "sa-1")
    assert "sa-1   feasible" in shown
    assert "ap-1" not in shown


def test_what_is_left_and_owed() -> None:
    decision = Decision("web", ())
    gone = (leaving("ap-1", 3, debt=True), leaving("sa-1", 1))
    outcome = an_outcome(workloads=[WorkloadDelivery("web", decision, (), leaving=gone)])
    shown = explain_workload(outcome, "web")
    assert "debt: 2 objects on ap-1 kept until it returns" in shown
    assert "leaves sa-1" in shown


def test_a_debt_that_no_prior_lists_has_no_number() -> None:
    owed = replace(leaving("ap-1", 3, debt=True), objects=())
    outcome = an_outcome(
        workloads=[WorkloadDelivery("web", Decision("web", ()), (), leaving=(owed,))]
    )
    shown = explain_workload(outcome, "web")
    assert "debt: what is there on ap-1 kept until it returns" in shown
    assert "0 objects" not in shown


def test_what_several_clusters_hold_back_is_in_the_plural() -> None:
    dead = ("eu-1", "eu-2")
    step = DataStep("web", "us-east-1", ("us-1",), dead, dead, unfenced=dead)
    deliveries = (a_delivery("eu-1", 4, 4), a_delivery("us-1", 2, 2))
    outcome = an_outcome(workloads=[WorkloadDelivery("web", the_decision(), deliveries, step=step)])
    for shown in (explain_workload(outcome, "web", "us-1"), summary_table(outcome)):
        assert "active once eu-1, eu-2 are fenced" in " ".join(shown.split())


def test_a_workload_that_is_gone_has_no_verdicts() -> None:
    gone = WorkloadDelivery("old", None, (), leaving=(leaving("eu-1", 2),))
    shown = explain_workload(an_outcome(workloads=[gone]), "old")
    assert shown == "old   gone from the files\n  leaves eu-1\n"


UNKNOWN = [
    pytest.param("wbe", None, "no workload is called 'wbe' - did you mean 'web'?", id="nearly"),
    pytest.param("zzz", None, "no workload is called 'zzz' - known are web", id="not at all"),
    pytest.param("web", "eu1", "no cluster is called 'eu1' - did you mean 'eu-1'?", id="cluster"),
]


@pytest.mark.parametrize(("name", "cluster", "sentence"), UNKNOWN)
def test_a_name_that_is_not_there(name: str, cluster: str | None, sentence: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        explain_workload(an_outcome(), name, cluster)
    assert str(caught.value) == sentence


def test_in_a_large_fleet_the_nearest_misses_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLUSTERS", 1)
    monkeypatch.setattr(module, "AT_LEAST", 1)
    change = Change("raise", FrozenMap({"field": "spec.pick", "was": 2, "to": 3}), ())
    outcome = an_outcome(changes={"web": {"ap-1": (change,), "sa-1": (change,)}})
    shown = explain_workload(outcome, "web")
    assert shown.count("change   raise spec.pick to 3") == 1
    assert "change   not looked for: fleet explain web --cluster ap-1" in shown
    verdicts = workload_document(outcome, "web")["workloads"]["web"]["verdicts"]
    assert verdicts["ap-1"]["changes"] is None
    assert [each["code"] for each in verdicts["sa-1"]["changes"]] == ["raise"]
    assert "not looked for" not in explain_workload(outcome, "web", "ap-1")


def test_what_gives_every_replica_a_place_names_the_cluster() -> None:
    words = FrozenMap({"cluster": "eu-1", "resource": "cpu", "was": 4000, "to": 6000})
    cures = (
        Change("add-capacity", words, (), Source("inventory/dev.yaml", 12, 5)),
        Change("raise", FrozenMap({"field": "spec.pick", "was": 2, "to": 3}), ()),
    )
    decision = replace(the_decision(), shortfall=2)
    delivery = WorkloadDelivery("web", decision, ())
    outcome = an_outcome(decisions=[decision], workloads=[delivery])
    outcome = replace(outcome, schedule=replace(outcome.schedule, cures={"web": cures}))
    shown = explain_workload(outcome, "web")
    told = "eu-1: needs 2 CPU more: 6 allocatable"
    assert f"  to place all: {told}   inventory/dev.yaml:12:5" in shown
    assert "  and raise spec.pick to 3\n" in shown
    document = workload_document(outcome, "web")["workloads"]["web"]
    assert document["cures"][0]["sentence"] == told


NOWHERE = [
    pytest.param({"main": None, "replicas": 0}, (), "on no cluster: no room", id="no replicas"),
    pytest.param({"main": None, "replicas": 0}, ("eu-1",), "", id="no replicas, and a place"),
    pytest.param({"replicas": 0}, (), "", id="nobody wants a replica"),
]


@pytest.mark.parametrize(("fields", "clusters", "text"), NOWHERE)
def test_what_has_no_replicas_and_is_nowhere_is_told_how_to_place_it(
    fields: dict[str, Any], clusters: tuple[str, ...], text: str
) -> None:
    assignments = tuple(Assignment(name, 0) for name in clusters)
    decision = replace(the_decision(), assignments=assignments)
    outcome = an_outcome(decisions=[decision], workloads=[WorkloadDelivery("web", decision, ())])
    snapshot = outcome.snapshot
    items = tuple(
        replace(each, workload=replace(each.workload, **fields)) for each in snapshot.linked
    )
    cure = Change("raise", FrozenMap({"field": "spec.pick", "was": 2, "to": 3}), ())
    outcome = replace(
        outcome,
        snapshot=replace(snapshot, linked=items),
        schedule=replace(outcome.schedule, cures={"web": (cure,)}),
    )
    shown = explain_workload(outcome, "web")
    assert ("on no cluster" in shown) == bool(text)
    assert ("to place it: raise spec.pick to 3" in shown) == bool(text)
    assert text in shown
    assert "to place all" not in shown


def test_a_verdict_that_nothing_known_flips_says_so() -> None:
    shown = explain_workload(an_outcome(changes={"web": {"ap-1": ()}}), "web", "ap-1")
    assert "  change   none is known: all that stands above would have to be different at" in shown
    assert "none is known" not in explain_workload(an_outcome(), "web", "ap-1")
    changes = {"web": {"eu-1": ()}}
    assert "none is known" not in explain_workload(an_outcome(changes=changes), "web", "eu-1")


@pytest.mark.parametrize(("cluster", "told"), [("eu-1", "eu-1: needs"), ("ap-1", "needs")])
def test_a_change_elsewhere_names_its_cluster(cluster: str, told: str) -> None:
    words: dict[str, str | int] = {"cluster": cluster, "resource": "cpu", "was": 4000, "to": 6000}
    change = Change("add-capacity", FrozenMap[str | int](words), ())
    outcome = an_outcome(changes={"web": {"ap-1": (change,)}})
    sentence = f"{told} 2 CPU more: 6 allocatable"
    assert f"  change   {sentence}\n" in explain_workload(outcome, "web", "ap-1")
    document = workload_document(outcome, "web", "ap-1")["workloads"]["web"]
    (said,) = document["verdicts"]["ap-1"]["changes"]
    assert said["sentence"] == sentence
