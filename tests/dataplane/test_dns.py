"""The DNS answerer over its sockets."""

import asyncio
import random
from collections.abc import Callable

import pytest
from dnslib import QTYPE, RCODE, DNSRecord

from devkit.dataplane.answers import Answers
from devkit.dataplane.dns import Answerer
from devkit.dataplane.places import Places, lay_out
from devkit.dataplane.zone_view import Dump, RecordSet
from tests.dataplane.kit import WEB, a_cluster, a_dump, a_weighted

PLACES = Places(lay_out([a_cluster("eu-1", hostname="eu-1.entry.test")], "/home"))
SERVED = PLACES.all[0].address
CNAMES = [
    RecordSet("api.example.test", "CNAME", 7, (target,), cluster, weight=weight)
    for target, cluster, weight in (
        ("eu-1.entry.test", "eu-1", 100),
        ("us-1.entry.test", "us-1", 0),
    )
]
DUMP = a_dump(
    a_weighted("eu-1", 100, "127.0.10.1", "127.0.10.9"),
    a_weighted("us-1", 0, "127.0.10.2"),
    RecordSet(WEB, "AAAA", 5, ("2001:db8::1",)),
    RecordSet("geo.example.test", "A", 5, ("127.0.10.1",), "x", elsewhere=True),
    *CNAMES,
)


def answerer(dump: Dump = DUMP) -> Answerer:
    dice = random.Random(1)  # noqa: S311
    return Answerer(lambda: Answers(dump, lambda _: True, dice), PLACES)


def asked(name: str, kind: str = "A", dump: Dump = DUMP) -> DNSRecord:
    return DNSRecord.parse(answerer(dump).respond(DNSRecord.question(name, kind).pack()))


def lines(reply: DNSRecord) -> list[tuple[str, int, str, str]]:
    return [(str(one.rname), one.ttl, QTYPE[one.rtype], str(one.rdata)) for one in reply.rr]


def test_addresses_are_answered_with_their_ttl() -> None:
    reply = asked(WEB)
    assert lines(reply) == [
        ("web.example.test.", 5, "A", "127.0.10.1"),
        ("web.example.test.", 5, "A", "127.0.10.9"),
    ]
    assert (reply.header.aa, reply.header.ra, reply.header.rcode) == (1, 0, RCODE.NOERROR)


def test_the_name_may_be_in_capitals() -> None:
    assert len(asked("WEB.Example.TEST").rr) == 2


def test_addresses_of_the_other_family_are_answered() -> None:
    assert lines(asked(WEB, "AAAA")) == [("web.example.test.", 5, "AAAA", "2001:db8::1")]


def test_a_cname_is_followed_to_where_the_entry_is_served() -> None:
    assert lines(asked("api.example.test")) == [
        ("api.example.test.", 7, "CNAME", "eu-1.entry.test."),
        ("eu-1.entry.test.", 5, "A", SERVED),
    ]


def test_a_cname_itself_can_be_asked_for() -> None:
    assert lines(asked("api.example.test", "CNAME")) == [
        ("api.example.test.", 7, "CNAME", "eu-1.entry.test.")
    ]


def test_an_entrys_host_name_can_be_asked_for() -> None:
    assert lines(asked("eu-1.entry.test")) == [("eu-1.entry.test.", 5, "A", SERVED)]


@pytest.mark.parametrize(
    ("name", "kind", "code", "authority"),
    [
        pytest.param("nobody.example.test", "A", "NXDOMAIN", 1, id="no such name"),
        pytest.param(WEB, "TXT", "NOERROR", 1, id="no such type"),
        pytest.param("example.test", "A", "NOERROR", 1, id="the apex without an address"),
        pytest.param("www.example.org", "A", "REFUSED", 0, id="another zone"),
        pytest.param("geo.example.test", "A", "SERVFAIL", 0, id="a policy that is not played"),
    ],
)
def test_what_is_not_there(name: str, kind: str, code: str, authority: int) -> None:
    reply = asked(name, kind)
    assert RCODE[reply.header.rcode] == code
    assert (len(reply.rr), len(reply.auth)) == (0, authority)


def test_what_is_no_question_gets_no_answer() -> None:
    assert answerer().respond(b"nonsense") == b""


def over_the_wire(dump: Dump, ask: Callable[[int], bytes]) -> DNSRecord:
    async def run() -> bytes:
        server = answerer(dump)
        await server.start(0)
        answer = await asyncio.to_thread(ask, server.port)
        await server.stop()
        return answer

    return DNSRecord.parse(asyncio.run(run()))


@pytest.mark.parametrize("tcp", [False, True], ids=["udp", "tcp"])
def test_it_answers_over_the_wire(*, tcp: bool) -> None:
    question = DNSRecord.question(WEB)
    reply = over_the_wire(DUMP, lambda port: question.send("127.0.0.1", port, tcp=tcp, timeout=5))
    assert len(reply.rr) == 2


def test_a_long_answer_is_cut_over_udp_and_whole_over_tcp() -> None:
    many = a_dump(RecordSet(WEB, "A", 5, tuple(f"127.0.11.{n}" for n in range(200))))
    question = DNSRecord.question(WEB)
    udp = over_the_wire(many, lambda port: question.send("127.0.0.1", port, timeout=5))
    tcp = over_the_wire(many, lambda port: question.send("127.0.0.1", port, tcp=True, timeout=5))
    assert (udp.header.tc, len(udp.rr)) == (1, 0)
    assert (tcp.header.tc, len(tcp.rr)) == (0, 200)
