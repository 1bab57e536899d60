"""Karmada's tables of selection: by cluster, by groups, by region, and what a region is worth.

Source: karmada-io/karmada at f8fdd02, pkg/scheduler/core/spreadconstraint; the file stands with
each table.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from fleet.schedule.karmada_regions import Limits, Regions, best_regions
from fleet.schedule.karmada_select import (
    Candidates,
    Short,
    Spread,
    by_cluster,
    by_region,
    in_order,
    region_scores,
)
from tests.conformance.karmada.tables import (
    AGGREGATED,
    DUPLICATED,
    DYNAMIC,
    Row,
    answers,
    decided,
    loaded,
    on,
)

# m1 .. m4 as (runs there, available); Karmada's scores 20, 40, 30, 60 are an order here.
CLUSTERS = {"m4": 50, "m2": 60, "m3": 80, "m1": 40}


def ordered(available: Mapping[str, int]) -> Candidates:
    """Candidates in the order in which they are written."""
    count = len(available)
    rooms = np.array(list(available.values()))
    return Candidates(np.arange(count), rooms, np.zeros(count, dtype=bool), count)


def names(found: object, of: Mapping[str, int]) -> list[str] | Short:
    if isinstance(found, Short):
        return found
    assert isinstance(found, np.ndarray)
    return [list(of)[place] for place in found.tolist()]


# select_clusters_test.go, common_test.go
BY_CLUSTER = [
    pytest.param(Limits(1, 2), None, ["m4", "m2"], id="C1 no strategy, C2 duplicated"),
    pytest.param(Limits(1, 2), 120, ["m4", "m3"], id="C3 the last one is exchanged"),
    pytest.param(Limits(1, 2), 200, Short("replicas", 140, 200), id="C4 no room"),
    pytest.param(Limits(7, 7), 120, Short("cluster", 4, 7), id="C4 too few"),
    pytest.param(Limits(1, 1), None, ["m4"], id="C6 the best one"),
]


@pytest.mark.parametrize(("limits", "replicas", "expected"), BY_CLUSTER)
def test_by_cluster(limits: Limits, replicas: int | None, expected: list[str] | Short) -> None:
    assert names(by_cluster(ordered(CLUSTERS), limits, replicas), CLUSTERS) == expected


def test_what_is_given_up_can_come_back() -> None:
    """The exchange goes from the last to the first; what it gives up joins the others."""
    rooms = {"a": 1, "b": 5, "c": 9, "d": 2}
    found = by_cluster(ordered(rooms), Limits(1, 2), 14)
    assert names(found, rooms) == ["b", "c"]


def test_the_order_is_where_it_runs_then_room_then_name() -> None:
    places, rooms = np.arange(4), np.array([5, 9, 9, 1])
    found = in_order(places, rooms, np.array([False, False, False, True]))
    assert found.places.tolist() == [3, 1, 2, 0]
    trimmed = in_order(places, rooms, np.array([False, False, False, True]), most=1)
    assert (trimmed.places.tolist(), trimmed.total) == ([3, 1], 4)


# select_groups_test.go: groups as (name, value, weight).
GROUPS = [
    pytest.param([("R1", 1, 80)], Limits(1, 3), 1, ["R1"], id="G1"),
    pytest.param([("R1", 1, 80)], Limits(2, 3), 1, [], id="G2"),
    pytest.param([("R1", 1, 80), ("R2", 2, 30)], Limits(2, 3), 4, [], id="G3"),
    pytest.param(
        [
            ("R1", 1, 80),
            ("R2", 1, 60),
            ("R3", 1, 80),
            ("R4", 5, 50),
            ("R5", 2, 60),
            ("R6", 3, 50),
        ],
        Limits(1, 3),
        10,
        ["R5", "R4", "R6"],
        id="G4",
    ),
    pytest.param(
        [("R1", 1, 60), ("R2", 2, 50), ("R3", 3, 40), ("R4", 4, 30)],
        Limits(1, 2),
        5,
        ["R1", "R4"],
        id="G7",
    ),
    pytest.param([("R1", 2, 10), ("R2", 2, 30)], Limits(2, 1), 1, [], id="no size is allowed"),
    pytest.param([("R1", 2, 10), ("R2", 2, 30)], Limits(1, 0), 1, [], id="maxGroups is missing"),
    pytest.param(
        [("R1", 5, 100), ("R2", 1, 0)],
        Limits(1, 2),
        5,
        ["R1"],
        id="a beginning that does is enough",
    ),
]


@pytest.mark.parametrize(("groups", "limits", "target", "expected"), GROUPS)
def test_groups(
    groups: list[tuple[str, int, int]], limits: Limits, target: int, expected: list[str]
) -> None:
    listed, values, weights = zip(*groups, strict=True)
    found = best_regions(Regions(listed, np.array(values), np.array(weights)), limits, target)
    assert [listed[each] for each in found] == expected


def test_groups_of_a_worth_that_no_word_holds() -> None:
    huge = 2**61
    groups = Regions(("R1", "R2", "R3"), np.array([1, 2, 3]), np.array([huge, huge, 1]))
    assert best_regions(groups, Limits(1, 2), 3) == [0, 1]


R1_R2 = {"m1": 100, "m2": 80, "m3": 80, "m4": 80, "m5": 60}

# select_clusters_by_region_test.go: R1 {m1, m2} is worth more than R2 {m3, m4, m5}.
BY_REGION = [
    pytest.param(R1_R2, Limits(1, 1), Limits(2, 2), ["m1", "m2"], id="R1"),
    pytest.param(R1_R2, Limits(1, 1), Limits(3, 3), ["m3", "m4", "m5"], id="R2"),
    pytest.param(R1_R2, Limits(1, 1), Limits(4, 4), Short("cluster", 5, 4), id="R3 clusters"),
    pytest.param(R1_R2, Limits(3, 3), Limits(4, 4), Short("region", 2, 3), id="R3 regions"),
    pytest.param(
        {"m1": 100, "m2": 80}, Limits(1, 1), Limits(3, 4), Short("cluster", 2, 3), id="R6"
    ),
    pytest.param(
        R1_R2, Limits(2, 2), Limits(1, 1), ["m1", "m3"], id="one of each, whatever the most is"
    ),
    pytest.param(
        R1_R2, Limits(1, 2), Limits(4, 9), ["m1", "m3", "m2", "m4", "m5"], id="all others after"
    ),
]


@pytest.mark.parametrize(("rooms", "regions", "clusters", "expected"), BY_REGION)
def test_by_region(
    rooms: dict[str, int], regions: Limits, clusters: Limits, expected: list[str] | Short
) -> None:
    codes = np.array([0 if name in {"m1", "m2"} else 1 for name in rooms])
    spread = Spread(regions, clusters, 100, 100)
    there = ordered(rooms)
    candidates = Candidates(there.places, there.available, codes == 0, there.total)
    found = by_region(candidates, codes, ("R1", "R2"), spread)
    assert names(found, rooms) == expected


def worth(
    replicas: int, scores: Sequence[int], available: Sequence[int], *, divided: bool = False
) -> int:
    """The score of one region with all of these clusters."""
    runs = np.array([bool(score) for score in scores])
    count = len(available)
    candidates = Candidates(np.arange(count), np.array(available), runs, count)
    spread = Spread(Limits(1, 1), Limits(1, 9), replicas if divided else None, replicas)
    return int(region_scores(candidates, np.zeros(count, dtype=np.int64), 1, spread)[0])


# group_clusters_test.go. (H4 and H5 have need 1 and the whole of 50 in one region.)
WORTH = [
    pytest.param("duplicated", 50, [100] * 5, [60, 70, 40, 30, 10], 2100, id="H1"),
    pytest.param("duplicated", 50, [0] * 4, [60] * 4, 4000, id="H2"),
    pytest.param("divided", 50, [0] * 4, [40, 30, 10, 10], 50000, id="H4"),
    pytest.param("divided", 50, [100] * 5, [40, 40, 10, 10, 5], 50100, id="H5 where it runs"),
    pytest.param("divided", 50, [0] * 4, [100, 100, 10, 10], 50000, id="H5 where it does not"),
    pytest.param("duplicated", 20, [100], [5], 0, id="H10 nobody has room"),
    pytest.param("divided", 50, [0] * 2, [10, 20], 30000, id="less than its part"),
]


@pytest.mark.parametrize(("way", "replicas", "scores", "available", "expected"), WORTH)
def test_the_worth_of_a_region(
    way: str, replicas: int, scores: list[int], available: list[int], expected: int
) -> None:
    assert worth(replicas, scores, available, divided=way == "divided") == expected


def test_more_valid_clusters_beat_where_it_runs() -> None:
    """H6 and H7 (group_clusters.go, comments): duplicated, 20 replicas."""
    spread = [100, 100, 0, 0, 0]
    few = [30, 30, 30, 10, 10]
    assert worth(20, spread, [30] * 5) > worth(20, [100] * 5, few)
    assert worth(20, [100] * 5, few) > worth(20, spread, few)


def test_room_above_the_target_is_worth_nothing() -> None:
    """H9 (group_clusters.go, comments): aggregated, 100 replicas."""
    here = worth(100, [100] * 5, [50] * 5, divided=True)
    assert here > worth(100, [0] * 5, [100] * 5, divided=True)


def spread_by(field: str, least: int = 1, most: int = 2) -> dict[str, object]:
    return {"spreadByField": field, "minGroups": least, "maxGroups": most}


BOTH = [spread_by("region", 1, 1), spread_by("cluster", 1, 3)]
IN_TWO = {"m1": "north", "m2": "north", "m3": "south"}

# (row, Karmada's answer, fleet's own)
THROUGH_DOCUMENTS = [
    pytest.param(
        Row(4, (9, 9, 2), DUPLICATED, placement={"spreadConstraints": [spread_by("cluster")]}),
        on(4, 4),
        on(4, 4),
        id="the first of two",
    ),
    pytest.param(
        Row(4, (1, 1, 1), DUPLICATED, placement={"spreadConstraints": [spread_by("cluster")]}),
        on(4, 4),
        {},
        id="C2 duplicated looks at no room in Karmada; fleet finds no cluster for it",
    ),
    pytest.param(
        Row(12, (6, 5, 9), DYNAMIC, regions=IN_TWO, placement={"spreadConstraints": BOTH}),
        {},
        on(6, 5),
        id="a region is taken without a look at its room: Karmada then refuses",
    ),
    pytest.param(
        Row(9, (6, 5, 9), AGGREGATED, regions=IN_TWO, placement={"spreadConstraints": BOTH}),
        on(5, 4),
        on(0, 0, 9),
        id="the most clusters decide between regions that hold all; fleet takes the fewest",
    ),
]


@pytest.mark.parametrize(("row", "karmada", "fleet"), THROUGH_DOCUMENTS)
def test_selection_through_documents(
    row: Row, karmada: dict[str, int], fleet: dict[str, int]
) -> None:
    found, own = answers(row)
    assert found == karmada
    assert own == fleet


def test_without_max_groups_nothing_is_selected() -> None:
    row = Row(
        4, (9, 9), DUPLICATED, placement={"spreadConstraints": [{"spreadByField": "cluster"}]}
    )
    assert not decided(loaded(row.documents())).replicas
