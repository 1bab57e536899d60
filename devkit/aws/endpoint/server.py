"""The local Route53's HTTP side: one port for the API, and the same port to tell it things.

`/_devkit/state`, `/_devkit/log?since=N` and `/_devkit/settings` (GET and POST) are ours, all else
is Route53's. A second port answers `/_devkit/` only, and goes on when the first one is closed.
"""

import json
import socket
import struct
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from devkit.aws.data import Data, Table, table, tables, text
from devkit.aws.endpoint.control import Dropped, Gate, Log, Settings
from devkit.aws.endpoint.faults import Refused
from devkit.aws.endpoint.route53 import Route53
from devkit.aws.endpoint.wire import Call, read_call, service, write_answer, write_refusal

HOME = "127.0.0.1"


class Endpoint:
    """A local Route53 that can be started, told what to do, and stopped."""

    def __init__(self, port: int = 0, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.account = Route53(self.settings)
        self.log = Log()
        self.gate = Gate(self.settings)
        self._wanted_port = port
        self._front: _Server | None = None
        self._admin: _Server | None = None
        self._lock = threading.Lock()

    @property
    def port(self) -> int:
        """The API's port."""
        return self._wanted_port

    @property
    def url(self) -> str:
        """What goes into the provider's `endpoints`."""
        return f"http://{HOME}:{self.port}"

    @property
    def admin_url(self) -> str:
        """Where it can be told things, also while the API's port is closed."""
        port = self._admin.server_port if self._admin else 0
        return f"http://{HOME}:{port}/_devkit"

    def start(self) -> None:
        """Open both ports. **Errors**: OSError when the port is taken."""
        service()
        self._admin = _Server(self, 0, admin=True)
        self._follow_settings()

    def stop(self) -> None:
        """Close both ports; the state goes with the object."""
        with self._lock:
            for server in (self._front, self._admin):
                if server is not None:
                    server.end()
            self._front = self._admin = None

    def tell(self, wanted: Table) -> None:
        """Change settings. **Errors**: ValueError with one sentence."""
        self.settings.change(wanted)
        self._follow_settings()

    def _follow_settings(self) -> None:
        """Close or open the API's port, as the settings say."""
        closed = self.settings.fail == "all" and self.settings.how == "refuse"
        with self._lock:
            if closed and self._front is not None:
                self._front.end()
                self._front = None
            elif not closed and self._front is None:
                self._front = _Server(self, self._wanted_port)
                self._wanted_port = self._front.server_port

    def serve(self, method: str, target: str, body: bytes) -> tuple[int, bytes]:
        """Answer one request of the API. **Errors**: Dropped when it gets no answer."""
        entry: Table = {"action": f"{method} {urlsplit(target).path}"}
        try:
            call = read_call(method, target, body)
            entry = _described(call)
            self.gate.admit(call.operation)
            result = self.account.call(call.operation, call.arguments)
        except Refused as refused:
            self._write_down([entry], refused.status, refused.code)
            return refused.status, write_refusal(refused, str(uuid.uuid4()))
        except Dropped:
            self._write_down([entry], 0, "Dropped")
            raise
        self._write_down(_outcomes(call, entry, result), 200, "")
        return write_answer(call.operation, result)

    def _write_down(self, entries: list[Table], status: int, error: str) -> None:
        for entry in entries:
            self.log.add({**entry, "status": status, "error": error})

    def tell_or_ask(self, method: str, target: str, body: bytes) -> tuple[int, Data]:
        """Answer one request under /_devkit/."""
        parts = urlsplit(target)
        word = parts.path.removeprefix("/_devkit/").strip("/")
        if word == "state":
            return 200, self.account.dump()
        if word == "log":
            since = parse_qs(parts.query).get("since", ["0"])[0]
            return 200, list[Data](self.log.since(int(since) if since.isdigit() else 0))
        if word == "settings" and method == "GET":
            return 200, self.settings.table()
        if word == "settings":
            try:
                wanted = json.loads(body or b"{}")
                self.tell(wanted if isinstance(wanted, dict) else {"": wanted})
            except ValueError as error:
                return 400, {"error": str(error)}
            return 200, self.settings.table()
        return 404, {"error": f"there are state, log and settings, not '{word}'"}


def _described(call: Call) -> Table:
    """Return what the log says about a call before its outcome is known."""
    wanted = call.arguments
    entry: Table = {"action": call.operation}
    own = "change_id" if call.operation == "GetChange" else "zone"
    for key, name in (("zone", "HostedZoneId"), ("check", "HealthCheckId"), (own, "Id")):
        if text(wanted, name):
            entry[key] = text(wanted, name)
    names: list[Data] = [
        text(table(change, "ResourceRecordSet"), "Name")
        for change in tables(table(wanted, "ChangeBatch"), "Changes")
    ]
    if names:
        entry["names"] = names
    return entry


def _outcomes(call: Call, entry: Table, result: Table) -> list[Table]:
    """Return the log's entries: one for each change of a batch, one for any other call."""
    info = table(result, "ChangeInfo")
    if info:
        entry["change_id"] = text(info, "Id").removeprefix("/change/")
    check = table(result, "HealthCheck")
    if check:
        entry["check"] = text(check, "Id")
    changes = tables(table(call.arguments, "ChangeBatch"), "Changes")
    if not changes:
        return [entry]
    return [{**entry, **_change_entry(change)} for change in changes]


def _change_entry(change: Table) -> Table:
    record = table(change, "ResourceRecordSet")
    return {
        "change": text(change, "Action"),
        "name": text(record, "Name"),
        "type": text(record, "Type"),
        "set_identifier": text(record, "SetIdentifier"),
        "weight": record.get("Weight"),
        "health_check": record.get("HealthCheckId"),
        "ttl": record.get("TTL"),
    }


class _Server(ThreadingHTTPServer):
    """One listening port in its own thread."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, endpoint: Endpoint, port: int, *, admin: bool = False) -> None:
        self.endpoint = endpoint
        self.admin = admin
        super().__init__((HOME, port), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Close the port and wait until nobody listens there."""
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    """Answers one request and closes the connection."""

    server: _Server

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        ours = self.path.startswith("/_devkit/")
        if self.server.admin and not ours:
            self._send(404, "text/plain", b"only /_devkit/ is answered here\n")
        elif ours:
            status, value = self.server.endpoint.tell_or_ask(self.command, self.path, body)
            self._send(status, "application/json", json.dumps(value).encode())
        else:
            try:
                status, answer = self.server.endpoint.serve(self.command, self.path, body)
            except Dropped:
                self._reset()
            else:
                self._send(status, "text/xml", answer)

    do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - the names that http.server calls

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _reset(self) -> None:
        """Close the connection so that the client sees a reset instead of an answer."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Stay quiet: the log holds every call."""
