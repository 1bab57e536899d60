"""Clusters that do not serve an API which an object of the workload needs."""

from collections.abc import Hashable, Iterator

import numpy as np

from fleet.model.base import FrozenMap
from fleet.model.decision import Rejection
from fleet.model.workload import Manifest
from fleet.schedule import reasons
from fleet.schedule.columns import Mask
from fleet.schedule.plugin import Filter
from fleet.schedule.request import Request

Api = tuple[str, str]
_DEFINITION = "apiextensions.k8s.io/v1", "CustomResourceDefinition"


def _needed(request: Request) -> frozenset[Api]:
    """The apiVersion and kind of every object, but of those that the workload itself defines.

    A definition comes first on every cluster: what it defines is served when it is wanted.
    """
    manifests = request.workload.manifests
    needed = frozenset((each.api_version, each.kind) for each in manifests)
    definitions = [each for each in manifests if (each.api_version, each.kind) == _DEFINITION]
    return needed.difference(*map(_defined, definitions))


def _defined(manifest: Manifest) -> frozenset[Api]:
    spec = manifest.body.get("spec") or {}
    kind = (spec.get("names") or {}).get("kind")
    versions = (each.get("name") for each in spec.get("versions") or ())
    return frozenset((f"{spec.get('group')}/{version}", str(kind)) for version in versions)


def _reads(request: Request) -> Hashable:
    """Nothing where no cluster says what it serves."""
    return _needed(request) if any(request.table.apis.values) else None


def serves(apis: tuple[str, ...], api: Api) -> bool:
    """Whether one of the served APIs is the version, or the kind itself; all where none is said.

    >>> serves(("apps/v1", "v1/Service"), ("apps/v1", "Deployment"))
    True
    >>> serves(("apps/v1", "v1/Service"), ("v1", "ConfigMap"))
    False
    """
    version, kind = api
    return not apis or version in apis or f"{version}/{kind}" in apis


def _bars(request: Request) -> Mask:
    if not any(request.table.apis.values):
        return np.zeros(request.table.size, dtype=bool)
    needed = _needed(request)
    return request.table.apis.where(lambda apis: not all(serves(apis, api) for api in needed))


def _spares(_request: Request, _place: int) -> bool:
    """What is there already stays, as in Karmada's APIEnablement."""
    return True


def _explains(request: Request, place: int) -> Iterator[Rejection]:
    cluster = request.table.clusters[place]
    seen = request.table.facts.observations.get(cluster.name)
    said_by = seen if seen is not None and seen.spec.apis else cluster
    source = said_by.origin.at("spec", "apis")
    needed, told = _needed(request), set[Api]()
    for each in request.workload.manifests:
        api = each.api_version, each.kind
        if api in needed - told and not serves(cluster.spec.apis, api):
            told.add(api)
            values = {"api": "/".join(api), "object": each.key}
            yield Rejection(reasons.API, FrozenMap[str | int](values), source)


APIS = Filter(
    "apis", _bars, _explains, _reads, _spares, speaks=lambda table: any(table.apis.values)
)
