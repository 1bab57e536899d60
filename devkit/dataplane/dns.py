"""The DNS answerer: UDP and TCP on one loopback port."""

import asyncio
import random
import struct
from collections.abc import Callable

from dnslib import AAAA, CLASS, CNAME, QTYPE, RCODE, RR, SOA, A, DNSError, DNSRecord

from devkit.dataplane.answers import Answers, Chosen, UnsupportedError
from devkit.dataplane.askers import asker_of
from devkit.dataplane.places import Places
from devkit.dataplane.zone_view import RecordSet, plain_name
from fleet.model.geography import Asker

HOME = "127.0.0.1"
LARGEST_UDP = 1232
LONGEST_CHAIN = 8
TCP_SECONDS = 5
NEGATIVE_TTL = 5
HOST_TTL = 5
ANSWERABLE = ("A", "AAAA", "CNAME")


class Answerer:
    """Answers questions about the hosted zones, and about the entries' own host names."""

    def __init__(self, answers: Callable[[], Answers], places: Places) -> None:
        self._answers = answers
        self._places = places
        self._udp: asyncio.DatagramTransport | None = None
        self._tcp: asyncio.Server | None = None
        self.port = 0

    async def start(self, port: int) -> None:
        """Serve on a port; 0 takes a free one. **Errors**: OSError."""
        self._tcp = await asyncio.start_server(self._serve_tcp, HOME, port)
        self.port = self._tcp.sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        self._udp, _ = await loop.create_datagram_endpoint(
            lambda: _Datagrams(self.respond), local_addr=(HOME, self.port)
        )

    async def stop(self) -> None:
        """Close the port."""
        if self._udp is not None:
            self._udp.close()
        if self._tcp is not None:
            self._tcp.close()

    async def _serve_tcp(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(TCP_SECONDS):
                (size,) = struct.unpack(">H", await reader.readexactly(2))
                answer = self.respond(await reader.readexactly(size))
                writer.write(struct.pack(">H", len(answer)) + answer)
                await writer.drain()
        except (OSError, TimeoutError, EOFError):
            pass
        finally:
            writer.close()

    def respond(self, data: bytes) -> bytes:
        """Return the answer to one message; what is no question gets no answer."""
        try:
            query = DNSRecord.parse(data)
        except DNSError:
            return b""
        reply = query.reply(ra=0, aa=1)
        if query.header.opcode or len(query.questions) != 1:
            reply.header.rcode = RCODE.NOTIMP
            return bytes(reply.pack())
        name = plain_name(str(query.q.qname))
        try:
            self._answer(reply, name, QTYPE.get(query.q.qtype), asker_of(query))
        except UnsupportedError:
            reply.header.rcode = RCODE.SERVFAIL
        except ValueError:
            reply.header.rcode = RCODE.FORMERR
        return bytes(reply.pack())

    def _answer(self, reply: DNSRecord, name: str, kind: str, asker: Asker) -> None:
        answers = self._answers()
        found = self._chain(answers, name, kind, asker)
        for resource in found:
            reply.add_answer(resource)
        zone = answers.zone_of(name)
        if found:
            return
        if zone is None and self._places.find(name) is None:
            reply.header.rcode = RCODE.REFUSED
            reply.header.aa = 0
            return
        if zone is not None:
            if not answers.exists(name):
                reply.header.rcode = RCODE.NXDOMAIN
            reply.add_auth(_authority(zone, answers))

    def _chain(self, answers: Answers, name: str, kind: str, asker: Asker) -> list[RR]:
        """Return what answers a question, CNAME after CNAME."""
        found: list[RR] = []
        for _ in range(LONGEST_CHAIN):
            chosen = answers.choose(name, kind, asker) if kind in ANSWERABLE else []
            if chosen:
                return found + [one for each in chosen for one in _resources(each, kind)]
            aliases = [] if kind == "CNAME" else answers.choose(name, "CNAME", asker)
            if not aliases:
                return found + self._host(name, kind)
            found += [one for each in aliases for one in _resources(each, "CNAME")]
            name = plain_name(aliases[0].record.values[0])
        return found

    def _host(self, name: str, kind: str) -> list[RR]:
        """Return the address where the devkit serves an entry's host name."""
        place = self._places.find(name)
        if place is None or kind != "A" or place.target != name:
            return []
        return [RR(name, QTYPE.A, CLASS.IN, HOST_TTL, A(place.address))]


def _resources(chosen: Chosen, kind: str) -> list[RR]:
    """Return a record set in the wire's form."""
    record: RecordSet = chosen.record
    makers = {"A": A, "AAAA": AAAA, "CNAME": CNAME}
    number = getattr(QTYPE, kind)
    return [
        RR(chosen.name, number, CLASS.IN, record.ttl, makers[kind](value))
        for value in record.values
    ]


def _authority(zone: str, answers: Answers) -> RR:
    """Return the zone's SOA: whoever caches the absence looks at its last number."""
    known = answers.group(zone, "SOA")
    servers = known[0].values[0].split()[:2] if known else ["ns.devkit.test.", "devkit.test."]
    times = (1, 7200, 900, 1209600, NEGATIVE_TTL)
    return RR(zone, QTYPE.SOA, CLASS.IN, NEGATIVE_TTL, SOA(servers[0], servers[1], times))


class _Datagrams(asyncio.DatagramProtocol):
    """Answers each datagram with one."""

    def __init__(self, respond: Callable[[bytes], bytes]) -> None:
        self._respond = respond
        self._transport: asyncio.DatagramTransport | None = None

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override] # as asyncio documents it
        """Keep the socket."""
        self._transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        """Answer; what is too long is cut, so that the asker comes back over TCP."""
        answer = self._respond(data)
        if len(answer) > LARGEST_UDP:
            answer = bytes(DNSRecord.parse(answer).truncate().pack())
        if answer and self._transport is not None:
            self._transport.sendto(answer, addr)


def new_dice(seed: int | None) -> random.Random:
    """Return the chance by which weights are drawn; the same seed draws the same."""
    return random.Random(seed)  # noqa: S311 - no secret hangs on it
