"""An entry answers over TLS on the same port, with the certificate of its kubeconfig."""

import asyncio
import json
import ssl
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


@pytest.mark.parametrize(("sni", "said"), [(True, WEB), (False, None)])
def test_a_checker_says_the_name_in_tls_where_sni_is_on(
    kubeconfig: Path, *, sni: bool, said: str | None
) -> None:
    async def run() -> None:
        heard: list[str | None] = []
        context = server_context(kubeconfig)
        assert context is not None
        context.sni_callback = lambda _link, name, _context: heard.append(name)
        entry = Entry("eu-1", "127.0.0.1", 0, lambda *_: Answer(200, "default/web", 1), context)
        await entry.start()
        assert await probe(a_check(entry.port, EnableSNI=sni), Places([])) == ""
        assert heard == [said]
        await entry.stop()

    asyncio.run(run())


def test_an_entry_that_wants_sni_is_unhealthy_without(kubeconfig: Path) -> None:
    async def run() -> None:
        context = server_context(kubeconfig)
        assert context is not None

        def refuse_nobody(
            _link: ssl.SSLObject, name: str | None, _context: ssl.SSLContext
        ) -> int | None:
            return None if name else ssl.ALERT_DESCRIPTION_UNRECOGNIZED_NAME

        context.sni_callback = refuse_nobody
        entry = Entry("eu-1", "127.0.0.1", 0, lambda *_: Answer(200, "default/web", 1), context)
        await entry.start()
        assert await probe(a_check(entry.port), Places([])) == ""
        assert await probe(a_check(entry.port, EnableSNI=False), Places([])) != ""
        await entry.stop()

    asyncio.run(run())
