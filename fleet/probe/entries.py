"""Asks an entry as its health check does. Source: Route53 HealthCheckConfig."""

import http.client
import socket
import ssl
import time

from fleet.model.endpoint import CheckDelivery
from fleet.model.health import Probe

CONNECT_SECONDS, ANSWER_SECONDS, WHOLE_SECONDS = 4.0, 4.0, 10.0
SEARCHED_BYTES = 5120
_GOOD = range(200, 400)


def ask_entry(check: CheckDelivery) -> str:
    """Why an entry gives no good answer, empty where it does; never raises.

    As Route53's checkers: a certificate is not looked at, 2xx and 3xx are good, a string is
    searched in the first 5,120 bytes.
    """
    probe = check.check or Probe()
    try:
        with socket.create_connection(_place(check), CONNECT_SECONDS) as connection:
            connection.settimeout(ANSWER_SECONDS)
            if probe.type == "TCP":
                return ""
            if probe.is_secure:
                name = check.host if probe.enable_sni and check.host else None
                with _tls().wrap_socket(connection, server_hostname=name) as secured:
                    return _ask(secured, check, probe)
            return _ask(connection, check, probe)
    except TimeoutError:
        return "no answer in time"
    except ConnectionRefusedError:
        return "connection refused"
    except (OSError, http.client.HTTPException, ValueError) as error:
        return str(error).partition("\n")[0] or type(error).__name__


def _place(check: CheckDelivery) -> tuple[str, int]:
    return check.address or check.hostname or "", check.port


def _ask(connection: socket.socket, check: CheckDelivery, probe: Probe) -> str:
    link = http.client.HTTPConnection(*_place(check))
    link.sock = connection
    headers = {"Host": check.host, "Connection": "close", "User-Agent": "fleet verify"}
    link.request("GET", check.path or "/", headers=headers)
    answer = link.getresponse()
    if answer.status not in _GOOD:
        return f"HTTP status {answer.status}"
    searched = probe.search_string
    if searched is not None and searched.encode() not in _beginning(answer):
        return f"'{searched}' is not in the first {SEARCHED_BYTES} bytes"
    return ""


def _beginning(answer: http.client.HTTPResponse) -> bytes:
    """The first bytes of the body, as many as come in time."""
    body = b""
    end = time.monotonic() + WHOLE_SECONDS
    while len(body) < SEARCHED_BYTES and time.monotonic() < end:
        more = answer.read1(SEARCHED_BYTES - len(body))
        if not more:
            break
        body += more
    return body


def _tls() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
