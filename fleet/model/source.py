"""Where a value was written: file, line, column."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Step = str | int
Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        """`file:line:col`, as editors and compilers understand it."""
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Origin:
    """The places of one document: where it starts and where each of its fields stands.

    **Shape**: `marks` maps a path (`("spec", "taints", 0)`) to (line, column) of the key for a
    mapping entry, of the item for a sequence entry. `names` maps a path of fleet to what it is
    called in the document of another product, with the same fields below; empty for fleet's own.
    `words` likewise, of words that fields may say.
    """

    file: str
    line: int = 1
    column: int = 1
    marks: Mapping[Path, tuple[int, int]] = field(default_factory=dict, repr=False, compare=False)
    names: Mapping[Path, Path] = field(default_factory=dict, repr=False, compare=False)
    words: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    @property
    def start(self) -> Source:
        """Where the document begins."""
        return Source(self.file, self.line, self.column)

    def at(self, *path: Step) -> Source:
        """The place of a field, or of its nearest enclosing field that has one."""
        for length in range(len(path), 0, -1):
            mark = self.marks.get(path[:length])
            if mark is not None:
                return Source(self.file, *mark)
        return self.start

    def spelled(self, *path: Step) -> str:
        """How the document spells a field; fleet's word where another product has none.

        >>> Origin("a.yaml", names={("spec", "pick"): ("spec", "number")}).spelled("spec", "pick")
        'spec.number'
        """
        for length in range(len(path), 0, -1):
            name = self.names.get(path[:length])
            if name is not None:
                return dotted(name + path[length:])
        return f"fleet's {dotted(path)}" if self.names else dotted(path)

    def word(self, native: str) -> str:
        """What a document of another product says instead of a word of fleet's.

        >>> Origin("a.yaml", words={"NoExecute": "NoSelect"}).word("NoExecute")
        'NoSelect'
        """
        return self.words.get(native, native)


def dotted(path: Path) -> str:
    """A path as people write it.

    >>> dotted(("spec", "taints", 0, "key"))
    'spec.taints[0].key'
    """
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}" if text else step
    return text
