"""The hard rules beyond place and room: one row per rule, with its reason and its line."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fleet.model.base import FrozenMap
from fleet.model.cluster_set import ClusterSet
from fleet.model.decision import Outcome, Verdict
from fleet.model.inventory import Taint
from fleet.model.maintenance import Action, OpenWindow
from fleet.model.moment import seconds_of
from fleet.model.observation import ClusterObservation
from fleet.model.snapshot import Facts
from fleet.model.source import Origin, Path, Source
from fleet.model.workload import Manifest, WorkloadSettings
from fleet.schedule import reasons
from tests.builders import a_cluster, a_policy, a_workload, linked
from tests.schedule.asking import codes, decide, only, replicas

NOON = seconds_of("2030-05-01T12:00:00Z")
SOURCE = Source("inventory/eu-1.yaml", 9, 5)


def an_object(api: str = "apps/v1", kind: str = "Deployment", namespace: str = "") -> Manifest:
    return Manifest(api, kind, namespace, "web", {}, Origin("workloads/web.yaml"))


def verdict(
    *,
    policy: Mapping[str, Any] | None = None,
    objects: Sequence[Manifest] = (),
    team: str = "",
    there: bool = False,
    facts: Facts | None = None,
    **cluster: Any,
) -> Verdict:
    """The verdict on the one cluster of a fleet; `there`: the last update ran a replica on it."""
    settings = WorkloadSettings(team=team)
    workload = a_workload("web", manifests=objects, settings=settings, main="Deployment//web")
    item = linked(workload, a_policy("web", **(policy or {})))
    prior = {"web": {"eu-1": 1}} if there else None
    made = decide([a_cluster("eu-1", **cluster)], item, prior=prior, facts=facts)
    return only(made).verdicts["eu-1"]


# Served APIs


APIS = [
    pytest.param((), [an_object()], None, id="nothing is known"),
    pytest.param(("apps/v1",), [an_object()], None, id="the version is served"),
    pytest.param(("apps/v1/Deployment",), [an_object()], None, id="the kind is served"),
    pytest.param(
        ("apps/v1/StatefulSet", "v1"),
        [an_object("v1", "ConfigMap"), an_object()],
        [("apps/v1/Deployment", "Deployment//web")],
        id="another kind is served",
    ),
    pytest.param(
        ("v1",),
        [an_object("a.b/v1", "Thing"), an_object("a.b/v1", "Thing"), an_object()],
        [("a.b/v1/Thing", "Thing//web"), ("apps/v1/Deployment", "Deployment//web")],
        id="each missing API once",
    ),
    pytest.param(("v1",), [], None, id="no objects"),
]


@pytest.mark.parametrize(("apis", "objects", "missing"), APIS)
def test_served_apis(
    apis: tuple[str, ...], objects: list[Manifest], missing: list[tuple[str, str]] | None
) -> None:
    marks: dict[Path, tuple[int, int]] = {("spec", "apis"): (7, 3)}
    found = verdict(apis=apis, objects=objects, origin=Origin("inventory/eu.yaml", marks=marks))
    told = [(each.values["api"], each.values["object"]) for each in found.rejections]
    assert told == (missing or [])
    assert {str(each.source) for each in found.rejections} <= {"inventory/eu.yaml:7:3"}
    assert (found.outcome is Outcome.INFEASIBLE) == bool(missing)


def test_what_is_there_already_keeps_an_api_that_is_served_no_more() -> None:
    assert verdict(apis=("v1",), objects=[an_object()], there=True).outcome is Outcome.ASSIGNED


def a_definition(**spec: Any) -> Manifest:
    body = {"spec": {"group": "a.b", **spec}}
    kind = "CustomResourceDefinition"
    return replace(an_object("apiextensions.k8s.io/v1", kind), body=body)


@pytest.mark.parametrize(
    ("definition", "missing"),
    [
        pytest.param(
            a_definition(names={"kind": "Thing"}, versions=[{"name": "v1"}]), [], id="its own"
        ),
        pytest.param(
            a_definition(names={"kind": "Thing"}, versions=[{"name": "v2"}]),
            ["a.b/v1/Thing"],
            id="another version",
        ),
        pytest.param(a_definition(), ["a.b/v1/Thing"], id="defines nothing"),
    ],
)
def test_what_the_workload_itself_defines_need_not_be_served(
    definition: Manifest, missing: list[str]
) -> None:
    objects = [definition, an_object("a.b/v1", "Thing")]
    found = verdict(apis=("apiextensions.k8s.io/v1",), objects=objects)
    assert [each.values["api"] for each in found.rejections] == missing


def test_an_api_that_was_seen_to_lack_is_told_where_it_was_seen() -> None:
    origin = Origin("inventory/observed.yaml", marks={("spec", "apis"): (9, 3)})
    spec = {"observed_at": "2030-01-01T00:00:00Z", "apis": ["v1"]}
    seen = ClusterObservation.model_validate({"metadata": {"name": "eu-1"}, "spec": spec})
    facts = Facts(observations=FrozenMap({"eu-1": seen.model_copy(update={"origin": origin})}))
    found = verdict(apis=("v1",), objects=[an_object()], facts=facts)
    assert [str(each.source) for each in found.rejections] == ["inventory/observed.yaml:9:3"]


# Taints that are tolerated for a while


def tainted(added: str | None = "2030-05-01T11:59:00Z", effect: str = "NoExecute") -> Taint:
    return Taint.model_validate({"key": "k", "effect": effect, "time_added": added})


def tolerating(*seconds: int | None) -> dict[str, Any]:
    said = [{"key": "k", "operator": "Exists", "toleration_seconds": each} for each in seconds]
    return {"tolerations": said}


TOLERATED = [
    pytest.param(tainted(), tolerating(61), [], id="X1 a second is left"),
    pytest.param(tainted(), tolerating(60), ["toleration-over"], id="X2 just over"),
    pytest.param(tainted(), tolerating(0), ["toleration-over"], id="not a moment"),
    pytest.param(tainted(), tolerating(None), [], id="X1 without seconds for good"),
    pytest.param(tainted(None), tolerating(0), [], id="X1 a taint without a time for good"),
    pytest.param(tainted(), tolerating(), ["taint"], id="X1 no toleration"),
    pytest.param(tainted(), tolerating(0, None), ["toleration-over"], id="the first one counts"),
    pytest.param(tainted(), tolerating(None, 0), [], id="also where it is for good"),
    pytest.param(
        tainted(effect="NoSchedule"), tolerating(0), [], id="seconds are for NoExecute only"
    ),
]


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(("taint", "policy", "expected"), TOLERATED)
def test_tolerations_run_out(
    taint: Taint, policy: dict[str, Any], expected: list[str], *, there: bool
) -> None:
    cluster = a_cluster("eu-1")
    cluster = cluster.model_copy(
        update={"spec": cluster.spec.model_copy(update={"taints": (taint,)})}
    )
    item = linked(a_workload("web"), a_policy("web", **policy))
    prior = {"web": {"eu-1": 1}} if there else None
    found = only(decide([cluster], item, prior=prior, facts=Facts(now=NOON))).verdicts["eu-1"]
    assert codes(found) == expected


def test_a_toleration_that_is_over_says_since_when() -> None:
    cluster = a_cluster("eu-1")
    cluster = cluster.model_copy(
        update={"spec": cluster.spec.model_copy(update={"taints": (tainted(),)})}
    )
    item = linked(a_workload("web"), a_policy("web", **tolerating(20)))
    (why,) = only(decide([cluster], item, facts=Facts(now=NOON))).verdicts["eu-1"].rejections
    assert dict(why.values) == {
        "key": "k",
        "value": "",
        "effect": "NoExecute",
        "seconds": 20,
        "added": "2030-05-01T11:59:00Z",
        "over": 40,
    }


# Maintenance windows


def closed(action: Action) -> Facts:
    window = OpenWindow(NOON - 60, NOON + 61, action, SOURCE)
    return Facts(now=NOON, windows=FrozenMap({"eu-1": window}))


WINDOWS = [
    pytest.param("avoid", False, ["maintenance"], id="nothing new is placed"),
    pytest.param("avoid", True, [], id="what is there stays"),
    pytest.param("move", False, ["maintenance"], id="nor where it is moved"),
    pytest.param("move", True, ["maintenance"], id="what is there is moved"),
]


@pytest.mark.parametrize(("action", "there", "expected"), WINDOWS)
def test_maintenance(action: Action, *, there: bool, expected: list[str]) -> None:
    found = verdict(facts=closed(action), there=there)
    assert codes(found) == expected
    for why in found.rejections:
        assert why.source == SOURCE
        assert dict(why.values) == {
            "action": action,
            "start": "2030-05-01T11:59:00Z",
            "end": "2030-05-01T12:01:01Z",
            "now": "2030-05-01T12:00:00Z",
            "minutes": 2,
        }


def test_maintenance_of_one_cluster_leaves_the_others() -> None:
    item = linked(a_workload("web"), a_policy("web"))
    made = decide([a_cluster("eu-1"), a_cluster("eu-2")], item, facts=closed("move"))
    assert replicas(made) == {"eu-2": 1}


# Cluster sets


def a_set(name: str, clusters: Sequence[str], **spec: Any) -> ClusterSet:
    term = {"clusters": tuple(clusters)}
    words = {"metadata": {"name": name}, "spec": {"clusters": [term], **spec}}
    return ClusterSet.model_validate({**words, "origin": Origin(f"policies/{name}.yaml")})


def cluster_sets(*sets: ClusterSet) -> Facts:
    return Facts(sets=sets)


GOLD = a_set("gold", ["eu-1"], teams=["shop"], namespaces=["shop-*"])
ELSEWHERE = a_set("other", ["us-1"], teams=["shop"], namespaces=["shop-*", "default"])
ALONE = a_set("alone", ["eu-1"], teams=["bank"], namespaces=["bank", "vault"], exclusive=True)
TENANTS = [
    pytest.param([], "shop", [""], [], id="no sets, no rule"),
    pytest.param([GOLD], "shop", ["x"], [], id="a team in its set"),
    pytest.param([GOLD], "", ["shop-1"], [], id="a namespace in its set"),
    pytest.param([GOLD], "", ["x"], [], id="who is named nowhere is free"),
    pytest.param([ELSEWHERE], "shop", ["x"], [("team shop", "other")], id="a team outside of it"),
    pytest.param(
        [ELSEWHERE], "", ["shop-1"], [("namespace shop-1", "other")], id="a namespace outside"
    ),
    pytest.param(
        [ELSEWHERE], "", [""], [("namespace default", "other")], id="no namespace is default"
    ),
    pytest.param([ELSEWHERE, GOLD], "shop", ["x"], [], id="one of several sets is enough"),
    pytest.param(
        [a_set("a", ["eu-1"], teams=["shop"]), a_set("b", ["us-1"], namespaces=["x"])],
        "shop",
        ["x"],
        [("namespace x", "b")],
        id="team and namespace must both agree",
    ),
    pytest.param([ALONE], "bank", ["x"], [], id="a tenant of an exclusive set by its team"),
    pytest.param([ALONE], "", ["bank", "vault"], [], id="by all of its namespaces"),
    pytest.param([ALONE], "", ["bank", "x"], ["alone"], id="not by some of them"),
    pytest.param([ALONE], "", ["x"], ["alone"], id="a stranger"),
    pytest.param(
        [a_set("alone", ["us-1"], teams=["bank"], exclusive=True)],
        "",
        ["x"],
        [],
        id="a stranger elsewhere",
    ),
]


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(("named", "team", "namespaces", "expected"), TENANTS)
def test_cluster_sets(
    named: list[ClusterSet],
    team: str,
    namespaces: list[str],
    expected: list[str | tuple[str, str]],
    *,
    there: bool,
) -> None:
    """Also what runs there already must go: isolation is never relaxed."""
    objects = [an_object(namespace=each) for each in namespaces]
    found = verdict(facts=cluster_sets(*named), team=team, objects=objects, there=there)
    told = [
        each.values["set"]
        if each.code == reasons.EXCLUSIVE
        else (each.values["tenant"], each.values["sets"])
        for each in found.rejections
    ]
    assert told == expected


def test_objects_without_a_namespace_beside_the_main_one_are_no_tenants() -> None:
    objects = [an_object(namespace="shop"), an_object("v1", "Namespace")]
    facts = cluster_sets(a_set("other", ["us-1"], namespaces=["default"]))
    assert codes(verdict(facts=facts, objects=objects)) == []


# Properties


SIZE: dict[str, Any] = {
    "cpu": 8,
    "allocatable": {"memory": "1Gi"},
    "reserved": {"cpu": "3500m"},
    "properties": {"cost-per-core": "0.023"},
    "nodes": [{"count": 3, "free": {"cpu": 4}}],
}
COMPARED = [
    pytest.param("free.cpu", "Gt", "4500m", False, id="Gt at the value"),
    pytest.param("free.cpu", "Gt", "4499m", True, id="Gt above"),
    pytest.param("free.cpu", "Ge", "4500m", True, id="Ge at"),
    pytest.param("free.cpu", "Ge", "4501m", False, id="Ge below"),
    pytest.param("free.cpu", "Ge", "4.500001", False, id="Ge a little less than asked"),
    pytest.param("free.cpu", "Eq", "4.5", True, id="Eq"),
    pytest.param("free.cpu", "Eq", "4.500005", False, id="Eq between two amounts"),
    pytest.param("free.cpu", "Ne", "4.5", False, id="Ne the same"),
    pytest.param("free.cpu", "Ne", "4.500005", True, id="Ne between two amounts"),
    pytest.param("free.cpu", "Le", "4500m", True, id="Le at"),
    pytest.param("free.cpu", "Le", "4499m", False, id="Le above"),
    pytest.param("free.cpu", "Lt", "4500m", False, id="Lt at"),
    pytest.param("free.cpu", "Lt", "4.500005", True, id="Lt a little more"),
    pytest.param("allocatable.memory", "Eq", "1024Mi", True, id="memory"),
    pytest.param("allocatable.memory", "Lt", "9000000P", True, id="more than a word of 64 bits"),
    pytest.param("nodes", "Ge", 3, True, id="nodes"),
    pytest.param("cost-per-core", "Lt", "0.0231", True, id="cost"),
    pytest.param("cost-per-core", "Gt", "0.0231", False, id="no more than that"),
    pytest.param("gpu-model", "Ne", 1, False, id="absent matches nothing"),
]


@pytest.mark.parametrize(("name", "operator", "value", "expected"), COMPARED)
def test_properties_in_terms(name: str, operator: str, value: object, *, expected: bool) -> None:
    said = {"property": name, "operator": operator, "value": value}
    policy = {"affinity": {"required": [{"match_properties": [said]}]}}
    found = verdict(policy=policy, **SIZE)
    assert codes(found) == ([] if expected else ["amount"])
