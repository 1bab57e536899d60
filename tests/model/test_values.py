"""Quantities, immutable maps, places, patterns."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fleet.model.base import FileValue, Flag, FrozenMap, ItemsError, Whole
from fleet.model.inventory import Cluster
from fleet.model.moment import seconds_of, spelled
from fleet.model.pattern import is_pattern, matches
from fleet.model.quantity import in_base_units, parse_quantity, spell_quantity
from fleet.model.source import Origin, Source, dotted

QUANTITIES = [
    ("0", 0),
    ("1", 1),
    (1, 1),
    (1.5, Fraction(3, 2)),
    ("+1", 1),
    ("-1", -1),
    ("1.", 1),
    (".5", Fraction(1, 2)),
    ("100m", Fraction(1, 10)),
    ("100u", Fraction(1, 10000)),
    ("5n", Fraction(5, 10**9)),
    ("1k", 1000),
    ("1Ki", 1024),
    ("1.5Gi", 3 * 2**29),
    ("2Ei", 2**61),
    ("3E", 3 * 10**18),
    ("1e3", 1000),
    ("1E3", 1000),
    ("1e-3", Fraction(1, 1000)),
    ("1e+2", 100),
]


@pytest.mark.parametrize(("text", "value"), QUANTITIES)
def test_quantity_is_exact(text: str | float, value: Fraction | int) -> None:
    assert parse_quantity(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 1",
        "1 Gi",
        "1gi",
        "1K",
        "0x1",
        "1_0",
        "1e",
        "Gi",
        "1,5",
        "inf",
        "1Gim",
        "1\n",
        "\uff11",
    ],
)
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no Kubernetes quantity"):
        parse_quantity(text)


UNITS = [
    ("cpu", "1", 1000),
    ("cpu", "100m", 100),
    ("cpu", "1u", 1),
    ("cpu", "0.0015", 2),
    ("memory", "1Ki", 1024),
    ("memory", "100m", 1),
    ("pods", 110, 110),
    ("nvidia.com/gpu", "8", 8),
    ("memory", 2**63 - 1, 2**63 - 1),
]


@pytest.mark.parametrize(("resource", "text", "amount"), UNITS)
def test_amount_is_in_base_units_and_rounded_up(
    resource: str, text: str | int, amount: int
) -> None:
    assert in_base_units(resource, text) == amount


@pytest.mark.parametrize(
    ("resource", "text", "part"),
    [("cpu", "-1", "is negative"), ("memory", "8Ei", "more than 2"), ("cpu", "x", "is no Kuber")],
)
def test_amount_out_of_range_is_refused(resource: str, text: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        in_base_units(resource, text)


@given(
    st.sampled_from(["cpu", "memory", "ephemeral-storage", "pods", "nvidia.com/gpu"]),
    st.integers(0, 2**62),
)
def test_spelled_amount_reads_back(resource: str, amount: int) -> None:
    assert in_base_units(resource, spell_quantity(resource, amount)) == amount


def test_map_is_frozen_sorted_and_hashable() -> None:
    one, other = FrozenMap({"b": 2, "a": 1}), FrozenMap({"a": 1, "b": 2})
    assert list(one) == ["a", "b"]
    assert one == other == {"a": 1, "b": 2}
    assert hash(one) == hash(other)
    assert one != FrozenMap({"a": 1})
    assert len(FrozenMap()) == 0
    assert not hasattr(one, "__setitem__")


class _Value(FileValue):
    whole_number: Whole = 0
    flag: Flag = False
    texts: FrozenMap[str] = FrozenMap()


@pytest.mark.parametrize(
    "data",
    [
        {"wholeNumber": "6"},
        {"wholeNumber": 6.0},
        {"wholeNumber": True},
        {"flag": "true"},
        {"flag": 1},
        {"texts": {"a": 1}},
        {"texts": []},
        {"unknown": 1},
    ],
)
def test_file_value_takes_nothing_for_something_else(data: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        _Value.model_validate(data)


def test_file_value_is_read_by_its_name_in_files() -> None:
    value = _Value.model_validate({"wholeNumber": 6, "flag": True, "texts": {"a": "b"}})
    assert (value.whole_number, value.flag, dict(value.texts)) == (6, True, {"a": "b"})
    with pytest.raises(ValidationError):
        _Value.model_validate({"whole_number": 6}, by_alias=True, by_name=False)


def test_faults_of_a_map_keep_their_keys() -> None:
    error = ItemsError({"cpu": "is wrong", "memory": "too"})
    assert str(error) == "cpu: is wrong; memory: too"
    with pytest.raises(ValidationError) as refused:
        Cluster.model_validate(
            {
                "metadata": {"name": "a"},
                "spec": {"region": "r", "capacity": {"allocatable": {"cpu": True, "pods": "1"}}},
            }
        )
    faults = refused.value.errors()[0]["ctx"]["error"].faults
    assert list(faults) == ["cpu"]


def test_free_is_allocatable_less_reserved_and_never_negative() -> None:
    capacity = {"allocatable": {"cpu": "4", "pods": 5}, "reserved": {"cpu": "500m", "pods": 9}}
    cluster = Cluster.model_validate(
        {"metadata": {"name": "a"}, "spec": {"region": "r", "capacity": capacity}}
    )
    assert dict(cluster.free) == {"cpu": 3500, "pods": 0}


def test_place_of_a_field_is_that_of_the_nearest_one_known() -> None:
    origin = Origin("a.yaml", 3, 1, {("spec",): (5, 1), ("spec", "zones", 0): (6, 9)})
    assert origin.at("spec", "zones", 0) == Source("a.yaml", 6, 9)
    assert origin.at("spec", "zones", 1) == Source("a.yaml", 5, 1)
    assert str(origin.at("metadata")) == "a.yaml:3:1"
    assert Source("a.yaml", 2, 9) < Source("a.yaml", 10, 1)


def test_path_is_dotted_with_indexes_in_brackets() -> None:
    assert dotted(()) == ""
    assert dotted(("spec", "taints", 0, "key")) == "spec.taints[0].key"


PATTERNS = [
    ("eu-*", "eu-west-1", True),
    ("*", "", True),
    ("*-1", "eu-1", True),
    ("*-1", "eu-12", False),
    ("e*-*1", "eu-west-1", True),
    ("e.*", "eu", False),
    ("[a]*", "a1", False),
    ("eu-1", "eu-1", True),
    ("eu-1", "EU-1", False),
]


@pytest.mark.parametrize(("pattern", "name", "expected"), PATTERNS)
def test_star_stands_for_any_run(pattern: str, name: str, *, expected: bool) -> None:
    assert matches(pattern, name) is expected
    assert is_pattern(pattern) == ("*" in pattern)


FAR = [
    pytest.param("1900-01-01T00:00:00Z", True, id="the first"),
    pytest.param("1899-12-31T23:59:59Z", False, id="before it"),
    pytest.param("0001-01-01T00:00:00Z", False, id="the beginning of the calendar"),
    pytest.param("9000-12-31T23:59:59Z", True, id="the last"),
    pytest.param("9999-12-31T23:59:59Z", False, id="the end of the calendar"),
]


@pytest.mark.parametrize(("text", "counts"), FAR)
def test_times_from_which_nothing_can_be_counted_are_refused(text: str, *, counts: bool) -> None:
    if counts:
        assert spelled(seconds_of(text)) == text
    else:
        with pytest.raises(ValueError, match="is not in the years 1900 to 9000"):
            seconds_of(text)
