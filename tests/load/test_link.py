"""The closed Snapshot: who has to do with whom, states, wanted regions, order."""

from collections.abc import Callable

import pytest

from fleet.load.candidates import term_holds
from fleet.model.affinity import ClusterTerm
from fleet.model.inventory import Cluster, State
from fleet.model.snapshot import ClusterState, Snapshot

Load = Callable[..., Snapshot]


def a_policy(kind: str, name: str, spec: str) -> str:
    return f"apiVersion: fleet/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"


def a_traffic(name: str, spec: str) -> str:
    where = f"workload: web, name: {name}.fleet.test, zone: {{name: fleet.test}}"
    return a_policy("TrafficPolicy", name, f"{where}, {spec}")


def test_snapshot_is_sorted_and_linked(load: Load) -> None:
    rule = "rules: [{image: {tag: x}}]"
    snapshot = load(
        {
            "policies/web.yaml": a_policy("PlacementPolicy", "all", "workloads: [web, '*']"),
            "policies/a.yaml": a_policy("OverridePolicy", "z", f"workloads: ['w*'], {rule}"),
            "policies/b.yaml": a_policy("OverridePolicy", "a", f"workloads: [web], {rule}"),
            "policies/c.yaml": a_policy("OverridePolicy", "m", f"workloads: [api], {rule}"),
            "policies/d.yaml": a_traffic("t", "mode: weighted"),
            "workloads/api.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n",
        }
    )
    assert [each.name for each in snapshot.clusters] == ["eu-1", "us-1"]
    assert [each.workload.name for each in snapshot.linked] == ["api", "web"]
    web = snapshot.linked[1]
    assert web.placement.name == "all"
    assert [each.name for each in web.overrides] == ["a", "z"]
    assert [each.name for each in web.traffic] == ["t"]
    assert snapshot.linked[0].traffic == ()


STATES = [
    ({}, State.DOWN, "inventory/x.yaml:4:26"),
    ({"drain": "ap-1"}, State.DRAINING, "config fleet:drain"),
    ({"down": "ap-1"}, State.DOWN, "config fleet:down"),
    ({"down": "ap-south"}, State.DOWN, "config fleet:down"),
    ({"drain": "ap-south"}, State.DRAINING, "config fleet:drain"),
    ({"drain": "ap-1", "down": "ap-south"}, State.DOWN, "config fleet:down"),
    ({"decommission": "ap-1"}, State.DECOMMISSIONED, "config fleet:decommission"),
    ({"drain": "ap-1", "down": "ap-1"}, State.DOWN, "config fleet:down"),
    (
        {"drain": "ap-1", "down": "ap-1", "decommission": "ap-1"},
        State.DECOMMISSIONED,
        "config fleet:decommission",
    ),
]


@pytest.mark.parametrize(("config", "state", "said_by"), STATES)
def test_config_overrides_the_inventory(
    load: Load, config: dict[str, str], state: State, said_by: str
) -> None:
    text = a_policy("Cluster", "ap-1", "region: ap-south, state: down")
    states = load({"inventory/x.yaml": text}, **config).states
    assert states["ap-1"] == ClusterState(state, said_by)
    assert states["eu-1"].state is State.ACTIVE


def test_wanted_regions_come_from_config_before_the_policy(load: Load) -> None:
    files = {
        "policies/t.yaml": a_traffic("t", "activeRegion: us-east-1"),
        "policies/u.yaml": a_traffic("u", "mode: weighted"),
        "policies/v.yaml": a_traffic("v", "standby: 50"),
    }
    wanted = load(files, activeRegion="eu-west-1", activeRegions={"t": "us-east-1"}).wanted
    assert {name: [(each.region, each.said_by) for each in wanted[name]] for name in wanted} == {
        "t": [
            ("us-east-1", "config fleet:activeRegions.t"),
            ("eu-west-1", "config fleet:activeRegion"),
            ("us-east-1", "policies/t.yaml:4:69"),
        ],
        "v": [("eu-west-1", "config fleet:activeRegion")],
    }


def test_loading_twice_gives_equal_values(load: Load) -> None:
    assert load() == load()


def test_policies_may_stand_beside_the_clusters(load: Load) -> None:
    policy = a_policy("PlacementPolicy", "web", "workloads: [web]")
    files = {"policies/web.yaml": None, "inventory/web.yaml": policy}
    assert len(load(files, policies="inventory").linked) == 1


CLUSTER = Cluster.model_validate(
    {
        "metadata": {"name": "eu-1", "labels": {"env": "prod", "rank": "5", "odd": "x"}},
        "spec": {"region": "eu-west-1", "zones": ["a", "b"], "provider": "aws"},
    }
)
TERMS = [
    ({}, True),
    ({"clusters": ["eu-1"]}, True),
    ({"clusters": ["us-1"]}, False),
    ({"excludeClusters": ["eu-1"]}, False),
    ({"excludeClusters": ["us-1"]}, True),
    ({"regions": ["eu-*"]}, True),
    ({"regions": ["us-*", "ap-1"]}, False),
    ({"matchLabels": {"env": "prod"}}, True),
    ({"matchLabels": {"env": "dev"}}, False),
    ({"matchLabels": {"none": ""}}, False),
    *(
        ({"matchExpressions": [{"key": key, "operator": operator, "values": values}]}, holds)
        for key, operator, values, holds in (
            ("env", "In", ["prod", "dev"], True),
            ("env", "In", ["dev"], False),
            ("none", "In", ["dev"], False),
            ("env", "NotIn", ["dev"], True),
            ("none", "NotIn", ["dev"], True),
            ("env", "NotIn", ["prod"], False),
            ("env", "Exists", [], True),
            ("none", "Exists", [], False),
            ("none", "DoesNotExist", [], True),
            ("env", "DoesNotExist", [], False),
            ("rank", "Gt", ["4"], True),
            ("rank", "Gt", ["5"], False),
            ("rank", "Lt", ["6"], True),
            ("rank", "Lt", ["-6"], False),
            ("odd", "Gt", ["0"], False),
            ("none", "Lt", ["9"], False),
        )
    ),
    *(
        ({"matchFields": [{"key": key, "operator": operator, "values": values}]}, holds)
        for key, operator, values, holds in (
            ("name", "In", ["eu-1"], True),
            ("region", "NotIn", ["eu-west-1"], False),
            ("provider", "In", ["gcp"], False),
            ("zone", "In", ["b", "c"], True),
            ("zone", "NotIn", ["b", "c"], False),
            ("zone", "NotIn", ["c"], True),
        )
    ),
]


@pytest.mark.parametrize(("term", "holds"), TERMS)
def test_term_holds_for_a_cluster(term: dict[str, object], *, holds: bool) -> None:
    assert term_holds(ClusterTerm.model_validate(term), CLUSTER) is holds
