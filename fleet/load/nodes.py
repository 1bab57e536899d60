"""YAML text -> the node trees of its documents, by libyaml's C parser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml
from yaml._yaml import CParser
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fleet.load.scalars import shorten

PLAIN = "plain"
MAP = "map"
LIST = "list"
_TAGS = {ScalarNode: PLAIN, MappingNode: MAP, SequenceNode: LIST}
_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class TextError(Exception):
    """The text is no YAML. Line and column count from 1."""

    def __init__(self, line: int, column: int, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.line = line
        self.column = column
        self.sentence = sentence
        self.hint = hint


class _Parser(CParser):
    """The C parser's composer without tag resolution: an untagged node carries its kind."""

    def resolve(self, kind: type[Node], _value: str, _implicit: object) -> str:
        """The mark of a node without a tag; what a word means is decided by a Dialect."""
        return _TAGS[kind]

    def descend_resolver(self, _node: Node | None, _index: Node | int | None) -> None:
        """Nothing: tags do not depend on paths."""

    def ascend_resolver(self) -> None:
        """Nothing: tags do not depend on paths."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The documents of a text up to its first fault, if it has one."""

    nodes: tuple[Node, ...]
    fault: TextError | None = None


def compose(text: str) -> Composed:
    """The node trees of all documents of a text."""
    nodes: list[Node] = []
    for each in each_node(text):
        if isinstance(each, TextError):
            return Composed(tuple(nodes), each)
        nodes.append(each)
    return Composed(tuple(nodes))


def each_node(text: str) -> Iterator[Node | TextError]:
    """The node trees of a text's documents, one at a time, and at the end its fault."""
    unprintable = _UNPRINTABLE.search(text)
    if unprintable is not None:
        yield _unprintable(text, unprintable.start())
        return
    try:
        parser = _Parser(text)
        while parser.check_node():
            node = parser.get_node()
            if node is not None:
                yield node
    except yaml.MarkedYAMLError as error:
        yield _fault(error, text)


def place_of(text: str, offset: int) -> tuple[int, int]:
    r"""Line and column of a character.

    >>> place_of("a\nbc", 3)
    (2, 2)
    """
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _unprintable(text: str, offset: int) -> TextError:
    sentence = f"the character U+{ord(text[offset]):04X} is not allowed in YAML"
    return TextError(*place_of(text, offset), sentence, "remove it")


def _fault(error: yaml.MarkedYAMLError, text: str) -> TextError:
    mark = error.problem_mark or error.context_mark
    if mark is None:  # pragma: no cover - libyaml marks every fault that it reports
        return TextError(1, 1, "the text is no YAML")
    line, column = mark.line + 1, mark.column + 1
    lines = text.splitlines()
    written = lines[line - 1] if line <= len(lines) else ""
    if "\t" in written[:column]:
        return TextError(line, written.index("\t") + 1, "a tab indents, YAML wants spaces")
    sentence, hint = _worded(error.problem or "", written)
    return TextError(line, column, sentence, hint)


_WORDED = (
    ("mapping values are not allowed", "a second ': ' on one line", "put the value in quotes"),
    (
        "could not find expected ':'",
        "a line without 'key: value'",
        "check the ':' and the indentation here and on the line before",
    ),
    ("did not find expected key", "a key is expected", "check the indentation and the quotes"),
    (
        "did not find expected '-' indicator",
        "a list item '- ' is expected",
        "check the indentation",
    ),
    ("did not find expected ',' or ']'", "',' or ']' is missing", "close the list"),
    ("did not find expected ',' or '}'", "',' or '}' is missing", "close the map"),
    ("found unexpected end of stream", "the file ends inside a quoted text", "close the quotes"),
    ("found character that cannot start any token", "a word cannot begin so", "put it in quotes"),
    ("found undefined alias", "the alias has no anchor before it", "write '&name' first"),
    ("exceeded maximum nesting depth", "the values are nested too deep", ""),
    ("found undefined tag handle", "the tag is not known", "remove it"),
    ("did not find expected node content", "a value is expected", "close the brackets"),
    ("did not find expected <document start>", "a new document is not set off", "write '---'"),
    ("found unknown escape character", "an unknown escape in double quotes", "use single quotes"),
)


def _worded(problem: str, written: str) -> tuple[str, str]:
    """A parser's complaint in words for a person, with the cure."""
    for known, sentence, hint in _WORDED:
        if known in problem:
            return f"the YAML is broken: {sentence}", hint
    near = f" near '{shorten(written.strip())}'" if written.strip() else ""
    return f"the YAML is broken: {problem}{near}", ""
