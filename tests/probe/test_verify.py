"""Whether a plan has come true: names, entries and replicas on loopback, right and wrong."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from dnslib import CNAME, QTYPE, RCODE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSServer

from fleet.model.decision import Role
from fleet.model.endpoint import AliasDelivery, CheckDelivery, EndpointDelivery, RecordDelivery
from fleet.model.health import HealthCheck
from fleet.model.plan import Change, ClusterDelivery, DeliveryPlan, ReadyTarget, WorkloadDelivery
from fleet.model.traffic import Mode, ZoneRef
from fleet.model.verified import Aspect, Verified
from fleet.probe.entries import ask_entry
from fleet.probe.names import NoServerError, ask, resolver_of
from fleet.probe.verify import Asking, verify
from tests.emit.api_server import ApiServer, an_api_server
from tests.emit.certificates import Authority
from tests.probe.kit import a_kubeconfig, an_access

NAME = "web.fleet.test"
EU, US = "192.0.2.1", "192.0.2.2"


@dataclass
class Names(BaseResolver):  # type: ignore[misc] # dnslib is untyped
    """Answers each name in turn with what a test says; an unknown name does not exist."""

    zone: dict[str, Iterator[str]] = field(default_factory=dict)
    asked: int = 0

    def say(self, name: str, *values: str) -> None:
        """What a name answers from now on, in turn."""
        self.zone[name] = cycle(values)

    def resolve(self, request: Any, _handler: Any) -> Any:
        """The answer to one question, as dnslib wants it."""
        self.asked += 1
        reply, name = request.reply(), str(request.q.qname).rstrip(".")
        if name not in self.zone:
            reply.header.rcode = RCODE.NXDOMAIN
        elif QTYPE[request.q.qtype] == "A":
            value = next(self.zone[name])
            if value[0].isdigit():
                reply.add_answer(RR(request.q.qname, QTYPE.A, ttl=5, rdata=A(value)))
            elif value != "nothing":
                reply.add_answer(RR(request.q.qname, QTYPE.CNAME, ttl=5, rdata=CNAME(value)))
        return reply


@pytest.fixture
def names() -> Iterator[Names]:
    resolver = Names()
    server = DNSServer(resolver, address="127.0.0.1", port=0, logger=_Quiet())
    resolver.port = server.server.server_address[1]
    server.start_thread()
    yield resolver
    server.stop()
    server.server.server_close()
    server.thread.join()


class _Quiet:
    def __getattr__(self, _name: str) -> Any:
        return lambda *_: None


@dataclass
class Entry:
    """An HTTP server and what it was asked."""

    port: int = 0
    status: int = 200
    body: bytes = b"fine"
    hosts: list[str] = field(default_factory=list)
    sni: list[str] = field(default_factory=list)


@contextmanager
def an_entry(tls: ssl.SSLContext | None = None) -> Iterator[Entry]:
    entry = Entry()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            entry.hosts.append(f"{self.headers['Host']}{self.path}")
            self.send_response(entry.status)
            self.send_header("Content-Length", str(len(entry.body)))
            self.end_headers()
            self.wfile.write(entry.body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Says nothing of a client that hung up."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            tls.sni_callback = lambda _socket, name, _context: entry.sni.append(str(name))
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        entry.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield entry
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def entry() -> Iterator[Entry]:
    with an_entry() as serving:
        yield serving


@pytest.fixture
def api() -> Iterator[ApiServer]:
    with an_api_server() as server:
        server.serve_kinds("/apis/apps/v1", ("Deployment", "deployments", True))
        ready(server, 3)
        yield server


def ready(api: ApiServer, count: int) -> None:
    status = {"replicas": count, "updatedReplicas": count, "availableReplicas": count}
    path = "/apis/apps/v1/namespaces/shop/deployments/web"
    api.serve(path, {"kind": "Deployment", "status": status})


def a_check(port: int, kind: str = "HTTP", **changed: Any) -> CheckDelivery:
    search = changed.pop("search_string", None)
    check = HealthCheck.model_validate({"type": kind, "searchString": search})
    plain = CheckDelivery("check/eu-1/a", "eu-1", check, "127.0.0.1", None, port, "/healthz", NAME)
    return replace(plain, **changed)


def a_record(cluster: str, weight: int, *targets: str, kind: str = "A") -> RecordDelivery:
    name = f"web/{cluster}"
    return RecordDelivery(name, cluster, kind, targets, weight, weight, f"check/{cluster}/a")


def a_plan(check: CheckDelivery, *records: RecordDelivery, replicas: int = 3) -> DeliveryPlan:
    """Web runs on eu-1, and web.fleet.test leads to it."""
    target = ReadyTarget("apps/v1", "Deployment", "shop", "web", replicas)
    delivery = ClusterDelivery(
        "eu-1", replicas, Role.ACTIVE, replicas, Change.SAME, (), (target,), ""
    )
    endpoint = EndpointDelivery(
        policy="web",
        workload="web",
        dns_name=NAME,
        zone=ZoneRef(name="fleet.test"),
        mode=Mode.ACTIVE_STANDBY,
        ttl_seconds=5,
        records=records,
    )
    workload = WorkloadDelivery("web", None, (delivery,))
    return DeliveryPlan((), (), (workload,), (check,), (endpoint,), (), "")


RECORDS = (a_record("eu-1", 100, EU), a_record("us-1", 0, US))


def asking(plan: DeliveryPlan, names: Names, api: ApiServer) -> Asking:
    access = an_access("eu-1", a_kubeconfig(api.url))
    resolver = resolver_of(f"127.0.0.1:{names.port}")
    return Asking(plan, {"eu-1": access}, resolver, asks=6)


def differing(found: list[Verified]) -> list[tuple[str, str, str]]:
    return [(str(each.aspect), each.cluster, each.seen) for each in found if not each.agrees]


def test_a_plan_that_came_true_agrees_everywhere(
    names: Names, entry: Entry, api: ApiServer
) -> None:
    names.say(NAME, EU)
    found = verify(asking(a_plan(a_check(entry.port), *RECORDS), names, api), 0)
    assert differing(found) == []
    assert [(str(each.aspect), each.cluster, each.wanted, each.seen) for each in found] == [
        ("entry", "eu-1", "healthy", "healthy"),
        ("name", "eu-1", "100%", "6 of 6 answers"),
        ("name", "us-1", "0%", "0 of 6 answers"),
        ("replicas", "eu-1", "3 ready", "ready"),
    ]
    assert entry.hosts == [f"{NAME}/healthz"]


def test_an_answer_of_a_region_that_is_left_differs(
    names: Names, entry: Entry, api: ApiServer
) -> None:
    """By latency its alias stands, and a check that is never healthy keeps it out."""
    names.say(NAME, US)
    check = a_check(entry.port)
    never = replace(check, name="never", check=None, children=(check.name,), threshold=2)
    plan = a_plan(check)
    leaf = f"_latency.{NAME}"
    eu, us = f"eu-west-1.{leaf}", f"us-east-1.{leaf}"
    left = replace(a_record("us-1", 0, US), dns_name=us, check=never.name, held=True)
    records = (replace(a_record("eu-1", 3, EU), dns_name=eu), left)
    aliases = (
        AliasDelivery("web/_latency/eu-west-1", leaf, "A", "eu-west-1", eu, region="eu-west-1"),
        AliasDelivery("web/_latency/us-east-1", leaf, "A", "us-east-1", us, region="us-east-1"),
        AliasDelivery("web/_leaf", NAME, "A", "_leaf", leaf, 100),
    )
    endpoint = replace(
        plan.endpoints[0], mode=Mode.LATENCY, form="latency", records=records, aliases=aliases
    )
    planned = replace(plan, checks=(check, never), endpoints=(endpoint,))
    found = verify(asking(planned, names, api), 0)
    assert [each[1] for each in differing(found) if each[0] == "name"] == ["us-1"]
    names.say(NAME, EU)
    found = verify(asking(planned, names, api), 0)
    assert [each for each in differing(found) if each[0] == "name"] == []


def test_an_answer_of_who_has_no_share_differs(names: Names, entry: Entry, api: ApiServer) -> None:
    names.say(NAME, EU, EU, US)
    found = verify(asking(a_plan(a_check(entry.port), *RECORDS), names, api), 0)
    assert differing(found) == [("name", "us-1", "2 of 6 answers")]


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        pytest.param("flat", ["50%", "50%"], id="by weight"),
        pytest.param("latency", ["some", "some"], id="who asks decides"),
    ],
)
def test_a_share_that_nobody_knows_is_not_told(
    names: Names, entry: Entry, api: ApiServer, form: str, wanted: list[str]
) -> None:
    names.say(NAME, EU, US)
    records = (a_record("eu-1", 1, EU), a_record("us-1", 1, US))
    plan = a_plan(a_check(entry.port), *records)
    formed = tuple(replace(each, form=form) for each in plan.endpoints)
    found = verify(asking(replace(plan, endpoints=formed), names, api), 0)
    assert [each.wanted for each in found if each.aspect is Aspect.NAME] == wanted


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        (["192.0.2.66"], "6 x 192.0.2.66"),
        ([EU, "nothing"], "3 x the answer is empty"),
        ([], "6 x the name does not exist"),
    ],
)
def test_an_answer_that_is_nobody_s_differs(
    names: Names, entry: Entry, api: ApiServer, *, said: list[str], seen: str
) -> None:
    if said:
        names.say(NAME, *said)
    found = verify(asking(a_plan(a_check(entry.port), *RECORDS), names, api), 0)
    assert differing(found) == [("name", "-", seen)]


def test_a_host_name_is_known_by_what_it_leads_to(
    names: Names, entry: Entry, api: ApiServer
) -> None:
    names.say(NAME, "192.0.2.9", "lb.example.")
    names.say("lb.example", "192.0.2.9")
    records = (a_record("eu-1", 100, "lb.example.", kind="CNAME"),)
    found = verify(asking(a_plan(a_check(entry.port), *records), names, api), 0)
    assert differing(found) == []


def test_a_red_entry_and_missing_replicas_differ(
    names: Names, entry: Entry, api: ApiServer
) -> None:
    names.say(NAME, EU)
    entry.status = 503
    ready(api, 2)
    found = verify(asking(a_plan(a_check(entry.port), *RECORDS), names, api), 0)
    assert differing(found) == [
        ("entry", "eu-1", "HTTP status 503"),
        ("replicas", "eu-1", "2 of 3 replicas run the new version"),
    ]


def test_an_entry_without_replicas_may_be_red(names: Names, entry: Entry, api: ApiServer) -> None:
    names.say(NAME, EU)
    entry.status = 503
    ready(api, 0)
    found = verify(asking(a_plan(a_check(entry.port), *RECORDS, replicas=0), names, api), 0)
    assert [each for each in found if each.aspect is Aspect.ENTRY] == []
    assert differing(found) == []


def test_a_dead_cluster_differs(names: Names, entry: Entry, api: ApiServer) -> None:
    names.say(NAME, EU)
    asked = asking(a_plan(a_check(entry.port), *RECORDS), names, api)
    dead = {"eu-1": an_access("eu-1", a_kubeconfig("http://127.0.0.1:1"))}
    found = verify(replace(asked, accesses=dead), 0)
    assert differing(found) == [("replicas", "eu-1", "connection refused")]
    found = verify(replace(asked, accesses={}), 0)
    sentence = "the inventory does not say how to connect"
    assert differing(found) == [("replicas", "eu-1", sentence)]


def test_what_agrees_in_time_is_waited_for(names: Names, entry: Entry, api: ApiServer) -> None:
    names.say(NAME, US)
    timer = threading.Timer(1.2, lambda: names.say(NAME, EU))
    timer.start()
    found = verify(asking(a_plan(a_check(entry.port), *RECORDS), names, api), 20)
    timer.join()
    assert differing(found) == []
    assert names.asked >= 12


def test_https_is_asked_with_the_host_in_tls(tmp_path: Path) -> None:
    pair = Authority().issue("server")
    (tmp_path / "pair.pem").write_bytes(pair.key + pair.certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "pair.pem")
    with an_entry(context) as entry:
        assert ask_entry(a_check(entry.port, "HTTPS")) == ""
        assert (entry.sni, entry.hosts) == ([NAME], [f"{NAME}/healthz"])


@pytest.mark.parametrize(
    ("kind", "search", "status", "body", "fault"),
    [
        ("HTTP", None, 302, b"", ""),
        ("HTTP", None, 404, b"", "HTTP status 404"),
        ("HTTP_STR_MATCH", "fine", 200, b"all is fine", ""),
        ("HTTP_STR_MATCH", "fine", 200, b"bad", "'fine' is not in the first 5120 bytes"),
        ("HTTP_STR_MATCH", "fine", 200, b" " * 5120 + b"fine", "'fine' is not in the first"),
        ("TCP", None, 500, b"", ""),
        ("HTTPS", None, 200, b"", "WRONG_VERSION_NUMBER"),
    ],
)
def test_an_entry_is_judged_as_its_check_judges(  # noqa: PLR0913 - a row of a table
    entry: Entry, kind: str, search: str | None, status: int, body: bytes, *, fault: str
) -> None:
    entry.status, entry.body = status, body
    said = ask_entry(a_check(entry.port, kind, search_string=search)).replace(" ", "_")
    assert (fault.replace(" ", "_").lower() in said.lower()) if fault else said == ""


def test_a_closed_door_is_said() -> None:
    assert ask_entry(a_check(1)) == "connection refused"


def test_a_server_that_is_none_is_one_sentence() -> None:
    with pytest.raises(NoServerError, match=r"^'127.0.0.1:x' is no name server to ask"):
        resolver_of("127.0.0.1:x")


def test_a_server_that_is_silent_is_said(names: Names) -> None:
    resolver = resolver_of(f"127.0.0.1:{names.port}")
    assert ask(resolver, "unheard.test", "A").error == "the name does not exist"
    assert ask(resolver_of("127.0.0.1:1"), NAME, "A").error
    assert DNSRecord.question(NAME)
