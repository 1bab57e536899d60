"""Talk to the agent: one JSON line there, one back, over a unix socket."""

import hashlib
import json
import socket
import tempfile
from pathlib import Path
from typing import Any

from devkit.errors import DevkitError
from devkit.home import Home

MAX_SOCKET_PATH = 100
ANSWER_SECONDS = 30


def socket_path(home: Home) -> Path:
    """Return the agent's socket; elsewhere when the home's path is too long for one."""
    path = home.root / "agent.sock"
    if len(str(path).encode()) <= MAX_SOCKET_PATH:
        return path
    short = hashlib.sha256(str(home.root).encode()).hexdigest()[:16]
    # Not TMPDIR, which the devkit itself may have set to a long path.
    return Path("/tmp" if Path("/tmp").is_dir() else tempfile.gettempdir()) / f"fleet-{short}.sock"  # noqa: S108


def ask(home: Home, **request: object) -> dict[str, Any]:
    """Send a request to the agent and return its answer.

    Errors: DevkitError when no agent runs, or with its refusal.
    """
    answer = try_ask(home, **request)
    if answer is None:
        raise DevkitError(f"no devkit is up in {home.root} - run 'python -m devkit up'")
    if "error" in answer:
        raise DevkitError(str(answer["error"]))
    return answer


def try_ask(home: Home, **request: object) -> dict[str, Any] | None:
    """Send a request to the agent; None when nobody answers."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(ANSWER_SECONDS)
            line.connect(str(socket_path(home)))
            line.sendall(json.dumps(request).encode() + b"\n")
            text = line.makefile().readline()
    except OSError:
        return None
    if not text:
        return None
    answer: dict[str, Any] = json.loads(text)
    return answer
