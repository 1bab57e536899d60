"""What the local Route53 is told from outside, and what it writes down.

Settings make it slow, throttle or fail; the log holds every call with its time, so that a test
can read from it in which order things happened.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields

from devkit.aws.data import Data, Table
from devkit.aws.endpoint.faults import Refused

FAILURES = ("none", "changes", "all")
HOW = ("error", "reset", "refuse", "hang")
POLL_SECONDS = 0.1
WRITES = ("Create", "Update", "Delete", "Change")


@dataclass
class Settings:
    """How the local Route53 behaves.

    Attributes:
        delay: seconds until a change is INSYNC.
        busy: seconds during which the next change of a zone is refused after one; None: `delay`.
        rate: requests a second for the account; 0 means no limit.
        throttle: throttle the next n requests; -1 until told otherwise.
        fail: what fails: none, changes or all.
        how: how it fails: with an HTTP error, a reset connection, no answer at all, or (all) a
            closed port.
        fail_status: the HTTP status of an error.
    """

    delay: float = 1.0
    busy: float | None = None
    rate: int = 5
    throttle: int = 0
    fail: str = "none"
    how: str = "error"
    fail_status: int = 503

    def change(self, wanted: Table) -> None:
        """Take over the given settings. **Errors**: ValueError with one sentence, nothing taken."""
        names = {item.name: item for item in fields(self)}
        for name, value in wanted.items():
            if name not in names:
                raise ValueError(f"unknown setting '{name}', there are {', '.join(names)}")
            _check_setting(name, value)
        for name, value in wanted.items():
            setattr(self, name, value)

    def table(self) -> Table:
        """Return the settings as data."""
        return {item.name: getattr(self, item.name) for item in fields(self)}


def _check_setting(name: str, value: Data) -> None:
    words = {"fail": FAILURES, "how": HOW}.get(name)
    if words is not None:
        if value not in words:
            raise ValueError(f"'{name}' is one of {', '.join(words)}, not '{value}'")
    elif value is None and name == "busy":
        return
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"'{name}' is a number, not '{value}'")


class Dropped(Exception):  # noqa: N818 - the connection is dropped without an answer
    """The request gets no answer: its connection is reset."""


class Gate:
    """Decides before each call whether it is served at all."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings
        self._clock = clock
        self._recent: deque[float] = deque()
        self._lock = threading.Lock()

    def admit(self, operation: str) -> None:
        """Let a call pass. **Errors**: Refused when it fails or is throttled, Dropped."""
        settings = self.settings
        changes = operation.startswith(WRITES)
        if self._fails(changes=changes):
            while settings.how == "hang" and self._fails(changes=changes):
                time.sleep(POLL_SECONDS)
            if settings.how != "error":
                raise Dropped(operation)
            code = "ServiceUnavailable" if settings.fail_status == 503 else "InternalFailure"  # noqa: PLR2004
            raise Refused(code, "told to fail", settings.fail_status)
        with self._lock:
            self._throttle()

    def _fails(self, *, changes: bool) -> bool:
        fail = self.settings.fail
        return fail == "all" or (fail == "changes" and changes)

    def _throttle(self) -> None:
        settings, now = self.settings, self._clock()
        if settings.throttle:
            settings.throttle -= 1 if settings.throttle > 0 else 0
            raise Refused("Throttling", "Rate exceeded")
        while self._recent and now - self._recent[0] >= 1:
            self._recent.popleft()
        if settings.rate and len(self._recent) >= settings.rate:
            raise Refused("Throttling", "Rate exceeded")
        self._recent.append(now)


class Log:
    """Every call, in the order in which it was answered."""

    def __init__(self) -> None:
        self._entries: list[Table] = []
        self._lock = threading.Lock()

    def add(self, entry: Table) -> None:
        """Write one line down, with the time in seconds since 1970."""
        with self._lock:
            self._entries.append({"number": len(self._entries), "time": time.time(), **entry})

    def since(self, number: int = 0) -> list[Table]:
        """Return every entry from that number on."""
        with self._lock:
            return list(self._entries[number:])
