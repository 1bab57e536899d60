"""An entry answers over TLS on the same port, with the certificate of its kubeconfig."""

import asyncio
import json
from base64 import b64encode
from pathlib import Path

import pytest

from devkit.dataplane.entry import Entry
from devkit.dataplane.ingress import Answer
from devkit.dataplane.places import Places
from devkit.dataplane.probe import probe
from devkit.dataplane.tls import server_context
from devkit.dataplane.web import Target, get
from devkit.proxy import How
from tests.dataplane.kit import WEB, a_kubeconfig
from tests.emit.certificates import Authority


@pytest.fixture
def kubeconfig(tmp_path: Path) -> Path:
    """A kubeconfig whose user has a client certificate, as a cluster's own has."""
    pair = Authority().issue("admin")
    file = tmp_path / "kubeconfig"
    user = {
        "client-certificate-data": b64encode(pair.certificate).decode(),
        "client-key-data": b64encode(pair.key).decode(),
    }
    file.write_text(a_kubeconfig(1, user))
    return file


def a_check(port: int, **changed: object) -> dict[str, object]:
    config = {"Type": "HTTPS", "IPAddress": "127.0.0.1", "Port": port, "EnableSNI": True}
    return {**config, "FullyQualifiedDomainName": WEB, **changed}


def test_a_checker_asks_over_tls(kubeconfig: Path) -> None:
    async def run() -> None:
        asked = []

        def ask(host: str, path: str) -> Answer:
            asked.append((host, path))
            return Answer(200, "default/web", 2)

        entry = Entry("eu-1", "127.0.0.1", 0, ask, server_context(kubeconfig))
        await entry.start()
        check = a_check(entry.port, Type="HTTPS_STR_MATCH", SearchString='"ready": 2')
        assert await probe(check, Places([])) == ""
        assert asked == [(WEB, "/")]
        plain = await get(Target("127.0.0.1", entry.port), "/", {"Host": WEB})
        assert json.loads(plain.body)["cluster"] == "eu-1"
        await entry.become(How.HANG)
        assert await probe(check, Places([])) == "no answer in time"
        await entry.become(How.REFUSE)
        assert "Connect call failed" in await probe(check, Places([]))
        await entry.stop()

    asyncio.run(run())


def test_without_a_certificate_tls_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        file = tmp_path / "kubeconfig"
        file.write_text(a_kubeconfig(1))
        assert server_context(file) is None
        entry = Entry("eu-1", "127.0.0.1", 0, lambda *_: Answer(200))
        await entry.start()
        assert await probe(a_check(entry.port), Places([])) != ""
        await entry.stop()

    asyncio.run(run())
