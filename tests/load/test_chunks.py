"""A place that is found in a document's own lines is the place that the whole text says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.errors import ErrorList
from fleet.load.chunks import Chunk, Chunks
from fleet.load.marks import Marks
from fleet.load.scalars import KUBERNETES
from fleet.load.source import document_of, read_documents

LINES = st.sampled_from(
    [
        "---",
        "--- # a",
        "--- {a: 1}",
        "---- a",
        "...",
        "%TAG ! tag:yaml.org,2002:",
        "# c",
        "",
        "a: 1",
        "b: |",
        "c: &c {d: 1}",
        "<<: {e: 2}",
        "  x: 2",
        " ---",
        "- y",
        "f: 'g",
        "h'",
        "!str i: j",
        "k: \u2028",
        "l: \x85",
        "m\rn",
        "\ufeff",
    ]
)


@given(st.lists(LINES, max_size=12).map("\n".join))
def test_places_are_those_of_the_whole_text(text: str) -> None:
    for document in read_documents("a.yaml", text, KUBERNETES, ErrorList()).documents:
        marks = document.marks
        unsure = Chunks(text, (), (), sure=False)
        whole = Marks(type(marks.text)(text, KUBERNETES), marks.index, marks.line)
        whole.text._chunks = unsure  # noqa: SLF001 - so that every question reads the whole text
        assert dict(marks) == dict(whole)
        assert [marks.spelling(path) for path in marks] == [whole.spelling(path) for path in whole]
        assert marks.tree.node.start_mark.column + 1 == document.origin.column
        again = document_of("a.yaml", marks)
        assert (again.data, again.origin) == (document.data, document.origin)


CHUNKS = [
    ("a: 1\n", 1, Chunk("a: 1\n", 0)),
    ("", 1, Chunk("", 0)),
    ("---\na: 1\n--- # x\nb: 2", 2, Chunk("---\na: 1\n", 0)),
    ("---\na: 1\n--- # x\nb: 2", 4, Chunk("--- # x\nb: 2", 2)),
    ("a: 1\n...\nb: 2\n", 3, Chunk("...\nb: 2\n", 1)),
    ("a: |\n ---\n----\n", 3, Chunk("a: |\n ---\n----\n", 0)),
    ("a\n---", 2, Chunk("---", 1)),
    ("a: 1\r---\nb: 2\n", 2, None),
    ("a: \u2028\n", 1, None),
]


@pytest.mark.parametrize(("text", "line", "expected"), CHUNKS)
def test_chunk_goes_from_marker_to_marker(text: str, line: int, expected: Chunk | None) -> None:
    assert Chunks.of(text).around(line) == expected
