"""The difference of two plans: what is compared, and the words for it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from fleet.explain.difference import (
    WhatIf,
    costs,
    finding_differences,
    held_by,
    name_differences,
    workload_differences,
)
from fleet.explain.layout import plain_text
from fleet.explain.survival_difference import survival_differences
from fleet.explain.what_if import amount, differs, note_texts, what_if_blocks
from fleet.explain.what_if_document import what_if_document
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Decision, Finding, Role
from fleet.model.decision import Outcome as Judged
from fleet.model.endpoint import EndpointDelivery
from fleet.model.plan import Outcome, WorkloadDelivery
from fleet.model.snapshot import Snapshot
from fleet.model.survival import By, Drill, Loss, Scenario, Survival
from tests.builders import a_cluster, a_policy, a_snapshot, a_workload, linked
from tests.explain.outcomes import (
    LIMIT,
    POLICY,
    TAINT,
    a_delivery,
    a_verdict,
    an_endpoint,
    an_outcome,
)

CLUSTERS = ("ap-1", "eu-1", "sa-1", "us-1")


def a_plan(  # noqa: PLR0913 - one keyword per part of a plan
    replicas: Mapping[str, int] | None,
    *,
    short: int = 0,
    standby: Sequence[str] = (),
    weights: Mapping[str, int] | None = None,
    findings: Sequence[Finding] = (),
    digest: str = "d1",
) -> Outcome:
    """A plan of `web` alone; None: the files have no such workload."""
    if replicas is None:
        return an_outcome(decisions=[], workloads=[], findings=findings)
    verdicts = [
        a_verdict(each, scores=(("affinity", 60),), replicas=replicas[each])
        if each in replicas
        else a_verdict(each, Judged.INFEASIBLE, 0, TAINT)
        for each in CLUSTERS
    ]
    placed = tuple(
        Assignment(name, count, Role.STANDBY if name in standby else Role.ACTIVE)
        for name, count in sorted(replicas.items())
    )
    decision = Decision(
        "web",
        placed,
        short,
        (LIMIT,) * bool(short),
        verdicts={each.cluster: each for each in verdicts},
        source=POLICY,
    )
    made = [a_delivery(each.cluster, each.replicas, None, each.role, digest) for each in placed]
    made = [replace(each, fingerprint=digest) for each in made]
    named: list[EndpointDelivery] = []
    if weights is not None:
        named = [an_endpoint({name: (None, weight) for name, weight in weights.items()})]
    return an_outcome(
        decisions=[decision],
        workloads=[WorkloadDelivery("web", decision, tuple(made), source=POLICY)],
        endpoints=named,
        findings=findings,
    )


def ask(written: Outcome, then: Outcome, **words: object) -> WhatIf:
    """The question that leads from one plan to the other."""
    return WhatIf(("--down eu-1",), written, then, **words)  # type: ignore[arg-type]


def told(question: WhatIf) -> str:
    """The whole answer."""
    return plain_text(what_if_blocks(question), 100)


SAME = a_plan({"eu-1": 4, "us-1": 2})


def test_equal_plans_do_not_differ() -> None:
    question = ask(SAME, a_plan({"eu-1": 4, "us-1": 2}))
    assert not differs(question)
    assert told(question) == "what if   --down eu-1\nnothing differs   nothing was written\n"
    assert what_if_document(question)["workloads"] == {}


TEXTS = [
    pytest.param(
        a_plan({"us-1": 4, "sa-1": 1}),
        "web   5 of 5 replicas   moves 1 eu-1 -> sa-1, 2 eu-1 -> us-1   1 fewer in all\n"
        "  policies/web.yaml:1:1\n"
        "  eu-1  4 -> -  untolerated taint maintenance=true:NoSchedule   inventory/dev.yaml:31:9\n"
        "  sa-1  - -> 1  affinity 60 = 60\n"
        "  us-1  2 -> 4  affinity 60 = 60\n",
        id="replicas move",
    ),
    pytest.param(
        a_plan({"eu-1": 4}, short=2),
        "web   4 of 6 replicas   short 0 -> 2: domain limit reached: 2 by region   2 fewer in all\n"
        "  policies/web.yaml:1:1\n"
        "  us-1  2 -> -  untolerated taint maintenance=true:NoSchedule   inventory/dev.yaml:31:9\n",
        id="a shortfall appears",
    ),
    pytest.param(
        a_plan({"eu-1": 4, "us-1": 2}, digest="d2"),
        "web   6 of 6 replicas   policies/web.yaml:1:1\n"
        "  eu-1  4  changes Deployment/shop/web\n"
        "  us-1  2  changes Deployment/shop/web\n",
        id="only objects change",
    ),
    pytest.param(
        a_plan({"eu-1": 5, "us-1": 2}, digest="d2"),
        "web   7 of 7 replicas   1 more in all   policies/web.yaml:1:1\n"
        "  eu-1  4 -> 5  affinity 60 = 60\n"
        "  us-1  2       changes Deployment/shop/web\n",
        id="an object changes with its replicas",
    ),
    pytest.param(
        a_plan(None),
        "web   is in no file any more   policies/web.yaml:1:1\n  eu-1  4 -> -\n  us-1  2 -> -\n",
        id="the workload is gone",
    ),
]


@pytest.mark.parametrize(("then", "text"), TEXTS)
def test_what_differs_in_words(then: Outcome, text: str) -> None:
    assert told(ask(SAME, then)) == (
        f"what if   --down eu-1\n\n{text}\n1 workload differs   nothing was written\n"
    )


def test_a_shortfall_vanishes() -> None:
    question = ask(a_plan({"eu-1": 4}, short=2), a_plan({"eu-1": 6}))
    assert "web   6 of 6 replicas   short 2 -> 0   2 more in all" in told(question)


def test_a_workload_appears() -> None:
    question = ask(a_plan(None), SAME)
    assert "  eu-1  - -> 4  affinity 60 = 60\n" in told(question)
    document = what_if_document(question)["workloads"]["web"]
    assert (document["before"], document["after"]) == ({}, {"eu-1": 4, "us-1": 2})


def test_roles_are_told_where_a_name_leads_to_it() -> None:
    weights = {"eu-1": 100, "us-1": 0}
    written = a_plan({"eu-1": 4, "us-1": 4}, standby=["us-1"], weights=weights)
    turned = {"eu-1": 0, "us-1": 100}
    then = a_plan({"eu-1": 4, "us-1": 4}, standby=["eu-1"], weights=turned)
    text = told(ask(written, then))
    assert "  eu-1  4  active -> standby  affinity 60 = 60\n" in text
    assert "  us-1  4  standby -> active  affinity 60 = 60\n" in text
    assert "  eu-1  weight 100 -> 0  share 100% -> 0%\n" in text
    assert "1 workload and 1 name differ" in text
    document = what_if_document(ask(written, then))
    roles = document["workloads"]["web"]["roles"]
    assert roles["eu-1"] == {"before": "active", "after": "standby"}
    nameless = ask(
        a_plan({"eu-1": 4, "us-1": 4}, standby=["us-1"]),
        a_plan({"eu-1": 4, "us-1": 4}, standby=["eu-1"]),
    )
    assert "standby" not in told(nameless)


def test_by_latency_nobody_knows_the_shares() -> None:
    before, after = (by_latency(a_plan({"eu-1": 1, "us-1": 1}, weights=it)) for it in WEIGHTS)
    question = ask(before, after)
    assert what_if_document(question)["names"]["web.fleet.test"]["shares"] is None
    assert "%" not in plain_text(what_if_blocks(question), 100)


WEIGHTS = ({"eu-1": 1, "us-1": 1}, {"eu-1": 1, "us-1": 3})


def by_latency(outcome: Outcome) -> Outcome:
    """The same, with names whose answers hang on who asks."""
    made = tuple(replace(each, form="latency") for each in outcome.plan.endpoints)
    return replace(outcome, plan=replace(outcome.plan, endpoints=made))


def test_shares_differ_also_where_a_weight_does_not() -> None:
    question = ask(
        a_plan({"eu-1": 1, "us-1": 1}, weights={"eu-1": 1, "us-1": 1}),
        a_plan({"eu-1": 1, "us-1": 3}, weights={"eu-1": 1, "us-1": 3}),
    )
    assert "  eu-1  weight 1       share 50% -> 25%\n" in told(question)
    shares = what_if_document(question)["names"]["web.fleet.test"]["shares"]
    assert shares == {"before": {"eu-1": 50, "us-1": 50}, "after": {"eu-1": 25, "us-1": 75}}


def test_names_come_and_go_and_change_their_region() -> None:
    named = a_plan({"eu-1": 1}, weights={"eu-1": 1})
    bare = a_plan({"eu-1": 1})
    assert "  active region" not in told(ask(named, named))
    gone = told(ask(named, bare))
    assert "web.fleet.test   active region eu-west-1 -> -   policies/web-traffic.yaml:1:1\n" in gone
    assert "  eu-1  weight 1 -> -  share 100% -> 0%\n" in gone
    come = told(ask(bare, named))
    assert "active region - -> eu-west-1 (config fleet:activeRegion)" in come
    assert name_differences(ask(bare, bare)) == []


def test_findings_appear_and_vanish_by_their_words() -> None:
    old = Finding(codes.NO_ENTRY, FrozenMap({"cluster": "eu-1", "policy": "web"}))
    same = Finding(codes.SHORTFALL, FrozenMap({"workload": "w", "placed": 1, "wanted": 2}))
    more = replace(same, values=FrozenMap({**same.values, "before": 1}))
    new = Finding(codes.LAST_RECORD, FrozenMap({"policy": "web", "clusters": "eu-1"}), blocks=True)
    gone = Finding(codes.DELETE, FrozenMap({"workload": "w", "cluster": "c", "count": 1}))
    question = ask(
        a_plan({"eu-1": 1}, findings=[old, same]), a_plan({"eu-1": 1}, findings=[more, new, gone])
    )
    appear, vanish = finding_differences(question)
    assert [each.code for each in appear] == [codes.LAST_RECORD, codes.DELETE]
    assert [each.code for each in vanish] == [codes.NO_ENTRY]
    text = told(question)
    assert "2 findings appear\n" in text
    assert "it leads to eu-1 today ('pulumi up' refuses" in " ".join(text.split())
    assert "  and 1 about objects that go where a workload leaves: --output json\n" in text
    assert "1 finding vanishes\n" in text
    assert text.endswith("\nnothing moves   nothing was written\n")
    assert len(what_if_document(question)["findings"]["appear"]) == 2


def a_survival(domain: str, short: int | None, *, left: bool = True) -> Survival:
    """One region that is gone, and what is short of web; None: web is not hit."""
    before = FrozenMap({"eu-1": 3})
    after = FrozenMap({"us-1": 1}) if left else FrozenMap[int]()
    losses = {} if short is None else {"web": Loss("web", before, after, 3, 1, short, (LIMIT,))}
    return Survival((Drill(Scenario(By.REGION, domain, ("eu-1",)), FrozenMap(losses)),))


SURVIVED = [
    pytest.param((None, 2), "is not survived any more, short 2: domain limit", id="worse"),
    pytest.param((2, None), "is survived now (short 2 before)", id="better"),
    pytest.param((2, 0), "is survived now (short 2 before)", id="all of it fits"),
    pytest.param((2, 1), "short 2 -> 1: domain limit reached: 2 by region", id="a little better"),
    pytest.param((2, 2), "", id="the same"),
    pytest.param((None, None), "", id="never hit"),
]


@pytest.mark.parametrize(("shorts", "text"), SURVIVED)
def test_what_is_survived_differs(shorts: tuple[int | None, int | None], text: str) -> None:
    survivals = [a_survival("eu", each) for each in shorts]
    question = ask(SAME, SAME, survival_written=survivals[0], survival_then=survivals[1])
    found = survival_differences(question)
    assert bool(found) == bool(text) == differs(question)
    assert text in told(question)
    assert ("  web  region eu  " in told(question)) == bool(text)
    assert len(what_if_document(question)["survivability"]) == len(found)


WAITS = [
    pytest.param((), ("eu-1",), "waits now until somebody says that eu-1 is fenced", id="worse"),
    pytest.param(
        (), ("a", "b"), "waits now until somebody says that a, b are fenced", id="worse by two"
    ),
    pytest.param(("eu-1",), (), "waits for no fence any more", id="better"),
    pytest.param(("eu-1",), ("eu-1", "eu-2"), "", id="it waits as it did"),
]


@pytest.mark.parametrize(("was", "now", "text"), WAITS)
def test_that_data_waits_for_a_fence_differs(
    was: tuple[str, ...], now: tuple[str, ...], text: str
) -> None:
    survivals = []
    for fence in (was, now):
        (drill,) = a_survival("eu", 0).drills
        loss = replace(drill.losses["web"], fence=fence)
        survivals.append(Survival((replace(drill, losses=FrozenMap({"web": loss})),)))
    question = ask(SAME, SAME, survival_written=survivals[0], survival_then=survivals[1])
    assert bool(survival_differences(question)) == bool(text)
    assert (f"  web  region eu  {text}\n" if text else "") in told(question)
    for each in what_if_document(question)["survivability"]:
        assert each["survived"] == {"before": not was, "after": not now}
    for each in what_if_document(question)["survivability"]:
        assert each["unfenced"] == {"before": [*was], "after": [*now]}


def test_what_has_no_replicas_can_be_lost_and_survive() -> None:
    left, nothing = a_survival("eu", 0), a_survival("eu", 0, left=False)
    lost = ask(SAME, SAME, survival_written=left, survival_then=nothing)
    assert "  web  region eu  is not survived any more: domain limit" in told(lost)
    back = ask(SAME, SAME, survival_written=nothing, survival_then=left)
    assert "  web  region eu  is survived now\n" in told(back)


def test_all_of_it_lost_is_all_of_it_lost() -> None:
    few, many = a_survival("eu", 3, left=False), a_survival("eu", 9, left=False)
    assert survival_differences(ask(SAME, SAME, survival_written=few, survival_then=many)) == []


def test_a_region_that_is_gone_cannot_be_lost_again() -> None:
    written, then = a_survival("eu", 2), a_survival("us", None)
    assert survival_differences(ask(SAME, SAME, survival_written=written, survival_then=then)) == []


def test_who_is_short_today_is_not_hit_by_a_loss() -> None:
    short = a_plan({"us-1": 1}, short=2)
    quiet = Survival((), (Scenario(By.REGION, "eu", ("eu-2",)),))
    question = ask(SAME, short, survival_written=a_survival("eu", 2), survival_then=quiet)
    assert survival_differences(question) == []


def test_without_survival_nothing_is_said_of_it() -> None:
    assert survival_differences(ask(SAME, SAME, survival_then=a_survival("eu", 2))) == []
    assert survival_differences(ask(SAME, SAME, survival_written=a_survival("eu", 2))) == []


def priced(prices: Mapping[str, int | None]) -> Snapshot:
    """Clusters with a cost per core in millionths, and web, whose replicas ask for one core."""
    clusters = []
    for name, price in prices.items():
        cluster = a_cluster(name)
        said = FrozenMap({} if price is None else {"cost-per-core": price})
        spec = cluster.spec.model_copy(update={"properties": said})
        clusters.append(cluster.model_copy(update={"spec": spec}))
    return a_snapshot(clusters, [linked(a_workload("web", 6), a_policy("web"))])


def test_costs_are_cores_times_what_a_core_costs() -> None:
    snapshot = priced({"eu-1": 250_000, "us-1": 23_000, "sa-1": None})
    written = replace(a_plan({"eu-1": 4, "us-1": 2}), snapshot=snapshot)
    then = replace(a_plan({"us-1": 5, "sa-1": 1}), snapshot=snapshot)
    assert costs(written).amount == Fraction(1046, 1000)
    assert (costs(then).amount, costs(then).uncounted) == (Fraction(115, 1000), 1)
    text = "cost-per-core times requested cores: 1.046 -> 0.115"
    some = f"{text}, without 1 replica on clusters that do not say it"
    assert list(note_texts(ask(written, then))) == [some]
    assert list(note_texts(ask(written, written))) == []
    back = list(note_texts(ask(then, written)))
    assert back == ["cost-per-core times requested cores: 0.115 -> 1.046"]


def test_a_cluster_that_is_removed_while_it_is_used_is_noted() -> None:
    then = a_plan({"us-1": 6})
    smaller = a_snapshot([a_cluster("us-1")], then.snapshot.linked)
    question = ask(SAME, replace(then, snapshot=smaller), removed=("ap-1", "eu-1"))
    assert list(held_by(question)) == [("eu-1", ["web"])]
    assert "  eu-1  4 -> -  is gone from the inventory\n" in told(question)
    assert "an update refuses that 'eu-1' leaves the inventory while it holds web" in told(question)


def test_a_verdict_that_is_missing_is_no_fault() -> None:
    then = a_plan({"us-1": 6})
    bare = replace(then.schedule.decisions[0], verdicts={})
    (workload,) = then.plan.workloads
    plan = replace(then.plan, workloads=(replace(workload, decision=bare),))
    question = ask(SAME, replace(then, plan=plan))
    assert "  eu-1  4 -> -\n" in told(question)
    assert [each.name for each in workload_differences(question)] == ["web"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(Fraction(0), "0", id="nothing"),
        pytest.param(Fraction(1000), "1000", id="whole"),
        pytest.param(Fraction(1, 8), "0.125", id="a part"),
        pytest.param(Fraction(2, 3), "0.6667", id="rounded"),
    ],
)
def test_amounts(value: Fraction, text: str) -> None:
    assert amount(value) == text
