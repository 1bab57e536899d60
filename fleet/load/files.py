"""Paths -> the YAML files under them, in a fixed order, and their text."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fleet.errors import ErrorList
from fleet.load.cache import Cache
from fleet.load.nodes import place_of
from fleet.model.source import Source

_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class File:
    """A file: `shown` as the user wrote its path, `path` where it is."""

    shown: str
    path: Path

    @property
    def start(self) -> Source:
        """The place for a fault of the file as a whole."""
        return Source(self.shown, 1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Raw:
    """The bytes of a file, and its path as the user wrote it."""

    shown: str
    content: bytes

    def text(self, errors: ErrorList) -> str | None:
        """The bytes as text; None, with a fault, where they are no UTF-8."""
        content = self.content
        try:
            return content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            before = content[: error.start].decode("utf-8", errors="replace")
            place = Source(self.shown, *place_of(before, len(before)))
            sentence = f"the byte 0x{content[error.start]:02X} is no UTF-8"
            errors.add(place, "", sentence, "save the file as UTF-8")
            return None


@dataclass(slots=True)
class Files:
    """Finds and reads files; every file is read at most once.

    `whole` turns False when a path or a folder could not be read, so that nobody knows what is in
    it.
    """

    root: Path
    errors: ErrorList
    cache: Cache = field(default_factory=Cache)
    whole: bool = True
    read: set[str] = field(default_factory=set)

    def entry(self, written: str, key: str) -> File | None:
        """The file or folder that a config key names; a missing one is an error."""
        file = File(str(Path(written)), self.root / written)
        if written and _is_there(file.path):
            return file
        self.whole = False
        name = f"'{written}'" if written else "an empty path"
        self._fault(
            None,
            f"config fleet:{key}",
            f"{name} does not exist",
            f"name a folder or file: pulumi config set fleet:{key} PATH, or fleet … --{key} PATH",
        )
        return None

    def below(self, file: File) -> Iterator[File]:
        """The YAML files of a folder and its sub-folders in the order of names, or the file."""
        if is_folder(file):
            yield from self._walk(file, frozenset())
        elif self._is_new(file):
            yield file

    def children(self, folder: File) -> list[File]:
        """What a folder holds, hidden things left out, in the order of names."""
        try:
            names = sorted(child.name for child in folder.path.iterdir())
        except OSError as error:
            self.whole = False
            self._fault(folder.start, "", f"cannot be read: {_reason(error)}", "")
            return []
        return [
            File(f"{folder.shown}/{name}" if folder.shown != "." else name, folder.path / name)
            for name in names
            if not name.startswith(".")
        ]

    def text(self, file: File) -> str | None:
        """A file's text; None, with a fault, where it is not readable as UTF-8."""
        raw = self.raw(file)
        return raw.text(self.errors) if raw is not None else None

    def raw(self, file: File) -> Raw | None:
        """A file's bytes; None, with a fault, where it is not readable."""
        try:
            if not stat.S_ISREG(file.path.stat().st_mode):
                self._fault(file.start, "", "is no regular file", "")
                return None
            return Raw(file.shown, file.path.read_bytes())
        except OSError as error:
            self._fault(file.start, "", f"cannot be read: {_reason(error)}", "")
            return None

    def _walk(self, folder: File, above: frozenset[str]) -> Iterator[File]:
        real = os.path.realpath(folder.path)
        if real in above:
            return
        for child in self.children(folder):
            if is_folder(child):
                yield from self._walk(child, above | {real})
            elif is_yaml(child) and self._is_new(child):
                yield child

    def _is_new(self, file: File) -> bool:
        """Whether the file was not read yet under another spelling of its path."""
        path = os.path.normpath(file.path)
        if path in self.read:
            return False
        self.read.add(path)
        return True

    def _fault(self, source: Source | None, path: str, sentence: str, hint: str) -> None:
        self.errors.add(source, path, sentence, hint)


def is_folder(file: File) -> bool:
    """Whether the path is a folder that can be asked."""
    try:
        return file.path.is_dir()
    except OSError:
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def is_yaml(file: File) -> bool:
    """Whether a file's name ends as YAML files do, in small or capital letters."""
    return file.path.name.lower().endswith(_ENDINGS)


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()
