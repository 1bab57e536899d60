"""What can be gone."""

from fleet.drill.scenarios import scenarios, without
from fleet.model.inventory import State
from fleet.model.snapshot import Facts
from fleet.model.survival import By, Scenario
from tests.builders import a_cluster, a_snapshot

CLUSTERS = [
    a_cluster("eu-1", "eu", provider="aws"),
    a_cluster("eu-2", "eu", provider="gcp"),
    a_cluster("us-1", "us"),
    a_cluster("us-2", "us"),
]


def test_every_domain_is_a_scenario_kind_by_kind_and_by_name() -> None:
    found = list(scenarios(a_snapshot(CLUSTERS), tuple(By)))
    assert found == [
        Scenario(By.CLUSTER, "eu-1", ("eu-1",)),
        Scenario(By.CLUSTER, "eu-2", ("eu-2",)),
        Scenario(By.CLUSTER, "us-1", ("us-1",)),
        Scenario(By.CLUSTER, "us-2", ("us-2",)),
        Scenario(By.REGION, "eu", ("eu-1", "eu-2")),
        Scenario(By.REGION, "us", ("us-1", "us-2")),
        Scenario(By.PROVIDER, "", ("us-1", "us-2")),
        Scenario(By.PROVIDER, "aws", ("eu-1",)),
        Scenario(By.PROVIDER, "gcp", ("eu-2",)),
    ]


def test_only_the_kinds_that_are_wanted() -> None:
    found = scenarios(a_snapshot(CLUSTERS), {By.REGION})
    assert [each.domain for each in found] == ["eu", "us"]


def test_what_is_dead_cannot_be_lost_again_and_what_drains_can() -> None:
    states = {"eu-1": State.DOWN, "us-1": State.DECOMMISSIONED, "us-2": State.DRAINING}
    found = list(scenarios(a_snapshot(CLUSTERS, states=states), {By.REGION, By.CLUSTER}))
    assert [(each.domain, each.clusters) for each in found] == [
        ("eu-2", ("eu-2",)),
        ("us-2", ("us-2",)),
        ("eu", ("eu-2",)),
        ("us", ("us-2",)),
    ]


def test_without_declares_down_and_leaves_all_else() -> None:
    snapshot = a_snapshot(CLUSTERS, states={"us-1": State.DRAINING})
    lost = without(snapshot, Scenario(By.REGION, "eu", ("eu-1", "eu-2")))
    assert {name: each.state for name, each in lost.states.items()} == {
        "eu-1": State.DOWN,
        "eu-2": State.DOWN,
        "us-1": State.DRAINING,
        "us-2": State.ACTIVE,
    }
    assert lost.states["eu-1"].said_by == "the loss of region 'eu'"
    assert (lost.clusters, lost.linked, lost.wanted) == (
        snapshot.clusters,
        snapshot.linked,
        snapshot.wanted,
    )


def test_without_keeps_the_time_and_what_was_seen() -> None:
    snapshot = a_snapshot(CLUSTERS, facts=Facts(now=7))
    assert without(snapshot, Scenario(By.CLUSTER, "eu-1", ("eu-1",))).facts == Facts(now=7)
