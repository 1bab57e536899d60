"""A lever's host: a web server of objects that an operator puts and removes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class LeverHost:
    """Objects by path; what is there is answered with 200, the rest with 404."""

    objects: dict[str, bytes] = field(default_factory=dict)
    url: str = ""

    def put(self, path: str, body: bytes = b"pulled") -> None:
        """Puts an object."""
        self.objects[path] = body

    def remove(self, path: str) -> None:
        """Removes an object."""
        del self.objects[path]


@contextmanager
def lever_host() -> Iterator[LeverHost]:
    """A host that runs while the block does."""
    host = LeverHost()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = host.objects.get(self.path)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    host.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
