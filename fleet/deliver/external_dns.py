"""One owner per name: external-dns must not be asked for a name that fleet manages.

external-dns reads the names of its hostname annotations from any object, and an Ingress's rule
hosts (a route's hostnames) where its annotations are in use. Source: external-dns, annotations.
"""

from collections.abc import Iterable, Iterator, Mapping

from fleet.deliver.bodies import look
from fleet.deliver.faults import Fault, Faults
from fleet.deliver.place import Draft
from fleet.model.source import Path, dotted

PREFIX = "external-dns.alpha.kubernetes.io/"
HOSTNAMES = (f"{PREFIX}hostname", f"{PREFIX}internal-hostname")
CONTROLLER = f"{PREFIX}controller"
SOURCE_OF_NAMES = f"{PREFIX}ingress-hostname-source"


def refuse_second_owner(
    drafts: Iterable[Draft], managed: Mapping[str, str], faults: Faults
) -> None:
    """Notes every managed name that an object asks external-dns for.

    **Shape**: `managed` is the traffic policy by lower-case name.
    """
    for draft in drafts:
        for path, name in _names(draft.body):
            owner = managed.get(name.strip().rstrip(".").lower())
            if owner is not None:
                faults.add(
                    Fault(
                        draft.manifest.origin.at(*path),
                        dotted(path),
                        f"{draft.label} asks external-dns for '{name.strip()}', which traffic"
                        f" policy '{owner}' owns",
                        "a name has one owner; remove the annotation or the policy",
                    )
                )


def _names(body: object) -> Iterator[tuple[Path, str]]:
    """Every name that external-dns would take from an object, with its place."""
    annotations = look(body, "metadata", "annotations")
    if not isinstance(annotations, Mapping):
        return
    if annotations.get(CONTROLLER, "dns-controller") != "dns-controller":
        return
    for key in HOSTNAMES:
        for name in str(annotations.get(key, "")).split(","):
            yield ("metadata", "annotations", key), name
    if not any(str(key).startswith(PREFIX) for key in annotations):
        return
    if annotations.get(SOURCE_OF_NAMES) != "annotation-only":
        yield from _hosts(body)


def _hosts(body: object) -> Iterator[tuple[Path, str]]:
    rules = look(body, "spec", "rules")
    for number, rule in enumerate(rules if isinstance(rules, list) else []):
        yield ("spec", "rules", number, "host"), str(look(rule, "host") or "")
    hostnames = look(body, "spec", "hostnames")
    for number, name in enumerate(hostnames if isinstance(hostnames, list) else []):
        yield ("spec", "hostnames", number), str(name)
