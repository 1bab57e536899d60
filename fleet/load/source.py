"""Text -> documents: plain data with the place of every field.

Refused with a place: duplicate keys at any depth, keys that are no words, broken YAML, tags other
than YAML's own, maps that contain themselves, aliases that grow without bound, values that are
nested deeper than any real document.
"""

from dataclasses import dataclass, field
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from fleet.errors import ErrorList
from fleet.load.marks import MERGE, Marks, PositionedText, is_merge, merged_nodes
from fleet.load.nodes import LIST, MAP, PLAIN, TextError, each_node
from fleet.load.scalars import Dialect, Scalar, shorten
from fleet.model.source import Origin, Source, Step

_STR = "tag:yaml.org,2002:str"
_TAGGED: dict[str, type | tuple[type, ...]] = {
    "tag:yaml.org,2002:int": int,
    "tag:yaml.org,2002:float": (int, float),
    "tag:yaml.org,2002:bool": bool,
    "tag:yaml.org,2002:null": type(None),
}
_MAPS = frozenset({MAP, "tag:yaml.org,2002:map"})
_LISTS = frozenset({LIST, "tag:yaml.org,2002:seq"})
_KEY_HINT = "a template, such as '{{ .Values.name }}', is rendered first; text goes in quotes"
_DEEPEST = 100
_MOST_REPEATED = 100_000


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a file: `data` as text, numbers, lists and maps; never empty."""

    data: Any
    origin: Origin
    marks: Marks

    def part(self, data: dict[str, Any], *path: Step) -> "Document":
        """A part of the document as a document of its own, such as an item of a list."""
        place = self.origin.at(*path)
        marks = self.marks.below(*path)
        return Document(data, Origin(place.file, place.line, place.column, marks), marks)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text holds. `whole` is False where a part could not be read at all.

    `repeats` is whether aliases stand for values in it.
    """

    documents: tuple[Document, ...]
    whole: bool
    repeats: bool = False


def read_documents(file: str, text: str, dialect: Dialect, errors: ErrorList) -> Reading:
    """The documents of a file's text, empty ones left out; faults go to `errors`."""
    positioned = PositionedText(text, dialect)
    documents: list[Document] = []
    whole = True
    for index, node in enumerate(each_node(text)):
        if isinstance(node, TextError):
            _note(errors, file, node)
            whole = False
            break
        builder = _Builder(dialect)
        data = builder.whole(node)
        positioned.repeats = positioned.repeats or builder.repeated > 0
        for fault in builder.faults:
            _note(errors, file, fault)
        whole = whole and not builder.faults
        if data is not None and not builder.faults:
            start = node.start_mark
            marks = Marks(positioned, index, start.line + 1)
            origin = Origin(file, start.line + 1, start.column + 1, marks)
            documents.append(Document(data, origin, marks))
    return Reading(tuple(documents), whole, positioned.repeats)


def read_again(document: Document, dialect: Dialect, errors: ErrorList) -> Document | None:
    """The same document with the words of another dialect; None where it then has faults."""
    builder = _Builder(dialect)
    marks = document.marks
    positioned = PositionedText(marks.text.text, dialect)
    data = builder.whole(marks.text.nodes[marks.index])
    for fault in builder.faults:
        _note(errors, document.origin.file, fault)
    if builder.faults:
        return None
    start = document.origin
    again = Marks(positioned, marks.index, marks.line)
    return Document(data, Origin(start.file, start.line, start.column, again), again)


def document_of(file: str, marks: Marks) -> Document:
    """The whole document that the marks of a part of it belong to, read from its lines again."""
    tree = marks.tree
    whole = Marks(marks.text, marks.index, marks.line)
    origin = Origin(file, marks.line, tree.node.start_mark.column + 1, whole)
    return Document(_Builder(marks.text.dialect).whole(tree.node), origin, whole)


def _note(errors: ErrorList, file: str, fault: TextError) -> None:
    errors.add(Source(file, fault.line, fault.column), "", fault.sentence, fault.hint)


def _fault_at(node: Node, sentence: str, hint: str = "") -> TextError:
    return TextError(node.start_mark.line + 1, node.start_mark.column + 1, sentence, hint)


@dataclass(slots=True)
class _Builder:
    """Turns one document's nodes into data.

    **Errors**: what can be stepped over is noted in `faults`, what cannot is a TextError.
    """

    dialect: Dialect
    faults: list[TextError] = field(default_factory=list)
    open: set[int] = field(default_factory=set)
    done: set[int] = field(default_factory=set)
    repeated: int = 0
    repeating: int = 0

    def whole(self, node: Node) -> Any:  # noqa: ANN401 - here text becomes data
        """The value of a document; None where it is empty or has a fault."""
        try:
            return self.build(node, 0)
        except TextError as fault:
            self.faults.append(fault)
            return None

    def build(self, node: Node, depth: int) -> Any:  # noqa: ANN401 - here text becomes data
        """The value of a node."""
        if isinstance(node, ScalarNode):
            if self.repeating:
                self._count(node)
            return self._scalar(node)
        identity = id(node)
        if identity in self.open:
            raise _fault_at(node, "the value contains itself through an alias", "write it out")
        if depth == _DEEPEST:
            raise _fault_at(node, f"the values are nested more than {_DEEPEST} deep")
        again = identity in self.done
        self.repeating += again
        if self.repeating:
            self._count(node)
        self.open.add(identity)
        value = self._map(node, depth) if isinstance(node, MappingNode) else self._list(node, depth)
        self.open.remove(identity)
        self.done.add(identity)
        self.repeating -= again
        return value

    def _count(self, node: Node) -> None:
        self.repeated += 1
        if self.repeated > _MOST_REPEATED:
            sentence = f"aliases repeat more than {_MOST_REPEATED} values"
            raise _fault_at(node, sentence, "write the values out, or split the file")

    def _list(self, node: Node, depth: int) -> list[Any]:
        if node.tag not in _LISTS or not isinstance(node, SequenceNode):
            raise _tag_fault(node)
        return [self.build(item, depth + 1) for item in node.value]

    def _map(self, node: MappingNode, depth: int) -> dict[str, Any]:
        if node.tag not in _MAPS:
            raise _tag_fault(node)
        result: dict[str, Any] = {}
        merges = False
        for key, value in node.value:
            if key.value == MERGE and is_merge(key):
                merges = True
                continue
            text = self._key(key)
            if text is None:
                continue
            if text in result:
                self._duplicate(node, key, text)
            elif self.repeating or not isinstance(value, ScalarNode):
                result[text] = self.build(value, depth + 1)
            else:
                result[text] = self._scalar(value)
        if merges:
            self._merge(node, result, depth)
        return result

    def _merge(self, node: MappingNode, result: dict[str, Any], depth: int) -> None:
        """Takes in the maps of `<<`; what the map says itself wins, then the first of them."""
        for merged in merged_nodes(node):
            if not isinstance(merged, MappingNode):
                sentence = "'<<' takes a map or a list of maps"
                raise _fault_at(merged, sentence, "name an anchor of a map: '<<: *name'")
            for key, value in self.build(merged, depth + 1).items():
                result.setdefault(key, value)

    def _duplicate(self, node: MappingNode, key: Node, text: str) -> None:
        first = next(each for each, _ in node.value if self._key(each) == text)
        sentence = f"the key '{shorten(text)}' is already on line {first.start_mark.line + 1}"
        self.faults.append(_fault_at(key, sentence, "keep one of the two"))

    def _key(self, key: Node) -> str | None:
        if not isinstance(key, ScalarNode):
            kind = "a map" if isinstance(key, MappingNode) else "a list"
            sentence = f"{kind} stands where the key of a map is wanted, which is a word"
            self.faults.append(_fault_at(key, sentence, _KEY_HINT))
            return None
        text: str = key.value
        if key.style or key.tag != PLAIN:
            return text
        try:
            return self.dialect.key(text)
        except ValueError as error:
            self.faults.append(_fault_at(key, str(error), "put it in quotes"))
            return None

    def _scalar(self, node: ScalarNode) -> Scalar:
        text: str = node.value
        if node.tag == PLAIN:
            return text if node.style else self._word(node, text)
        return text if node.tag == _STR else self._tagged(node, text)

    def _word(self, node: ScalarNode, text: str) -> Scalar:
        try:
            return self.dialect.value(text)
        except ValueError as error:
            self.faults.append(_fault_at(node, str(error), f'for text write "{shorten(text)}"'))
            return None

    def _tagged(self, node: ScalarNode, text: str) -> Scalar:
        wanted = _TAGGED.get(node.tag)
        if wanted is None:
            raise _tag_fault(node)
        value = self._word(node, text)
        if not isinstance(value, wanted):
            kind = node.tag.rsplit(":", 1)[-1]
            self.faults.append(_fault_at(node, f"'{shorten(text)}' is no {kind}"))
        return value


def _tag_fault(node: Node) -> TextError:
    tag = str(node.tag).replace("tag:yaml.org,2002:", "!!")
    return _fault_at(node, f"the tag '{shorten(tag)}' is not allowed", "remove the tag")
