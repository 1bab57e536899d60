"""The proxy's three ways of dying, against a local server that echoes."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from devkit.proxy import How, Proxy

SOON = 2.0
STALLED = 0.5


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1024):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def a_proxy() -> AsyncIterator[Proxy]:
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    proxy = Proxy(0, server.sockets[0].getsockname()[1])
    await proxy.start()
    try:
        yield proxy
    finally:
        await proxy.stop()
        server.close()
        await server.wait_closed()


class Client:
    """One connection through the proxy, by plain sockets: nothing is hidden by a buffer."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.settimeout(0)

    async def connect(self, port: int) -> None:
        """Connect, soon."""
        loop = asyncio.get_running_loop()
        await asyncio.wait_for(loop.sock_connect(self._socket, ("127.0.0.1", port)), SOON)

    async def send(self, data: bytes) -> None:
        """Send all of it."""
        await asyncio.get_running_loop().sock_sendall(self._socket, data)

    async def receive(self, seconds: float = SOON) -> bytes:
        """Return what comes within the time."""
        loop = asyncio.get_running_loop()
        return await asyncio.wait_for(loop.sock_recv(self._socket, 1024), seconds)

    async def ask(self, data: bytes) -> bytes:
        """Send and return the answer."""
        await self.send(data)
        return await self.receive()

    def close(self) -> None:
        """Close."""
        self._socket.close()


Story = Callable[[Proxy, Client], Awaitable[None]]


def tell(story: Story) -> None:
    """Run a story that starts with one client that has spoken through a living proxy."""

    async def run() -> None:
        async with a_proxy() as proxy:
            client = Client()
            try:
                await client.connect(proxy.port)
                assert await client.ask(b"one") == b"one"
                await story(proxy, client)
            finally:
                client.close()

    asyncio.run(run())


def test_refuse_resets_open_connections_and_refuses_new_ones() -> None:
    async def story(proxy: Proxy, client: Client) -> None:
        await proxy.become(How.REFUSE)
        with pytest.raises(ConnectionResetError):
            await client.receive()
        fresh = Client()
        started = time.monotonic()
        with pytest.raises(ConnectionRefusedError):
            await fresh.connect(proxy.port)
        assert time.monotonic() - started < SOON
        fresh.close()

    tell(story)


def test_blackhole_leaves_a_syn_unanswered_and_stalls_open_connections() -> None:
    async def story(proxy: Proxy, client: Client) -> None:
        await proxy.become(How.BLACKHOLE)
        await client.send(b"two")
        with pytest.raises(TimeoutError):
            await client.receive(STALLED)
        for _ in range(3):
            fresh = Client()
            with pytest.raises(TimeoutError):
                await fresh.connect(proxy.port)
            fresh.close()

    tell(story)


def test_hang_accepts_and_never_answers_and_stalls_open_connections() -> None:
    async def story(proxy: Proxy, client: Client) -> None:
        await proxy.become(How.HANG)
        await client.send(b"two")
        with pytest.raises(TimeoutError):
            await client.receive(STALLED)
        fresh = Client()
        await fresh.connect(proxy.port)
        await fresh.send(b"hello")
        with pytest.raises(TimeoutError):
            await fresh.receive(STALLED)
        fresh.close()

    tell(story)


@pytest.mark.parametrize("how", [How.REFUSE, How.BLACKHOLE, How.HANG])
def test_revive_serves_again_on_the_same_port(how: How) -> None:
    async def story(proxy: Proxy, _client: Client) -> None:
        port = proxy.port
        await proxy.become(how)
        await proxy.become(How.ALIVE)
        assert proxy.port == port
        fresh = Client()
        await fresh.connect(port)
        assert await fresh.ask(b"again") == b"again"
        fresh.close()

    tell(story)


@pytest.mark.parametrize("how", [How.BLACKHOLE, How.HANG])
def test_revive_lets_a_stalled_connection_go_on(how: How) -> None:
    async def story(proxy: Proxy, client: Client) -> None:
        await proxy.become(how)
        await client.send(b"late")
        with pytest.raises(TimeoutError):
            await client.receive(STALLED)
        await proxy.become(How.ALIVE)
        assert await client.receive() == b"late"

    tell(story)


@pytest.mark.parametrize("first", [How.REFUSE, How.BLACKHOLE, How.HANG])
@pytest.mark.parametrize("second", [How.REFUSE, How.BLACKHOLE, How.HANG])
def test_one_death_may_follow_another(first: How, second: How) -> None:
    async def story(proxy: Proxy, _client: Client) -> None:
        await proxy.become(first)
        await proxy.become(second)
        assert proxy.how is second
        fresh = Client()
        expected = {How.REFUSE: ConnectionRefusedError, How.BLACKHOLE: TimeoutError}.get(second)
        if expected:
            with pytest.raises(expected):
                await asyncio.wait_for(fresh.connect(proxy.port), STALLED)
        else:
            await fresh.connect(proxy.port)
        fresh.close()

    tell(story)


def test_a_server_that_is_gone_resets_the_client() -> None:
    async def run() -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            proxy = Proxy(0, unused.getsockname()[1])
            await proxy.start()
            client = Client()
            await client.connect(proxy.port)
            with pytest.raises(ConnectionResetError):
                await client.receive()
            client.close()
            await proxy.stop()

    asyncio.run(run())
