"""Config keys, as a person or the engine writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.errors import InvalidError
from fleet.load.settings import parse_settings
from fleet.model.settings import MovementBudget, Settings


def test_no_keys_are_the_defaults() -> None:
    assert parse_settings({}) == Settings()
    assert Settings().inventory == ("inventory",)


LISTS = [
    ("eu-1", ("eu-1",)),
    ('["eu-1"]', ("eu-1",)),
    ('["eu-1", "us-1"]', ("eu-1", "us-1")),
    (["eu-1", "us-1"], ("eu-1", "us-1")),
    ("[]", ()),
    (7, ("7",)),
    ([7], ("7",)),
]


@pytest.mark.parametrize(("raw", "expected"), LISTS)
def test_list_comes_as_one_word_as_json_or_as_a_list(
    raw: object, expected: tuple[str, ...]
) -> None:
    assert parse_settings({"down": raw}).down == expected
    assert parse_settings({"fleet:drain": raw}).drain == expected


def test_maps_and_numbers_come_as_text_too() -> None:
    budget = MovementBudget(replicas_percent=50, clusters_emptied=0)
    as_text = '{"replicasPercent": "50", "clustersEmptied": 0}'
    for raw in (as_text, {"replicasPercent": 50, "clustersEmptied": "0"}):
        assert parse_settings({"movementBudget": raw}).movement_budget == budget
    for raw in ('{"web": "eu-west-1"}', {"web": "eu-west-1"}):
        assert dict(parse_settings({"activeRegions": raw}).active_regions) == {"web": "eu-west-1"}


SHIFTS = [
    ({"web": 10}, {"web": 10}),
    ({"web": "10%", "api": "50"}, {"api": 50, "web": 10}),
    ('{"web": 0}', {"web": 0}),
    ("25", {"*": 25}),
    ("25%", {"*": 25}),
    (100, {"*": 100}),
]


@pytest.mark.parametrize(("raw", "expected"), SHIFTS)
def test_a_shift_is_percent_by_policy_or_for_all(raw: object, expected: dict[str, int]) -> None:
    assert dict(parse_settings({"shift": raw}).shift) == expected


def test_digest_of_digits_stays_text() -> None:
    assert parse_settings({"approve": 12}).approve == "12"


def test_kubeconfigs_are_the_doors_and_not_looked_at() -> None:
    assert parse_settings({"kubeconfigs": object()}) == Settings()


TIMES = [
    "2030-01-31T12:00:00Z",
    "2030-01-31T12:00:00.123456789+02:00",
    "2030-01-31t12:00:00z",
]


@pytest.mark.parametrize("now", TIMES)
def test_time_is_rfc_3339(now: str) -> None:
    assert parse_settings({"now": now}).now == now


FAULTS = [
    ({"shift": {"web": 101}}, "config fleet:shift.web: 101 is too large; it is at most 100"),
    ({"shift": "half"}, "config fleet:shift.*: wants a whole number, not 'half'"),
    (
        {"fleet:activeRegoin": "x"},
        "unknown config key 'fleet:activeRegoin' - did you mean 'activeRegion'?",
    ),
    (
        {"active_region": "x"},
        "unknown config key 'fleet:active_region' - did you mean 'activeRegion'?",
    ),
    (
        {"activeRegion": ""},
        "config fleet:activeRegion: is empty - pulumi config rm fleet:activeRegion",
    ),
    (
        {"policies": ["policies", ""]},
        "config fleet:policies: is empty - pulumi config rm fleet:policies",
    ),
    (
        {"capacity": "deducte"},
        (
            "config fleet:capacity: 'deducte' is not allowed; allowed are 'deducted', 'independent'"
            " - did you mean 'deducted'?"
        ),
    ),
    (
        {"movementBudget": {"replicaPercent": 1}},
        (
            "config fleet:movementBudget.replicaPercent: is no key that is known here"
            " - did you mean 'replicasPercent'?"
        ),
    ),
    (
        {"movementBudget": {"replicasPercent": 101}},
        "config fleet:movementBudget.replicasPercent: 101 is too large; it is at most 100",
    ),
    (
        {"movementBudget": {"replicasPercent": "half"}},
        "config fleet:movementBudget.replicasPercent: wants a whole number, not 'half'",
    ),
    ({"movementBudget": "big"}, "config fleet:movementBudget: wants a map, not 'big'"),
    ({"down": {"a": 1}}, "config fleet:down: wants a list, not a map"),
    ({"down": True}, "config fleet:down: wants a list, not true - write [True]"),
    ({"activeRegions": {"a": None}}, "config fleet:activeRegions.a: wants text, not nothing"),
    *(
        (
            {"now": now},
            (
                f"config fleet:now: '{now}' is no time of RFC 3339 that can be counted from - such"
                " as 2030-01-31T12:00:00Z"
            ),
        )
        for now in ("tomorrow", "2030-01-31", "2030-02-30T12:00:00Z", "2030-01-31T12:00:00", 3)
    ),
]


@pytest.mark.parametrize(("raw", "start"), FAULTS)
def test_wrong_config_is_refused(raw: dict[str, object], start: str) -> None:
    with pytest.raises(InvalidError) as refused:
        parse_settings(raw)
    assert len(refused.value.errors) == 1
    assert str(refused.value).startswith(start)


def test_all_wrong_keys_are_said_at_once() -> None:
    with pytest.raises(InvalidError) as refused:
        parse_settings({"a": 1, "b": 2, "now": "x", "capacity": 3})
    assert len(refused.value.errors) == 4


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
)


@given(st.dictionaries(st.sampled_from(["down", "now", "movementBudget", "approve", "x"]), VALUES))
def test_any_config_is_read_or_refused(raw: dict[str, object]) -> None:
    try:
        parse_settings(raw)
    except InvalidError as invalid:
        said = str(invalid)
        assert "Input should" not in said
