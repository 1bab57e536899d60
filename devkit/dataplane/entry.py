"""A cluster's entry: an HTTP server that answers like an ingress, and can be dead in three ways."""

import asyncio
import json
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress

from devkit.dataplane.ingress import Answer
from devkit.dataplane.tls import END, HANDSHAKE, TlsLink
from devkit.proxy import RESET_ON_CLOSE, How

BACKLOG = 256
FILL_SECONDS = 0.2
PHRASES = {200: "OK", 404: "Not Found", 503: "Service Unavailable", 400: "Bad Request"}


class Entry:
    """Answers on one loopback address and port for one cluster."""

    def __init__(
        self,
        cluster: str,
        address: str,
        port: int,
        ask: Callable[[str, str], Answer],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.cluster = cluster
        self.address = address
        self.port = port
        self.how = How.ALIVE
        self._ask = ask
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._lives = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._raw: list[socket.socket] = []

    async def start(self) -> None:
        """Serve. **Errors**: OSError where the address or port cannot be had."""
        self._lives.set()
        await self._listen()

    async def stop(self) -> None:
        """Close every socket."""
        await self._close()
        self._reset()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def become(self, how: How) -> None:
        """Live, or be dead in one of the ways; also for connections that are open."""
        await self._close()
        self.how = how
        if how is How.ALIVE:
            self._lives.set()
        else:
            self._lives.clear()
        if how is How.REFUSE:
            self._reset()
        elif how is How.BLACKHOLE:
            await self._swallow()
        else:
            await self._listen()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(
            self._begin, self.address, self.port, backlog=BACKLOG, reuse_address=True
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for one in self._raw:
            one.close()
        self._raw = []

    def _reset(self) -> None:
        """Reset what is open: an RST instead of an orderly end."""
        for writer in list(self._writers):
            raw = writer.get_extra_info("socket")
            with suppress(OSError, AttributeError):
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            writer.transport.abort()
        for task in list(self._tasks):
            task.cancel()

    async def _swallow(self) -> None:
        """Listen without accepting and fill the queue, until a SYN stays unanswered."""
        listener = _bound(self.address, self.port)
        listener.listen(0)
        self._raw.append(listener)
        loop = asyncio.get_running_loop()
        for _ in range(BACKLOG):
            filler = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            filler.settimeout(0)
            self._raw.append(filler)
            try:
                async with asyncio.timeout(FILL_SECONDS):
                    await loop.sock_connect(filler, (self.address, self.port))
            except TimeoutError:
                return

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request. While the cluster is dead nothing is answered."""
        self._writers.add(writer)
        try:
            await self._exchange(reader, writer)
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
            writer.transport.abort()
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read a request, with TLS or without, and answer it."""
        await self._lives.wait()
        first = await reader.read(1)
        await self._lives.wait()
        if first == HANDSHAKE and self._tls is not None:
            link = TlsLink(self._tls, reader, writer)
            host, path = _parse(await link.read_request(first))
            await self._lives.wait()
            await link.answer(self._respond(host, path))
        else:
            host, path = _parse(first + await reader.readuntil(END))
            await self._lives.wait()
            writer.write(self._respond(host, path))
            await writer.drain()

    def _respond(self, host: str, path: str) -> bytes:
        found = self._ask(host, path)
        body = json.dumps(
            {"cluster": self.cluster, "service": found.service, "ready": found.ready}
        ).encode()
        head = (
            f"HTTP/1.1 {found.status} {PHRASES[found.status]}\r\n"
            "Content-Type: application/json\r\nConnection: close\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


def _parse(request: bytes) -> tuple[str, str]:
    """Return a request's host and path. **Errors**: ValueError for what is no request."""
    first, *lines = request.decode("latin-1").split("\r\n")
    parts = first.split()
    if len(parts) != 3:  # noqa: PLR2004 - method, path, version
        raise ValueError("no HTTP request")
    host = ""
    for line in lines:
        name, _, value = line.partition(":")
        if name.lower() == "host":
            host = value.strip()
    return host, parts[1]


def _bound(address: str, port: int) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.settimeout(0)
    try:
        one.bind((address, port))
    except OSError:
        one.close()
        raise
    return one
