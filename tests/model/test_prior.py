"""A prior without some of its clusters."""

from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.prior import Prior, PriorObject, PriorWorkload


def an_object(name: str) -> PriorObject:
    return PriorObject(name, "kubernetes:core/v1:ConfigMap")


def test_without_is_as_if_nothing_had_been_there() -> None:
    objects = [an_object(f"web/{name}/ConfigMap/shop/web") for name in ("eu-1", "us-1")]
    records = [an_object(f"web/{name}") for name in ("eu-1", "us-1")]
    prior = Prior(
        known=True,
        workloads=FrozenMap(
            {
                "web": PriorWorkload(
                    FrozenMap({"eu-1": 4, "us-1": 2}),
                    FrozenMap({"eu-1": Role.ACTIVE, "us-1": Role.STANDBY}),
                    FrozenMap({"eu-1": FrozenMap({"a": "1"}), "us-1": FrozenMap({"a": "2"})}),
                    FrozenMap({"eu-1": "f", "us-1": "g"}),
                )
            }
        ),
        dns_weights=FrozenMap({"web": FrozenMap({"eu-1": 100, "us-1": 0})}),
        objects=FrozenMap({each.name: each for each in objects}),
        records=FrozenMap({each.name: each for each in records}),
    )
    left = prior.without(["eu-1"])
    assert left == Prior(
        known=True,
        workloads=FrozenMap(
            {
                "web": PriorWorkload(
                    FrozenMap({"us-1": 2}),
                    FrozenMap({"us-1": Role.STANDBY}),
                    FrozenMap({"us-1": FrozenMap({"a": "2"})}),
                    FrozenMap({"us-1": "g"}),
                )
            }
        ),
        dns_weights=FrozenMap({"web": FrozenMap({"us-1": 0})}),
        objects=FrozenMap({objects[1].name: objects[1]}),
        records=FrozenMap({records[1].name: records[1]}),
    )
    assert prior.without([]) == prior
    assert Prior().without(["eu-1"]) == Prior()
