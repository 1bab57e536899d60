"""What a user sees of a name: every 100 ms a DNS answer, and what the answered entry says.

`python -m devkit.dataplane.watch NAME --out FILE` watches a running devkit until interrupted; the
file has one JSON line per sample, sorted by the time at which the sample began.
"""

import argparse
import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TextIO

from dnslib import QTYPE, DNSError, DNSRecord

from devkit import plan as plans
from devkit.dataplane.places import Places, lay_out
from devkit.dataplane.web import Limits, Target, get
from devkit.errors import DevkitError
from devkit.home import PROJECT, Home, locate
from devkit.plan import Plan

PERIOD_SECONDS = 0.1
DNS_SECONDS = 1.0
PATIENCE = Limits(connect=1, status=1, body=1)
READY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Sample:
    """One look.

    Attributes:
        time: when it began, in seconds since 1970.
        answer: the address that DNS gave; empty where it gave none.
        cluster: whose entry that is; empty where it is nobody's.
        status: the entry's HTTP status; 0 where it did not answer.
        ready: ready endpoints behind it, as the entry says.
        error: what went wrong.
    """

    time: float
    name: str
    answer: str = ""
    ttl: int = 0
    cluster: str = ""
    status: int = 0
    ready: int = 0
    error: str = ""


class Watcher:
    """Samples one name.

    With `as_resolver` an answer is kept for its TTL, as a resolver between user and name servers
    does; without it each sample asks anew.
    """

    def __init__(self, name: str, dns_port: int, places: Places, path: str = "/") -> None:
        self.name = name
        self.as_resolver = False
        self._dns_port = dns_port
        self._places = places
        self._path = path
        self._kept: tuple[float, str, int] = (0.0, "", 0)

    async def run(self, out: TextIO, ended: asyncio.Event) -> None:
        """Sample until told to end. A slow sample delays no other."""
        pending: set[asyncio.Task[Sample]] = set()
        following = time.monotonic()
        while not ended.is_set():
            pending.add(asyncio.create_task(self.sample()))
            following += PERIOD_SECONDS
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.001, following - time.monotonic())):
                    await ended.wait()
            done = {task for task in pending if task.done()}
            pending -= done
            self._write(out, done)
        if pending:
            done, _ = await asyncio.wait(pending)
            self._write(out, done)

    @staticmethod
    def _write(out: TextIO, done: set[asyncio.Task[Sample]]) -> None:
        samples = sorted((task.result() for task in done), key=lambda one: one.time)
        out.writelines(json.dumps(asdict(sample)) + "\n" for sample in samples)
        out.flush()

    async def sample(self) -> Sample:
        """Look once."""
        began = time.time()
        try:
            address, ttl = await self._resolve()
        except (OSError, TimeoutError, DNSError, ValueError) as error:
            return Sample(began, self.name, error=f"DNS: {str(error) or type(error).__name__}")
        place = self._places.find(address)
        if place is None:
            return Sample(began, self.name, address, ttl, error="nobody's address")
        target = Target(place.address, place.served_port)
        try:
            answer = await get(target, self._path, {"Host": self.name}, PATIENCE)
            ready = int(json.loads(answer.body).get("ready", 0))
        except (OSError, TimeoutError, ValueError) as error:
            said = str(error) or type(error).__name__
            return Sample(began, self.name, address, ttl, place.cluster, error=said)
        return Sample(began, self.name, address, ttl, place.cluster, answer.status, ready)

    async def _resolve(self) -> tuple[str, int]:
        """Return an address and its TTL. **Errors**: ValueError where there is none."""
        until, address, ttl = self._kept
        if self.as_resolver and time.monotonic() < until:
            return address, ttl
        reply = await _ask(self._dns_port, self.name)
        found = [(str(one.rdata), int(one.ttl)) for one in reply.rr if one.rtype == QTYPE.A]
        if not found:
            raise ValueError(f"no address for {self.name}")
        # A chain lives as long as its shortest part.
        shortest = min(int(one.ttl) for one in reply.rr)
        self._kept = (time.monotonic() + shortest, found[0][0], shortest)
        return found[0][0], shortest


async def _ask(port: int, name: str) -> DNSRecord:
    """Ask the answerer over UDP. **Errors**: OSError, TimeoutError, DNSError."""
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(0)
        one.connect(("127.0.0.1", port))
        async with asyncio.timeout(DNS_SECONDS):
            await loop.sock_sendall(one, DNSRecord.question(name).pack())
            return DNSRecord.parse(await loop.sock_recv(one, 4096))


def places_of(home: Home, plan: Plan) -> Places:
    """Return where a devkit's entries are served."""
    return Places(lay_out([one.cluster for one in plan.clusters], str(home.root)))


def read_samples(file: Path) -> list[Sample]:
    """Return a file's samples, in order."""
    return [Sample(**json.loads(line)) for line in file.read_text().splitlines()]


@contextmanager
def watching(name: str, home: Path, out: Path, *options: str) -> Iterator[None]:
    """Watch a name from a process of its own while the block runs."""
    command = [sys.executable, "-m", "devkit.dataplane.watch", name]
    command += ["--home", str(home.resolve()), "--out", str(out.resolve()), *options]
    process = subprocess.Popen(command, cwd=PROJECT)
    try:
        deadline = time.monotonic() + READY_SECONDS
        while not (out.exists() and out.stat().st_size):
            if process.poll() is not None or time.monotonic() > deadline:
                raise DevkitError(f"the watcher of {name} did not begin")
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(READY_SECONDS)


def main() -> int:
    """Watch until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m devkit.dataplane.watch")
    parser.add_argument("name")
    parser.add_argument("--home", type=Path, default=None)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--path", default="/")
    parser.add_argument("--as-resolver", action="store_true", help="keep answers for their TTL")
    wanted = parser.parse_args()
    home = locate(wanted.home)
    plan = plans.read(home)
    if plan is None:
        print("no devkit is up here - run 'python -m devkit up'", file=sys.stderr)
        return 1
    watcher = Watcher(wanted.name, plan.dns_port, places_of(home, plan), wanted.path)
    watcher.as_resolver = wanted.as_resolver
    asyncio.run(_watch(watcher, wanted.out))
    return 0


async def _watch(watcher: Watcher, path: Path) -> None:
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    with path.open("w") as out:
        await watcher.run(out, ended)


if __name__ == "__main__":
    sys.exit(main())
