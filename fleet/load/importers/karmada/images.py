"""One part of an image reference, changed as Karmada changes it. Source: pkg/util/imageparser."""

from dataclasses import dataclass

from fleet.load.importers.karmada.override_forms import ImageOverrider


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """The reference after a change, and the parts that a native rule sets."""

    after: str
    said: dict[str, str]


@dataclass(frozen=True, slots=True)
class Reference:
    """`[registry/]repository[:tag]` or `[registry/]repository[@digest]`."""

    registry: str
    repository: str
    tag: str = ""
    digest: str = ""

    def __str__(self) -> str:
        """The reference again."""
        registry = f"{self.registry}/" if self.registry else ""
        version = f"@{self.digest}" if self.digest else f":{self.tag}" if self.tag else ""
        return f"{registry}{self.repository}{version}"


def parse_reference(text: str) -> Reference:
    """Takes a reference apart.

    >>> parse_reference("fictional.registry.example/imagename:v1.0.0").registry
    'fictional.registry.example'
    """
    rest, _, digest = text.partition("@")
    first, slash, tail = rest.partition("/")
    has_registry = bool(slash) and (first == "localhost" or any(sign in first for sign in ".:"))
    repository, _, tag = (tail if has_registry else rest).partition(":")
    return Reference(first if has_registry else "", repository, "" if digest else tag, digest)


def changed_part(text: str, image: ImageOverrider) -> ChangedPart | None:
    """The reference after a change; None where nothing changes."""
    before = parse_reference(text)
    change = {"Registry": _registry, "Repository": _repository, "Tag": _tag}[image.component]
    said = change(before, image)
    parts = {
        "registry": before.registry,
        "repository": before.repository,
        "tag": before.tag,
        "digest": before.digest,
    }
    if said.keys() & {"tag", "digest"}:
        parts |= {"tag": "", "digest": ""}
    after = str(Reference(**(parts | said)))
    return None if after == text else ChangedPart(after, said)


def _registry(before: Reference, image: ImageOverrider) -> dict[str, str]:
    value = "" if image.operator == "remove" else image.value
    return {"registry": before.registry + value if image.operator == "add" else value}


def _repository(before: Reference, image: ImageOverrider) -> dict[str, str]:
    value = "" if image.operator == "remove" else image.value
    return {"repository": before.repository + value if image.operator == "add" else value}


def _tag(before: Reference, image: ImageOverrider) -> dict[str, str]:
    """A tag and a digest exclude each other; `add` never makes a digest of a tag."""
    value = image.value.removeprefix("@")
    is_digest = value.startswith("sha256:")
    if image.operator == "remove":
        return {"tag": ""}
    if image.operator == "replace":
        return {"digest": value} if is_digest else {"tag": value}
    if is_digest or before.digest:
        return {}
    return {"tag": before.tag + value}
