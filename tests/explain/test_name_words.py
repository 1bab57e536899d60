"""Public names in words: what a lever does, what a loss takes."""

import pytest

from fleet.explain.names import lever_text, name_blocks
from fleet.model.endpoint import LeverDelivery, LeverKind
from tests.explain.outcomes import an_endpoint, an_outcome

ONE, TWO = ("eu-1",), ("eu-1", "eu-2")
LEVERS = [
    pytest.param(LeverKind.OUT, ONE, "eu-1 is out 30 s after X appears", id="one is out"),
    pytest.param(LeverKind.OUT, TWO, "eu-1, eu-2 are out 30 s after X appears", id="two are out"),
    pytest.param(
        LeverKind.RELEASE, ONE, "eu-1 is held out until 30 s after X appears", id="one is held"
    ),
    pytest.param(
        LeverKind.RELEASE, TWO, "eu-1, eu-2 are held out until 30 s after X appears", id="two are"
    ),
    pytest.param(
        LeverKind.CONTROL, ONE, "eu-1 answers while routing control X is on", id="one answers"
    ),
    pytest.param(
        LeverKind.CONTROL, TWO, "eu-1, eu-2 answer while routing control X is on", id="two answer"
    ),
]


@pytest.mark.parametrize(("kind", "clusters", "told"), LEVERS)
def test_a_lever_in_words(kind: LeverKind, clusters: tuple[str, ...], told: str) -> None:
    assert lever_text(LeverDelivery(kind, "X", clusters, 30)) == f"lever: {told}"


def test_a_loss_is_told_with_what_is_lost_and_who_ends_it() -> None:
    endpoint = an_endpoint({"eu-1": (None, 100), "us-1": (None, 0)})
    (block,) = name_blocks(an_outcome(endpoints=[endpoint]))
    assert (
        "unplanned loss of eu-west-1: detection 90 s + spread 10 s + ttl 60 s = 160 s by itself"
    ) in [each.text for each in block.rows]


def test_a_name_without_an_answer_has_no_loss() -> None:
    (block,) = name_blocks(an_outcome(endpoints=[an_endpoint({})]))
    assert not [each for each in block.rows if "loss" in each.text]
