"""One look of a health checker at its endpoint.

**Source**: Amazon Route 53 Developer Guide, "How Amazon Route 53 determines whether a health check
is healthy": connect within 4 s (TCP 10 s), a status of 2xx or 3xx within 2 s more, the string
within the first 5,120 bytes of the body, which come within 2 s more. Certificates are not checked;
the name is said in TLS only where SNI is on.
"""

import ssl

from devkit.aws.data import Table, flag, number, text
from devkit.dataplane.places import Places
from devkit.dataplane.web import Limits, Target, connected, get

CONNECT_SECONDS, TCP_SECONDS, STATUS_SECONDS, BODY_SECONDS = 4, 10, 2, 2
SEARCHED_BYTES = 5120
GOOD = range(200, 400)


async def probe(config: Table, places: Places) -> str:
    """Return why an endpoint is unhealthy; empty where it is healthy."""
    kind = text(config, "Type")
    host = text(config, "FullyQualifiedDomainName")
    named = text(config, "IPAddress") or host
    where = places.resolve(named, number(config, "Port", 443 if kind.startswith("HTTPS") else 80))
    if where is None:
        return f"'{named}' is not on this machine"
    target = Target(
        *where,
        tls=_tls() if kind.startswith("HTTPS") else None,
        server_name=host if flag(config, "EnableSNI") else None,
    )
    try:
        if kind == "TCP":
            async with connected(target, TCP_SECONDS):
                return ""
        return await _ask(config, target, host or named)
    except TimeoutError:
        return "no answer in time"
    except (OSError, ValueError, EOFError) as error:
        return str(error) or type(error).__name__


async def _ask(config: Table, target: Target, host: str) -> str:
    searched = text(config, "SearchString")
    limits = Limits(CONNECT_SECONDS, STATUS_SECONDS, BODY_SECONDS)
    headers = {"Host": host, "User-Agent": "devkit health checker", "Accept": "*/*"}
    path = text(config, "ResourcePath") or "/"
    path = path if path.startswith("/") else f"/{path}"
    answer = await get(target, path, headers, limits, wanted=SEARCHED_BYTES if searched else 0)
    if answer.status not in GOOD:
        return f"HTTP status {answer.status}"
    if searched and searched.encode() not in answer.body:
        return f"'{searched}' is not in the first {SEARCHED_BYTES} bytes"
    return ""


def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
