"""Every code has its words, and every word has its values."""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

from fleet.explain.change_words import CHANGES, change_sentence
from fleet.explain.finding_words import FINDINGS
from fleet.explain.rejection_words import REJECTIONS, SCHEDULE_FINDINGS
from fleet.explain.sentences import (
    finding_sentence,
    rejection_sentence,
    scores_text,
)
from fleet.model import finding_codes
from fleet.model.base import FrozenMap
from fleet.model.change import Change
from fleet.model.decision import Finding, Outcome, Rejection, Score, Verdict
from fleet.schedule import reasons, remedies

WORDED = {**REJECTIONS, **SCHEDULE_FINDINGS, **FINDINGS}


def codes_of(module: object) -> dict[str, str]:
    """Every constant of a module of codes, by its name."""
    return {name: str(value) for name, value in vars(module).items() if name.isupper()}


def described(module: object) -> dict[str, str]:
    """The docstring under each constant, by the code."""
    body = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body  # type: ignore[attr-defined]
    found = {}
    for here, following in pairwise(body):
        if isinstance(here, ast.Assign) and isinstance(following, ast.Expr):
            found[ast.literal_eval(here.value)] = ast.literal_eval(following.value)
    return found


ALL_CODES = {**codes_of(reasons), **codes_of(finding_codes)}


@pytest.mark.parametrize("code", sorted(ALL_CODES.values()))
def test_every_code_has_a_sentence(code: str) -> None:
    assert code in WORDED


@pytest.mark.parametrize("code", sorted(WORDED))
def test_no_sentence_is_left_of_a_code_that_is_gone(code: str) -> None:
    assert code in ALL_CODES.values()


@pytest.mark.parametrize("code", sorted(WORDED))
def test_a_template_names_only_values_that_its_code_carries(code: str) -> None:
    words = WORDED[code]
    text = {**described(reasons), **described(finding_codes)}[code]
    if isinstance(words, str):
        for name in re.findall(r"\{(?:s_of_)?(\w+)\}", words):
            assert re.search(rf"\b{name}\b", text), f"{code} does not carry '{name}'"


REMEDIES = codes_of(remedies)


def test_every_change_has_a_sentence() -> None:
    assert set(CHANGES) == set(REMEDIES.values())


@pytest.mark.parametrize("code", sorted(CHANGES))
def test_a_sentence_names_only_values_that_its_change_carries(code: str) -> None:
    words, text = CHANGES[code], described(remedies)[code]
    if isinstance(words, str):
        for name in re.findall(r"\{(\w+)\}", words):
            assert re.search(rf"\b{name}\b", text), f"{code} does not carry '{name}'"


SPOKEN = [
    pytest.param(
        "tolerate",
        {"key": "maintenance", "value": "true", "effect": "NoSchedule"},
        "tolerate maintenance=true:NoSchedule",
        id="a taint",
    ),
    pytest.param(
        "add-capacity",
        {"resource": "cpu", "was": 4000, "to": 6000},
        "needs 2 CPU more: 6 allocatable",
        id="cores",
    ),
    pytest.param(
        "add-capacity",
        {"resource": "cpu", "was": 4000, "to": 6000, "field": "status.resourceUsage.available"},
        "needs 2 CPU more: 6 allocatable, and 2 more in status.resourceUsage.available",
        id="cores that the document says twice",
    ),
    pytest.param(
        "add-capacity",
        {"resource": "memory", "was": 0, "to": 2**30},
        "needs 1Gi memory more: 1Gi allocatable",
        id="memory",
    ),
    pytest.param("add-replicas", {"was": 6, "to": 7}, "ask for 1 replica more: 7", id="one more"),
    pytest.param("add-replicas", {"was": 6, "to": 9}, "ask for 3 replicas more: 9", id="more"),
    pytest.param("add-domain", {"by": "zone"}, "give it a zone of its own", id="a domain"),
    pytest.param(
        "raise",
        {"field": "spec.spread[0].maxDomains", "was": 2, "to": 3},
        "raise spec.spread[0].maxDomains to 3",
        id="a limit",
    ),
    pytest.param(
        "compare",
        {"property": "free.cpu", "operator": "Ge", "was": 3_000_000, "to": 1_500_000},
        "ask for free.cpu of 1500m or more",
        id="a least",
    ),
    pytest.param(
        "compare",
        {"property": "cost", "operator": "Le", "was": 3_000_000, "to": 4_250_000},
        "ask for cost of 4.25 or less",
        id="a most",
    ),
    pytest.param(
        "tolerate-on",
        {"key": "gpu", "value": "", "effect": "NoExecute", "seconds": 30},
        "tolerate gpu:NoExecute without tolerationSeconds",
        id="a toleration that ran out",
    ),
    pytest.param(
        "end-windows",
        {"cluster": "eu-1", "end": "2030-05-01T12:00:00Z", "count": 1},
        "take the window that is open until 2030-05-01T12:00:00Z out of spec.maintenance",
        id="a window",
    ),
    pytest.param(
        "end-windows",
        {"cluster": "eu-1", "end": "2030-05-01T12:00:00Z", "count": 2},
        "take the 2 windows that are open out of spec.maintenance",
        id="windows",
    ),
    pytest.param(
        "add-nodes",
        {"was": 1, "to": 3, "free.cpu": 2000, "free.memory": 2**30},
        "needs 2 nodes more with cpu 2 and memory 1Gi free",
        id="nodes",
    ),
    pytest.param("add-nodes", {"was": 1, "to": 2}, "needs 1 node more", id="a node"),
    pytest.param(
        "part",
        {"field": "spec.apart", "policy": "web", "was": "api, db, x*", "to": "db"},
        "take 'api' and 'x*' out of spec.apart of policy 'web'",
        id="neighbours",
    ),
    pytest.param(
        "raise-quota",
        {"quota": "shop", "resource": "cpu", "was": 6000, "to": 8500},
        "raise cpu of quota 'shop' from 6 to 8500m",
        id="a quota",
    ),
]


@pytest.mark.parametrize(("code", "values", "expected"), SPOKEN)
def test_a_change_reads_well(code: str, values: dict[str, str | int], expected: str) -> None:
    assert change_sentence(Change(code, FrozenMap(values), ())) == expected


SENTENCES = [
    pytest.param(
        "taint",
        {"key": "maintenance", "value": "true", "effect": "NoSchedule"},
        "untolerated taint maintenance=true:NoSchedule",
        id="taint with a value",
    ),
    pytest.param(
        "taint",
        {"key": "retired", "value": "", "effect": "NoExecute"},
        "untolerated taint retired:NoExecute",
        id="taint without a value",
    ),
    pytest.param(
        "state",
        {"state": "draining", "said_by": "config fleet:drain"},
        "is draining, says config fleet:drain",
        id="state",
    ),
    pytest.param(
        "capacity",
        {"resource": "cpu", "needed": 1500, "free": 1000, "replicas": 1},
        "cpu 1 free, 1500m needed for a replica",
        id="capacity for one replica",
    ),
    pytest.param(
        "capacity",
        {"resource": "memory", "needed": 2**31, "free": 2**30, "replicas": 4},
        "memory 1Gi free, 2Gi needed for 4 replicas",
        id="capacity for several replicas",
    ),
    pytest.param(
        "affinity",
        {"terms": 1, "tier": "primary"},
        "is outside of the group 'primary', which is in use",
        id="affinity, a group of Karmada's",
    ),
    pytest.param(
        "amount",
        {"property": "free.cpu", "operator": "Ge", "value": 4_000_000, "amount": 1_500_000},
        "free.cpu is 1500m, 4 or more is asked for",
        id="an amount that is too small",
    ),
    pytest.param(
        "amount",
        {"property": "cost-per-core", "operator": "Lt", "value": 23_000},
        "says no cost-per-core, less than 0.023 is asked for",
        id="an amount that is not said",
    ),
    pytest.param(
        "amount",
        {"property": "heat", "operator": "Gt", "value": -1_500_000, "amount": -2_000_000},
        "heat is -2, more than -1.5 is asked for",
        id="an amount below 0",
    ),
    pytest.param(
        "overflow", {}, "is overflow: the clusters before it hold all replicas", id="overflow"
    ),
    pytest.param(
        "affinity", {"terms": 1}, "does not match the required affinity", id="affinity, one term"
    ),
    pytest.param(
        "affinity",
        {"terms": 3},
        "matches none of the 3 terms of the required affinity",
        id="affinity, several terms",
    ),
    pytest.param(
        "no-domain", {"by": "labels.tier"}, "has no label 'tier' to spread by", id="label missing"
    ),
    pytest.param(
        "domain-limit", {"by": "cluster", "limit": 1}, "1 other cluster picked", id="pick one"
    ),
    pytest.param(
        "no-share", {"replicas": 1}, "no share of 1 replica was left for it", id="no share of one"
    ),
    pytest.param(
        "domains-short",
        {"by": "region", "found": 1, "wanted": 2},
        "1 of 2 domains by region are feasible",
        id="domains short",
    ),
    pytest.param(
        "toleration-over",
        {"key": "k", "value": "v", "effect": "NoExecute", "seconds": 60, "over": 5, "added": "x"},
        "taint k=v:NoExecute was tolerated for 60 s, 5 s ago",
        id="a toleration that is over",
    ),
    pytest.param(
        "toleration-over",
        {"key": "k", "value": "", "effect": "NoExecute", "seconds": 60, "over": 0, "added": "x"},
        "taint k:NoExecute was tolerated for 60 s, 0 s ago",
        id="a toleration that is just over",
    ),
    pytest.param(
        "maintenance",
        {"action": "avoid", "start": "a", "end": "b", "now": "c", "minutes": 3},
        "in maintenance from a to b",
        id="maintenance",
    ),
    pytest.param(
        "maintenance",
        {"action": "move", "start": "a", "end": "b", "now": "c", "minutes": 3},
        "in maintenance from a to b, which moves what runs there",
        id="maintenance that moves",
    ),
    pytest.param(
        "latency",
        {"origin": "probe", "milliseconds": 90, "limit": 80, "seconds": 300, "there": 1},
        "latency from probe was 90 ms or more for 300 s, 80 ms is allowed",
        id="too slow where it runs",
    ),
    pytest.param(
        "latency",
        {"origin": "probe", "milliseconds": 70, "limit": 60, "seconds": 300, "there": 0},
        "latency from probe reached 70 ms within 300 s, a cluster is taken with at most 60 ms",
        id="not fast enough to go to",
    ),
    pytest.param(
        "nodes",
        {"needed": 4, "fits": 3},
        "its nodes hold 3 replicas one by one, 4 needed",
        id="too few nodes",
    ),
    pytest.param(
        "nodes",
        {"needed": 1, "fits": 0, "resource": "cpu", "asked": 3000, "largest": 2500},
        "no node has cpu 3 free for a replica, the largest has 2500m",
        id="no node is large enough",
    ),
    pytest.param(
        "cluster-set",
        {"tenant": "team shop", "sets": "gold, silver"},
        "team shop may only use the clusters of gold, silver",
        id="a tenant outside of its sets",
    ),
    pytest.param(
        "api",
        {"api": "apps/v1/Deployment", "object": "Deployment//web"},
        "does not serve apps/v1/Deployment, which Deployment//web needs",
        id="an API that is not served",
    ),
    pytest.param(
        "capacity-short",
        {"wanted": 6, "placed": 4, "region": "eu-west-1"},
        "room for 4 of 6 replicas in region eu-west-1",
        id="a region is short",
    ),
    pytest.param(
        "skew-short",
        {"wanted": 6, "placed": 4, "region": "eu", "by": "zone", "skew": 1},
        "room for 4 of 6 replicas in region eu, where numbers by zone may differ by 1",
        id="a skew leaves room empty",
    ),
    pytest.param(
        "skew-limit",
        {"by": "labels.rack", "skew": 2},
        "numbers by label 'rack' would differ by more than 2",
        id="a skew keeps a cluster out",
    ),
    pytest.param(
        "skew-conflict",
        {"by": "region", "skew": 1},
        "the spread cannot be met with numbers by region that differ by at most 1",
        id="a skew against a least",
    ),
    pytest.param(
        "tier-short",
        {"tier": "first", "won": "second", "missing": 1},
        "tier 'first' is 1 replica short; 'second' is used",
        id="a tier is short",
    ),
    pytest.param(
        "tier-short",
        {"tier": "first", "won": "second", "missing": 0},
        "tier 'first' does not fit; 'second' is used",
        id="a tier has no cluster",
    ),
    pytest.param(
        "quota",
        {"quota": "shop", "resource": "cpu", "limit": 6000, "left": 2500, "replicas": 2},
        "quota 'shop' has cpu 2500m of 6 left, enough for 2 replicas",
        id="a quota",
    ),
]


@pytest.mark.parametrize(("code", "values", "expected"), SENTENCES)
def test_a_rejection_reads_well(code: str, values: dict[str, str | int], expected: str) -> None:
    assert rejection_sentence(Rejection(code, FrozenMap(values))) == expected


def test_what_stays_uneven_is_told() -> None:
    values: dict[str, str | int] = {
        "workload": "web",
        "by": "region",
        "skew": 1,
        "most": 5,
        "least": 2,
    }
    assert finding_sentence(Finding("skew-kept", FrozenMap(values))) == (
        "'web' stays uneven: 5 and 2 by region, though the policy allows a difference of 1"
    )


def test_plural_endings_follow_the_number() -> None:
    def deletes(count: int) -> str:
        values: dict[str, str | int] = {
            "workload": "web",
            "cluster": "eu-1",
            "count": count,
            "objects": "Service/a/b",
        }
        return finding_sentence(Finding("delete", FrozenMap(values)))

    assert deletes(1).startswith("deletes 1 object of")
    assert deletes(2).startswith("deletes 2 objects of")


def test_a_code_of_a_plugin_is_shown_with_its_values() -> None:
    reason = Rejection("too-far", FrozenMap({"km": 900, "limit": 500}))
    assert rejection_sentence(reason) == "too far (km 900, limit 500)"


@pytest.mark.parametrize("code", sorted(WORDED))
def test_a_code_whose_values_are_missing_still_says_something(code: str) -> None:
    assert rejection_sentence(Rejection(code))
    assert finding_sentence(Finding(code))


def test_scores_add_up_in_words() -> None:
    scores = (Score("affinity", 60, 1), Score("already_there", 25, 2))
    verdict = Verdict("eu-1", Outcome.ASSIGNED, scores=scores, total=110)
    assert scores_text(verdict) == "affinity 60 + already there 50 = 110"


def test_scores_of_nothing_are_a_sum_too() -> None:
    verdict = Verdict("eu-1", Outcome.ASSIGNED, scores=(Score("affinity", 0, 3),))
    assert scores_text(verdict) == "score = 0"


@pytest.mark.parametrize(
    ("limit", "counted", "told"),
    [
        ("replicasPercent", 60, "moves 60% of all replicas where movementBudget.replicasPercent"),
        ("clustersEmptied", 1, "empties 1 cluster where"),
        ("recordsRemoved", 3, "removes 3 records where"),
        ("targetsLeft", 1, "leaves 1 living target where movementBudget.targetsLeft asks for 30"),
    ],
)
def test_a_budget_says_what_is_counted(limit: str, counted: int, told: str) -> None:
    values: dict[str, str | int] = {
        "limit": limit,
        "counted": counted,
        "allowed": 30,
        "what": "web",
    }
    assert finding_sentence(Finding("movement-budget", FrozenMap(values))).startswith(told)


FENCES = [
    pytest.param(
        "eu-1",
        0,
        "eu-1 is dead and nobody says that it is fenced - cut it off from clients and storage,"
        " then: pulumi config set --path 'fenced[0]' eu-1",
        id="one cluster",
    ),
    pytest.param(
        "eu-1, eu-2",
        1,
        "eu-1, eu-2 are dead and nobody says that they are fenced - cut them off from clients and"
        " storage, then: pulumi config set --path 'fenced[1]' eu-1 && pulumi config set --path"
        " 'fenced[2]' eu-2",
        id="a region of two",
    ),
]


@pytest.mark.parametrize(("clusters", "index", "told"), FENCES)
def test_every_cluster_that_is_not_fenced_has_its_command(
    clusters: str, index: int, told: str
) -> None:
    names = {"workload": "db", "region": "us", "clusters": clusters}
    values = FrozenMap[str | int]({**names, "index": index})
    assert finding_sentence(Finding("fence-first", values)).endswith(told)


def test_a_label_of_any_value_names_none() -> None:
    values: dict[str, str | int] = {"cluster": "eu-1", "key": "gpu"}
    any_value = Change("add-label", FrozenMap(values), ())
    assert change_sentence(any_value) == "label it gpu, whatever the value"
    one = Change("add-label", FrozenMap({**values, "value": "a100"}), ())
    assert change_sentence(one) == "label it gpu=a100"


ELSEWHERE = [
    ("divide", {"was": "aggregated", "to": "weighted"}, "divide by here.it instead of aggregated"),
    ("add-weight", {"cluster": "eu-1", "weight": 3}, "give it weight 3 in here.it"),
    ("add-term", {"cluster": "eu-1"}, "let here.it select it"),
    ("add-to-tier", {"cluster": "eu-1", "tier": "first"}, "let here.it select it"),
    ("serve", {"cluster": "eu-1", "api": "a/v1/B"}, "serve a/v1/B there, and list it in here.it"),
]


@pytest.mark.parametrize(
    ("code", "values", "sentence"), ELSEWHERE, ids=[each[0] for each in ELSEWHERE]
)
def test_a_document_of_another_product_has_its_own_fields(
    code: str, values: dict[str, str | int], sentence: str
) -> None:
    assert change_sentence(Change(code, FrozenMap({**values, "field": "here.it"}), ())) == sentence
    assert "here.it" not in change_sentence(Change(code, FrozenMap(values), ()))
