"""Where a native field of a converted value stands in the foreign document."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fleet.load.marks import Place
from fleet.load.source import Document
from fleet.model.source import Origin, Path

Links = Mapping[Path, Path]


@dataclass(frozen=True, slots=True, eq=False)
class Places(Mapping[Path, Place]):
    """The places of a document under other paths.

    **Shape**: `links` maps a native path to the foreign one. A native path that is in no link
    goes on below its longest beginning that is: with `("spec", "taints")` linked, the third taint
    is the third item there. What has no link at all is nowhere, and Origin takes the document.
    """

    marks: Mapping[Path, Place]
    links: Links

    def __getitem__(self, path: Path) -> Place:
        for length in range(len(path), 0, -1):
            link = self.links.get(path[:length])
            if link is not None:
                return self._nearest(link, path[length:])
        raise KeyError(path)

    def __iter__(self) -> Iterator[Path]:
        return iter(self.links)

    def __len__(self) -> int:
        return len(self.links)

    def _nearest(self, link: Path, rest: Path) -> Place:
        """The place of what goes on below a link, or of the nearest field around it."""
        for path in (link + rest, *(link[:length] for length in range(len(link), 0, -1))):
            place = self.marks.get(path)
            if place is not None:
                return place
        raise KeyError(link)


def origin_of(
    document: Document,
    links: Links,
    names: Links | None = None,
    words: Mapping[str, str] | None = None,
) -> Origin:
    """The origin of a native value that was made of a foreign document.

    Native names and labels stand where the foreign ones do. `names` are the fields that mean the
    same in both, also where the document does not say them; `words` what it says for fleet's.
    """
    start = document.origin
    said = {("metadata",): ("metadata",), **links}
    places = Places(document.marks, said)
    return Origin(start.file, start.line, start.column, places, names or {}, words or {})
