"""Which kinds an API server serves, all of them or an error. Source: aggregated discovery."""

from collections.abc import Iterator, Mapping
from typing import Any

from fleet.probe.reader import Reader
from fleet.probe.values import HalfError

_AGGREGATED = (
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"
)


def served(reader: Reader) -> tuple[str, ...]:
    """Every served kind, as `v1/Service` or `apps/v1/Deployment`, sorted.

    Raises HalfError where a group cannot be read: behind it stands a service that does not answer.
    """
    found: set[str] = set()
    for path in ("/api", "/apis"):
        answer = reader.read(path, (), _AGGREGATED)
        if answer.get("kind") == "APIGroupDiscoveryList":
            found.update(_aggregated(answer))
        else:
            found.update(_one_by_one(reader, path, answer))
    if not found:
        raise HalfError("its API server says that it serves nothing")
    return tuple(sorted(found))


def _aggregated(answer: Mapping[str, Any]) -> Iterator[str]:
    for group in answer.get("items") or ():
        name = (group.get("metadata") or {}).get("name", "")
        for version in group.get("versions") or ():
            said = f"{name}/{version['version']}" if name else str(version["version"])
            if version.get("freshness") == "Stale":
                raise HalfError(f"what serves the API {said} does not answer")
            for each in version.get("resources") or ():
                kind = (each.get("responseKind") or {}).get("kind")
                if kind:
                    yield f"{said}/{kind}"


def _one_by_one(reader: Reader, path: str, answer: Mapping[str, Any]) -> Iterator[str]:
    """As older servers tell it: a list of versions, then the kinds of each."""
    versions = [str(each) for each in answer.get("versions") or ()]
    for group in answer.get("groups") or ():
        versions += [str(each["groupVersion"]) for each in group.get("versions") or ()]
    if not versions:
        raise HalfError(f"what answers {path} is no list of APIs")
    for version in versions:
        for each in reader.read(f"{path}/{version}").get("resources") or ():
            if "/" not in str(each["name"]):
                yield f"{version}/{each['kind']}"
