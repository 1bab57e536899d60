"""How a kubeconfig's current context reaches its API server."""

import base64
import ssl
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from devkit.dataplane.web import Target


def api_server(kubeconfig: Path) -> Target:
    """Return where the API server is and how it is asked.

    **Errors**: OSError, ValueError where the file is not there or not whole.
    """
    cluster, _ = _context(kubeconfig)
    parts = urlsplit(str(cluster["server"]))
    if parts.scheme == "http":
        return Target(parts.hostname or "", parts.port or 80)
    tls = ssl.create_default_context(cadata=_pem(cluster, "certificate-authority", kubeconfig))
    with certificate_file(kubeconfig) as file:
        tls.load_cert_chain(file)
    return Target(parts.hostname or "", parts.port or 443, tls)


@contextmanager
def certificate_file(kubeconfig: Path) -> Iterator[str]:
    """Lay the client's certificate and key in one file: ssl takes them from a file only.

    **Errors**: OSError, ValueError where there is none.
    """
    _, user = _context(kubeconfig)
    with tempfile.NamedTemporaryFile("w", suffix=".pem") as both:
        both.write(_pem(user, "client-certificate", kubeconfig))
        both.write("\n" + _pem(user, "client-key", kubeconfig))
        both.flush()
        yield both.name


def _context(kubeconfig: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the current context's cluster and user."""
    document = yaml.safe_load(kubeconfig.read_text())
    try:
        context = _named(document["contexts"], document["current-context"])["context"]
        cluster = _named(document["clusters"], context["cluster"])["cluster"]
        user = _named(document["users"], context["user"])["user"]
    except (KeyError, TypeError, StopIteration) as error:
        raise ValueError(f"{kubeconfig} is no whole kubeconfig") from error
    return cluster, user


def _named(items: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(item for item in items if item["name"] == name)


def _pem(table: Mapping[str, Any], key: str, kubeconfig: Path) -> str:
    """Return a certificate or key that stands in the kubeconfig or in a file beside it."""
    if table.get(f"{key}-data"):
        return base64.b64decode(table[f"{key}-data"]).decode()
    if not table.get(key):
        raise ValueError(f"{kubeconfig} has no {key}")
    return (kubeconfig.parent / str(table[key])).read_text()
