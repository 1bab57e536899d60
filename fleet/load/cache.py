"""What was read before, found again by the content of the files, never by their time.

An entry is kept under the SHA-256 of the bytes that it was made of. Everything else that it hangs
on is in the name of the pack: fleet's own sources, Python and the parser (another version never
reads it), the project's folder and the paths that the config names (so that two projects do not
throw out each other's entries).
"""

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pydantic
import yaml

from fleet.load.pack import LARGEST, Entry, own_folder, pack_path, read_pack, write_pack

SWITCH = "FLEET_CACHE"
LENIENT = "surrogatepass"
"""For names of files that are no UTF-8."""

_OFF = frozenset({"off", "0", "no", "false"})
_SPARE = 16 * 2**20


@dataclass(slots=True)
class Cache:
    """The entries of one project; a Cache without a path remembers nothing."""

    path: Path | None = None
    old: dict[str, Entry] = field(default_factory=dict)
    used: dict[str, Entry] = field(default_factory=dict)
    added: bool = False

    def find(self, key: str) -> Entry | None:
        """What was kept under a key."""
        entry = self.old.get(key)
        if entry is not None:
            self.used[key] = entry
        return entry

    def keep(self, key: str, facts: Any, blob: bytes) -> None:  # noqa: ANN401 - plain data
        """Keeps plain data and bytes under a key, until `save` writes them."""
        if self.path is not None:
            self.used[key] = Entry(facts, memoryview(blob))
            self.added = True

    def save(self) -> None:
        """Writes what is new, what was used, and of the rest what was used last."""
        if self.path is None or not self.added:
            return
        entries = dict(self.used)
        size = sum(len(each.blob) for each in entries.values())
        room = min(max(_SPARE, size), LARGEST // 2 - size)
        for key, entry in self.old.items():
            if key not in entries:
                room -= len(entry.blob)
                if room < 0:
                    break
                entries[key] = entry
        write_pack(self.path, entries)


def open_cache(folder: Path | None, root: Path, paths: Iterable[Iterable[str]]) -> Cache:
    """The cache of a project below a folder; one that remembers nothing where there is none."""
    own = version() if folder is not None else None
    if folder is None or own is None or not own_folder(folder):
        return Cache()
    words = [own, str(root.resolve()), *("\0".join(each) for each in paths)]
    path = pack_path(folder, sha256("\0\0".join(words).encode(errors=LENIENT)).hexdigest()[:32])
    return Cache(path, read_pack(path))


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Where a user's cache lies; None where it is turned off or the user has no home.

    **Source**: XDG Base Directory Specification; a path that is not absolute is ignored.

    >>> str(cache_folder({"HOME": "/home/a"}))
    '/home/a/.cache/fleet/load'
    >>> cache_folder({"HOME": "/home/a", "FLEET_CACHE": "off"}) is None
    True
    """
    if environment.get(SWITCH, "").strip().lower() in _OFF:
        return None
    named = Path(environment.get("XDG_CACHE_HOME", ""))
    home = Path(environment.get("HOME", ""))
    if named.is_absolute():
        return named / "fleet" / "load"
    return home / ".cache" / "fleet" / "load" if home.is_absolute() else None


@cache
def version() -> str | None:
    """A digest of everything that decides what a text becomes; None where it cannot be told."""
    package = Path(__file__).parent.parent
    digest = sha256()
    libraries = (yaml.__version__, yaml._yaml.get_version_string(), pydantic.VERSION)  # noqa: SLF001 - libyaml's own version
    digest.update("\0".join((sys.version, *map(str, libraries))).encode())
    files = [package / "errors.py"]
    for room in ("load", "model"):
        files.extend(sorted((package / room).rglob("*.py")))
    try:
        for file in files:
            digest.update(f"\0{file.relative_to(package)}\0".encode() + file.read_bytes())
    except OSError:
        return None
    return digest.hexdigest()
