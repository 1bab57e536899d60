"""Drills in words, as a document and as JUnit XML, where the small cases of the command end."""

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from fleet.explain.drill import drill_blocks
from fleet.explain.drill_document import drill_document
from fleet.explain.drill_junit import drill_junit
from fleet.explain.drill_words import (
    WORDS,
    answers_text,
    check_sentence,
    emergency_key,
    emergency_name,
    landing_text,
)
from fleet.explain.layout import plain_text
from fleet.model import drill_codes
from fleet.model.base import FrozenMap
from fleet.model.drill_targets import DrillTargets
from fleet.model.exercise import (
    Check,
    Emergency,
    Exercise,
    Exercises,
    Item,
    Kind,
    NameExercise,
    Result,
)
from fleet.model.outage import Answers
from fleet.model.survival import Loss
from fleet.model.timeline import Step, StepKind, Timeline

ONE = FrozenMap({"us-1": Fraction(1)})
THIRDS = FrozenMap({"a": Fraction(1, 3), "b": Fraction(2, 3)})
NAMES = [
    pytest.param(Emergency(Kind.CLUSTER, "eu-1", ("eu-1",)), "cluster eu-1", id="a cluster"),
    pytest.param(
        Emergency(Kind.HALF_REGION, "eu", ("eu-1", "eu-3")),
        "half of region eu (eu-1, eu-3)",
        id="a half",
    ),
    pytest.param(
        Emergency(Kind.PROVIDER, "", ("eu-1",)), "the clusters that say no provider", id="unsaid"
    ),
    pytest.param(Emergency(Kind.ROUTE53), "Route53's API", id="the API"),
]


@pytest.mark.parametrize(("emergency", "words"), NAMES)
def test_what_goes_wrong_in_words(emergency: Emergency, words: str) -> None:
    assert emergency_name(emergency) == words
    assert emergency_key(emergency).partition(":")[0] == emergency.kind


@pytest.mark.parametrize(
    ("landing", "words"),
    [(0, "0 of 6 replicas"), (6, "6 of 6 replicas"), (12, "12 replicas, 6 before")],
)
def test_what_answers_after_a_loss_in_words(landing: int, words: str) -> None:
    name = NameExercise("web", "web", "web.test", Answers(), Answers(), landing=landing, wanted=6)
    assert landing_text(name) == words


ANSWERS = [
    pytest.param(Answers(), "nobody", id="no record"),
    pytest.param(Answers(ONE), "us-1 100%", id="one"),
    pytest.param(
        Answers(ONE, Fraction(1)), "nobody (us-1 100% leads to what is dead)", id="only the dead"
    ),
    pytest.param(
        Answers(THIRDS, Fraction(1, 3)), "a 33%, b 67%; 33% leads nowhere", id="a part of two"
    ),
    pytest.param(
        Answers(THIRDS, Fraction(1)),
        "nobody (a 33%, b 67% lead to what is dead)",
        id="several that are dead",
    ),
    pytest.param(
        Answers(THIRDS, by="latency"), "by latency a, b", id="nobody knows how many are near to a"
    ),
    pytest.param(
        Answers(THIRDS, Fraction(1, 3), "geolocation"),
        "by place a, b; some of it leads nowhere",
        id="nor how many ask from which place",
    ),
    pytest.param(
        Answers(THIRDS, Fraction(1), "latency"),
        "nobody (a, b lead to what is dead)",
        id="wherever they are",
    ),
]


@pytest.mark.parametrize(("answers", "words"), ANSWERS)
def test_who_is_answered_in_words(answers: Answers, words: str) -> None:
    assert answers_text(answers) == words


DNS = {"total": 150, "limit": 60, "detection": 90, "spread": 0, "record": 0, "ttl": 60}
NOTICED = {"detection": 30, "spread": 10}
SENTENCES = [
    pytest.param(
        drill_codes.DNS_TIME,
        {**DNS, "best": 20},
        "150 s of 60 s: detection 90 + spread 0 + ttl 60; a check of 10 s x 3 and ttlSeconds of at"
        " most 20 would pass",
        id="what would make it pass",
    ),
    pytest.param(
        drill_codes.DNS_TIME,
        {**DNS, "best": 0},
        "150 s of 60 s: detection 90 + spread 0 + ttl 60; no check and no TTL are quick enough for"
        " this limit",
        id="nothing would",
    ),
    pytest.param(
        drill_codes.DNS_TIME,
        {**DNS, "best": 0, "hasty": 7},
        "150 s of 60 s: detection 90 + spread 0 + ttl 60; only a check of 10 s x 1 and ttlSeconds"
        " of at most 7 would pass, which takes one slow answer for a death",
        id="only what is hasty would",
    ),
    pytest.param(
        drill_codes.DNS_TIME,
        {**DNS, "best": 0, "hasty": 0, "release": 30},
        "150 s of 60 s: detection 90 + spread 0 + release 30 + ttl 60; no check and no TTL are"
        " quick enough for this limit beside a lever of 30 s",
        id="nothing would beside this lever",
    ),
    pytest.param(
        drill_codes.DNS_TIME,
        {**DNS, "record": 60, "best": 20},
        "150 s of 60 s: detection 90 + spread 0 + record 60 + ttl 60; something that runs behind a"
        " record elsewhere would need no record change",
        id="a record change",
    ),
    pytest.param(
        drill_codes.STARTS,
        {"moves": 1, "seconds": 200, "limit": 180, "assumed": 1},
        "1 replica to start in 200 s (startSeconds), limit 180 s",
        id="an assumed start",
    ),
    pytest.param(
        drill_codes.DATA_LAG,
        {"seconds": 90, "limit": 60},
        "the copy lacks what was written in the last 90 s, limit 60 s",
        id="a lag",
    ),
    pytest.param(
        drill_codes.DATA_LAG,
        {"seconds": 5, "limit": 0},
        "the copy lacks what was written in the last 5 s",
        id="any lag is a loss",
    ),
    pytest.param(
        drill_codes.DATA_TIME,
        {"seconds": 130, "limit": 60, **NOTICED, "decision": 60, "data": 30},
        "another copy takes writes 130 s after the loss (detection 30 + spread 10 + decision 60 +"
        " data 30), limit 60 s",
        id="a promotion",
    ),
    pytest.param(
        drill_codes.DATA_TIME,
        {"seconds": 210, "limit": 60, "decision": 60, "capacity": 120, "data": 30},
        "another copy takes writes 210 s after the alarm (decision 60 + capacity 120 + data 30),"
        " limit 60 s",
        id="a promotion that nobody sees by a name",
    ),
    pytest.param(
        drill_codes.VOLUMES,
        {"kind": "pinned", "volumes": "", "clusters": "eu-1"},
        "its pinned data on eu-1 is copied nowhere",
        id="pinned data",
    ),
    pytest.param(
        drill_codes.VOLUMES,
        {"kind": "object-storage", "volumes": "", "clusters": "eu-1"},
        "its bucket is copied nowhere",
        id="a bucket",
    ),
    pytest.param(
        drill_codes.VOLUMES,
        {"kind": "none", "volumes": "StatefulSet/web", "clusters": "eu-1"},
        "the data of StatefulSet/web on eu-1 is copied nowhere",
        id="volumes",
    ),
    pytest.param(
        drill_codes.DNS_TIME,
        {**DNS, "record": 60, "best": 20, "held": 1},
        "150 s of 60 s: detection 90 + spread 0 + record 60 + ttl 60; its standby is held out until"
        " an update has promoted the data",
        id="a held standby",
    ),
    pytest.param(
        drill_codes.RTO_TIME,
        {"total": 400, "limit": 300, "by_itself": 0, "by_lever": 0},
        "400 s of 300 s, by an update",
        id="an update is too late",
    ),
    pytest.param(
        drill_codes.RTO_TIME,
        {"total": 400, "limit": 300, "by_itself": 0, "by_lever": 1},
        "400 s of 300 s, by the lever",
        id="the lever is too late",
    ),
    pytest.param(
        drill_codes.NAME_BACK_NOWHERE,
        {"revived": 50, "returned": 0},
        "50% of the answers lead nowhere when it is back alive, 0% after going back",
        id="a return that leads nowhere",
    ),
    pytest.param(
        drill_codes.NAME_BACK_NOWHERE,
        {"revived": 50, "returned": 0, "by": "latency"},
        "some of the answers lead nowhere when it is back alive, none after going back",
        id="nobody knows how many",
    ),
    pytest.param(
        drill_codes.BACK_SHORT,
        {"short": 2, "before": 0},
        "2 replicas without a place after the return, today 0",
        id="short after the return",
    ),
    pytest.param(
        drill_codes.API_NEEDED,
        {"regions": "eu, us"},
        "the loss of eu, us needs a record change, which nobody could make",
        id="the API is needed",
    ),
    pytest.param(
        drill_codes.API_NEEDED,
        {"regions": "eu", "hopeless": "us"},
        "the loss of eu needs a record change, which nobody could make; after that of us nobody"
        " answers, even with one",
        id="the API is needed, and helps but one",
    ),
    pytest.param(
        drill_codes.API_NO_HELP,
        {"regions": "", "hopeless": "us"},
        "after the loss of us nobody answers, also after a record change",
        id="the API would not help",
    ),
]


@pytest.mark.parametrize(("code", "values", "words"), SENTENCES)
def test_a_check_that_failed_says_why(code: str, values: dict[str, int | str], words: str) -> None:
    check = Check(Item.DNS, "web", Result.FAIL, code, FrozenMap(values))
    assert check_sentence(check) == words


def test_every_code_has_words() -> None:
    said = {each for name, each in vars(drill_codes).items() if name.isupper()}
    assert said == set(WORDS)


def a_check(result: Result = Result.FAIL, subject: str = "web") -> Check:
    """A workload that has no place, or one that stands."""
    if result is Result.PASS:
        return Check(Item.APPLICATION, subject, result, drill_codes.STANDS)
    values = FrozenMap({"short": 1, "wanted": 1})
    return Check(Item.APPLICATION, subject, result, drill_codes.NO_PLACE, values)


def an_exercise(number: int, *checks: Check, refused: tuple[str, ...] = ()) -> Exercise:
    """The death of a cluster; every number has another loss."""
    name = f"c{number}"
    counts = FrozenMap({name: number})
    loss = Loss("web", counts, FrozenMap(), dies=number, moves=0, shortfall=0)
    emergency = Emergency(Kind.CLUSTER, name, (name,))
    starts = FrozenMap({"web": Timeline()})
    return Exercise(emergency, FrozenMap({"web": loss}), starts, (), checks, refused)


def words_of(*played: Exercise, quiet: tuple[Emergency, ...] = ()) -> str:
    """A drill as text."""
    return plain_text(drill_blocks(Exercises(DrillTargets(), played, quiet)), 100)


LARGE = [
    pytest.param(
        39, 1, range(40, 41), "39 more emergencies, and all passes", id="what passes is counted"
    ),
    pytest.param(
        0,
        39,
        range(1, 31),
        "9 more emergencies, 9 of them with checks that fail",
        id="of what fails the first thirty are shown",
    ),
]


@pytest.mark.parametrize(("passing", "failing", "shown", "rest"), LARGE)
def test_a_large_drill_shows_what_fails(
    passing: int, failing: int, shown: range, rest: str
) -> None:
    results = [Result.PASS] * passing + [Result.FAIL] * failing
    text = words_of(*(an_exercise(place, a_check(it)) for place, it in enumerate(results, 1)))
    headings = [f"without cluster c{place} " for place in range(1, len(results) + 1)]
    assert [place for place, each in enumerate(headings, 1) if f"{each} " in text] == list(shown)
    assert rest in text


QUIET = [
    pytest.param(Emergency(Kind.REGION, "eu", ("a",)), "region eu", id="a region"),
    pytest.param(Emergency(Kind.HALF_REGION, "eu", ("a",)), "half of region eu", id="a half"),
    pytest.param(Emergency(Kind.PROVIDER, "", ("a",)), "provider (none said)", id="unsaid"),
]


@pytest.mark.parametrize(("emergency", "words"), QUIET)
def test_where_nothing_runs_it_is_told_at_the_end(emergency: Emergency, words: str) -> None:
    assert f"nothing runs on {words}\n" in words_of(quiet=(emergency,))


def test_equal_consequences_stand_together() -> None:
    one = an_exercise(1, a_check())
    region = Emergency(Kind.REGION, "eu", ("c1",))
    two = Exercise(region, one.losses, one.starts, one.names, one.checks, one.refused)
    assert "without cluster c1 or region eu   1 replica dies" in words_of(one, two)


def test_an_update_that_is_not_made_is_told() -> None:
    text = words_of(an_exercise(1, a_check(), refused=("policies/web.yaml:1:1: no",)))
    assert "the update that declares it is not made: policies/web.yaml:1:1: no" in text


def a_name(*kinds: StepKind, today: Answers | None = None) -> NameExercise:
    """`web.fleet.test`, which leads to the dead eu-1; steps of 30 s each."""
    return NameExercise(
        "web",
        "web",
        "web.fleet.test",
        today=today or Answers(EU),
        at_once=Answers(EU, Fraction(1)),
        afterwards=Answers(ONE),
        revived=Answers(ONE),
        returned=Answers(ONE),
        felt=Fraction(1) if today is None else Fraction(1, 2),
        timeline=Timeline(tuple(Step(each, 30) for each in kinds)),
    )


EU = FrozenMap({"eu-1": Fraction(1)})
BOTH = FrozenMap({"c1": Fraction(1, 2), "us-1": Fraction(1, 2)})
RTO = FrozenMap({"total": 90, "limit": 60, "by_itself": 0})


def told(name: NameExercise) -> Exercise:
    """The death of c1, which is also that of a name's cluster."""
    check = Check(Item.RTO, "web.fleet.test", Result.FAIL, drill_codes.RTO_TIME, RTO)
    one = an_exercise(1, check)
    return Exercise(one.emergency, one.losses, one.starts, (name,), (check,))


WAYS = [
    pytest.param((StepKind.TTL,), "30 s of 60 s  by itself  ttl 30", id="nobody does anything"),
    pytest.param(
        (StepKind.DECISION, StepKind.RECORD),
        "60 s of 60 s  by an update  decision 30 + record 30",
        id="a record changes",
    ),
    pytest.param(
        (StepKind.DECISION, StepKind.DATA),
        "60 s of 60 s  by an update  decision 30 + data 30",
        id="data is promoted",
    ),
    pytest.param(
        (StepKind.DECISION, StepKind.RELEASE),
        "60 s of 60 s  by the lever  decision 30 + release 30",
        id="a person pulls the lever",
    ),
]


@pytest.mark.parametrize(("steps", "line"), WAYS)
def test_a_timeline_says_who_ends_it(steps: tuple[StepKind, ...], line: str) -> None:
    assert f"web.fleet.test  {line}\n" in words_of(told(a_name(*steps)))


def test_answers_are_told_stage_by_stage() -> None:
    text = words_of(told(a_name()))
    assert "today             eu-1 100%; 100% of the answers die\n" in text
    assert "at once           nobody (eu-1 100% leads to what is dead)\n" in text
    assert "after the update  us-1 100%\n" in text
    assert "alive again" not in text


NOBODY_KNOWS = (
    "by latency or place nobody knows how many ask from where: the shares of --output json count"
    " each region and place as much as the weights that serve it"
)
ASKED = [
    pytest.param("", "c1 50%, us-1 50%; 50% of the answers die", id="by weight"),
    pytest.param("latency", "by latency c1, us-1; all answers that lead to c1 die", id="latency"),
    pytest.param("geolocation", "by place c1, us-1; all answers that lead to c1 die", id="place"),
]


@pytest.mark.parametrize(("by", "today"), ASKED)
def test_shares_that_nobody_knows_are_assumed(by: str, today: str) -> None:
    drill = Exercises(DrillTargets(), (told(a_name(today=Answers(BOTH, by=by))),))
    text = plain_text(drill_blocks(drill), 200)
    assert f"today             {today}\n" in text
    document = drill_document(drill)
    (scenario,) = document["scenarios"]
    assert scenario["names"][0]["sharesAssumed"] is bool(by)
    assert (NOBODY_KNOWS in document["assumed"]) is bool(by)
    assert all(f"  {each}\n" in text for each in document["assumed"])


def test_junit_carries_what_xml_cannot() -> None:
    odd = Check(Item.DNS, "a\x00<b>", Result.UNKNOWN, drill_codes.NO_ALARM)
    drill = Exercises(DrillTargets(), (an_exercise(1, odd),))
    root = ET.fromstring(drill_junit(drill).encode())  # noqa: S314 - made here
    assert [each.get("classname") for each in root.iter("testcase")] == ["cluster:c1 a?<b>"]


def test_a_drill_of_nothing_is_still_a_document() -> None:
    root = ET.fromstring(drill_junit(Exercises(DrillTargets())).encode())  # noqa: S314 - made here
    assert root.attrib == {"name": "fleet drill", "tests": "0", "failures": "0", "errors": "0"}
    assert words_of().startswith("checklist of the drill   0 scenarios\n")
