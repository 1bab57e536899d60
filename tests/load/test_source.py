"""YAML texts and the documents in them, or the one sentence that says why not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.errors import ErrorList
from fleet.load.scalars import FLEET, KUBERNETES, Dialect
from fleet.load.source import read_documents


def read(text: str, dialect: Dialect = FLEET) -> list[Any]:
    errors = ErrorList()
    reading = read_documents("a.yaml", text, dialect, errors)
    assert [str(error) for error in errors.errors] == []
    assert reading.whole
    return [document.data for document in reading.documents]


def faults(text: str, dialect: Dialect = FLEET) -> list[str]:
    errors = ErrorList()
    reading = read_documents("a.yaml", text, dialect, errors)
    assert not reading.whole
    return [str(error) for error in errors.errors]


WORDS = [
    ("no", "no", False),
    ("NO", "NO", False),
    ("yes", "yes", True),
    ("y", "y", True),
    ("on", "on", True),
    ("off", "off", False),
    ("true", True, True),
    ("True", True, True),
    ("false", False, False),
    ("null", None, None),
    ("~", None, None),
    ("", None, None),
    ("012", "012", 10),
    ("0o17", "0o17", 15),
    ("08", "08", 8),
    ("0x10", "0x10", 16),
    ("0b11", "0b11", 3),
    ("1_000", "1_000", 1000),
    ("12", 12, 12),
    ("-5", -5, -5),
    ("+5", 5, 5),
    ("0", 0, 0),
    ("1.10", 1.1, 1.1),
    ("1.0", 1.0, 1),
    ("1e3", 1000.0, 1000),
    (".5", 0.5, 0.5),
    ("1.2.3", "1.2.3", "1.2.3"),
    ("12:30:45", "12:30:45", "12:30:45"),
    ("2024-01-01", "2024-01-01", "2024-01-01"),
    ("2024-01-01T10:00:00Z", "2024-01-01T10:00:00Z", "2024-01-01T10:00:00Z"),
    ("4Gi", "4Gi", "4Gi"),
    ("-", "-", "-"),
    ("'12'", "12", "12"),
    ('"no"', "no", "no"),
    ("!!str 012", "012", "012"),
    ("!!int 12", 12, 12),
    ("18446744073709551616", 18446744073709551616, 18446744073709551616),
]


@pytest.mark.parametrize(("text", "native", "kubernetes"), WORDS)
def test_word_means_what_each_dialect_says(text: str, native: object, kubernetes: object) -> None:
    for dialect, expected in ((FLEET, native), (KUBERNETES, kubernetes)):
        value = read(f"a: {text}\n", dialect)[0]["a"] if text != "-" else dialect.value(text)
        assert value == expected
        assert type(value) is type(expected)


KEYS = [
    ("on", "on", "true"),
    ("no", "no", "false"),
    ("012", "012", "10"),
    ("1.0", "1.0", "1"),
    ("1", "1", "1"),
    ('"on"', "on", "on"),
]


@pytest.mark.parametrize(("key", "native", "kubernetes"), KEYS)
def test_key_is_text_as_each_dialect_says(key: str, native: str, kubernetes: str) -> None:
    assert read(f"{key}: x\n") == [{native: "x"}]
    assert read(f"{key}: x\n", KUBERNETES) == [{kubernetes: "x"}]


BROKEN = [
    pytest.param(
        "a: 1\nb: 2\na: 3\n",
        ["a.yaml:3:1: the key 'a' is already on line 1 - keep one of the two"],
        id="a key twice",
    ),
    pytest.param(
        "a:\n  - b: {c: 1, d: 2,\n      c: 3}\n",
        ["a.yaml:3:7: the key 'c' is already on line 2 - keep one of the two"],
        id="a key twice in a nested map",
    ),
    pytest.param(
        'a: 1\n"a": 3\n',
        ["a.yaml:2:1: the key 'a' is already on line 1 - keep one of the two"],
        id="a key twice, once in quotes",
    ),
    pytest.param(
        "a:\n\tb: 1\n",
        ["a.yaml:2:1: a tab indents, YAML wants spaces"],
        id="a tab",
    ),
    pytest.param(
        "a: [1, 2\nb: 3\n",
        ["a.yaml:2:2: the YAML is broken: ',' or ']' is missing - close the list"],
        id="an open list",
    ),
    pytest.param(
        "a: b: c\n",
        [
            "a.yaml:1:5: the YAML is broken: a second ': ' on one line - put the value in quotes",
        ],
        id="two colons",
    ),
    pytest.param(
        'a: "x\nb: 1\n',
        [
            "a.yaml:3:1: the YAML is broken: the file ends inside a quoted text - close the quotes",
        ],
        id="open quotes",
    ),
    pytest.param(
        "a: *x\n",
        ["a.yaml:1:4: the YAML is broken: the alias has no anchor before it - write '&name' first"],
        id="an alias of nothing",
    ),
    pytest.param(
        "a: &x [*x]\n",
        ["a.yaml:1:4: the value contains itself through an alias - write it out"],
        id="a list in itself",
    ),
    pytest.param(
        "a: &x {b: {c: *x}}\n",
        ["a.yaml:1:4: the value contains itself through an alias - write it out"],
        id="a map in itself",
    ),
    pytest.param(
        "a: !secret x\n",
        ["a.yaml:1:4: the tag '!secret' is not allowed - remove the tag"],
        id="a tag",
    ),
    pytest.param(
        "a: !!python/object:os.system x\n",
        ["a.yaml:1:4: the tag '!!python/object:os.system' is not allowed - remove the tag"],
        id="a Python tag",
    ),
    pytest.param("a: !!int x\n", ["a.yaml:1:4: 'x' is no int"], id="a word that is not its tag"),
    pytest.param(
        "a: 1\n? [b]\n: 2\n",
        [
            (
                "a.yaml:2:3: a list stands where the key of a map is wanted, which is a word - a"
                " template, such as '{{ .Values.name }}', is rendered first; text goes in quotes"
            )
        ],
        id="a list as a key",
    ),
    pytest.param(
        "<<: 3\n",
        ["a.yaml:1:5: '<<' takes a map or a list of maps - name an anchor of a map: '<<: *name'"],
        id="a merge of a number",
    ),
    pytest.param(
        "a: 1e999\n",
        ['a.yaml:1:4: the number 1e999 is too large - for text write "1e999"'],
        id="an infinite number",
    ),
    pytest.param(
        "a: x\x00y\n",
        ["a.yaml:1:5: the character U+0000 is not allowed in YAML - remove it"],
        id="a zero byte",
    ),
    pytest.param(
        "a: " + "[" * 101 + "]" * 101 + "\n",
        ["a.yaml:1:103: the values are nested more than 100 deep"],
        id="nested deep",
    ),
    pytest.param(
        "- " * 5000 + "\n",
        ["a.yaml:1:1999: the YAML is broken: the values are nested too deep"],
        id="nested so deep that the parser gives up",
    ),
    pytest.param(
        "a: b\n c: d\n---\n",
        ["a.yaml:2:3: the YAML is broken: a second ': ' on one line - put the value in quotes"],
        id="indented wrongly",
    ),
]


@pytest.mark.parametrize(("text", "expected"), BROKEN)
def test_broken_text_is_refused_with_its_place(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


KUBERNETES_BROKEN = [
    ("a: .inf\n", "a.yaml:1:4: '.inf' is no number that an API server takes"),
    ("a: .nan\n", "a.yaml:1:4: '.nan' is no number that an API server takes"),
    ("on: 1\ntrue: 2\n", "a.yaml:2:1: the key 'true' is already on line 1"),
    ("~: 1\n", "a.yaml:1:1: a key of a map is empty or null - put it in quotes"),
    ("1: a\n'1': b\n", "a.yaml:2:1: the key '1' is already on line 1"),
]


@pytest.mark.parametrize(("text", "expected"), KUBERNETES_BROKEN)
def test_kubernetes_text_is_refused_with_its_place(text: str, expected: str) -> None:
    assert [fault[: len(expected)] for fault in faults(text, KUBERNETES)] == [expected]


def test_documents_are_apart_and_empty_ones_are_skipped() -> None:
    text = "# only a comment\n---\na: 1\n---\n---\n# nothing\n---\nb: 2\n...\n"
    errors = ErrorList()
    documents = read_documents("a.yaml", text, FLEET, errors).documents
    assert [document.data for document in documents] == [{"a": 1}, {"b": 2}]
    assert [str(document.origin.start) for document in documents] == ["a.yaml:3:1", "a.yaml:8:1"]
    assert str(documents[1].origin.at("b")) == "a.yaml:8:1"


def test_documents_before_a_fault_are_read() -> None:
    errors = ErrorList()
    reading = read_documents("a.yaml", "a: 1\n---\nb: [\n", FLEET, errors)
    assert [document.data for document in reading.documents] == [{"a": 1}]
    assert not reading.whole
    assert [str(error)[:11] for error in errors.errors] == ["a.yaml:4:1:"]


def test_every_fault_of_a_text_is_said() -> None:
    assert len(faults("a: 1\na: 2\nb: {c: 1, c: 2}\n---\nd: 1\nd: 2\n")) == 3


def test_anchors_and_merges_are_taken_in() -> None:
    text = "base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\nuse: {<<: [*b, *o], x: 9}\nlist: [*b]\n"
    data = read(text)[0]
    assert data["use"] == {"x": 9, "y": 2, "z": 4}
    assert data["list"] == [{"x": 1, "y": 2}]


def test_quoted_merge_key_is_a_key() -> None:
    assert read('"<<": 1\n') == [{"<<": 1}]


def test_place_of_a_merged_field_is_where_it_was_written() -> None:
    text = "base: &b\n  x: 1\nuse:\n  <<: *b\n  y: 2\n"
    errors = ErrorList()
    origin = read_documents("a.yaml", text, FLEET, errors).documents[0].origin
    assert str(origin.at("use", "x")) == "a.yaml:2:3"
    assert str(origin.at("use", "y")) == "a.yaml:5:3"
    assert str(origin.at("use", "nothing", "below")) == "a.yaml:3:1"
    assert str(origin.at("gone")) == "a.yaml:1:1"


def test_place_of_a_list_item_is_the_item() -> None:
    errors = ErrorList()
    origin = read_documents("a.yaml", "a:\n  - x\n  - b: 1\n", FLEET, errors).documents[0].origin
    assert str(origin.at("a", 1)) == "a.yaml:3:5"
    assert str(origin.at("a", 1, "b")) == "a.yaml:3:5"
    assert set(origin.marks) == {("a",), ("a", 0), ("a", 1), ("a", 1, "b")}
    assert len(origin.marks) == 4


def test_bomb_of_aliases_is_refused_soon() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for n in range(1, 12):
        aliases = ", ".join([f"*a{n - 1}"] * 10)
        lines.append(f"a{n}: &a{n} [{aliases}]")
    said = faults("\n".join(lines) + "\n")
    assert len(said) == 1
    assert "aliases repeat more than 100000 values" in said[0]


def test_column_counts_characters_not_bytes() -> None:
    assert faults("ä: {ö: 1, ö: 2}\n") == [
        "a.yaml:1:11: the key 'ö' is already on line 1 - keep one of the two"
    ]


SIGNS = st.sampled_from(list("abc: -[]{}&*!|>'\"%@`#,?\n\t\\~<0.1é\u2028\ufeff\x00\ud800"))


@given(st.lists(SIGNS, max_size=60).map("".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    for dialect in (FLEET, KUBERNETES):
        errors = ErrorList()
        reading = read_documents("a.yaml", text, dialect, errors)
        assert reading.whole == (not errors.errors)
        for document in reading.documents:
            for path in document.marks:
                assert document.origin.at(*path).line >= 1
