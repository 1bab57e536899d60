"""Blocks fit their width, and lose nothing on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.explain.layout import Block, Row, plain_text

WORD = st.text(st.sampled_from("abcdefgh-/.:"), min_size=1, max_size=16)
TEXT = st.lists(WORD, max_size=14).map(" ".join)
SOURCE = st.one_of(st.just(""), WORD.map(lambda word: f"policies/{word}.yaml:1:1"))
ROW = st.builds(Row, st.tuples(WORD, WORD, WORD), TEXT, SOURCE)
BLOCK = st.builds(Block, WORD, st.lists(TEXT, max_size=3).map(tuple), SOURCE, st.tuples(ROW, ROW))


@given(st.lists(BLOCK, max_size=3), st.integers(60, 140))
def test_no_line_is_wider_than_asked(blocks: list[Block], width: int) -> None:
    lines = plain_text(blocks, width).splitlines()
    assert [line for line in lines if len(line) > width] == []
    assert [line for line in lines if line != line.rstrip()] == []


@given(st.lists(BLOCK, min_size=1, max_size=3), st.integers(60, 140))
def test_every_word_is_there_in_its_order(blocks: list[Block], width: int) -> None:
    wanted: list[str] = []
    for block in blocks:
        wanted += [block.title, *" ".join(block.facts).split(), *block.source.split()]
        for row in block.rows:
            wanted += [*row.cells, *row.text.split(), *row.source.split()]
    assert plain_text(blocks, width).split() == wanted


LONG = "a-cluster-name-" * 10


@pytest.mark.parametrize("text", [LONG, f"short {LONG}"])
def test_a_name_that_is_wider_than_the_page_stays_whole(text: str) -> None:
    shown = plain_text([Block("web", rows=(Row((LONG, "4"), text, f"{LONG}.yaml:1:1"),))], 80)
    assert f"{LONG}.yaml:1:1" in shown
    assert shown.count(LONG) == 3


def test_a_place_stands_beside_its_text_where_there_is_room() -> None:
    row = Row(("eu-1", "4"), "affinity 60 = 60", "policies/web.yaml:1:1")
    wide, narrow = (plain_text([Block("web", rows=(row,))], width) for width in (80, 40))
    assert wide == "web\n  eu-1  4  affinity 60 = 60   policies/web.yaml:1:1\n"
    assert narrow == "web\n  eu-1  4  affinity 60 = 60\n           policies/web.yaml:1:1\n"


def test_columns_without_anything_in_them_take_no_room() -> None:
    rows = (Row(("eu-1", "", "4"), "here"), Row(("us-1", "", "-"), "not here"))
    assert plain_text([Block("web", rows=rows)], 80) == (
        "web\n  eu-1  4  here\n  us-1  -  not here\n"
    )


def test_nothing_is_no_line() -> None:
    assert plain_text([], 80) == ""
