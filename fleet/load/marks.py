"""Where each field of a document stands: looked up in the text only when somebody asks.

Thousands of documents are read and few are ever asked for a position, so a document keeps its
text and not its node tree; the first question composes the document's own lines again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fleet.load.chunks import Chunks
from fleet.load.nodes import PLAIN, compose
from fleet.load.scalars import Dialect
from fleet.model.source import Path, Step

MERGE = "<<"
Place = tuple[int, int]


class PositionedText:
    """A file's text, and the node trees of its documents when they are asked for.

    `repeats` is whether aliases stand for values in it.
    """

    __slots__ = ("_chunks", "dialect", "repeats", "text")

    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.dialect = dialect
        self.repeats = False
        self._chunks: Chunks | None = None

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The documents' trees."""
        return _trees(self)

    @property
    def chunks(self) -> Chunks:
        """Where its documents begin and end."""
        if self._chunks is None:
            self._chunks = Chunks.of(self.text)
        return self._chunks


@dataclass(frozen=True, slots=True)
class Tree:
    """The tree of a document; its marks count from the line after the first `above` lines."""

    node: Node
    above: int


@lru_cache(maxsize=64)
def _trees(text: PositionedText) -> tuple[Node, ...]:
    """The trees of the texts that were asked last; those of thousands would fill the memory."""
    return compose(text.text).nodes


@lru_cache(maxsize=64)
def _tree(text: PositionedText, index: int, line: int) -> Tree:
    """The tree of a document: only its own lines are read where it is sure which those are."""
    chunk = text.chunks.around(line)
    if chunk is not None:
        composed = compose(chunk.text)
        if composed.fault is None and len(composed.nodes) == 1:
            node = composed.nodes[0]
            if node.start_mark.line + chunk.above + 1 == line:
                return Tree(node, chunk.above)
    return Tree(text.nodes[index], 0)


@dataclass(frozen=True, slots=True, eq=False)
class Marks(Mapping[Path, Place]):
    """The places of one document.

    `index` and `line` say which of the text it is, and where its value begins; `prefix` leads to
    an item of a list of objects.
    """

    text: PositionedText
    index: int
    line: int
    prefix: Path = ()

    def __getitem__(self, path: Path) -> Place:
        place = _kept_place(self.text, self.index, self.line, (*self.prefix, *path))
        if place is None:
            raise KeyError(path)
        return place

    def __iter__(self) -> Iterator[Path]:
        found = self._find(())
        if found is not None:
            yield from _paths(found[1], (), self.text.dialect)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def tree(self) -> Tree:
        """The tree of the whole document."""
        return _tree(self.text, self.index, self.line)

    def below(self, *path: Step) -> "Marks":
        """The places of a part of the document."""
        return Marks(self.text, self.index, self.line, (*self.prefix, *path))

    def spelling(self, path: Path) -> str | None:
        """The scalar as it is written, None where there is none."""
        found = self._find(path)
        return found[1].value if found is not None and isinstance(found[1], ScalarNode) else None

    def _find(self, path: Path) -> tuple[Node, Node] | None:
        """The node that stands for a path, and its value."""
        return _found(self.tree, (*self.prefix, *path), self.text.dialect)


@lru_cache(maxsize=2**16)
def _kept_place(text: PositionedText, index: int, line: int, path: Path) -> Place | None:
    """Kept, because the reasons of a hundred clusters name the same line."""
    tree = _tree(text, index, line)
    found = _found(tree, path, text.dialect)
    if found is None:
        return None
    mark = found[0].start_mark
    return mark.line + tree.above + 1, mark.column + 1


def _found(tree: Tree, path: Path, dialect: Dialect) -> tuple[Node, Node] | None:
    """The node that stands for a path, and its value."""
    here = node = tree.node
    for step in path:
        entry = _entry(node, step, dialect)
        if entry is None:
            return None
        here, node = entry
    return here, node


def _entry(node: Node, step: Step, dialect: Dialect) -> tuple[Node, Node] | None:
    if isinstance(node, SequenceNode):
        if isinstance(step, int) and step < len(node.value):
            return node.value[step], node.value[step]
        return None
    if not isinstance(node, MappingNode):
        return None
    for key, value in node.value:
        if key_text(key, dialect) == step:
            return key, value
    for merged in merged_nodes(node):
        entry = _entry(merged, step, dialect)
        if entry is not None:
            return entry
    return None


def is_plain(word: ScalarNode) -> bool:
    """Whether a word has neither quotes nor a tag: a Dialect says what it means."""
    return not word.style and word.tag == PLAIN


def is_merge(key: Node) -> bool:
    """Whether a key of a map is YAML's merge key, `<<` without quotes."""
    return isinstance(key, ScalarNode) and key.value == MERGE and is_plain(key)


def merged_nodes(node: MappingNode) -> Iterator[Node]:
    """The maps that a map takes in with `<<`, the first wins."""
    for key, value in node.value:
        if is_merge(key):
            yield from value.value if isinstance(value, SequenceNode) else (value,)


def key_text(key: Node, dialect: Dialect) -> str | None:
    """A key of a map as text; None where it is no word or a word without meaning."""
    if not isinstance(key, ScalarNode):
        return None
    text: str = key.value
    if not is_plain(key):
        return text
    try:
        return dialect.key(text)
    except ValueError:
        return None


def _paths(node: Node, path: Path, dialect: Dialect) -> Iterator[Path]:
    children: list[tuple[Step | None, Node]] = []
    if isinstance(node, MappingNode):
        children = [(key_text(key, dialect), value) for key, value in node.value]
    elif isinstance(node, SequenceNode):
        children = list(enumerate(node.value))
    for step, value in children:
        if step is not None:
            yield (*path, step)
            yield from _paths(value, (*path, step), dialect)
