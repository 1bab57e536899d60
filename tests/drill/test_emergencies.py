"""Everything that can go wrong, kind by kind."""

from fleet.drill.emergencies import emergencies
from fleet.model.exercise import ALL_KINDS, Emergency, Kind
from fleet.model.inventory import State
from tests.builders import a_cluster, a_snapshot

CLUSTERS = [
    a_cluster("eu-1", "eu", provider="aws"),
    a_cluster("eu-2", "eu", provider="aws"),
    a_cluster("eu-3", "eu", provider="gcp"),
    a_cluster("us-1", "us", provider="gcp"),
    a_cluster("us-2", "us", provider="gcp", state=State.DOWN),
]
SNAPSHOT = a_snapshot(CLUSTERS)


def test_every_kind_in_its_order() -> None:
    found = list(emergencies(SNAPSHOT, ALL_KINDS))
    assert found == [
        Emergency(Kind.CLUSTER, "eu-1", ("eu-1",)),
        Emergency(Kind.CLUSTER, "eu-2", ("eu-2",)),
        Emergency(Kind.CLUSTER, "eu-3", ("eu-3",)),
        Emergency(Kind.CLUSTER, "us-1", ("us-1",)),
        Emergency(Kind.REGION, "eu", ("eu-1", "eu-2", "eu-3")),
        Emergency(Kind.REGION, "us", ("us-1",)),
        Emergency(Kind.HALF_REGION, "eu", ("eu-1", "eu-3")),
        Emergency(Kind.PROVIDER, "aws", ("eu-1", "eu-2")),
        Emergency(Kind.PROVIDER, "gcp", ("eu-3", "us-1")),
        Emergency(Kind.ROUTE53),
    ]


def test_only_the_kinds_that_are_asked_for() -> None:
    assert list(emergencies(SNAPSHOT, [Kind.ROUTE53])) == [Emergency(Kind.ROUTE53)]
    assert {each.kind for each in emergencies(SNAPSHOT, [Kind.HALF_REGION])} == {Kind.HALF_REGION}
