"""Paths -> the YAML files under them, in a fixed order, and their text."""

import os
import stat
from codecs import BOM_UTF8
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
    """A file or folder: `shown` as the user wrote its path, `where` it is.

    `folder` and `linked` say what the folder that lists it knows of it; None: nobody asked.
    """

    shown: str
    where: str | Path
    folder: bool | None = field(default=None, compare=False)
    linked: bool = field(default=True, compare=False)

    @property
    def path(self) -> Path:
        """Where it is."""
        return Path(self.where)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return str(self.where).rpartition(os.sep)[2]

    @property
    def stem(self) -> str:
        """Its name without the ending, as a Path has it.

        >>> [File("", word).stem for word in ("a/b.c.yaml", ".yaml", "a.", "b")]
        ['b.c', '.yaml', 'a.', 'b']
        """
        name = self.name
        dot = name.rfind(".")
        return name[:dot] if 0 < dot < len(name) - 1 else name

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
            return content.removeprefix(BOM_UTF8).decode().replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            content = content.removeprefix(BOM_UTF8)
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
            yield from self._walk(file, (), linked=False)
        elif self._is_new(file):
            yield file

    def children(self, folder: File) -> list[File]:
        """What a folder holds, hidden things left out, in the order of names."""
        try:
            with os.scandir(folder.where) as listed:
                found = sorted((each for each in listed if each.name[0] != "."), key=_name)
        except OSError as error:
            self.whole = False
            self._fault(folder.start, "", f"cannot be read: {_reason(error)}", "")
            return []
        shown = f"{folder.shown}/" if folder.shown != "." else ""
        return [
            File(f"{shown}{each.name}", each.path, _leads_to_folder(each), each.is_symlink())
            for each in found
        ]

    def text(self, file: File) -> str | None:
        """A file's text; None, with a fault, where it is not readable as UTF-8."""
        raw = self.raw(file)
        return raw.text(self.errors) if raw is not None else None

    def raw(self, file: File) -> Raw | None:
        """A file's bytes; None, with a fault, where it is not readable."""
        try:
            content = _content(file.where)
        except OSError as error:
            self._fault(file.start, "", f"cannot be read: {_reason(error)}", "")
            return None
        if content is None:
            self._fault(file.start, "", "is no regular file", "")
            return None
        return Raw(file.shown, content)

    def _walk(self, folder: File, above: tuple[File, ...], *, linked: bool) -> Iterator[File]:
        """The YAML files below a folder; only where a link was followed can there be a circle."""
        if linked:
            real = os.path.realpath(folder.where)
            if any(os.path.realpath(each.where) == real for each in above):
                return
        for child in self.children(folder):
            if is_folder(child):
                yield from self._walk(child, (*above, folder), linked=linked or child.linked)
            elif is_yaml(child) and self._is_new(child):
                yield child

    def _is_new(self, file: File) -> bool:
        """Whether the file was not read yet under another spelling of its path."""
        path = os.path.normpath(file.where)
        if path in self.read:
            return False
        self.read.add(path)
        return True

    def _fault(self, source: Source | None, path: str, sentence: str, hint: str) -> None:
        self.errors.add(source, path, sentence, hint)


def is_folder(file: File) -> bool:
    """Whether the path is a folder that can be asked."""
    return os.path.isdir(file.where) if file.folder is None else file.folder  # noqa: PTH112 - ten thousand times


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _content(path: str | Path) -> bytes | None:
    """The bytes of a file; None where it is no regular one. Raises OSError."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        if os.path.exists(path) and not os.path.isfile(path):  # noqa: PTH110, PTH113 - as above
            return None
        raise
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return None
        content = os.read(handle, found.st_size + 1)
        if len(content) == found.st_size:
            return content
        with open(handle, "rb", closefd=False) as file:  # it grew, or is large
            return content + file.read()
    finally:
        os.close(handle)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def is_yaml(file: File) -> bool:
    """Whether a file's name ends as YAML files do, in small or capital letters."""
    return file.shown.lower().endswith(_ENDINGS)


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()
