"""What a workload says of its data: read, checked, and what follows for its traffic."""

from collections.abc import Callable

import pytest

from fleet.model.data import DataKind
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source

Faults = Callable[..., list[str]]
Load = Callable[..., Snapshot]
FILE = "workloads/web/fleet.yaml"


def settings(data: str) -> dict[str, str]:
    text = f"apiVersion: fleet/v1\nkind: Workload\nmetadata: {{name: web}}\nspec:\n  data: {data}\n"
    return {FILE: text}


def traffic(words: str = "") -> dict[str, str]:
    spec = f"workload: web, name: web.fleet.test, zone: {{name: fleet.test}}{words}"
    head = "apiVersion: fleet/v1\nkind: TrafficPolicy\nmetadata: {name: web}\n"
    return {"policies/t.yaml": f"{head}spec: {{{spec}}}\n"}


REPLICATED = "{kind: replicated, replication: {how: async, to: [us-east-1], lagSeconds: 5}%s}"
ACTIVE = ", activeRegion: eu-west-1"


def test_data_is_read_with_its_places(load: Load) -> None:
    (linked,) = load(settings(REPLICATED % ", promotion: orders-db")).linked
    data = linked.workload.settings.data
    assert (data.kind, data.promotion, data.lost_seconds) == (
        DataKind.REPLICATED,
        "orders-db",
        5,
    )
    assert linked.workload.data_source("promotion") == Source(FILE, 5, 87)
    assert linked.workload.data_source("handover") == Source(FILE, 5, 3)


def test_a_workload_that_says_nothing_of_data_has_none(load: Load) -> None:
    (linked,) = load().linked
    assert linked.workload.settings.data.kind is DataKind.NONE
    assert linked.workload.data_source("at") == linked.workload.source


@pytest.mark.parametrize(
    ("data", "words", "failover"),
    [
        pytest.param("{kind: none}", ACTIVE, "automatic", id="nothing can be lost"),
        pytest.param("{kind: cache}", ACTIVE, "manual", id="where there is data a person decides"),
        pytest.param(
            "{kind: cache}", f"{ACTIVE}, failover: automatic", "automatic", id="or somebody says so"
        ),
        pytest.param(
            "{kind: cache}", ", mode: weighted", "automatic", id="nobody fails over by weight"
        ),
    ],
)
def test_failover_is_manual_where_there_is_data(
    load: Load, data: str, words: str, failover: str
) -> None:
    (linked,) = load({**settings(data), **traffic(words)}).linked
    assert linked.traffic[0].spec.failover == failover


WRONG = [
    pytest.param(
        REPLICATED.replace("us-east-1", "us-esat-1") % "",
        f"{FILE}:5:54: spec.data.replication.to: 'us-esat-1' is no cluster and no region of the"
        " inventory - did you mean 'us-east-1'?",
        id="an unknown region",
    ),
    pytest.param(
        "{kind: pinned, at: [eu-11]}",
        f"{FILE}:5:24: spec.data.at: there is no cluster 'eu-11' - did you mean 'eu-1'?",
        id="an unknown cluster",
    ),
    pytest.param(
        REPLICATED % ", handover: {object: Cluster/web, status: demotionToken}",
        f"{FILE}:5:98: spec.data.handover.object: the workload has no object 'Cluster/web'"
        " - it has Deployment/web",
        id="an object that is not there",
    ),
    pytest.param(
        "{kind: replicated}",
        f"{FILE}:5:10: spec.data.kind: kind 'replicated' says how: replication: {{how: sync, to: [a"
        " region]}",
        id="replicated without a word how",
    ),
    pytest.param(
        "{kind: cache, replication: {how: sync, to: [us-east-1]}}",
        f"{FILE}:5:23: spec.data.replication: 'replication' goes with the kinds 'replicated' and",
        id="a copied cache",
    ),
    pytest.param(
        "{kind: replicated, replication: {how: sync, to: [us-east-1], lagSeconds: 5}}",
        f"{FILE}:5:70: spec.data.replication.lagSeconds: 'lagSeconds' goes with 'how: async'",
        id="a lag of what is in sync",
    ),
    pytest.param(
        "{kind: replicated, replication: {how: async, to: [us-east-1]}}",
        f"{FILE}:5:42: spec.data.replication.how: 'lagSeconds' goes with 'how: async'",
        id="no lag",
    ),
    pytest.param(
        "{kind: cache, at: [eu-1]}",
        f"{FILE}:5:23: spec.data.at: 'at' goes with kind 'pinned'",
        id="a place of what is nowhere",
    ),
    pytest.param(
        "{kind: cache, promoteSeconds: 5}",
        f"{FILE}:5:23: spec.data.promoteSeconds: 'promotion', 'promoteSeconds' and 'handover' go",
        id="nothing to promote",
    ),
    pytest.param(
        "{kind: replicate}",
        f"{FILE}:5:10: spec.data.kind: 'replicate' is not allowed",
        id="an unknown kind",
    ),
]


@pytest.mark.parametrize(("data", "start"), WRONG)
def test_wrong_data_is_refused(faults: Faults, data: str, start: str) -> None:
    (found,) = faults(settings(data))
    assert found.startswith(start)


def test_while_clusters_are_unread_no_place_is_unknown(faults: Faults) -> None:
    broken = {"inventory/dev.yaml": "a: [\n", **settings(REPLICATED % ""), **traffic(ACTIVE)}
    assert [line.split(":")[0] for line in faults(broken)] == ["inventory/dev.yaml"]
