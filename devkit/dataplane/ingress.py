"""Which Service answers a request, as an ingress controller would choose it.

**Source**: Kubernetes documentation, "Ingress": hosts by exact match before a wildcard before
none; paths by `Exact` before the longest `Prefix`, compared element by element.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

SERVICE_LABEL = "kubernetes.io/service-name"
NOT_FOUND, UNAVAILABLE, OK = 404, 503, 200


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of one cluster, as the API has them; Services by `namespace/name`."""

    ingresses: tuple[Mapping[str, Any], ...] = ()
    services: frozenset[str] = frozenset()
    slices: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What an entry answers: an HTTP status, the Service as `namespace/name`, ready endpoints."""

    status: int
    service: str = ""
    ready: int = 0


def answer(objects: Objects, host: str, path: str) -> Answer:
    """Return what a request for that host and path gets.

    404 where no Ingress wants it, 503 where its Service is missing or has no ready endpoint.
    """
    service = route(objects, host.lower().split(":")[0], path)
    if not service:
        return Answer(NOT_FOUND)
    if service not in objects.services:
        return Answer(UNAVAILABLE, service)
    ready = ready_endpoints(objects, service)
    return Answer(OK if ready else UNAVAILABLE, service, ready)


def route(objects: Objects, host: str, path: str) -> str:
    """Return the Service of the best rule as `namespace/name`; empty where none fits."""
    found = [
        (rank, service)
        for ingress in objects.ingresses
        for rank, service in _candidates(ingress, host, path)
    ]
    return min(found, default=((), ""))[1]


def _candidates(
    ingress: Mapping[str, Any], host: str, path: str
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield what an Ingress offers for a request: the lower the rank, the better."""
    spec, namespace = ingress.get("spec") or {}, ingress["metadata"]["namespace"]
    for rule in spec.get("rules") or []:
        host_rank = _host_rank(rule.get("host") or "", host)
        for item in (rule.get("http") or {}).get("paths") or []:
            path_rank = _path_rank(item, path)
            if host_rank is not None and path_rank is not None:
                yield (host_rank, *path_rank), _service(namespace, item.get("backend"))
    if spec.get("defaultBackend"):
        yield (9,), _service(namespace, spec["defaultBackend"])


def _service(namespace: str, backend: Mapping[str, Any] | None) -> str:
    return f"{namespace}/{((backend or {}).get('service') or {}).get('name', '')}"


def _host_rank(rule: str, host: str) -> int | None:
    """Return 0 for the same host, 1 for a wildcard of one label, 2 for any, None for another."""
    if not rule:
        return 2
    if rule.lower() == host:
        return 0
    fits = rule.startswith("*.") and host.partition(".")[2] == rule[2:].lower()
    return 1 if fits else None


def _path_rank(item: Mapping[str, Any], path: str) -> tuple[int, int] | None:
    """Return 0 for an exact path, else 1 and the prefix's length, longest first; None if neither.

    >>> _path_rank({"path": "/a", "pathType": "Prefix"}, "/a/b")
    (1, -1)
    >>> _path_rank({"path": "/a", "pathType": "Prefix"}, "/ab") is None
    True
    """
    wanted = item.get("path") or "/"
    path = path.split("?", maxsplit=1)[0]
    if item.get("pathType") == "Exact":
        return (0, 0) if path == wanted else None
    prefix = [part for part in wanted.split("/") if part]
    given = [part for part in path.split("/") if part]
    return (1, -len(prefix)) if given[: len(prefix)] == prefix else None


def ready_endpoints(objects: Objects, service: str) -> int:
    """Return how many ready addresses the Service's EndpointSlices have."""
    addresses = set()
    for piece in objects.slices:
        metadata = piece["metadata"]
        name = (metadata.get("labels") or {}).get(SERVICE_LABEL)
        if f"{metadata['namespace']}/{name}" != service:
            continue
        for endpoint in piece.get("endpoints") or []:
            if (endpoint.get("conditions") or {}).get("ready") is not False:
                reference = endpoint.get("targetRef") or {}
                addresses.add(reference.get("name") or tuple(endpoint.get("addresses") or ()))
    return len(addresses)
