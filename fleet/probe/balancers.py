"""Where the traffic of what fleet placed comes in, as the status of the objects says."""

from collections.abc import Iterator, Mapping
from typing import Any

from fleet.deliver.identity import OWNER
from fleet.model.observation import LoadBalancer
from fleet.probe.reader import Reader

_GATEWAYS = "gateway.networking.k8s.io/"


def balancers(reader: Reader, apis: tuple[str, ...]) -> tuple[LoadBalancer, ...]:
    """The Services of type LoadBalancer, Ingresses and Gateways with fleet's signature, sorted.

    One whose status says nothing yet has no addresses and no host names.
    """
    found = [
        _balancer(kind, each)
        for kind, path in _places(apis)
        for each in reader.items(path)
        if OWNER in ((each.get("metadata") or {}).get("annotations") or {})
        and (kind != "Service" or (each.get("spec") or {}).get("type") == "LoadBalancer")
    ]
    return tuple(sorted(found, key=lambda each: (each.kind, each.namespace, each.name)))


def _places(apis: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The kinds that are served, with the paths of their lists."""
    yield "Service", "/api/v1/services"
    if "networking.k8s.io/v1/Ingress" in apis:
        yield "Ingress", "/apis/networking.k8s.io/v1/ingresses"
    versions = [
        each.split("/")[1]
        for each in apis
        if each.startswith(_GATEWAYS) and each.endswith("/Gateway")
    ]
    if versions:
        best = "v1" if "v1" in versions else versions[-1]
        yield "Gateway", f"/apis/{_GATEWAYS}{best}/gateways"


def _balancer(kind: str, live: Mapping[str, Any]) -> LoadBalancer:
    metadata, status = live["metadata"], live.get("status") or {}
    if kind == "Gateway":
        points = [
            {"hostname" if each.get("type") == "Hostname" else "ip": each.get("value")}
            for each in status.get("addresses") or ()
        ]
    else:
        points = (status.get("loadBalancer") or {}).get("ingress") or []
    return LoadBalancer.model_validate(
        {
            "kind": kind,
            "namespace": str(metadata.get("namespace", "")),
            "name": str(metadata["name"]),
            "workload": str(metadata["annotations"][OWNER]).rpartition("/")[2],
            "addresses": sorted({str(each["ip"]) for each in points if each.get("ip")}),
            "hostnames": sorted({str(each["hostname"]) for each in points if each.get("hostname")}),
        }
    )
