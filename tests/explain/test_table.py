"""The run at a glance says what a reviewer asks first."""

from dataclasses import replace

import pytest

from fleet.explain.table import summary_table, workload_line
from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Decision, Finding, Rejection, Role
from fleet.model.decision import Outcome as Judged
from fleet.model.plan import WorkloadDelivery
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.workload import Workload
from tests.builders import a_prior, a_workload, linked
from tests.explain.outcomes import (
    DIGEST,
    POLICY,
    TAINT,
    a_delivery,
    a_verdict,
    an_endpoint,
    an_outcome,
    leaving,
    the_decision,
    the_snapshot,
)

BLOCKING = Finding(
    "movement-budget",
    FrozenMap({"limit": "replicasPercent", "counted": 60, "allowed": 30, "what": "web"}),
    blocks=True,
)
QUIET = Finding("failback-automatic", FrozenMap({"policy": "web", "name": "web.fleet.test"}))


def test_the_table_of_the_design() -> None:
    prior = a_prior({"web": {"eu-1": 1, "us-1": 2}})
    assert summary_table(an_outcome(prior=prior)) == (
        "web   6 of 6 replicas   policies/web.yaml:1:1\n"
        "  eu-1  1 -> 4  affinity 60 + already there 25 = 85\n"
        "  us-1  2       affinity 60 = 60\n"
        "  sa-1  -       feasible, 40; domain limit reached: 2 by region   policies/web.yaml:12:5\n"
        "  ap-1  -       untolerated taint maintenance=true:NoSchedule   inventory/dev.yaml:31:9\n"
        "\n"
        f"plan {DIGEST}   1 workload changes\n"
    )


def test_without_a_prior_it_says_so_and_shows_no_arrows() -> None:
    shown = summary_table(an_outcome(endpoints=[an_endpoint({"eu-1": (None, 100)})]))
    assert "no prior: what runs today is not known" in shown
    assert "->" not in shown


def test_roles_and_weights_show_what_they_were() -> None:
    outcome = an_outcome(
        prior=a_prior(
            {"web": {"eu-1": 1, "us-1": 2}},
            {"web": {"eu-1": Role.STANDBY, "us-1": Role.ACTIVE}},
        ),
        endpoints=[an_endpoint({"eu-1": (0, 100), "us-1": (100, 0)})],
    )
    shown = summary_table(outcome)
    assert "standby -> active" in shown
    assert "active -> standby" in shown
    assert "eu-1  weight 0 -> 100  A 192.0.2.1" in shown
    assert "active region eu-west-1 (config fleet:activeRegion)" in shown
    assert "1 workload and 1 name change" in shown


def test_a_cluster_that_is_left_and_one_that_owes() -> None:
    delivery = WorkloadDelivery(
        "web",
        the_decision(),
        (a_delivery("eu-1", 4, 4), a_delivery("us-1", 2, 2)),
        leaving=(leaving("ap-1", 3, debt=True), leaving("sa-1", 1)),
    )
    prior = a_prior({"web": {"eu-1": 4, "us-1": 2, "ap-1": 3, "sa-1": 1}})
    shown = summary_table(an_outcome(workloads=[delivery], prior=prior))
    assert "web   6 of 6 replicas   debt on ap-1" in shown
    assert "  ap-1  3 -> -  debt: 2 objects kept until it returns; untolerated taint" in shown
    assert "  sa-1  1 -> -  feasible, 40; domain limit reached" in shown


def test_a_workload_that_is_gone_from_the_files() -> None:
    gone = WorkloadDelivery("old", None, (), leaving=(leaving("eu-1", 2),))
    outcome = an_outcome(decisions=[], workloads=[gone], prior=a_prior({"old": {"eu-1": 2}}))
    shown = summary_table(outcome)
    assert "old   gone from the files\n  eu-1  2 -> -  leaves" in shown
    assert workload_line(outcome, "old") == "old  gone from the files: eu-1 2 -> -"


def many_verdicts(count: int) -> Decision:
    names = [f"ap-{number}" for number in range(count)]
    verdicts = {name: a_verdict(name, Judged.INFEASIBLE, 0, TAINT) for name in names}
    return Decision("web", (), verdicts=verdicts, source=POLICY)


@pytest.mark.parametrize(("count", "rows", "more"), [(4, 4, ""), (5, 3, "and 2 more: fleet expl")])
def test_of_many_clusters_a_few_are_shown(count: int, rows: int, more: str) -> None:
    decision = many_verdicts(count)
    delivery = WorkloadDelivery("web", decision, ())
    shown = summary_table(an_outcome(decisions=[decision], workloads=[delivery]))
    assert shown.count("untolerated taint") == rows
    assert more in shown
    assert ("more: fleet explain web" in shown) == bool(more)


def test_a_second_reason_is_counted() -> None:
    second = Rejection("no-domain", FrozenMap({"by": "zone"}))
    verdict = a_verdict("ap-1", Judged.INFEASIBLE, 0, TAINT, second)
    decision = Decision("web", (), verdicts={"ap-1": verdict})
    shown = summary_table(an_outcome(workloads=[WorkloadDelivery("web", decision, ())]))
    assert "NoSchedule (and 1 more reason)" in shown


def test_what_is_short_is_in_the_headline() -> None:
    reason = Rejection("capacity-short", FrozenMap({"wanted": 6, "placed": 4}))
    decision = Decision("web", (Assignment("eu-1", 4),), 2, (reason,))
    delivery = WorkloadDelivery("web", decision, (a_delivery("eu-1", 4),))
    outcome = an_outcome(decisions=[decision], workloads=[delivery])
    expected = "web   4 of 6 replicas   2 short: room for 4 of 6 replicas"
    assert expected in summary_table(outcome)


def test_what_blocks_comes_first_with_the_command_that_consents() -> None:
    shown = summary_table(an_outcome(findings=[QUIET, BLOCKING]))
    assert "'pulumi up' refuses it without consent: 1 finding\n  moves 60% of all" in shown
    assert f"pulumi config set approve {DIGEST}" in shown
    assert shown.index("movementBudget.replicasPercent") < shown.index("goes back by itself")


def test_what_up_leaves_undone_stands_apart_from_what_it_only_tells() -> None:
    names = {"workload": "db", "region": "us", "clusters": "us-1", "index": 0}
    undone = Finding("fence-first", FrozenMap[str | int](names))
    shown = summary_table(an_outcome(findings=[QUIET, undone]))
    assert "'pulumi up' leaves this undone and fails: 1 finding\n" in shown
    assert shown.index("us-1 is dead") < shown.index("goes back by itself")
    assert "1 finding\n" in shown[shown.index("us-1 is dead") :]


def test_consent_for_this_plan_asks_no_more() -> None:
    shown = summary_table(an_outcome(findings=[BLOCKING], settings=Settings(approve=DIGEST)))
    assert "approved: 1 finding" in shown
    assert "pulumi config set" not in shown


def test_consent_for_another_plan_is_named() -> None:
    shown = summary_table(an_outcome(findings=[BLOCKING], settings=Settings(approve="beef")))
    assert "approve is 'beef', which is another plan" in shown
    assert f"pulumi config set approve {DIGEST}" in shown


def test_the_same_finding_of_two_rooms_is_told_once() -> None:
    shown = summary_table(an_outcome(findings=[QUIET, QUIET]))
    assert shown.count("goes back by itself") == 1


def quiet_delivery(number: int) -> WorkloadDelivery:
    name = f"web-{number:02}"
    decision = Decision(name, (Assignment("eu-1", 4),))
    return WorkloadDelivery(name, decision, (a_delivery("eu-1", 4, 4),))


def test_of_very_many_workloads_those_that_change_are_shown() -> None:
    quiet = [quiet_delivery(number) for number in range(40)]
    changed = Decision("api", (Assignment("eu-1", 4),))
    deliveries = [WorkloadDelivery("api", changed, (a_delivery("eu-1", 4, 1),)), *quiet]
    prior = a_prior({"api": {"eu-1": 1}, **{each.workload: {"eu-1": 4} for each in quiet}})
    shown = summary_table(an_outcome(workloads=deliveries, prior=prior))
    assert "40 workloads without a change" in shown
    assert "eu-1  1 -> 4" in shown
    assert "web-01" not in shown


def test_one_line_for_the_engines_log() -> None:
    outcome = an_outcome(
        prior=a_prior({"web": {"eu-1": 1, "us-1": 2}}), endpoints=[an_endpoint({"eu-1": (1, 1)})]
    )
    expected = "web  6 of 6 replicas: eu-1 1 -> 4 active, us-1 2 standby"
    assert workload_line(outcome, "web") == expected


def test_a_plan_that_changes_nothing_says_so() -> None:
    delivery = WorkloadDelivery(
        "web", the_decision(), (a_delivery("eu-1", 4, 4), a_delivery("us-1", 2, 2, Role.STANDBY))
    )
    prior = Prior(
        known=True,
        workloads=FrozenMap(
            {
                "web": PriorWorkload(
                    FrozenMap({"eu-1": 4, "us-1": 2}),
                    hashes=FrozenMap({"eu-1": FrozenMap({"Deployment/shop/web": "d1"})}),
                )
            }
        ),
    )
    assert f"plan {DIGEST}   no change\n" in summary_table(
        an_outcome(workloads=[delivery], prior=prior)
    )


@pytest.mark.parametrize(
    ("workload", "words"),
    [
        (a_workload("web", 1, per_cluster=True), "one per node, on 2 clusters"),
        (
            a_workload("web", 1, main="CronJob/default/web", per_cluster=True),
            "once per cluster, on 2 clusters",
        ),
        (replace(a_workload("web", 0), main=None), "no replicas of its own, on 2 clusters"),
        (a_workload("web", 6), "6 of 6 replicas"),
    ],
)
def test_the_headline_counts_what_is_counted(workload: Workload, words: str) -> None:
    snapshot = replace(the_snapshot(), linked=(linked(workload),))
    assert words in summary_table(an_outcome(snapshot=snapshot))
