"""An entry lives, and dies in three ways."""

import asyncio
import json
import time

import pytest

from devkit.dataplane.entry import Entry
from devkit.dataplane.ingress import Answer
from devkit.dataplane.web import Limits, Target, connected, get
from devkit.proxy import How

HOST = {"Host": "web.example.test"}
SHORT = Limits(0.7, 0.7, 0.7)


def an_entry() -> Entry:
    def ask(host: str, path: str) -> Answer:
        return Answer(200, f"{host}{path}", 2) if host.startswith("web") else Answer(404)

    return Entry("eu-1", "127.0.0.1", 0, ask)


def test_it_answers_with_what_is_ready() -> None:
    async def run() -> None:
        entry = an_entry()
        await entry.start()
        target = Target("127.0.0.1", entry.port)
        answer = await get(target, "/x", HOST)
        assert answer.status == 200
        assert json.loads(answer.body) == {
            "cluster": "eu-1",
            "service": "web.example.test/x",
            "ready": 2,
        }
        assert (await get(target, "/", {"Host": "other"})).status == 404
        await entry.stop()
        with pytest.raises(ConnectionRefusedError):
            await get(target, "/", HOST)

    asyncio.run(run())


@pytest.mark.parametrize("how", [How.REFUSE, How.BLACKHOLE, How.HANG])
def test_it_dies_and_comes_back_on_the_same_port(how: How) -> None:
    async def run() -> None:
        entry = an_entry()
        await entry.start()
        port = entry.port
        target = Target("127.0.0.1", port)
        await entry.become(how)
        began = time.monotonic()
        error = ConnectionRefusedError if how is How.REFUSE else TimeoutError
        with pytest.raises(error):
            await get(target, "/", HOST, SHORT)
        seconds = time.monotonic() - began
        assert seconds < 0.3 if how is How.REFUSE else 0.6 < seconds < 1.2
        await entry.become(How.ALIVE)
        assert entry.port == port
        assert (await get(target, "/", HOST)).status == 200
        await entry.stop()

    asyncio.run(run())


@pytest.mark.parametrize(("how", "connects"), [(How.BLACKHOLE, False), (How.HANG, True)])
def test_a_swallowed_syn_and_a_silent_server_differ(how: How, *, connects: bool) -> None:
    async def run() -> bool:
        entry = an_entry()
        await entry.start()
        await entry.become(how)
        try:
            async with connected(Target("127.0.0.1", entry.port), 0.7):
                return True
        except TimeoutError:
            return False
        finally:
            await entry.stop()

    assert asyncio.run(run()) is connects


@pytest.mark.parametrize("how", [How.REFUSE, How.BLACKHOLE, How.HANG])
def test_an_open_connection_dies_with_it(how: How) -> None:
    async def run() -> None:
        entry = an_entry()
        await entry.start()
        async with connected(Target("127.0.0.1", entry.port), 1) as (reader, writer):
            writer.write(b"GET / HTTP/1.1\r\n")
            await writer.drain()
            await asyncio.sleep(0.05)
            await entry.become(how)
            error = ConnectionResetError if how is How.REFUSE else TimeoutError
            with pytest.raises(error):  # noqa: PT012 - the answer, whichever step sees it
                async with asyncio.timeout(0.5):
                    writer.write(b"Host: web.example.test\r\n\r\n")
                    await writer.drain()
                    await asyncio.sleep(0.05)
                    assert await reader.read(1) != b"", "an end without a reset"
        await entry.stop()

    asyncio.run(run())
