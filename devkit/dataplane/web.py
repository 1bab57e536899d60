"""A small HTTP/1.1 client for loopback: one request per connection, every wait bounded."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

LARGEST_LINE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: a loopback address and port, with TLS or without.

    `server_name` is what is said in TLS: empty is the address, None is nothing.
    """

    address: str
    port: int
    tls: ssl.SSLContext | None = None
    server_name: str | None = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long the parts of a request may take, in seconds."""

    connect: float = 4.0
    status: float = 2.0
    body: float = 2.0


@dataclass(frozen=True, slots=True)
class Response:
    """An answer: its status, its headers in lower case, and the body as far as it was wanted."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@asynccontextmanager
async def connected(
    target: Target, seconds: float
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection and close it again. **Errors**: OSError, TimeoutError."""
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection(
            target.address,
            target.port,
            ssl=target.tls,
            server_hostname=_said_in_tls(target),
            limit=LARGEST_LINE,
        )
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError, asyncio.TimeoutError):
            async with asyncio.timeout(1):
                await writer.wait_closed()


def _said_in_tls(target: Target) -> str | None:
    """What the client hello names; asyncio takes an empty text for nobody."""
    if target.tls is None:
        return None
    return "" if target.server_name is None else target.server_name or target.address


async def get(
    target: Target,
    path: str,
    headers: Mapping[str, str],
    limits: Limits | None = None,
    wanted: int = -1,
) -> Response:
    """Ask for a path and return the answer with at most `wanted` bytes of its body.

    **Errors**: OSError, TimeoutError, ValueError for what is no HTTP.
    """
    limits = limits or Limits()
    async with connected(target, limits.connect) as (reader, writer):
        async with asyncio.timeout(limits.status):
            await _ask(writer, path, headers)
            status, answered = await read_head(reader)
        if not wanted:
            return Response(status, answered)
        async with asyncio.timeout(limits.body):
            body = await _read_body(reader, answered, wanted)
        return Response(status, answered, body)


async def _ask(writer: asyncio.StreamWriter, path: str, headers: Mapping[str, str]) -> None:
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1"))
    await writer.drain()


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Return an answer's status and headers. **Errors**: ValueError for what is no HTTP."""
    first = (await reader.readline()).decode("latin-1").split()
    if len(first) < 2 or not first[0].startswith("HTTP/") or not first[1].isdigit():  # noqa: PLR2004
        raise ValueError("the answer is no HTTP")
    headers: dict[str, str] = {}
    while line := (await reader.readline()).decode("latin-1").strip():
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return int(first[1]), headers


async def _read_body(
    reader: asyncio.StreamReader, headers: Mapping[str, str], wanted: int
) -> bytes:
    if "chunked" in headers.get("transfer-encoding", ""):
        body = b""
        async for chunk in chunks(reader):
            body += chunk
            if 0 <= wanted <= len(body):
                break
        return body if wanted < 0 else body[:wanted]
    length = int(headers["content-length"]) if "content-length" in headers else wanted
    if length < 0:
        return await reader.read()
    return await _at_most(reader, length if wanted < 0 else min(length, wanted))


async def _at_most(reader: asyncio.StreamReader, size: int) -> bytes:
    try:
        return await reader.readexactly(size)
    except asyncio.IncompleteReadError as error:
        return error.partial


async def chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the chunks of a chunked body until its end."""
    while True:
        head = await reader.readline()
        size = int(head.split(b";")[0].strip() or b"0", 16)
        if size == 0:
            return
        yield await reader.readexactly(size)
        await reader.readline()


async def stream_lines(
    target: Target, path: str, headers: Mapping[str, str], limits: Limits | None = None
) -> AsyncIterator[bytes]:
    """Yield the lines of a long answer as they come. **Errors**: as `get`."""
    limits = limits or Limits()
    async with connected(target, limits.connect) as (reader, writer):
        async with asyncio.timeout(limits.status):
            await _ask(writer, path, headers)
            status, answered = await read_head(reader)
        if status != 200:  # noqa: PLR2004
            raise ValueError(f"the answer is {status}")
        if "chunked" not in answered.get("transfer-encoding", ""):
            raise ValueError("the answer is no stream")
        rest = b""
        async for chunk in chunks(reader):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                yield line
