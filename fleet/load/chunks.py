"""Which lines of a text belong to which of its documents, without reading the YAML in them."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

_MARKER = re.compile(r"^(?:---|\.\.\.)(?=[ \t\n]|\Z)", re.MULTILINE)
_OTHER_BREAKS = re.compile("[\r\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Chunk:
    """The lines from one marker of documents to the next; `above` lines stand before them."""

    text: str
    above: int


@dataclass(frozen=True, slots=True)
class Chunks:
    """Where the markers of a text stand.

    **Shape**: `offsets` in characters and `above` in lines, of the beginning and of every marker.
    `sure` is False where something else than a line feed ends a line.
    """

    text: str
    offsets: tuple[int, ...]
    above: tuple[int, ...]
    sure: bool

    @classmethod
    def of(cls, text: str) -> "Chunks":
        r"""The chunks of a text.

        >>> Chunks.of("a: 1\n---\nb: 2\n").around(3)
        Chunk(text='---\nb: 2\n', above=1)
        """
        offsets = [0, *(match.start() for match in _MARKER.finditer(text))]
        above = [0]
        for start, end in pairwise(offsets):
            above.append(above[-1] + text.count("\n", start, end))
        return cls(text, tuple(offsets), tuple(above), _OTHER_BREAKS.search(text) is None)

    def around(self, line: int) -> Chunk | None:
        """The chunk that a line is in, counted from 1; None where that is not sure."""
        if not self.sure:
            return None
        place = bisect_right(self.above, line - 1) - 1
        end = self.offsets[place + 1] if place + 1 < len(self.offsets) else None
        return Chunk(self.text[self.offsets[place] : end], self.above[place])
