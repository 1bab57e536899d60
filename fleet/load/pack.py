"""A file of entries on disk that is believed only where it is whole and nobody else's.

**Shape**: a magic line, the SHA-256 of the rest, the length of the index, the index as JSON
(`{key: [facts, start, length]}`), then one run of bytes that `start` and `length` cut. Plain data
only: reading a pack makes text, numbers, lists and maps, and runs nothing.
"""

import json
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

LARGEST = 512 * 2**20
"""Bytes of a pack, and of all packs of a folder together."""

_MAGIC = b"fleet load 1\n"
_DIGEST = 32
_LENGTH = 8
_ENDING = ".pack"
_NEW = ".new-"


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept under a key: small facts that are read at once, and bytes that can wait."""

    facts: Any
    blob: memoryview


def pack_path(folder: Path, name: str) -> Path:
    """Where a pack lies."""
    return folder / f"{name}{_ENDING}"


def read_pack(path: Path) -> dict[str, Entry]:
    """The entries of a pack; none where it is not there, damaged, or open to others."""
    try:
        content = _content(path)
    except OSError:
        return {}
    start = len(_MAGIC) + _DIGEST
    body = memoryview(content)[start:]
    if content[:start] != _MAGIC + sha256(body).digest():
        return {}
    try:
        return _entries(body)
    except (ValueError, TypeError, RecursionError):
        return {}


def write_pack(path: Path, entries: Mapping[str, Entry]) -> None:
    """Replaces a pack in one step. A disk that does not take it costs the next run its time."""
    index: dict[str, list[Any]] = {}
    offset = 0
    for key, entry in entries.items():
        index[key] = [entry.facts, offset, len(entry.blob)]
        offset += len(entry.blob)
    head = json.dumps(index, separators=(",", ":")).encode()
    parts: list[bytes | memoryview] = [len(head).to_bytes(_LENGTH, "big"), head]
    parts.extend(each.blob for each in entries.values())
    if sum(map(len, parts)) > LARGEST:
        return
    digest = sha256()
    for part in parts:
        digest.update(part)
    with suppress(OSError):
        _write(path, [_MAGIC, digest.digest(), *parts])
        _throw_away(path.parent, path)


def own_folder(folder: Path) -> bool:
    """Makes a folder that is only for this user; False where it cannot be that."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return False
        if stat.S_IMODE(found.st_mode) != 0o700:  # noqa: PLR2004 - a mode
            folder.chmod(0o700)
    except OSError:
        return False
    return True


def _content(path: Path) -> bytes:
    """The bytes of a file that only this user can write and read.

    Raises OSError where there is none.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as file:  # noqa: PTH123 - a descriptor
        found = os.fstat(handle)
        mine = found.st_uid == os.geteuid() and not found.st_mode & 0o077
        if not stat.S_ISREG(found.st_mode) or not mine or found.st_size > LARGEST:
            return b""
        with suppress(OSError):
            os.utime(handle)  # what was used last is thrown away last
        return file.read(LARGEST)


def _entries(body: memoryview) -> dict[str, Entry]:
    """The index and what it cuts. Raises ValueError or TypeError where it is no index."""
    end = _LENGTH + int.from_bytes(body[:_LENGTH], "big")
    index = json.loads(bytes(body[_LENGTH:end]))
    blob = body[end:]
    entries: dict[str, Entry] = {}
    for key, (facts, start, length) in index.items() if isinstance(index, dict) else ():
        if not (isinstance(start, int) and isinstance(length, int)):
            raise TypeError
        if not 0 <= start <= start + length <= len(blob):
            raise ValueError
        entries[key] = Entry(facts, blob[start : start + length])
    return entries


def _write(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=_NEW)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - a descriptor
            file.writelines(parts)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _throw_away(folder: Path, newest: Path) -> None:
    """Removes what was used longest ago until the folder is no larger than it may be."""
    found = []
    for each in folder.iterdir():
        with suppress(OSError):
            state = each.stat(follow_symlinks=False)
            found.append((each != newest, state.st_mtime_ns, each.name, state.st_size, each))
    room = LARGEST
    for other, _, _, size, each in sorted(found, key=lambda item: (item[0], -item[1], item[2])):
        room -= size
        if other and room < 0:
            with suppress(OSError):
                each.unlink()
