"""Container images: a reference taken apart, changed in parts, and put together again.

Source: the reference grammar of the OCI distribution specification, as containerd and Docker
read it: the first part is a registry only where it has a dot, a colon, an upper-case letter or is
`localhost`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fleet.deliver.bodies import Body, look
from fleet.model.override import ImageChange

POD_SPECS = (
    ("spec", "template", "spec"),
    ("spec", "jobTemplate", "spec", "template", "spec"),
    ("template", "spec"),
)
"""Where a pod template stands: workload kinds, CronJob, PodTemplate."""


@dataclass(frozen=True, slots=True)
class Image:
    """`[registry/]repository[:tag][@digest]`; a part that is not there is empty."""

    registry: str
    repository: str
    tag: str = ""
    digest: str = ""

    def __str__(self) -> str:
        """The reference again."""
        registry = f"{self.registry}/" if self.registry else ""
        tag = f":{self.tag}" if self.tag else ""
        digest = f"@{self.digest}" if self.digest else ""
        return f"{registry}{self.repository}{tag}{digest}"


def parse_image(text: str) -> Image:
    """Takes a reference apart.

    >>> parse_image("localhost:5000/shop/web:1.2")
    Image(registry='localhost:5000', repository='shop/web', tag='1.2', digest='')
    >>> parse_image("perl:5.34.0")
    Image(registry='', repository='perl', tag='5.34.0', digest='')
    >>> parse_image("ghcr.io/a/b@sha256:00").digest
    'sha256:00'
    """
    rest, _, digest = text.partition("@")
    first, slash, tail = rest.partition("/")
    registry = first if slash and _is_registry(first) else ""
    repository, _, tag = (tail if registry else rest).partition(":")
    return Image(registry, repository, tag, digest)


def _is_registry(part: str) -> bool:
    return part == "localhost" or any(sign in part for sign in ".:") or part != part.lower()


def changed_image(text: str, change: ImageChange) -> str:
    """A reference with the parts that a change names.

    A new digest drops the tag unless one is given too; a new tag drops the digest, which would
    win over it.

    >>> changed_image("perl:5.34.0", ImageChange(registry="registry.k8s.io"))
    'registry.k8s.io/perl:5.34.0'
    """
    image = parse_image(text)
    if change.registry is not None:
        image = replace(image, registry=change.registry.rstrip("/"))
    if change.repository is not None:
        image = replace(image, repository=change.repository.strip("/"))
    if change.tag is not None or change.digest is not None:
        image = replace(image, tag=change.tag or "", digest=change.digest or "")
    return str(image)


def containers_of(body: Body) -> Iterator[Body]:
    """Every container and init container of an object's pod template (of a Pod: its own)."""
    paths = ((("spec",),) if body.get("kind") == "Pod" else ()) + POD_SPECS
    for path in paths:
        for kind in ("initContainers", "containers"):
            listed = look(body, *path, kind)
            if isinstance(listed, list):
                yield from (each for each in listed if isinstance(each, dict))
