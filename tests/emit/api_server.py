"""A small API server on loopback: answers by path, notes what it was asked, can be silent."""

import json
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, bytes]


@dataclass
class Asked:
    """One request as it came in."""

    path: str
    token: str | None
    certified: bool


@dataclass
class ApiServer:
    """What the server answers and what it was asked; `url` is where it listens."""

    url: str
    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    cut: set[str] = field(default_factory=set)
    """Paths whose answers end in the middle."""

    def serve(self, path: str, value: Mapping[str, Any], status: int = 200) -> None:
        """Answers a path with JSON from now on."""
        self.answers[path] = (status, json.dumps(value).encode())

    def serve_kinds(self, prefix: str, *kinds: tuple[str, str, bool]) -> None:
        """Answers the discovery of a group version: (kind, plural, namespaced)."""
        resources = [
            {"kind": kind, "name": plural, "namespaced": namespaced}
            for kind, plural, namespaced in kinds
        ]
        self.serve(prefix, {"resources": resources})

    @property
    def paths(self) -> list[str]:
        """The paths of all requests, in order."""
        return [each.path for each in self.asked]


@contextmanager
def an_api_server(tls: ssl.SSLContext | None = None) -> Iterator[ApiServer]:
    """Serves until the block ends; an unknown path is a 404 as Kubernetes words it."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            certificate = None
            if isinstance(self.connection, ssl.SSLSocket):
                certificate = self.connection.getpeercert()
            api.asked.append(Asked(self.path, self.headers["Authorization"], bool(certificate)))
            nothing = (404, b'{"kind": "Status", "reason": "NotFound"}')
            status, body = api.answers.get(self.path, nothing)
            self.send_response(status)
            missing = 100 if self.path in api.cut else 0
            self.send_header("Content-Length", str(len(body) + missing))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Says nothing of a client that hung up."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        scheme = "http" if tls is None else "https"
        api = ApiServer(f"{scheme}://127.0.0.1:{server.server_address[1]}")
        api.serve("/version", {"gitVersion": "v1.36.3"})
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield api
        finally:
            server.shutdown()
            thread.join()
