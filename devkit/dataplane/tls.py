"""TLS on a port that also speaks plain HTTP: the first byte tells which.

The certificate is the one that the cluster's kubeconfig carries: Route53's checkers do not
validate certificates, and nothing else asks an entry over TLS.
"""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from devkit.dataplane.kubeconfig import certificate_file

HANDSHAKE = b"\x16"
CHUNK_BYTES = 16 * 1024
LARGEST_REQUEST = 64 * 1024
END = b"\r\n\r\n"


def server_context(kubeconfig: Path) -> ssl.SSLContext | None:
    """Return a context to serve with; None where the kubeconfig has no certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        with certificate_file(kubeconfig) as file:
            context.load_cert_chain(file)
    except (OSError, ValueError):
        return None
    return context


class TlsLink:
    """One connection whose bytes are carried through TLS by hand."""

    def __init__(
        self, context: ssl.SSLContext, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader, self._writer = reader, writer
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)

    async def read_request(self, first: bytes) -> bytes:
        """Shake hands and return the request's head. **Errors**: ValueError, OSError."""
        self._incoming.write(first)
        await self._until(self._tls.do_handshake)
        request = b""
        while END not in request and len(request) < LARGEST_REQUEST:
            read = await self._until(lambda: self._tls.read(CHUNK_BYTES))
            if not read:
                raise ValueError("the connection ended before the request did")
            request += read
        return request

    async def answer(self, data: bytes) -> None:
        """Send an answer and say that it is the last."""
        self._tls.write(data)
        with suppress(ssl.SSLError):  # the other side need not answer the goodbye
            self._tls.unwrap()
        await self._flush()

    async def _until(self, step: Callable[[], bytes | None]) -> bytes | None:
        """Repeat a step of TLS until it has what it needs from the other side."""
        while True:
            try:
                result = step()
            except ssl.SSLWantReadError:
                await self._flush()
                data = await self._reader.read(CHUNK_BYTES)
                if not data:
                    raise ValueError("the connection ended in the middle of TLS") from None
                self._incoming.write(data)
            else:
                await self._flush()
                return result

    async def _flush(self) -> None:
        data = self._outgoing.read()
        if data:
            self._writer.write(data)
            await self._writer.drain()
