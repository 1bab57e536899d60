"""DNS weights: shares of the active region, of the file, of replicas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.deliver.weights import Target, active_standby, by_file, by_replicas
from fleet.model.traffic import TrafficSpec


def spec(**dns_weights: int) -> TrafficSpec:
    return TrafficSpec.model_validate(
        {
            "workload": "web",
            "name": "web.fleet.test",
            "zone": {"name": "fleet.test"},
            "mode": "weighted",
            "dns_weights": {key.replace("_", "-"): value for key, value in dns_weights.items()},
        }
    )


def targets(**replicas: int) -> tuple[Target, ...]:
    """`eu_1=4` is cluster eu-1 of region eu."""
    return tuple(
        Target(name.replace("_", "-"), name.partition("_")[0], count)
        for name, count in replicas.items()
    )


ACTIVE = [
    pytest.param(targets(eu_1=4, us_1=2), {"eu-1": 100, "us-1": 0}, id="one each"),
    pytest.param(targets(eu_1=4, eu_2=2, us_1=9), {"eu-1": 67, "eu-2": 33, "us-1": 0}, id="shared"),
    pytest.param(targets(us_1=9), {"us-1": 0}, id="nobody in the active region"),
]


@pytest.mark.parametrize(("group", "expected"), ACTIVE)
def test_the_active_region_weighs_100(group: tuple[Target, ...], expected: dict[str, int]) -> None:
    assert active_standby(group, "eu") == expected


FILE = [
    pytest.param(spec(eu=70, us=30), {"eu-1": 53, "eu-2": 17, "us-1": 30}, id="regions"),
    pytest.param(spec(eu_1=7, us=3), {"eu-1": 7, "eu-2": 0, "us-1": 3}, id="a cluster"),
    pytest.param(spec(eu_1=7, eu=1), {"eu-1": 7, "eu-2": 1, "us-1": 0}, id="a cluster goes first"),
    pytest.param(spec(eu=1, us=1), {"eu-1": 1, "eu-2": 1, "us-1": 2}, id="regions stay alike"),
    pytest.param(spec(eu=1, us=255), {"eu-1": 1, "eu-2": 1, "us-1": 255}, id="no room to multiply"),
    pytest.param(spec(eu=0, us=5), {"eu-1": 0, "eu-2": 0, "us-1": 5}, id="a region of nothing"),
    pytest.param(spec(eu_1=0, eu=9), {"eu-1": 0, "eu-2": 9, "us-1": 0}, id="a cluster held out"),
]


@pytest.mark.parametrize(("said", "expected"), FILE)
def test_the_file_weighs_regions_and_clusters(said: TrafficSpec, expected: dict[str, int]) -> None:
    assert by_file(targets(eu_1=6, eu_2=2, us_1=3), said) == expected


def test_replicas_weigh_themselves_until_they_are_too_many() -> None:
    assert by_replicas(targets(a_1=3, b_1=255)) == {"a-1": 3, "b-1": 255}
    assert by_replicas(targets(a_1=1, b_1=510, c_1=255)) == {"a-1": 1, "b-1": 255, "c-1": 128}
    assert by_replicas(()) == {}


groups = st.dictionaries(
    st.sampled_from([f"{region}_{number}" for region in ("eu", "us", "ap") for number in range(5)]),
    st.integers(0, 10_000),
    min_size=1,
).map(lambda counts: targets(**counts))
said = st.dictionaries(
    st.sampled_from(["eu", "us", "ap", "eu_0", "us_1"]), st.integers(0, 255), max_size=5
).filter(lambda weights: not weights or any(weights.values()))


@given(groups)
def test_the_active_region_has_the_whole_share(group: tuple[Target, ...]) -> None:
    active = group[0].region
    weights = active_standby(group, active)
    inside = [weights[each.cluster] for each in group if each.region == active]
    assert sum(inside) == 100
    assert min(inside) >= 1
    assert sum(weights.values()) == 100


@given(groups)
def test_replicas_give_weights_in_range(group: tuple[Target, ...]) -> None:
    weights = by_replicas(group)
    assert all(1 <= weight <= 255 for weight in weights.values())
    counts = {each.cluster: each.replicas for each in group}
    assert sorted(weights, key=lambda name: (weights[name], counts[name], name)) == sorted(
        weights, key=lambda name: (counts[name], name)
    )


@given(groups, said)
def test_the_files_weights_stay_in_range(group: tuple[Target, ...], words: dict[str, int]) -> None:
    weights = by_file(group, spec(**words))
    assert set(weights) == {each.cluster for each in group}
    assert all(0 <= weight <= 255 for weight in weights.values())
    for each in group:
        meant = words.get(each.cluster.replace("-", "_"), words.get(each.region, 0))
        assert (weights[each.cluster] > 0) == (meant > 0)
