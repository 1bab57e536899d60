"""What bars a cluster: one row per rule, with all reasons and the line that says so."""

from typing import Any

import pytest

from fleet.model.decision import Outcome, Verdict
from fleet.model.inventory import Cluster, State
from fleet.model.source import Origin
from fleet.schedule import reasons
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, only

MARKS = {
    ("spec", "state"): (9, 3),
    ("spec", "taints", 0): (11, 5),
    ("spec", "taints", 1): (12, 5),
    ("spec", "capacity", "allocatable", "cpu"): (21, 7),
    ("spec", "affinity", "required"): (31, 5),
    ("spec", "affinity", "required", 0, "matchProperties", 1): (35, 9),
    ("spec", "residency", "regions"): (32, 5),
    ("spec", "spread", 0): (33, 5),
}
THERE = Origin("inventory/eu.yaml", marks=MARKS)
HERE = Origin("policies/web.yaml", marks=MARKS)


def verdict_on(
    cluster: Cluster,
    policy: dict[str, Any],
    *,
    wanted: int = 1,
    there: int | None = None,
    states: dict[str, State] | None = None,
) -> Verdict:
    """The verdict on one cluster; `there`: the last update ran so many replicas there."""
    item = linked(a_workload("web", wanted), a_policy("web", origin=HERE, **policy))
    prior = None if there is None else {"web": {cluster.name: there}}
    return only(decide([cluster], item, prior=prior, states=states)).verdicts[cluster.name]


def term(**said: Any) -> dict[str, Any]:
    return {"affinity": {"required": [said]}}


def label(key: str, operator: str, *values: str) -> dict[str, Any]:
    return term(match_expressions=[{"key": key, "operator": operator, "values": values}])


def field(key: str, operator: str, *values: str) -> dict[str, Any]:
    return term(match_fields=[{"key": key, "operator": operator, "values": values}])


X4 = a_cluster(
    "cluster1",
    "r1",
    zones=["z1", "z2", "z3"],
    provider="p1",
    labels={"foo": "bar", "cores": "16", "gpu": ""},
)
BARE = a_cluster("bare", "r1")
AFFINITY = [
    pytest.param(X4, {}, True, id="X4 nothing said matches everything"),
    pytest.param(X4, term(clusters=["cluster1"]), True, id="named"),
    pytest.param(X4, term(clusters=["other"]), False, id="another is named"),
    pytest.param(
        X4, term(clusters=["cluster1"], exclude_clusters=["cluster1"]), False, id="X4 excluded wins"
    ),
    pytest.param(X4, term(exclude_clusters=["other"]), True, id="another is excluded"),
    pytest.param(X4, term(regions=["r1", "r2"]), True, id="one of the regions"),
    pytest.param(X4, term(regions=["r*"]), True, id="a pattern of regions"),
    pytest.param(X4, term(regions=["r2"]), False, id="another region"),
    pytest.param(X4, term(match_labels={"foo": "bar"}), True, id="a label"),
    pytest.param(X4, term(match_labels={"foo": "baz"}), False, id="another label value"),
    pytest.param(X4, term(match_labels={"fie": "bar"}), False, id="another label"),
    pytest.param(
        X4, term(match_labels={"foo": "bar", "gpu": "yes"}), False, id="all that is said must hold"
    ),
    pytest.param(X4, label("foo", "In", "bar", "baz"), True, id="label In"),
    pytest.param(X4, label("foo", "In", "baz"), False, id="label In, another value"),
    pytest.param(X4, label("fie", "In", "bar"), False, id="label In, absent"),
    pytest.param(X4, label("foo", "NotIn", "bar"), False, id="label NotIn"),
    pytest.param(X4, label("fie", "NotIn", "bar"), True, id="label NotIn, absent"),
    pytest.param(X4, label("foo", "Exists"), True, id="label Exists"),
    pytest.param(X4, label("gpu", "Exists"), True, id="label Exists, empty"),
    pytest.param(X4, label("fie", "Exists"), False, id="label Exists, absent"),
    pytest.param(X4, label("foo", "DoesNotExist"), False, id="label DoesNotExist"),
    pytest.param(X4, label("fie", "DoesNotExist"), True, id="label DoesNotExist, absent"),
    pytest.param(X4, label("cores", "Gt", "15"), True, id="label Gt"),
    pytest.param(X4, label("cores", "Gt", "16"), False, id="label Gt, equal"),
    pytest.param(X4, label("cores", "Lt", "17"), True, id="label Lt"),
    pytest.param(X4, label("cores", "Lt", "16"), False, id="label Lt, equal"),
    pytest.param(X4, label("foo", "Gt", "1"), False, id="label Gt, no number"),
    pytest.param(X4, label("foo", "Lt", "1"), False, id="label Lt, no number"),
    pytest.param(X4, label("fie", "Lt", "1"), False, id="label Lt, absent"),
    pytest.param(X4, field("name", "In", "cluster1"), True, id="field name"),
    pytest.param(X4, field("name", "NotIn", "cluster1"), False, id="field name NotIn"),
    pytest.param(X4, field("region", "In", "r2"), False, id="X4 field region"),
    pytest.param(X4, field("zone", "In", "z2"), True, id="X4 field zone, one is enough"),
    pytest.param(X4, field("zone", "NotIn", "z1", "z9"), False, id="X4 field zone NotIn"),
    pytest.param(X4, field("provider", "In", "p1"), True, id="field provider"),
    pytest.param(BARE, field("provider", "In", "p1"), False, id="field provider, none"),
    pytest.param(BARE, field("provider", "NotIn", "p1"), True, id="field provider NotIn, none"),
    pytest.param(BARE, field("zone", "NotIn", "z1"), True, id="field zone NotIn, none"),
    pytest.param(BARE, field("zone", "Exists"), False, id="field zone Exists, none"),
    pytest.param(
        X4,
        {"affinity": {"required": [{"regions": ["r9"]}, {"match_labels": {"foo": "bar"}}]}},
        True,
        id="one of the terms is enough",
    ),
]


@pytest.mark.parametrize(("cluster", "policy", "feasible"), AFFINITY)
def test_affinity(cluster: Cluster, policy: dict[str, Any], feasible: bool) -> None:  # noqa: FBT001 - a table
    found = verdict_on(cluster, policy)
    assert (found.outcome is Outcome.ASSIGNED) == feasible
    if not feasible:
        (why,) = found.rejections
        assert (why.code, dict(why.values)) == (reasons.AFFINITY, {"terms": 1})
        assert str(why.source) == "policies/web.yaml:31:5"


COMPARED = [
    pytest.param({}, {"property": "p", "operator": "Ge", "value": 4_000_000}, id="not said"),
    pytest.param(
        {"p": 3},
        {"property": "p", "operator": "Ge", "value": 4_000_000, "amount": 3_000_000},
        id="too small",
    ),
]


@pytest.mark.parametrize(("properties", "values"), COMPARED)
def test_the_comparison_that_fails_is_said(
    properties: dict[str, int], values: dict[str, str | int]
) -> None:
    rules = [
        {"property": "nodes", "operator": "Gt", "value": 1},
        {"property": "p", "operator": "Ge", "value": 4},
    ]
    group = {"count": 2, "free": {"cpu": 4}}
    cluster = a_cluster("eu-1", properties=properties, nodes=[group])
    found = verdict_on(cluster, {"affinity": {"required": [{"match_properties": rules}]}})
    (why,) = found.rejections
    assert (why.code, dict(why.values)) == (reasons.AMOUNT, values)
    assert str(why.source) == "policies/web.yaml:35:9"


def test_where_more_than_a_comparison_fails_the_term_is_said() -> None:
    rules = [{"property": "p", "operator": "Ge", "value": 4}]
    term = {"match_properties": rules, "match_labels": {"foo": "no"}}
    found = verdict_on(a_cluster("eu-1"), {"affinity": {"required": [term]}})
    assert codes(found) == [reasons.AFFINITY]


@pytest.mark.parametrize(
    ("regions", "feasible"),
    [
        pytest.param(["eu-west-1"], True, id="the name"),
        pytest.param(["eu-*"], True, id="a pattern"),
        pytest.param(["us-*", "*west*"], True, id="one of the patterns"),
        pytest.param(["eu"], False, id="no part of a name"),
        pytest.param(["us-*"], False, id="another pattern"),
    ],
)
def test_residency(regions: list[str], feasible: bool) -> None:  # noqa: FBT001 - a table
    found = verdict_on(a_cluster("eu-1"), {"residency": {"regions": regions}}, there=1)
    assert (found.outcome is Outcome.ASSIGNED) == feasible, "not relaxed for what is there"
    if not feasible:
        (why,) = found.rejections
        assert dict(why.values) == {"region": "eu-west-1", "allowed": ", ".join(regions)}
        assert (why.code, str(why.source)) == (reasons.RESIDENCY, "policies/web.yaml:32:5")


KEEP = {"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule"}
TAINTS = [
    pytest.param("a=b:NoSchedule", [], None, False, id="bars what is new"),
    pytest.param("a=b:NoSchedule", [], 1, True, id="moves nothing that is there"),
    pytest.param("a=b:NoSchedule", [], 0, True, id="nor what is there without replicas"),
    pytest.param("a=b:NoExecute", [], None, False, id="NoExecute bars what is new"),
    pytest.param("a=b:NoExecute", [], 1, False, id="NoExecute moves what is there"),
    pytest.param("a=b:PreferNoSchedule", [], None, True, id="PreferNoSchedule bars nothing"),
    pytest.param("a=b:NoSchedule", [KEEP], None, True, id="tolerated"),
    pytest.param("a=b:NoExecute", [KEEP], None, False, id="another effect is tolerated"),
    pytest.param("a=c:NoSchedule", [KEEP], None, False, id="another value is tolerated"),
    pytest.param("x=b:NoSchedule", [KEEP], None, False, id="another key is tolerated"),
    pytest.param("a=b:NoExecute", [{"key": "a", "value": "b"}], None, True, id="any effect"),
    pytest.param("a=b:NoExecute", [{"key": "a", "operator": "Exists"}], None, True, id="any value"),
    pytest.param("a=b:NoExecute", [{"operator": "Exists"}], None, True, id="any key"),
    pytest.param("a:NoSchedule", [{"key": "a"}], None, True, id="an empty value is a value"),
]


@pytest.mark.parametrize(("taint", "tolerations", "there", "feasible"), TAINTS)
def test_taints(
    taint: str,
    tolerations: list[dict[str, str]],
    there: int | None,
    feasible: bool,  # noqa: FBT001 - a table
) -> None:
    cluster = a_cluster("eu-1", taints=[taint], origin=THERE)
    found = verdict_on(cluster, {"tolerations": tolerations}, there=there)
    assert (found.outcome is Outcome.ASSIGNED) == feasible
    assert codes(found) == ([] if feasible else [reasons.TAINT])


def test_taints_are_forgotten_by_a_fresh_placement() -> None:
    cluster = a_cluster("eu-1", taints=["a=b:NoSchedule"])
    assert codes(verdict_on(cluster, {"placement": "fresh"}, there=1)) == [reasons.TAINT]


def test_one_cluster_that_is_spared_spares_no_other() -> None:
    clusters = [a_cluster(name, taints=["a=b:NoSchedule"]) for name in ("eu-1", "eu-2")]
    items = [linked(a_workload(name), a_policy(name)) for name in ("api", "web")]
    made = decide(clusters, *items, prior={"api": {"eu-1": 1}, "web": {"eu-2": 1}})
    assert [dict(each.replicas) for each in made.decisions] == [{"eu-1": 1}, {"eu-2": 1}]


@pytest.mark.parametrize("state", [State.DRAINING, State.DOWN, State.DECOMMISSIONED])
def test_state_takes_nothing_and_keeps_nothing(state: State) -> None:
    cluster = a_cluster("eu-1", state=state, origin=THERE)
    for there in (None, 1):
        (why,) = verdict_on(cluster, {}, there=there).rejections
        assert why.code == reasons.STATE
        assert dict(why.values) == {"state": state.value, "said_by": "inventory/eu.yaml:9:3"}
        assert str(why.source) == "inventory/eu.yaml:9:3"


def test_state_from_the_config_has_no_line() -> None:
    (why,) = verdict_on(a_cluster("eu-1"), {}, states={"eu-1": State.DOWN}).rejections
    assert dict(why.values) == {"state": "down", "said_by": "config fleet:down"}
    assert why.source is None


@pytest.mark.parametrize("by", ["zone", "provider", "labels.tier"])
def test_spread_needs_a_domain(by: str) -> None:
    spread = {"spread": [{"by": by}]}
    (why,) = verdict_on(a_cluster("eu-1"), spread).rejections
    assert (why.code, dict(why.values)) == (reasons.NO_DOMAIN, {"by": by})
    assert str(why.source) == "policies/web.yaml:33:5"
    full = a_cluster("eu-1", zones=["a"], provider="aws", labels={"tier": ""})
    assert verdict_on(full, spread).outcome is Outcome.ASSIGNED


def test_all_reasons_are_told_in_the_order_of_the_rules() -> None:
    cluster = a_cluster(
        "eu-1",
        cpu=0,
        state=State.DOWN,
        taints=["a=b:NoSchedule", "c=d:NoExecute"],
        origin=THERE,
    )
    policy = {
        **term(regions=["us-east-1"]),
        "residency": {"regions": ["us-*"]},
        "spread": [{"by": "zone"}, {"by": "provider"}],
    }
    found = verdict_on(cluster, policy)
    assert codes(found) == [
        reasons.STATE,
        reasons.RESIDENCY,
        reasons.AFFINITY,
        reasons.TAINT,
        reasons.TAINT,
        reasons.NO_DOMAIN,
        reasons.NO_DOMAIN,
        reasons.CAPACITY,
    ]
    assert [str(each.source) for each in found.rejections[3:5]] == [
        "inventory/eu.yaml:11:5",
        "inventory/eu.yaml:12:5",
    ]
    assert dict(found.rejections[3].values) == {"key": "a", "value": "b", "effect": "NoSchedule"}
    assert found.outcome is Outcome.INFEASIBLE
    assert found.scores == ()
