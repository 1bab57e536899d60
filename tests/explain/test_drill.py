"""Drills in words, as a document and as JUnit XML, where the small cases of the command end."""

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from fleet.explain.drill import drill_blocks
from fleet.explain.drill_junit import drill_junit
from fleet.explain.drill_words import (
    WORDS,
    answers_text,
    check_sentence,
    emergency_key,
    emergency_name,
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
NAMES = [
    pytest.param(Emergency(Kind.CLUSTER, "eu-1", ("eu-1",)), "cluster eu-1", id="a cluster"),
    pytest.param(
        Emergency(Kind.HALF_REGION, "eu", ("eu-1", "eu-3")),
        "half of region eu (eu-1, eu-3)",
        id="a half",
    ),
    pytest.param(Emergency(Kind.PROVIDER, "", ("eu-1",)), "what says no provider", id="unsaid"),
    pytest.param(Emergency(Kind.ROUTE53), "Route53's API", id="the API"),
]


@pytest.mark.parametrize(("emergency", "words"), NAMES)
def test_what_goes_wrong_in_words(emergency: Emergency, words: str) -> None:
    assert emergency_name(emergency) == words
    assert emergency_key(emergency).partition(":")[0] == emergency.kind


ANSWERS = [
    pytest.param(Answers(), "nobody", id="no record"),
    pytest.param(Answers(ONE), "us-1 100%", id="one"),
    pytest.param(
        Answers(ONE, Fraction(1)), "nobody (us-1 100% leads to what is dead)", id="only the dead"
    ),
    pytest.param(
        Answers(FrozenMap({"a": Fraction(1, 3), "b": Fraction(2, 3)}), Fraction(1, 3)),
        "a 33%, b 67%; 33% leads nowhere",
        id="a part",
    ),
]


@pytest.mark.parametrize(("answers", "words"), ANSWERS)
def test_who_is_answered_in_words(answers: Answers, words: str) -> None:
    assert answers_text(answers) == words


DNS = {"total": 150, "limit": 60, "detection": 90, "spread": 0, "record": 0, "ttl": 60}
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
        "another copy lacks the last 90 s of 60 s",
        id="a lag",
    ),
    pytest.param(
        drill_codes.NAME_BACK_NOWHERE,
        {"revived": 50, "returned": 0},
        "50% of the answers lead nowhere when it is back alive, 0% after going back",
        id="a return that leads nowhere",
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


def test_a_large_drill_shows_what_fails() -> None:
    fine = [an_exercise(number, a_check(Result.PASS)) for number in range(1, 40)]
    text = words_of(*fine, an_exercise(50, a_check()))
    assert "without cluster c50   50 replicas die   1 FAIL" in text
    assert "without cluster c1 " not in text
    assert "39 more emergencies, and all passes" in text
    failing = [an_exercise(number, a_check()) for number in range(1, 40)]
    assert "9 more emergencies, 9 of them with checks that fail" in words_of(*failing)


def test_equal_consequences_stand_together() -> None:
    one = an_exercise(1, a_check())
    region = Emergency(Kind.REGION, "eu", ("c1",))
    two = Exercise(region, one.losses, one.starts, one.names, one.checks, one.refused)
    assert "without cluster c1 or region eu   1 replica dies" in words_of(one, two)


def test_an_update_that_is_not_made_is_told() -> None:
    text = words_of(an_exercise(1, a_check(), refused=("policies/web.yaml:1:1: no",)))
    assert "the update that declares it is not made: policies/web.yaml:1:1: no" in text


def test_an_answer_that_needs_an_update_is_told_with_its_target() -> None:
    timeline = Timeline((Step(StepKind.DETECTION, 30), Step(StepKind.RECORD, 60)))
    name = NameExercise(
        "web",
        "web",
        "web.fleet.test",
        today=Answers(FrozenMap({"eu-1": Fraction(1)})),
        at_once=Answers(FrozenMap({"eu-1": Fraction(1)}), Fraction(1)),
        afterwards=Answers(ONE),
        revived=Answers(ONE),
        returned=Answers(ONE),
        felt=Fraction(1),
        timeline=timeline,
    )
    values = FrozenMap({"total": 90, "limit": 60, "by_itself": 0})
    check = Check(Item.RTO, "web.fleet.test", Result.FAIL, drill_codes.RTO_TIME, values)
    exercise = an_exercise(1, check)
    both = Exercise(exercise.emergency, exercise.losses, exercise.starts, (name,), (check,))
    text = words_of(both)
    assert "web.fleet.test  90 s of 60 s  by an update  detection 30 + record 60\n" in text
    assert "at once           nobody (eu-1 100% leads to what is dead)\n" in text
    assert "after the update  us-1 100%\n" in text
    assert "alive again" not in text


def test_junit_carries_what_xml_cannot() -> None:
    odd = Check(Item.DNS, "a\x00<b>", Result.UNKNOWN, drill_codes.NO_ALARM)
    drill = Exercises(DrillTargets(), (an_exercise(1, odd),))
    root = ET.fromstring(drill_junit(drill).encode())  # noqa: S314 - made here
    assert [each.get("classname") for each in root.iter("testcase")] == ["cluster:c1 a?<b>"]


def test_a_drill_of_nothing_is_still_a_document() -> None:
    root = ET.fromstring(drill_junit(Exercises(DrillTargets())).encode())  # noqa: S314 - made here
    assert root.attrib == {"name": "fleet drill", "tests": "0", "failures": "0", "errors": "0"}
    assert words_of().startswith("checklist of the drill   0 scenarios\n")
