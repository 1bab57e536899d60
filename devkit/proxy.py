"""A switchable TCP proxy: a living server that can be made to die in three ways.

- refuse: nothing listens (a SYN is answered with RST), open connections are reset;
- blackhole: a SYN stays unanswered, open connections stall without FIN, RST or data;
- hang: TCP is accepted and nothing is ever answered, open connections stall.

The port stays the same, and `revive` lets stalled connections go on, as a network does.
"""

import asyncio
import socket
import struct
from contextlib import suppress
from enum import StrEnum

CHUNK_BYTES = 64 * 1024
BACKLOG = 256
RESET_ON_CLOSE = struct.pack("ii", 1, 0)
LOOPBACK = "127.0.0.1"


class How(StrEnum):
    """What a proxy does with its connections."""

    ALIVE = "alive"
    REFUSE = "refuse"
    BLACKHOLE = "blackhole"
    HANG = "hang"


class Proxy:
    """Forwards one loopback port to another, or plays dead."""

    def __init__(self, port: int, target_port: int) -> None:
        self._wanted_port = port
        self._target = (LOOPBACK, target_port)
        self._how = How.ALIVE
        self._flows = asyncio.Event()
        # Holds the port while nothing listens: a bound socket that does not listen refuses.
        self._keeper: socket.socket | None = None
        self._listener: socket.socket | None = None
        self._fillers: list[socket.socket] = []
        self._accepting: asyncio.Task[None] | None = None
        self._links: set[asyncio.Task[None]] = set()
        self._sockets: set[socket.socket] = set()

    @property
    def how(self) -> How:
        """Say whether it lives, or how it is dead."""
        return self._how

    @property
    def port(self) -> int:
        """Return the port, which a kill does not change."""
        if self._keeper is None:
            return self._wanted_port
        port: int = self._keeper.getsockname()[1]
        return port

    async def start(self) -> None:
        """Listen and forward."""
        self._keeper = _bound(self._wanted_port)
        self._listen(BACKLOG)
        self._accept()
        self._flows.set()

    async def stop(self) -> None:
        """Close everything."""
        await self._close_listener()
        self._reset_links()
        await asyncio.gather(*self._links, return_exceptions=True)
        if self._keeper:
            self._keeper.close()
            self._keeper = None

    async def become(self, how: How) -> None:
        """Live, or die in one of the ways; also for connections that are open."""
        await self._close_listener()
        self._how = how
        if how is How.ALIVE:
            self._flows.set()
        else:
            self._flows.clear()
        if how is How.REFUSE:
            self._reset_links()
        elif how is How.BLACKHOLE:
            self._listen(0)
            await self._fill()
        else:
            self._listen(BACKLOG)
            self._accept()

    def _listen(self, backlog: int) -> None:
        self._listener = _bound(self.port)
        self._listener.listen(backlog)

    def _accept(self) -> None:
        self._accepting = asyncio.create_task(self._accept_all())

    async def _close_listener(self) -> None:
        if self._accepting:
            self._accepting.cancel()
            with suppress(asyncio.CancelledError):
                await self._accepting
            self._accepting = None
        for one in (*self._fillers, self._listener):
            if one is not None:
                one.close()
        self._fillers, self._listener = [], None

    async def _fill(self) -> None:
        """Fill the accept queue, until a SYN stays unanswered."""
        loop = asyncio.get_running_loop()
        for _ in range(BACKLOG):
            filler = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
            filler.settimeout(0)
            self._fillers.append(filler)
            try:
                await asyncio.wait_for(loop.sock_connect(filler, (LOOPBACK, self.port)), 0.2)
            except TimeoutError:
                return

    def _reset_links(self) -> None:
        for one in list(self._sockets):
            _reset(one)
        for link in list(self._links):
            link.cancel()

    async def _accept_all(self) -> None:
        loop = asyncio.get_running_loop()
        listener = self._listener
        while listener is not None:
            client, _ = await loop.sock_accept(listener)
            client.settimeout(0)
            link = asyncio.create_task(self._link(client))
            self._links.add(link)
            link.add_done_callback(self._links.discard)

    async def _link(self, client: socket.socket) -> None:
        """Carry one connection both ways until both ends have closed."""
        server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        server.settimeout(0)
        both = (client, server)
        self._sockets.update(both)
        try:
            await self._flows.wait()
            await asyncio.get_running_loop().sock_connect(server, self._target)
            for one in both:
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # When one direction breaks, the group ends the other before the sockets close.
            async with asyncio.TaskGroup() as directions:
                directions.create_task(self._pump(client, server))
                directions.create_task(self._pump(server, client))
        except* OSError:
            # One end broke: the other learns it as a reset, as it would without a proxy.
            _reset(client)
            _reset(server)
        finally:
            self._sockets.difference_update(both)
            for one in both:
                one.close()

    async def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._flows.wait()
            data = await loop.sock_recv(source, CHUNK_BYTES)
            # The switch may have been thrown while the data was on its way.
            await self._flows.wait()
            if not data:
                with suppress(OSError):
                    sink.shutdown(socket.SHUT_WR)
                return
            await loop.sock_sendall(sink, data)


def _bound(port: int) -> socket.socket:
    """Return a socket bound to the port; it may share it with the one that holds it."""
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.settimeout(0)
    try:
        one.bind((LOOPBACK, port))
    except OSError:
        one.close()
        raise
    return one


def _reset(one: socket.socket) -> None:
    """Make the coming close of a socket an RST."""
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
