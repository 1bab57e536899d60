"""Cron lines, time zones and maintenance windows; summer time begins and ends in the tests."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.load.cron import parse_cron
from fleet.load.windows import open_span, open_windows
from fleet.load.zones import zone_names, zone_of
from fleet.model.maintenance import MaintenanceWindow
from fleet.model.moment import seconds_of, spelled
from tests.builders import a_cluster


def a_window(**words: object) -> MaintenanceWindow:
    return MaintenanceWindow.model_validate(words, by_name=True)


def span(window: MaintenanceWindow, now: str) -> tuple[str, str] | None:
    found = open_span(window, seconds_of(now))
    return None if found is None else (spelled(found[0]), spelled(found[1]))


ONCE = a_window(start="2030-05-01T22:00:00+02:00", end="2030-05-01T22:00:00Z")
NIGHT = a_window(schedule="30 2 * * *", duration_minutes=60, time_zone="America/New_York")
SATURDAY = a_window(schedule="0 22 * * sat", duration_minutes=240, time_zone="Europe/Berlin")
ALWAYS = a_window(schedule="* * * * *", duration_minutes=1)
SPANS = [
    pytest.param(ONCE, "2030-05-01T19:59:59Z", None, id="once, before"),
    pytest.param(
        ONCE,
        "2030-05-01T20:00:00Z",
        ("2030-05-01T20:00:00Z", "2030-05-01T22:00:00Z"),
        id="once, its first second",
    ),
    pytest.param(ONCE, "2030-05-01T22:00:00Z", None, id="once, its end is outside"),
    pytest.param(
        SATURDAY,
        "2030-01-06T00:59:59Z",
        ("2030-01-05T21:00:00Z", "2030-01-06T01:00:00Z"),
        id="saturday night in winter, past midnight",
    ),
    pytest.param(SATURDAY, "2030-01-06T01:00:00Z", None, id="saturday night is over"),
    pytest.param(
        SATURDAY,
        "2030-07-06T20:00:00Z",
        ("2030-07-06T20:00:00Z", "2030-07-07T00:00:00Z"),
        id="saturday night in summer",
    ),
    pytest.param(SATURDAY, "2030-01-04T22:00:00Z", None, id="friday night"),
    pytest.param(
        NIGHT,
        "2030-03-09T07:30:00Z",
        ("2030-03-09T07:30:00Z", "2030-03-09T08:30:00Z"),
        id="the night before summer time",
    ),
    pytest.param(
        NIGHT,
        "2030-03-10T07:30:00Z",
        ("2030-03-10T07:30:00Z", "2030-03-10T08:30:00Z"),
        id="a time that is skipped counts as if the clock had not been put forward",
    ),
    pytest.param(
        NIGHT,
        "2030-03-11T06:30:00Z",
        ("2030-03-11T06:30:00Z", "2030-03-11T07:30:00Z"),
        id="the night after",
    ),
    pytest.param(
        a_window(schedule="30 1 * * *", duration_minutes=60, time_zone="America/New_York"),
        "2030-11-03T05:30:00Z",
        ("2030-11-03T05:30:00Z", "2030-11-03T06:30:00Z"),
        id="a time that comes twice opens it the first time",
    ),
    pytest.param(
        a_window(schedule="30 1 * * *", duration_minutes=60, time_zone="America/New_York"),
        "2030-11-03T06:30:00Z",
        None,
        id="and not the second time",
    ),
    pytest.param(
        a_window(schedule="0 0 1 * *", duration_minutes=7 * 24 * 60),
        "2030-03-07T23:59:00Z",
        ("2030-03-01T00:00:00Z", "2030-03-08T00:00:00Z"),
        id="a whole week, from a month's first day",
    ),
    pytest.param(
        ALWAYS,
        "2030-03-07T23:59:30Z",
        ("2030-03-07T23:59:00Z", "2030-03-08T00:00:00Z"),
        id="every minute",
    ),
]


@pytest.mark.parametrize(("window", "now", "expected"), SPANS)
def test_a_window_is_open(
    window: MaintenanceWindow, now: str, expected: tuple[str, str] | None
) -> None:
    assert span(window, now) == expected


@given(
    st.integers(0, 4_000_000_000),
    st.sampled_from(["UTC", "Asia/Kolkata", "Australia/Lord_Howe", "America/New_York"]),
    st.sampled_from(["*/7 3-5 * * *", "0 0 31 * 5", "59 23 * feb,mar mon-fri", "1,2 2 */9 * *"]),
    st.integers(1, 3000),
)
def test_an_open_window_holds_the_time_and_begins_at_a_match(
    now: int, zone: str, line: str, minutes: int
) -> None:
    found = open_span(a_window(schedule=line, duration_minutes=minutes, time_zone=zone), now)
    if found is None:
        return
    start, end = found
    assert start <= now < end == start + minutes * 60
    cron = parse_cron(line)
    local = datetime.fromtimestamp(start, UTC).astimezone(zone_of(zone))
    offset = local.utcoffset() or timedelta()
    earlier = (local - timedelta(hours=3)).utcoffset() or timedelta()
    said = local - max(timedelta(), offset - earlier)  # a skipped time is said in the old offset
    assert any(
        cron.matches(each.date()) and each.hour in cron.hours and each.minute in cron.minutes
        for each in (local, said)
    )


DAYS = [
    ("0 0 13 * fri", "2030-09-13", True),
    ("0 0 13 * fri", "2030-08-13", True),  # the 13th, a Tuesday
    ("0 0 13 * fri", "2030-08-16", True),  # a Friday
    ("0 0 13 * fri", "2030-08-15", False),
    ("0 0 */2 * fri", "2030-08-16", False),  # begins with *: both must hold
    ("0 0 * * 7", "2030-08-18", True),
    ("0 0 * * 0", "2030-08-18", True),
    ("0 0 * sep *", "2030-08-18", False),
    ("0 0 5/10 * *", "2030-08-25", True),
    ("0 0 5/10 * *", "2030-08-26", False),
]


@pytest.mark.parametrize(("line", "day", "expected"), DAYS)
def test_a_line_means_a_day(line: str, day: str, *, expected: bool) -> None:
    assert parse_cron(line).matches(datetime.fromisoformat(day).date()) is expected


WRONG = [
    ("0 22 * *", "'0 22 * *' has 4 fields; a cron line has five, such as '0 22 * * sat'"),
    ("60 * * * *", "'60' is no minute of a cron line, 0 to 59"),
    ("* 5-3 * * *", "'5-3' is no hour of a cron line, 0 to 23"),
    ("* * 0 * *", "'0' is no day of the month of a cron line, 1 to 31"),
    ("* * * jam *", "'jam' is no month of a cron line, 1 to 12"),
    ("* * * * 8", "'8' is no day of the week of a cron line, 0 to 7"),
    ("*/0 * * * *", "'*/0' is no minute of a cron line, 0 to 59"),
    ("1,,2 * * * *", "'' is no minute of a cron line, 0 to 59"),
    ("-1 * * * *", "'-1' is no minute of a cron line, 0 to 59"),
    ("²  * * * *", "'²' is no minute of a cron line, 0 to 59"),
]


@pytest.mark.parametrize(("line", "sentence"), WRONG)
def test_what_is_no_cron_line_is_told(line: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r".+") as raised:
        parse_cron(line)
    assert str(raised.value) == sentence


def test_of_several_windows_the_one_that_moves_counts() -> None:
    now = seconds_of("2030-05-01T20:30:00Z")
    longest = a_window(start="2030-05-01T20:00:00Z", end="2030-05-09T20:00:00Z")
    moves = a_window(start="2030-05-01T20:00:00Z", end="2030-05-01T21:00:00Z", action="move")
    closed = a_window(start="2030-04-01T20:00:00Z", end="2030-04-01T21:00:00Z")
    both = a_cluster("a", maintenance=[closed, longest, moves])
    one = a_cluster("b", maintenance=[ONCE, longest])
    found = open_windows([both, one, a_cluster("c")], now)
    assert found["a"].action == "move"
    assert found["b"].end == seconds_of("2030-05-09T20:00:00Z")
    assert set(found) == {"a", "b"}
    assert found["a"].positions == (1, 2)
    assert found["b"].positions == (0, 1)


def test_zones_come_from_the_pinned_package_whatever_the_machine_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONTZPATH", "/nowhere")
    zone_of.cache_clear()
    winter = datetime(2030, 1, 1, tzinfo=zone_of("Europe/Berlin"))
    assert winter.utcoffset() == timedelta(hours=1)
    assert "Europe/Berlin" in zone_names()
    assert zone_names().hint("Europe/Berln") == "did you mean 'Europe/Berlin'?"
