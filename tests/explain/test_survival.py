"""Losses in words."""

import pytest

from fleet.explain.layout import Mood, plain_text
from fleet.explain.sentences import finding_sentence
from fleet.explain.survival import (
    demands_hold,
    scenario_name,
    survival_blocks,
    survival_document,
    verdict_word,
)
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding, Rejection
from fleet.model.survival import By, Drill, Loss, Scenario, Survival
from tests.explain.outcomes import an_outcome

NO_CLUSTER = Rejection("no-cluster")


def a_loss(
    name: str, before: dict[str, int], after: dict[str, int], short: int = 0, was_short: int = 0
) -> Loss:
    """A loss of eu-1."""
    moves = sum(max(0, count - before.get(it, 0)) for it, count in after.items())
    reasons = (NO_CLUSTER,) * bool(short)
    dies = before.get("eu-1", 0)
    counts = (FrozenMap(before), FrozenMap(after))
    return Loss(name, *counts, dies, moves, short, reasons, was_short)


def a_drill(*losses: Loss, by: By = By.CLUSTER, domain: str = "eu-1", **names: object) -> Drill:
    """A scenario with its consequences."""
    found = FrozenMap({each.workload: each for each in losses})
    return Drill(Scenario(by, domain, ("eu-1",)), found, **names)  # type: ignore[arg-type]


MOVES = a_loss("api", {"eu-1": 4, "us-1": 1}, {"ap-1": 2, "us-1": 3})
LOST = a_loss("web", {"eu-1": 3}, {}, 3)
WORSE = a_loss("db", {"eu-1": 1, "us-1": 1}, {"us-1": 1}, 4, 3)

VERDICTS = [
    pytest.param(MOVES, "survives", id="all of it"),
    pytest.param(WORSE, "short", id="a part of it"),
    pytest.param(LOST, "lost", id="none of it"),
    pytest.param(a_loss("x", {"eu-1": 0}, {}), "lost", id="nowhere any more"),
    pytest.param(a_loss("x", {"eu-1": 0}, {"us-1": 0}), "survives", id="no replicas of its own"),
]


@pytest.mark.parametrize(("loss", "word"), VERDICTS)
def test_verdict_word(loss: Loss, word: str) -> None:
    assert verdict_word(loss) == word


def test_a_domain_in_words() -> None:
    assert scenario_name(Scenario(By.REGION, "eu", ())) == "region eu"
    assert scenario_name(Scenario(By.PROVIDER, "", ())) == "what says no provider"


def test_every_loss_is_a_row_and_equal_ones_are_one_block() -> None:
    drills = (
        a_drill(MOVES, LOST, WORSE, dark=("a.test",), failing_over=("b.test",)),
        a_drill(MOVES, LOST, WORSE, by=By.REGION, domain="eu", dark=("a.test",)),
        a_drill(MOVES, LOST, WORSE, by=By.PROVIDER, domain="", dark=("a.test",)),
    )
    blocks = survival_blocks(an_outcome(), Survival(drills, (Scenario(By.CLUSTER, "us-9", ()),)))
    assert (
        plain_text(blocks, 100)
        == """\
without cluster eu-1   8 replicas die
  api  dies 4  moves 4                survives  ap-1 - -> 2, us-1 1 -> 3
  db   dies 1           short 3 -> 4  short     no cluster is feasible
  web  dies 3           short 3       lost      no cluster is feasible
  a.test: nobody answers until an update
  b.test: other targets answer by themselves

without region eu or what says no provider   8 replicas die
  api  dies 4  moves 4                survives  ap-1 - -> 2, us-1 1 -> 3
  db   dies 1           short 3 -> 4  short     no cluster is feasible
  web  dies 3           short 3       lost      no cluster is feasible
  a.test: nobody answers until an update

one loss at a time
  0 of 1 cluster survived   not eu-1 (db, web)
                            nothing runs on us-9
  0 of 1 region survived    not eu (db, web)
  0 of 1 provider survived  not what says no provider (db, web)
"""
    )


def test_of_very_many_only_those_that_do_not_survive_are_shown() -> None:
    many = [a_loss(f"w{number:02}", {"eu-1": 1}, {"us-1": 1}) for number in range(31)]
    text = plain_text(survival_blocks(an_outcome(), Survival((a_drill(*many, LOST),))), 100)
    assert "w01" not in text
    assert "  web  dies 3  short 3  lost  no cluster is feasible\n" in text
    assert "  31 more workloads hit, and all of it has a place\n" in text


def test_of_very_many_scenarios_only_the_bad_ones_are_shown() -> None:
    many = [
        a_drill(a_loss("api", {f"c{number}": 1}, {f"d{number}": 1}), domain=f"c{number}")
        for number in range(31)
    ]
    dark = a_drill(MOVES, domain="x", dark=("a.test",))
    blocks = survival_blocks(an_outcome(), Survival((*many, a_drill(LOST), dark)))
    assert [each.title for each in blocks] == [
        "without cluster eu-1",
        "without cluster x",
        "31 more scenarios that everything survives",
        "one loss at a time",
    ]
    assert blocks[-1].rows[0].cells == ("32 of 33 clusters survived",)


def test_few_names_are_listed_and_many_counted() -> None:
    lost = [a_loss(f"w{number}", {"eu-1": 1}, {}, 1) for number in range(7)]
    closing = survival_blocks(an_outcome(), Survival((a_drill(*lost),)))[-1]
    assert closing.rows[0].text == "not eu-1 (w0, w1, w2, w3, w4 and 2 more)"
    closing = survival_blocks(an_outcome(), Survival((a_drill(*lost[:6]),)))[-1]
    assert closing.rows[0].text == "not eu-1 (w0, w1, w2, w3, w4, w5)"


def test_where_nothing_runs_nothing_is_counted() -> None:
    quiet = (Scenario(By.CLUSTER, "eu-1", ()), Scenario(By.REGION, "eu", ()))
    blocks = survival_blocks(an_outcome(), Survival((), quiet))
    assert plain_text(blocks, 100) == (
        "one loss at a time\n    nothing runs on eu-1\n    nothing runs on eu\n"
    )


def test_a_loss_that_kills_one_replica_says_so() -> None:
    one = survival_blocks(an_outcome(), Survival((a_drill(WORSE),)))
    assert one[0].facts == ("1 replica dies",)
    assert one[0].rows[0].mood is Mood.BAD


def test_the_document_has_plain_values() -> None:
    quiet = (Scenario(By.REGION, "us", ("us-1",)),)
    document = survival_document(an_outcome(), Survival((a_drill(LOST, dark=("a",)),), quiet))
    assert document == {
        "digest": "0123456789abcdef",
        "scenarios": [
            {
                "by": "cluster",
                "domain": "eu-1",
                "clusters": ["eu-1"],
                "dies": 3,
                "dark": ["a"],
                "failingOver": [],
                "workloads": {
                    "web": {
                        "before": {"eu-1": 3},
                        "after": {},
                        "dies": 3,
                        "moves": 0,
                        "shortfall": 3,
                        "shortBefore": 0,
                        "verdict": "lost",
                        "reasons": ["no cluster is feasible"],
                    }
                },
            }
        ],
        "quiet": [{"by": "region", "domain": "us", "clusters": ["us-1"]}],
        "demands": {},
    }


def test_demands_hold_unless_a_finding_says_no() -> None:
    finding = Finding(codes.NOT_SURVIVED, FrozenMap({"workload": "web", "by": "region"}))
    assert demands_hold(an_outcome())
    assert not demands_hold(an_outcome(findings=[finding]))


SENTENCES = [
    pytest.param(
        {"domain": "eu", "short": 2, "wanted": 6, "others": 0},
        "the loss of region 'eu' would leave 2 of 6 replicas of 'web' without a place",
        id="one",
    ),
    pytest.param(
        {"domain": "eu", "short": 2, "wanted": 6, "others": 2},
        "the loss of region 'eu' (or of 2 other regions) would leave 2 of 6 replicas of 'web'"
        " without a place",
        id="more",
    ),
    pytest.param(
        {"domain": "eu", "short": 0, "wanted": 0, "others": 1},
        "the loss of region 'eu' (or of 1 other region) would leave nothing of 'web'",
        id="nothing",
    ),
    pytest.param(
        {"domain": "", "short": 1, "wanted": 1, "others": 0},
        "the loss of the clusters that say no provider would leave 1 of 1 replicas of 'web'"
        " without a place",
        id="no provider",
    ),
    pytest.param(
        {"short": 3, "wanted": 3},
        "3 of 3 replicas of 'web' have no place, also without the loss of a region",
        id="today",
    ),
]


@pytest.mark.parametrize(("values", "sentence"), SENTENCES)
def test_a_demand_that_does_not_hold_in_words(values: dict[str, str | int], sentence: str) -> None:
    said = {"workload": "web", "by": "region", **values}
    assert finding_sentence(Finding(codes.NOT_SURVIVED, FrozenMap(said))) == sentence
