"""Reads of one cluster within its time; a list is read to its end, or not at all."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fleet.emit.access import ClusterAccess, Query, StatusError
from fleet.probe.values import HalfError

PAGE = 500
GONE = 410
METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"


@dataclass(slots=True)
class Reader:
    """Asks a cluster until its time is over.

    `deadline` is a reading of time.monotonic(). `answered`: the API server said that it is ready.
    """

    access: ClusterAccess
    deadline: float = float("inf")
    answered: bool = False

    def read(
        self, path: str, query: Query = (), accept: str = "application/json"
    ) -> dict[str, Any]:
        """The object at a path. Raises as ClusterAccess.read, and HalfError where there is none."""
        self.check_time()
        found = self.access.read(path, query, accept)
        if found is None:
            raise HalfError(f"its API server does not serve {path}")
        return found

    def check_time(self) -> None:
        """Raises HalfError when the time is over."""
        if time.monotonic() > self.deadline:
            raise HalfError("it did not answer everything in time")

    def items(self, path: str, accept: str = "application/json") -> Iterator[dict[str, Any]]:
        """Every item of a list, page by page.

        Raises HalfError where a page is no list, or the list changed while it was read.
        """
        token = ""
        while True:
            page = self._page(path, token, accept)
            # An empty list of metadata is null; a page that is no list lacks the key.
            items = [] if page.get("items", "") is None else page.get("items")
            if not str(page.get("kind", "")).endswith("List") or not isinstance(items, list):
                raise HalfError(f"what answers {path} is no list")
            yield from items
            before, token = token, str((page.get("metadata") or {}).get("continue") or "")
            if not token:
                return
            if token == before:
                raise HalfError(f"the list of {path} does not end")

    def _page(self, path: str, token: str, accept: str) -> dict[str, Any]:
        query = [("limit", str(PAGE)), *([("continue", token)] if token else [])]
        try:
            return self.read(path, query, accept)
        except StatusError as error:
            if error.status == GONE:
                raise HalfError(f"the list of {path} expired while it was read (410)") from None
            raise
