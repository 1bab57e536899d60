"""What a cluster's API server says, asked for real over loopback."""

import asyncio
import base64
import json
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from fleet.emit.access import ClusterAccess, ForbiddenError, UnreachableError
from fleet.emit.kubeconfig import KubeconfigError
from fleet.model.inventory import Connection
from tests.emit.api_server import ApiServer, an_api_server
from tests.emit.certificates import Authority, Pair

SLACK_SECONDS = 4
DEPLOYMENT = {"kind": "Deployment", "metadata": {"name": "web"}, "spec": {"replicas": 2}}


@pytest.fixture
def api() -> Iterator[ApiServer]:
    with an_api_server() as server:
        server.serve_kinds(
            "/apis/apps/v1",
            ("Deployment", "deployments", True),
            ("Scale", "deployments/scale", True),
        )
        server.serve_kinds(
            "/api/v1",
            ("Namespace", "namespaces", False),
            ("ConfigMap", "configmaps", True),
        )
        yield server


@pytest.fixture(scope="module")
def authority() -> Authority:
    return Authority()


def a_kubeconfig(
    server: str,
    *,
    user: Mapping[str, Any] | None = None,
    cluster: Mapping[str, Any] | None = None,
) -> str:
    return yaml.safe_dump(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "it", "cluster": {"server": server, **(cluster or {})}}],
            "users": [{"name": "me", "user": dict(user or {})}],
            "contexts": [{"name": "main", "context": {"cluster": "it", "user": "me"}}],
            "current-context": "main",
        }
    )


def an_access(kubeconfig: str, *, timeout: int = 5, context: str | None = None) -> ClusterAccess:
    connection = Connection(secret="eu-1", context=context, timeout_seconds=timeout)
    return ClusterAccess("eu-1", connection, Path("/nowhere"), kubeconfig)


def found(access: ClusterAccess, *what: str) -> dict[str, Any] | None:
    return asyncio.run(access.get(*what))


def reason(access: ClusterAccess) -> str | None:
    return asyncio.run(access.reachable())


@contextmanager
def a_silent_server() -> Iterator[int]:
    """Takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_an_answering_server_is_reachable(api: ApiServer) -> None:
    assert reason(an_access(a_kubeconfig(api.url))) is None
    assert api.paths == ["/version"]


@pytest.mark.parametrize(
    ("what", "path"),
    [
        pytest.param(
            ("apps/v1", "Deployment", "shop", "web"),
            "/apis/apps/v1/namespaces/shop/deployments/web",
            id="a namespaced object of a group",
        ),
        pytest.param(
            ("v1", "ConfigMap", "", "settings"),
            "/api/v1/namespaces/default/configmaps/settings",
            id="no namespace is default",
        ),
        pytest.param(
            ("v1", "Namespace", "", "shop"), "/api/v1/namespaces/shop", id="cluster-scoped"
        ),
        pytest.param(
            ("v1", "Namespace", "ignored", "shop"),
            "/api/v1/namespaces/shop",
            id="cluster-scoped whatever namespace is said",
        ),
    ],
)
def test_an_object_is_read_from_its_place(api: ApiServer, what: tuple[str, ...], path: str) -> None:
    api.serve(path, DEPLOYMENT)
    assert found(an_access(a_kubeconfig(api.url)), *what) == DEPLOYMENT
    assert api.paths[-1] == path


def test_what_does_not_exist_is_none(api: ApiServer) -> None:
    access = an_access(a_kubeconfig(api.url))
    assert found(access, "apps/v1", "Deployment", "shop", "web") is None
    assert found(access, "apps/v1", "Unheard", "shop", "web") is None
    assert found(access, "unserved.example/v1", "Thing", "shop", "web") is None


def test_a_subresource_is_no_kind(api: ApiServer) -> None:
    assert found(an_access(a_kubeconfig(api.url)), "apps/v1", "Scale", "shop", "web") is None
    assert api.paths == ["/apis/apps/v1"]


def test_what_a_group_serves_is_asked_once(api: ApiServer) -> None:
    access = an_access(a_kubeconfig(api.url))
    for name in ("web", "api"):
        found(access, "apps/v1", "Deployment", "shop", name)
    assert api.paths.count("/apis/apps/v1") == 1


def test_a_group_that_is_served_later_is_found_then(api: ApiServer) -> None:
    access = an_access(a_kubeconfig(api.url))
    assert found(access, "example.io/v1", "Thing", "shop", "a") is None
    api.serve_kinds("/apis/example.io/v1", ("Thing", "things", True))
    api.serve("/apis/example.io/v1/namespaces/shop/things/a", {"kind": "Thing"})
    assert found(access, "example.io/v1", "Thing", "shop", "a") == {"kind": "Thing"}


@pytest.mark.parametrize("status", [301, 401, 429, 500, 503])
def test_a_status_that_says_nothing_of_the_object_is_an_error(api: ApiServer, status: int) -> None:
    path = "/apis/apps/v1/namespaces/shop/deployments/web"
    api.serve(path, {}, status)
    api.serve("/version", {}, status)
    access = an_access(a_kubeconfig(api.url))
    with pytest.raises(UnreachableError) as caught:
        found(access, "apps/v1", "Deployment", "shop", "web")
    assert str(caught.value) == f"its API server answers {status} to {path}"
    assert reason(access) == f"its API server answers {status} to /version"


def test_a_login_without_the_right_is_no_dead_cluster(api: ApiServer) -> None:
    path = "/apis/apps/v1/namespaces/shop/deployments/web"
    api.serve(path, {}, 403)
    api.serve("/version", {}, 403)
    access = an_access(a_kubeconfig(api.url))
    with pytest.raises(ForbiddenError, match=r"refuses .* to this login"):
        found(access, "apps/v1", "Deployment", "shop", "web")
    assert reason(access) is None


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"<html>log in</html>", id="a page"),
        pytest.param(b"", id="nothing"),
        pytest.param(b'["v1.36.3"]', id="a list"),
        pytest.param(b"\xff\xfe", id="no text"),
    ],
)
def test_a_server_that_answers_something_else_is_no_api_server(api: ApiServer, body: bytes) -> None:
    api.answers["/version"] = (200, body)
    assert reason(an_access(a_kubeconfig(api.url))) == "what answers /version is no API server"


def test_a_server_without_a_version_is_no_api_server(api: ApiServer) -> None:
    del api.answers["/version"]
    assert reason(an_access(a_kubeconfig(api.url))) == "what answers /version is no API server"


def test_a_refused_connection_is_said_in_two_words() -> None:
    with a_silent_server() as port:
        pass
    access = an_access(a_kubeconfig(f"http://127.0.0.1:{port}"))
    assert reason(access) == "connection refused"
    with pytest.raises(UnreachableError, match=r"^connection refused$"):
        found(access, "v1", "Namespace", "", "shop")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_never_answers_costs_its_time_limit(scheme: str) -> None:
    with a_silent_server() as port:
        access = an_access(a_kubeconfig(f"{scheme}://127.0.0.1:{port}"), timeout=1)
        begun = time.monotonic()
        assert reason(access) == "no answer in time"
        assert time.monotonic() - begun < 1 + SLACK_SECONDS


def test_a_silent_cluster_takes_no_time_from_another(api: ApiServer) -> None:
    living = an_access(a_kubeconfig(api.url))

    async def all_at_once(silent: ClusterAccess) -> bool:
        waiting = [asyncio.create_task(silent.reachable()) for _ in range(100)]
        await asyncio.sleep(0)
        assert await living.reachable() is None
        silence = not any(each.done() for each in waiting)
        listening.close()
        await asyncio.gather(*waiting)
        return silence

    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert asyncio.run(all_at_once(an_access(a_kubeconfig(url), timeout=20)))


def test_a_server_that_hangs_up_is_unreachable() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"

        async def both() -> str | None:
            asked = asyncio.create_task(an_access(a_kubeconfig(url)).reachable())
            connection, _ = await asyncio.to_thread(listening.accept)
            connection.close()
            return await asked

        said = asyncio.run(both())
    assert said is not None
    assert "\n" not in said


def test_a_name_that_does_not_resolve_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    access = an_access(a_kubeconfig("https://eu-1.example.test:6443"))
    assert reason(access) == "its host name does not resolve"


def test_the_token_is_sent(api: ApiServer) -> None:
    assert reason(an_access(a_kubeconfig(api.url, user={"token": "abc"}))) is None
    assert api.asked[0].token == "Bearer abc"


def test_a_program_that_logs_in_is_run(api: ApiServer, tmp_path: Path) -> None:
    credential = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "kind": "ExecCredential",
        "status": {"token": "from-a-program"},
    }
    script = tmp_path / "login.py"
    script.write_text(f"print('''{json.dumps(credential)}''')")
    program = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": sys.executable,
        "args": [str(script)],
        "interactiveMode": "Never",
    }
    assert reason(an_access(a_kubeconfig(api.url, user={"exec": program}))) is None
    assert api.asked[0].token == "Bearer from-a-program"


def text64(pem: bytes) -> str:
    return base64.b64encode(pem).decode()


def a_tls(authority: Authority, folder: Path) -> ssl.SSLContext:
    """A server context that wants clients with a certificate of the same authority."""
    pair = authority.issue("server")
    (folder / "pair.pem").write_bytes(pair.key + pair.certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "pair.pem")
    context.load_verify_locations(cadata=authority.certificate.decode())
    context.verify_mode = ssl.CERT_OPTIONAL
    return context


def certified(url: str, authority: Authority, pair: Pair) -> str:
    return a_kubeconfig(
        url,
        cluster={"certificate-authority-data": text64(authority.certificate)},
        user={
            "client-certificate-data": text64(pair.certificate),
            "client-key-data": text64(pair.key),
        },
    )


def test_certificates_of_the_kubeconfig_are_used(authority: Authority, tmp_path: Path) -> None:
    with an_api_server(a_tls(authority, tmp_path)) as api:
        access = an_access(certified(api.url, authority, authority.issue("me")))
        assert reason(access) is None
        assert api.asked[0].certified


def test_another_authority_is_not_trusted(authority: Authority, tmp_path: Path) -> None:
    other = Authority()
    with an_api_server(a_tls(authority, tmp_path)) as api:
        access = an_access(certified(api.url, other, other.issue("me")))
        assert reason(access) == "its certificate is not the kubeconfig's"
        assert api.asked == []


ASK_ONCE = """
import asyncio, pathlib, sys
from fleet.emit.access import ClusterAccess
from fleet.model.inventory import Connection
access = ClusterAccess("eu-1", Connection(secret="eu-1"), pathlib.Path("/"), sys.stdin.read())
print(asyncio.run(access.reachable()))
"""


def test_no_credentials_stay_behind_in_files(authority: Authority, tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    with an_api_server(a_tls(authority, tmp_path)) as api:
        text = certified(api.url, authority, authority.issue("me"))
        ended = subprocess.run(
            [sys.executable, "-c", ASK_ONCE],
            input=text,
            env={"TMPDIR": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert (ended.stdout, ended.stderr) == ("None\n", "")
    assert list(folder.iterdir()) == []


def test_credentials_are_in_files_only_while_they_are_read(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that is killed cannot tidy up: nothing may be left to tidy."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with an_api_server(a_tls(authority, tmp_path)) as api:
        access = an_access(certified(api.url, authority, authority.issue("me")))
        access.connect()
        assert list(folder.iterdir()) == []
        assert reason(access) is None
        assert api.asked[0].certified


def test_a_file_is_read_from_below_the_root(api: ApiServer, tmp_path: Path) -> None:
    (tmp_path / "kube").mkdir()
    (tmp_path / "kube" / "eu.yaml").write_text(a_kubeconfig(api.url))
    access = ClusterAccess("eu-1", Connection(file="kube/eu.yaml"), tmp_path)
    assert reason(access) is None


def test_a_file_is_read_from_home(
    api: ApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text(a_kubeconfig(api.url))
    monkeypatch.setenv("HOME", str(tmp_path))
    access = ClusterAccess("eu-1", Connection(file="~/config"), Path("/nowhere"))
    assert reason(access) is None


def test_the_context_chooses_the_cluster(api: ApiServer) -> None:
    value = yaml.safe_load(a_kubeconfig(api.url))
    value["clusters"].append({"name": "dead", "cluster": {"server": "http://127.0.0.1:1"}})
    value["contexts"].append({"name": "dead", "context": {"cluster": "dead", "user": "me"}})
    value["current-context"] = "dead"
    text = yaml.safe_dump(value)
    assert reason(an_access(text)) == "connection refused"
    assert reason(an_access(text, context="main")) is None


def without(part: str) -> str:
    value = yaml.safe_load(a_kubeconfig("http://127.0.0.1:1"))
    del value[part]
    return yaml.safe_dump(value)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("kubeconfigs/eu-1.yaml", id="a path instead of the text"),
        pytest.param("[1, 2]", id="a list"),
        pytest.param("{clusters: [", id="no YAML"),
        pytest.param("clusters: 3", id="a number for clusters"),
        pytest.param(without("clusters"), id="no clusters"),
        pytest.param(without("contexts"), id="no contexts"),
        pytest.param(without("current-context"), id="no current context"),
        pytest.param(
            a_kubeconfig("https://127.0.0.1:1", user={"client-certificate-data": "%%%"}),
            id="a certificate that is no base64",
        ),
        pytest.param(
            a_kubeconfig(
                "https://127.0.0.1:1", cluster={"certificate-authority-data": text64(b"x")}
            ),
            id="an authority that is no certificate",
        ),
        pytest.param(
            a_kubeconfig("https://127.0.0.1:1", cluster={"certificate-authority": "gone.pem"}),
            id="an authority file that is gone",
        ),
        pytest.param(a_kubeconfig(""), id="no server"),
    ],
)
def test_a_kubeconfig_that_cannot_be_used_is_one_sentence(text: str) -> None:
    with pytest.raises(KubeconfigError) as caught:
        an_access(text).connect()
    sentence = str(caught.value)
    assert sentence.startswith("cluster 'eu-1': the kubeconfig cannot be used: ")
    assert "\n" not in sentence
    assert len(sentence) < 300


def test_an_unknown_context_is_named() -> None:
    access = an_access(a_kubeconfig("http://127.0.0.1:1"), context="prod")
    with pytest.raises(KubeconfigError, match="prod"):
        access.connect()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    access = ClusterAccess("eu-1", Connection(file="kube/eu.yaml"), tmp_path)
    with pytest.raises(KubeconfigError, match=r"kube/eu\.yaml"):
        access.connect()


def test_secrets_of_the_kubeconfig_are_in_no_sentence() -> None:
    text = a_kubeconfig(
        "https://127.0.0.1:1",
        user={"client-certificate-data": text64(b"x"), "client-key-data": "%sEcReT%"},
    )
    with pytest.raises(KubeconfigError) as caught:
        an_access(text).connect()
    assert "sEcReT" not in str(caught.value)
