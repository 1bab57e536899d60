"""Ports of a devkit: one block per home, below the range that systems hand out themselves."""

import fcntl
import json
import socket
import zlib
from pathlib import Path

from devkit.errors import DevkitError
from devkit.search_path import cache_folder

FIRST_PORT = 20000
BLOCK = 120
BLOCKS = 100
PER_CLUSTER = 8
RESERVED = 16
MAX_CLUSTERS = (BLOCK - RESERVED) // PER_CLUSTER


def claim(home: Path) -> int:
    """Return the first port of this home's block, the same one as long as the home exists.

    Errors: DevkitError when every block is taken.
    """
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "ports.json").open("a+") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        handle.seek(0)
        text = handle.read()
        claims: dict[str, int] = json.loads(text) if text.strip() else {}
        claims = {name: base for name, base in claims.items() if Path(name).exists()}
        if str(home) not in claims:
            claims[str(home)] = _free_block(home, set(claims.values()))
        handle.seek(0)
        handle.truncate()
        json.dump(claims, handle)
    return claims[str(home)]


def _free_block(home: Path, taken: set[int]) -> int:
    start = zlib.crc32(str(home).encode()) % BLOCKS
    for step in range(BLOCKS):
        base = FIRST_PORT + (start + step) % BLOCKS * BLOCK
        if base not in taken and all(is_free(base + offset) for offset in range(BLOCK)):
            return base
    raise DevkitError("no free block of ports for another devkit - take one down")


def is_free(port: int, address: str = "127.0.0.1") -> bool:
    """Tell whether a TCP port can be listened on."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
            probe.listen(1)
        except OSError:
            return False
    return True
