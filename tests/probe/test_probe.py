"""What a probe reads of clusters that live, answer half, or are gone."""

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fleet.model.observation import LoadBalancer
from fleet.probe import probe
from fleet.probe.values import Answer, Reach
from tests.emit.api_server import ApiServer
from tests.emit.certificates import Authority
from tests.probe.kit import (
    KINDS,
    LISTS,
    a_cluster_api,
    a_kubeconfig,
    a_node,
    a_pod,
    an_access,
    an_object,
    controlled_by,
    make_cluster,
    serve_apis,
    serve_list,
    signed,
)

SLACK_SECONDS = 4


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


@pytest.fixture
def api(authority: Authority, tmp_path: Path) -> Iterator[ApiServer]:
    with a_cluster_api(authority, tmp_path) as server:
        yield server


@pytest.fixture
def ask(api: ApiServer, authority: Authority) -> Callable[[], Answer]:
    return lambda: probe([an_access("eu-1", a_kubeconfig(api.url, authority))], 20)["eu-1"]


@contextmanager
def a_dead_port() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    yield f"https://127.0.0.1:{port}"


@contextmanager
def a_silent_server() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"https://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def a_dripping_server() -> Iterator[str]:
    """Sends a byte of its answer now and then: no single read takes long."""
    over = threading.Event()

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            while not over.wait(0.1):
                connection.sendall(b"o")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        over.set()
        thread.join()


def test_a_living_cluster_is_read_in_whole(ask: Callable[[], Answer]) -> None:
    answer = ask()
    assert (answer.reach, answer.error) == (Reach.ANSWERS, "")
    seen = answer.seen
    assert seen is not None
    assert (seen.kubernetes_version, seen.nodes) == ("v1.36.3", 2)
    assert 0 <= seen.milliseconds < 2000
    assert dict(seen.capacity.allocatable) == {"cpu": 8000, "memory": 16 * 2**30, "pods": 220}
    assert dict(seen.capacity.reserved) == {"cpu": 250, "memory": 2**30, "pods": 1}
    assert [(group.count, group.free["cpu"]) for group in seen.capacity.nodes] == [
        (1, 3750),
        (1, 4000),
    ]
    assert seen.apis == tuple(
        sorted(
            f"{group}/{version}/{kind}" if group else f"{version}/{kind}"
            for group, versions in KINDS.items()
            for version, kinds in versions.items()
            for kind in kinds
        )
    )
    assert seen.load_balancers == (
        LoadBalancer(
            kind="Service",
            namespace="shop",
            name="web",
            workload="web",
            addresses=("192.0.2.7",),
            hostnames=("lb.example",),
        ),
    )


def test_the_login_is_used_and_never_told(api: ApiServer, ask: Callable[[], Answer]) -> None:
    assert "s3cr3t" not in repr(ask())
    assert {each.token for each in api.asked} == {"Bearer s3cr3t-t0ken"}


def test_all_pages_of_a_list_count(api: ApiServer, ask: Callable[[], Answer]) -> None:
    serve_list(api, "nodes", [a_node(f"n{number}") for number in range(7)], pages=3)
    seen = ask().seen
    assert seen is not None
    assert seen.nodes == 7


@pytest.mark.parametrize(
    "node",
    [
        pytest.param(a_node("n3", unschedulable=True), id="cordoned"),
        pytest.param(
            a_node("n3", taints=[{"key": "control-plane", "effect": "NoSchedule"}]), id="tainted"
        ),
        pytest.param(
            a_node("n3") | {"status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}},
            id="not ready",
        ),
    ],
)
def test_a_node_that_takes_no_pods_has_no_capacity(
    api: ApiServer, ask: Callable[[], Answer], node: dict[str, object]
) -> None:
    serve_list(api, "nodes", [a_node("n1"), node])
    seen = ask().seen
    assert seen is not None
    assert (seen.nodes, seen.capacity.allocatable["cpu"]) == (1, 4000)


def test_a_cluster_without_nodes_has_nothing(api: ApiServer, ask: Callable[[], Answer]) -> None:
    serve_list(api, "nodes", [])
    seen = ask().seen
    assert seen is not None
    assert (seen.nodes, dict(seen.capacity.allocatable)) == (0, {"cpu": 0, "memory": 0, "pods": 0})


@pytest.mark.parametrize(
    ("pod", "counts"),
    [
        pytest.param(a_pod("p"), True, id="nobody's"),
        pytest.param(a_pod("p", **controlled_by("Deployment", "web")), False, id="a Deployment's"),
        pytest.param(a_pod("p", **signed("p")), False, id="placed itself"),
        pytest.param(a_pod("p", **controlled_by("ReplicaSet", "gone")), True, id="an orphan"),
        pytest.param(a_pod("p", **controlled_by("Node", "n1", "v1")), True, id="the node's own"),
        pytest.param(
            a_pod("p", **controlled_by("Cache", "mine", "cache.example/v1")), False, id="custom"
        ),
        pytest.param(
            a_pod("p", **controlled_by("Cache", "theirs", "cache.example/v1")),
            True,
            id="custom, not signed",
        ),
        pytest.param(
            a_pod("p", **controlled_by("Cache", "hidden", "cache.example/v1")),
            True,
            id="custom, may not be read",
        ),
        pytest.param(a_pod("p") | {"status": {"phase": "Succeeded"}}, False, id="over"),
        pytest.param(a_pod("p", node=""), False, id="not yet on a node"),
    ],
)
def test_only_what_runs_without_fleet_is_reserved(
    api: ApiServer, ask: Callable[[], Answer], pod: dict[str, object], *, counts: bool
) -> None:
    serve_list(api, "pods", [pod])
    api.serve_kinds("/apis/cache.example/v1", ("Cache", "caches", True))
    caches = "/apis/cache.example/v1/namespaces/shop/caches"
    api.serve(f"{caches}/mine", an_object("mine", **signed("cache")))
    api.serve(f"{caches}/theirs", an_object("theirs"))
    api.serve(f"{caches}/hidden", {}, 403)
    seen = ask().seen
    assert seen is not None
    assert seen.capacity.reserved.get("cpu", 0) == (500 if counts else 0)


def test_an_empty_list_of_metadata_is_null_on_a_real_server(
    api: ApiServer, ask: Callable[[], Answer]
) -> None:
    page: dict[str, object] = {"kind": "PartialObjectMetadataList", "metadata": {}, "items": None}
    api.serve(f"{LISTS['statefulsets']}?limit=500", page)
    assert ask().seen is not None


def test_ingresses_and_gateways_are_read(api: ApiServer, ask: Callable[[], Answer]) -> None:
    status = {"loadBalancer": {"ingress": [{"ip": "192.0.2.8"}]}}
    serve_list(api, "ingresses", [an_object("in", **signed("web")) | {"status": status}])
    addresses = [
        {"type": "Hostname", "value": "gw.example"},
        {"type": "IPAddress", "value": "192.0.2.9"},
    ]
    gateway = an_object("gw", **signed("edge")) | {"status": {"addresses": addresses}}
    serve_list(api, "gateways", [gateway, an_object("new", **signed("edge"))])
    seen = ask().seen
    assert seen is not None
    assert [
        (each.kind, each.name, each.addresses, each.hostnames) for each in seen.load_balancers
    ] == [
        ("Gateway", "gw", ("192.0.2.9",), ("gw.example",)),
        ("Gateway", "new", (), ()),
        ("Ingress", "in", ("192.0.2.8",), ()),
        ("Service", "web", ("192.0.2.7",), ("lb.example",)),
    ]


def test_an_older_server_tells_its_apis_one_by_one(
    api: ApiServer, ask: Callable[[], Answer]
) -> None:
    api.serve("/api", {"kind": "APIVersions", "versions": ["v1"]})
    groups = [{"name": "apps", "versions": [{"groupVersion": "apps/v1", "version": "v1"}]}]
    api.serve("/apis", {"kind": "APIGroupList", "groups": groups})
    api.serve_kinds("/api/v1", ("Pod", "pods", True), ("Pod", "pods/log", True))
    api.serve_kinds("/apis/apps/v1", ("Deployment", "deployments", True))
    seen = ask().seen
    assert seen is not None
    assert seen.apis == ("apps/v1/Deployment", "v1/Pod")


def _cut_page(api: ApiServer) -> None:
    serve_list(api, "pods", [a_pod("a"), a_pod("b")], pages=2)
    api.cut.add(f"{LISTS['pods']}?limit=500&continue=p1")


def _expired(api: ApiServer) -> None:
    serve_list(api, "pods", [a_pod("a"), a_pod("b")], pages=2)
    api.serve(f"{LISTS['pods']}?limit=500&continue=p1", {"reason": "Expired"}, 410)


def _endless(api: ApiServer) -> None:
    page = {"kind": "PodList", "items": [], "metadata": {"continue": "p1"}}
    api.serve(f"{LISTS['pods']}?limit=500", page)
    api.serve(f"{LISTS['pods']}?limit=500&continue=p1", page)


HALVES: list[tuple[str, Callable[[ApiServer], object], str]] = [
    ("apis are not served", lambda api: api.answers.pop("/apis"), "does not serve /apis"),
    (
        "a group behind a dead service",
        lambda api: serve_apis(api, apps="Stale"),
        "API apps/v1 does",
    ),
    ("a page cut in the middle", _cut_page, ""),
    ("a page that expired", _expired, "expired while it was read (410)"),
    ("a list without an end", _endless, "does not end"),
    (
        "a list that is none",
        lambda api: api.serve(f"{LISTS['nodes']}?limit=500", {"kind": "Status"}),
        "is no list",
    ),
    (
        "a right that lacks",
        lambda api: api.serve(f"{LISTS['pods']}?limit=500", {}, 403),
        "refuses /api/v1/pods to this login",
    ),
    (
        "an error on the way",
        lambda api: api.serve(f"{LISTS['services']}?limit=500", {}, 500),
        "answers 500 to /api/v1/services",
    ),
    (
        "a node without allocatable",
        lambda api: serve_list(
            api, "nodes", [a_node("n1") | {"status": a_node("x")["status"] | {"allocatable": {}}}]
        ),
        "node 'n1' does not say",
    ),
    (
        "a node with a strange amount",
        lambda api: serve_list(api, "nodes", [a_node("n1", cpu="many")]),
        "node 'n1': 'many' is no Kubernetes quantity",
    ),
    ("no version", lambda api: api.serve("/version", {}), "does not say its version"),
    (
        "items of another shape",
        lambda api: serve_list(api, "nodes", ["n1"]),  # type: ignore[list-item] # that is the point
        "something else than Kubernetes",
    ),
]


@pytest.mark.parametrize(
    ("spoil", "error"), [pytest.param(spoil, error, id=name) for name, spoil, error in HALVES]
)
def test_half_an_answer_is_an_error(
    api: ApiServer, ask: Callable[[], Answer], spoil: Callable[[ApiServer], object], error: str
) -> None:
    spoil(api)
    answer = ask()
    assert answer.seen is None
    assert answer.reach is Reach.ANSWERS
    assert answer.error
    assert error in answer.error
    assert "\n" not in answer.error


UNREADY = b"[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed"
NO_API = "what answers /readyz is no API server"
READYZ = [
    ("not ready", 500, UNREADY, Reach.SILENT, "its API server is not ready: etcd"),
    ("broken", 503, b"", Reach.SILENT, "its API server answers 503 to /readyz"),
    ("another login", 401, b"", Reach.ANSWERS, "its API server answers 401 to /readyz"),
    ("no right", 403, b"", Reach.ANSWERS, "its API server refuses /readyz to this login (403)"),
    ("a page", 200, b"<html>log in</html>", Reach.UNKNOWN, NO_API),
    ("nothing there", 404, b"", Reach.UNKNOWN, NO_API),
]


@pytest.mark.parametrize(
    ("status", "body", "answer"),
    [
        pytest.param(status, body, Answer(reach, error=error), id=name)
        for name, status, body, reach, error in READYZ
    ],
)
def test_a_server_that_is_not_ready_is_told_from_one_that_refuses(
    api: ApiServer, ask: Callable[[], Answer], status: int, body: bytes, answer: Answer
) -> None:
    api.answers["/readyz"] = (status, body)
    assert ask() == answer


def test_a_certificate_of_somebody_else_says_nothing_of_the_cluster(api: ApiServer) -> None:
    access = an_access("eu-1", a_kubeconfig(api.url, Authority()))
    assert probe([access], 10)["eu-1"] == Answer(
        Reach.UNKNOWN, error="its certificate is not the kubeconfig's"
    )


def test_a_kubeconfig_that_is_none_says_nothing_of_the_cluster() -> None:
    answer = probe([an_access("eu-1", "[1]")], 10)["eu-1"]
    assert answer.reach is Reach.UNKNOWN
    assert answer.error.startswith("the kubeconfig cannot be used: it is no map")


def test_one_dead_cluster_spoils_no_other(api: ApiServer, authority: Authority) -> None:
    with a_dead_port() as gone, a_silent_server() as silent, a_dripping_server() as dripping:
        accesses = [
            an_access("living", a_kubeconfig(api.url, authority)),
            an_access("gone", a_kubeconfig(gone)),
            an_access("silent", a_kubeconfig(silent), timeout=1),
            an_access("dripping", a_kubeconfig(dripping), timeout=1),
        ]
        begun = time.monotonic()
        answers = probe(accesses, 3)
        assert time.monotonic() - begun < 3 + SLACK_SECONDS
    assert answers["living"].seen is not None
    assert answers["gone"] == Answer(Reach.SILENT, error="connection refused")
    assert answers["silent"] == Answer(Reach.SILENT, error="no answer in time")
    late = "it did not answer everything in time"
    assert answers["dripping"] == Answer(Reach.SILENT, error=late)


def test_more_clusters_than_threads_are_all_asked() -> None:
    with a_dead_port() as gone:
        accesses = [an_access(f"c{number}", a_kubeconfig(gone)) for number in range(80)]
        answers = probe(accesses, 30)
    assert {each.reach for each in answers.values()} == {Reach.SILENT}
    assert len(answers) == 80


def a_program(folder: Path, body: str) -> dict[str, object]:
    """A login program that is this Python."""
    script = folder / "login.py"
    script.write_text(body)
    version = "client.authentication.k8s.io/v1"
    return {"apiVersion": version, "command": sys.executable, "args": [str(script)]}


def test_a_login_that_hangs_costs_its_own_cluster_only(
    api: ApiServer, authority: Authority, tmp_path: Path
) -> None:
    program = a_program(tmp_path, "import time\ntime.sleep(60)")
    accesses = [
        an_access("hangs", a_kubeconfig(api.url, authority, exec=program)),
        an_access("living", a_kubeconfig(api.url, authority)),
    ]
    begun = time.monotonic()
    answers = probe(accesses, 2)
    assert time.monotonic() - begun < 2 + SLACK_SECONDS
    assert answers["living"].seen is not None
    assert answers["hangs"].seen is None


def test_a_program_s_login_reads_the_whole_cluster(
    api: ApiServer, authority: Authority, tmp_path: Path
) -> None:
    credential = {"kind": "ExecCredential", "status": {"token": "short-lived"}}
    program = a_program(tmp_path, f"print('''{json.dumps(credential)}''')")
    access = an_access("eu-1", a_kubeconfig(api.url, authority, exec=program))
    assert probe([access], 20)["eu-1"].seen is not None
    assert {each.token for each in api.asked} == {"Bearer short-lived"}


def test_the_kit_is_a_whole_cluster(api: ApiServer, ask: Callable[[], Answer]) -> None:
    make_cluster(api)
    assert ask().seen is not None
