"""Selection within limits: the published tables, and a model that tries every subset."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.model.source import Origin, Path, Source
from fleet.schedule import reasons
from fleet.schedule import select as select_module
from fleet.schedule.choice import Choice, Limit
from fleet.schedule.pick import pick
from fleet.schedule.select import Rules, select, why_not

RULES = Rules()
M = {"m4": 50, "m2": 60, "m3": 80, "m1": 40}  # in the order of score: 60, 40, 30, 20


def a_choice(
    rooms: dict[str, int],
    replicas: int = 0,
    *,
    least: int = 1,
    most: int | None = None,
    limits: tuple[Limit, ...] = (),
) -> Choice:
    """Candidates in the order of the dict; without replicas room plays no part."""
    return Choice(
        order=range(len(rooms)),
        caps=list(rooms.values()),
        groups=[0] * len(rooms),
        targets={0: replicas} if replicas else {},
        limits=limits,
        least=least,
        most=most,
    )


def by(name: str, domains: str, least: int, most: int | None = None) -> Limit:
    """A limit from one letter per cluster; `ab.` is domain a, domain b, none."""
    letters = [() if each == "." else (ord(each) - ord("a"),) for each in domains]
    return Limit(name, least, most, letters)


def selected(rooms: dict[str, int], choice: Choice) -> list[str]:
    names = list(rooms)
    return [names[place] for place in select(choice, RULES, runs=False).chosen]


BY_CLUSTER = [
    pytest.param(0, 1, 2, ["m4", "m2"], id="C1 the best two"),
    pytest.param(0, 1, 2, ["m4", "m2"], id="C2 duplicated: the filter sees to room"),
    pytest.param(120, 1, 2, ["m4", "m3"], id="C3 the last gives way to more room"),
    pytest.param(200, 1, 2, ["m2", "m3"], id="C4 Karmada fails, fleet takes most room"),
    pytest.param(100, 7, 9, [], id="C4 fewer clusters than asked for"),
    pytest.param(150, 1, 3, ["m4", "m2", "m3"], id="three hold it"),
    pytest.param(0, 1, None, ["m4", "m2", "m3", "m1"], id="without a limit all"),
]


@pytest.mark.parametrize(("replicas", "least", "most", "expected"), BY_CLUSTER)
def test_select_by_cluster(
    replicas: int, least: int, most: int | None, expected: list[str]
) -> None:
    assert selected(M, a_choice(M, replicas, least=least, most=most)) == expected


R = {"m1": 100, "m2": 80, "m3": 80, "m4": 80, "m5": 60}
R_DOMAINS = "aabbb"
BY_REGION = [
    pytest.param((1, 1), (2, 2), 0, ["m1", "m2"], id="R1 the best region"),
    pytest.param((1, 1), (3, 3), 0, ["m3", "m4", "m5"], id="R2 the region with enough clusters"),
    pytest.param((1, 1), (4, 4), 0, [], id="R3 no region has four"),
    pytest.param((3, 3), (3, 3), 0, [], id="R3 there are no three regions"),
    pytest.param((1, 1), (1, None), 200, ["m3", "m4", "m5"], id="fleet: the region with room"),
    pytest.param((1, 1), (1, None), 400, ["m3", "m4", "m5"], id="fleet: the largest of the small"),
    pytest.param((1, 1), (2, 2), 160, ["m1", "m2"], id="enough room in the best region"),
    pytest.param((2, 2), (2, 2), 0, ["m1", "m3"], id="one of each region"),
    pytest.param((1, 2), (2, 2), 0, ["m1", "m2"], id="one region will do"),
    pytest.param((2, None), (3, 3), 0, ["m1", "m2", "m3"], id="a new region first, then the best"),
]


@pytest.mark.parametrize(("regions", "clusters", "replicas", "expected"), BY_REGION)
def test_select_by_region(
    regions: tuple[int, int | None],
    clusters: tuple[int, int | None],
    replicas: int,
    expected: list[str],
) -> None:
    limits = (by("region", R_DOMAINS, *regions),)
    choice = a_choice(R, replicas, least=clusters[0], most=clusters[1], limits=limits)
    assert selected(R, choice) == expected


def test_select_exchanges_the_domain_that_has_less_room() -> None:
    rooms = {"a": 3, "b": 9, "c": 5}
    choice = a_choice(rooms, 14, limits=(by("region", "abc", 1, 2),))
    assert selected(rooms, choice) == ["b", "c"]
    rooms = {"a": 3, "b": 1, "c": 9, "d": 9}
    choice = a_choice(rooms, 12, limits=(by("region", "abcd", 1, 2),))
    assert selected(rooms, choice) == ["a", "c"], "no more than is needed"


def test_select_exchanges_the_last_domain_first_for_the_one_with_most_room() -> None:
    rooms = {"a": 5, "b": 1, "c": 6, "d": 9}
    choice = a_choice(rooms, 10, limits=(by("region", "abcd", 1, 2),))
    assert selected(rooms, choice) == ["a", "d"], "not c, which would do as well"
    rooms = {"a": 2, "b": 2, "c": 1, "d": 9, "e": 8}
    choice = a_choice(rooms, 19, limits=(by("region", "abcde", 1, 3),))
    assert selected(rooms, choice) == ["a", "d", "e"], "the last two, one after the other"


def test_select_fills_up_what_a_narrower_limit_left_open() -> None:
    """The first two zones hold all and only c is in no other; d is of a zone that c opens."""
    wide = Limit("zone", 1, 2, [(0,), (1,), (2, 3), (0,), (1, 3), (0,)])
    choice = Choice([0, 1, 2, 3, 4, 5], [2] * 6, [0] * 6, {0: 1}, (wide,))
    assert list(select(choice, RULES, runs=False).chosen) == [0, 1, 3, 5]
    region, zone = by("region", "abc", 1, 2), by("zone", "aba", 1, 1)
    choice = a_choice({"a": 9, "b": 9, "c": 9}, 5, limits=(region, zone))
    assert list(select(choice, RULES, runs=False).chosen) == [0, 2], "c is in an open zone"


EXCHANGES = [
    pytest.param("abc", ["a", "c"], id="another region covers it as well"),
    pytest.param("aab", ["a", "c"], id="the region that is needed comes first"),
    pytest.param("aba", ["b", "c"], id="never by giving up a region that is needed"),
]


@pytest.mark.parametrize(("regions", "expected"), EXCHANGES)
def test_select_exchanges_clusters_within_the_limits(regions: str, expected: list[str]) -> None:
    rooms = {"a": 3, "b": 3, "c": 9}
    choice = a_choice(rooms, 12, least=2, most=2, limits=(by("region", regions, 2),))
    assert selected(rooms, choice) == expected


def test_select_keeps_the_first_of_equal_tries() -> None:
    """No set of domains holds five; each limit alone would hold four of them."""
    rooms = {"a": 2, "b": 2, "c": 2, "d": 2}
    limits = (by("region", "aabb", 1, 1), by("zone", "abab", 1, 1))
    assert selected(rooms, a_choice(rooms, 5, limits=limits)) == ["a"]


def test_select_six_of_two_clusters_fails_r6() -> None:
    two = {"m1": 100, "m2": 80}
    choice = a_choice(two, least=3, most=4, limits=(by("region", "aa", 1),))
    selection = select(choice, RULES, runs=False)
    assert selection.chosen == ()
    assert selection.failure is not None
    assert selection.failure.code == reasons.DOMAINS_SHORT
    assert dict(selection.failure.values) == {"by": "cluster", "found": 2, "wanted": 3}


def test_select_eases_a_least_for_what_runs() -> None:
    choice = a_choice({"a": 5, "b": 5}, limits=(by("region", "ab", 3),))
    selection = select(choice, RULES, runs=True)
    assert list(selection.chosen) == [0, 1]
    assert [dict(each.values) for each in selection.relaxed] == [
        {"by": "region", "found": 2, "wanted": 3}
    ]


def test_select_eases_the_number_of_clusters_for_what_runs() -> None:
    selection = select(a_choice({"a": 5}, least=2, most=3), RULES, runs=True)
    assert list(selection.chosen) == [0]
    assert [each.code for each in selection.relaxed] == [reasons.DOMAINS_SHORT]


def test_select_eases_two_limits_that_cannot_be_kept_together() -> None:
    choice = a_choice({"a": 1, "b": 4}, least=2, limits=(by("region", "ab", 1, 1),))
    selection = select(choice, RULES, runs=True)
    assert list(selection.chosen) == [0]
    assert [each.code for each in selection.relaxed] == [reasons.SPREAD_CONFLICT]


def test_select_searches_nothing_where_no_selection_can_lack_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []

    def counted(*words: object) -> list[int] | None:
        tried.append(words)
        return pick(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(select_module, "pick", counted)
    rooms = {"a": 3, "b": 2, "c": 1}
    assert selected(rooms, a_choice(rooms, 9, limits=(by("region", "abc", 1, 2),))) == ["a", "b"]
    assert len(tried) == 1


WRITTEN_MARKS: dict[Path, tuple[int, int]] = {
    ("spec", "spread"): (4, 1),
    ("spec", "spread", 0, "minDomains"): (5, 1),
    ("spec", "spread", 0, "maxDomains"): (6, 1),
    ("spec", "spread", 1, "minDomains"): (7, 1),
    ("spec", "spread", 1, "maxDomains"): (8, 1),
}
WRITTEN = Origin("web.yaml", 1, 1, WRITTEN_MARKS)
WRITTEN_RULES = Rules(WRITTEN, ("spec", "spread", 1))


def a_written_limit(domains: str, least: int, most: int | None) -> Limit:
    of = [(ord(each) - ord("a"),) for each in domains]
    return Limit("region", least, most, of, 0)


def at_line(number: int) -> Source:
    return Source("web.yaml", number, 1)


def test_select_says_where_the_limit_is_written_that_fails() -> None:
    regions = a_choice({"a": 1, "b": 1}, limits=(a_written_limit("aa", 2, None),))
    failure = select(regions, WRITTEN_RULES, runs=False).failure
    assert failure is not None
    assert failure.source == at_line(5)
    number = a_choice({"a": 1}, least=2, most=2)
    failure = select(number, WRITTEN_RULES, runs=False).failure
    assert failure is not None
    assert failure.source == at_line(7)
    both = a_choice({"a": 1, "b": 1}, least=2, limits=(a_written_limit("ab", 1, 1),))
    failure = select(both, WRITTEN_RULES, runs=False).failure
    assert failure is not None
    assert failure.source == at_line(4)


def test_why_not_says_where_the_limit_is_written() -> None:
    limit = a_written_limit("aab", 1, 1)
    choice = a_choice({"a": 5, "b": 5, "c": 5}, most=1, limits=(limit,))
    region = why_not(choice, WRITTEN_RULES, (0,), 2)
    number = why_not(choice, WRITTEN_RULES, (0,), 1)
    assert region is not None
    assert number is not None
    assert (region.code, region.source) == (reasons.DOMAIN_LIMIT, at_line(6))
    assert (number.code, number.source) == (reasons.DOMAIN_LIMIT, at_line(8))
    assert dict(number.values) == {"by": "cluster", "limit": 1}
    unbounded = a_choice({"a": 5, "b": 5, "c": 5}, limits=(limit,))
    assert why_not(unbounded, RULES, (0,), 1) is None


def test_rules_know_a_place_only_where_something_is_written() -> None:
    assert Rules().spread is None
    assert Rules(None, ("spec", "pick")).clusters_least is None
    assert Rules(WRITTEN).clusters_most is None


def test_select_two_limits_that_no_subset_keeps_together() -> None:
    limits = (by("region", "ab", 2), by("provider", "aa", 1))
    choice = a_choice({"a": 5, "b": 5}, most=1, limits=limits)
    refused = select(choice, RULES, runs=False)
    assert refused.failure is not None
    assert refused.failure.code == reasons.SPREAD_CONFLICT
    eased = select(choice, RULES, runs=True)
    assert list(eased.chosen) == [0]
    assert [each.code for each in eased.relaxed] == [reasons.SPREAD_CONFLICT]


def test_select_nothing_where_every_cluster_breaks_a_most() -> None:
    wide = Limit("zone", 1, 1, [(0, 1), (1, 2)])
    for runs in (False, True):
        selection = select(a_choice({"a": 5, "b": 5}, limits=(wide,)), RULES, runs=runs)
        assert selection.chosen == ()
        assert selection.failure is not None
        assert selection.failure.code == reasons.SPREAD_CONFLICT


def test_a_cluster_belongs_to_each_of_its_zones() -> None:
    zones = Limit("zone", 2, 2, [(0,), (0, 1), (2,)])
    choice = a_choice({"a": 5, "b": 5, "c": 5}, limits=(zones,))
    assert list(select(choice, RULES, runs=False).chosen) == [0, 1]


def test_why_not_names_the_limit_that_would_break() -> None:
    limit = by("region", "aab", 1, 1)
    choice = a_choice({"a": 5, "b": 5, "c": 5}, most=1, limits=(limit,))
    assert dict(why_not(choice, RULES, (0,), 2).values) == {"by": "region", "limit": 1}
    assert dict(why_not(choice, RULES, (0,), 1).values) == {"by": "cluster", "limit": 1}


@st.composite
def choices(draw: st.DrawFn) -> Choice:
    size = draw(st.integers(1, 6))
    limits = []
    for name in draw(st.lists(st.sampled_from(["region", "zone"]), unique=True, max_size=2)):
        most_zones = 2 if name == "zone" else 1
        of = [
            tuple(draw(st.sets(st.integers(0, 3), min_size=1, max_size=most_zones)))
            for _ in range(size)
        ]
        least = draw(st.integers(1, 3))
        limits.append(Limit(name, least, draw(st.none() | st.integers(least, 3)), of))
    least = draw(st.integers(1, 2))
    groups = [0] * size
    targets = {0: draw(st.integers(1, 20))}
    if draw(st.booleans()):
        groups = [draw(st.integers(0, 1)) for _ in range(size)]
        targets = {group: draw(st.integers(0, 20)) for group in sorted(set(groups))}
    return Choice(
        order=draw(st.permutations(range(size))),
        caps=[draw(st.integers(0, 9)) for _ in range(size)],
        groups=groups,
        targets=draw(st.sampled_from([{}, targets])),
        limits=tuple(limits),
        least=least,
        most=draw(st.none() | st.integers(least, 4)),
        required=draw(st.sampled_from([(), (groups[0],)])),
    )


def keeps(choice: Choice, chosen: tuple[int, ...]) -> bool:
    """Whether a subset keeps every limit."""
    if len(chosen) < choice.least or (choice.most is not None and len(chosen) > choice.most):
        return False
    for limit in choice.limits:
        covered = {domain for place in chosen for domain in limit.of[place]}
        if len(covered) < limit.least or (limit.most is not None and len(covered) > limit.most):
            return False
    return True


def lack(choice: Choice, chosen: tuple[int, ...]) -> tuple[int, int]:
    """How many replicas have no room: of required groups, then of the others."""
    missing = [0, 0]
    for group, target in choice.targets.items():
        room = sum(choice.caps[place] for place in chosen if choice.groups[place] == group)
        missing[group not in choice.required] += max(0, target - room)
    return missing[0], missing[1]


@given(choices())
def test_select_agrees_with_trying_every_subset(choice: Choice) -> None:
    subsets = [
        subset
        for size in range(1, len(choice.order) + 1)
        for subset in combinations(choice.order, size)
        if keeps(choice, subset)
    ]
    selection = select(choice, RULES, runs=False)
    assert bool(selection.chosen) == bool(subsets)
    if not subsets:
        assert selection.failure is not None
        return
    chosen = selection.chosen
    assert keeps(choice, chosen)
    assert list(chosen) == [place for place in choice.order if place in chosen]
    assert not [subset for subset in subsets if set(subset) > set(chosen)], "one more fits"
    assert lack(choice, chosen) == min(lack(choice, subset) for subset in subsets)


@given(choices())
def test_select_of_what_was_selected_changes_nothing(choice: Choice) -> None:
    first = select(choice, RULES, runs=False)
    if first.failure is not None:
        return
    again = Choice(
        order=[*first.chosen, *(each for each in choice.order if each not in first.chosen)],
        caps=choice.caps,
        groups=choice.groups,
        targets=choice.targets,
        limits=choice.limits,
        least=choice.least,
        most=choice.most,
        required=choice.required,
    )
    assert select(again, RULES, runs=True).chosen == first.chosen


def test_select_never_takes_longer_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(select_module, "STEPS", 0)
    assert selected(M, a_choice(M, 120, most=2)) == ["m4", "m3"]


def test_select_is_bounded_where_listing_all_sets_is_not() -> None:
    """Forty regions, six of them to choose, no six with enough room: 3.8 million sets."""
    size = 400
    choice = Choice(
        order=range(size),
        caps=[place % 7 for place in range(size)],
        groups=[0] * size,
        targets={0: 10**6},
        limits=(
            Limit("region", 6, 6, [(place % 40,) for place in range(size)]),
            Limit("zone", 3, 9, [(place % 11, place % 13) for place in range(size)]),
        ),
        least=6,
        most=30,
    )
    assert keeps(choice, select(choice, RULES, runs=False).chosen)
