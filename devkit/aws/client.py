"""Route53's official client with the real provider's manners: it waits, retries and gives up.

**Source**: the AWS provider's record.go and wait.go: every change is followed by GetChange until
it is INSYNC; throttled calls and unfinished prior requests are repeated.
"""

import threading
import time
from collections import deque
from collections.abc import Mapping

import botocore.session
from botocore.client import BaseClient
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from devkit.aws.data import Table, table, text
from devkit.aws.settings import Settings

BUSY = frozenset({"Throttling", "ThrottlingException", "PriorRequestNotComplete"})
BUSY_SECONDS = 90.0
OUTAGE_SECONDS = 40.0
SYNC_SECONDS = 110.0
POLL_SECONDS = 0.2
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 4.0
CALLS_PER_WINDOW, WINDOW_SECONDS = 5, 1.0
BROKEN_STATUS = 500


class ApiError(Exception):
    """A call failed for good; its text is one sentence for the user."""

    def __init__(self, operation: str, code: str, sentence: str) -> None:
        super().__init__(f"{operation}: {code}: {sentence}")
        self.code = code


class NotInSyncError(Exception):
    """A change was accepted, but was not seen in sync."""


class Client:
    """Calls one endpoint; used by many threads at once."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.cancelled = threading.Event()
        self._api = _api(settings)
        self._pace = _Pace()
        self._troubles: dict[str, _Trouble] = {}
        self._lanes: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    def call(self, operation: str, /, **arguments: object) -> Table:
        """Call one operation, by the API's names. **Errors**: ApiError."""
        attempt = 0
        trouble = self._trouble_with(operation)
        began = time.monotonic()
        while True:
            try:
                with self._pace:
                    answer: Table = self._api._make_api_call(operation, arguments)  # noqa: SLF001
            except (ClientError, BotoCoreError) as error:
                code, sentence = _reason(error)
                allowed = _allowed_seconds(error, code)
                attempt += 1
                # All calls of an operation give up together: one after the other, each with a
                # time limit of its own, a hundred records would fail for an hour.
                lost = max(trouble.seconds(), time.monotonic() - began)
                if lost >= allowed or attempt > (self.settings.max_retries or attempt):
                    raise ApiError(operation, code, sentence) from error
                self._pause(operation, attempt)
            else:
                trouble.over()
                return answer

    def _trouble_with(self, operation: str) -> "_Trouble":
        with self._guard:
            return self._troubles.setdefault(operation, _Trouble())

    def _pause(self, operation: str, attempt: int) -> None:
        pause = min(FIRST_PAUSE * 1.5 ** (attempt - 1), LONGEST_PAUSE)
        if self.cancelled.wait(pause):
            raise ApiError(operation, "Cancelled", "the update was cancelled")

    def lane(self, zone: str) -> threading.Lock:
        """Return the lock of a zone: one change is under way in it at a time."""
        with self._guard:
            return self._lanes.setdefault(zone, threading.Lock())

    def wait(self, answer: Mapping[str, object]) -> None:
        """Wait until the change that an answer announces is in sync.

        **Errors**: NotInSyncError, ApiError.
        """
        info = answer.get("ChangeInfo")
        identifier = text(info, "Id") if isinstance(info, dict) else ""
        deadline = time.monotonic() + SYNC_SECONDS
        while identifier:
            status = text(table(self.call("GetChange", Id=identifier), "ChangeInfo"), "Status")
            if status == "INSYNC":
                return
            if time.monotonic() > deadline:
                raise NotInSyncError(f"change {identifier} is {status} after {SYNC_SECONDS:.0f} s")
            if self.cancelled.wait(POLL_SECONDS):
                raise NotInSyncError(f"cancelled while change {identifier} was {status}")


def _api(settings: Settings) -> BaseClient:
    return botocore.session.Session().create_client(
        "route53",
        endpoint_url=settings.url,
        region_name=settings.region,
        aws_access_key_id=settings.access_key,
        aws_secret_access_key=settings.secret_key,
        config=Config(
            connect_timeout=4,
            read_timeout=15,
            proxies={},
            max_pool_connections=64,
            retries={"total_max_attempts": 1},
        ),
    )


def _reason(error: ClientError | BotoCoreError) -> tuple[str, str]:
    """Return Route53's code and sentence, or what kept the call from arriving."""
    if isinstance(error, ClientError):
        about = error.response.get("Error", {})
        return str(about.get("Code", "")), str(about.get("Message", ""))
    if isinstance(error, ParamValidationError):
        return "InvalidInput", " ".join(str(error).split())
    return type(error).__name__, str(error)


def _allowed_seconds(error: ClientError | BotoCoreError, code: str) -> float:
    """Return for how long a kind of failure is worth repeating."""
    if code in BUSY:
        return BUSY_SECONDS
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return OUTAGE_SECONDS if status >= BROKEN_STATUS else 0.0
    return 0.0 if isinstance(error, ParamValidationError) else OUTAGE_SECONDS


class _Pace:
    """Keeps to the account's five requests a second, wherever between the two ends time is lost.

    A call's place is free again one window after its answer, not after it was sent.
    """

    def __init__(self) -> None:
        self._under_way = 0
        self._ended: deque[float] = deque()
        self._changed = threading.Condition()

    def __enter__(self) -> None:
        with self._changed:
            while True:
                now = time.monotonic()
                while self._ended and now - self._ended[0] >= WINDOW_SECONDS:
                    self._ended.popleft()
                if self._under_way + len(self._ended) < CALLS_PER_WINDOW:
                    self._under_way += 1
                    return
                left = self._ended[0] + WINDOW_SECONDS - now if self._ended else None
                self._changed.wait(left)

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._under_way -= 1
            self._ended.append(time.monotonic())
            self._changed.notify()


class _Trouble:
    """Since when an operation has not worked, over all threads."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._lock = threading.Lock()

    def seconds(self) -> float:
        """Return for how long it has not worked; the first failure starts it."""
        with self._lock:
            now = time.monotonic()
            self._since = now if self._since is None else self._since
            return now - self._since

    def over(self) -> None:
        """It worked."""
        with self._lock:
            self._since = None
