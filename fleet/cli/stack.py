"""The stack's config, read without the engine: `Pulumi.<stack>.yaml` over `Pulumi.yaml`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fleet.errors import ErrorList
from fleet.load.files import File, Files
from fleet.load.scalars import FLEET
from fleet.load.source import Document, read_documents
from fleet.model.settings import Settings
from fleet.model.source import Source

_NAMESPACE = "fleet"
_PROJECT_FILES = ("Pulumi.yaml", "Pulumi.yml")
_DEFAULT = "dev"
_REGION = "aws:region"


@dataclass(frozen=True, slots=True)
class Said:
    """What a file says of a config key, and where."""

    value: Any
    place: Source


@dataclass(frozen=True, slots=True)
class StackConfig:
    """The keys of the project's namespace (`fleet:`, as long as nobody renames it), without it.

    `provider_region` is `aws:region`: where the AWS provider logs in.
    """

    said: Mapping[str, Said]
    provider_region: str | None = None

    @property
    def readable(self) -> dict[str, Any]:
        """The keys without those that are encrypted and known: only the engine can read them."""
        return {key: each.value for key, each in self.said.items() if key not in self.encrypted}

    @property
    def encrypted(self) -> tuple[str, ...]:
        """The known keys whose values are encrypted."""
        known = {field.alias for field in Settings.model_fields.values()}
        return tuple(
            key for key, each in self.said.items() if key in known and _is_secret(each.value)
        )

    def at(self, key: str) -> Source | None:
        """The place of a key; None where no file has it."""
        return self.said[key].place if key in self.said else None


def _is_secret(value: object) -> bool:
    return isinstance(value, Mapping) and set(value) == {"secure"}


def project_folder(start: Path) -> Path:
    """The nearest folder from `start` upwards that is a Pulumi project; else `start` itself."""
    for folder in (start, *start.parents):
        if any((folder / name).is_file() for name in _PROJECT_FILES):
            return folder
    return start


def read_stack(root: Path, stack: str | None) -> StackConfig:
    """The config of the named stack, of the only one, or of `dev`, over the project's own.

    **Errors**: InvalidError when the stack has no file, a file cannot be read, or several stacks
    could be meant.
    """
    file = _stack_file(root, stack)
    errors = ErrorList()
    names = [name for name in _PROJECT_FILES if (root / name).is_file()]
    project = _read(root, File(names[0], root / names[0]), errors) if names else None
    namespace = _namespace(project)
    said = _project_keys(project, namespace, errors)
    document = None if file is None else _read(root, file, errors)
    said |= _keys(document, namespace, errors)
    errors.raise_if_any()
    return StackConfig(said, _provider_region((project, document)))


def _provider_region(documents: Iterable[Document | None]) -> str | None:
    """What the last document says of `aws:region`; a value of the project may be declared."""
    region = None
    for document in documents:
        data: object = document.data if document else None
        config: object = data.get("config") if isinstance(data, Mapping) else None
        value = config.get(_REGION) if isinstance(config, Mapping) else None
        value = value.get("value") if isinstance(value, Mapping) else value
        region = value if isinstance(value, str) else region
    return region


def _namespace(project: Document | None) -> str:
    """The namespace of `pulumi config set key`, which is the project's name."""
    data: object = project.data if project else None
    name = data.get("name") if isinstance(data, Mapping) else None
    return name if isinstance(name, str) else _NAMESPACE


def _read(root: Path, file: File, errors: ErrorList) -> Document | None:
    text = Files(root, errors).text(file)
    documents = () if text is None else read_documents(file.shown, text, FLEET, errors).documents
    return documents[0] if documents else None


def _keys(document: Document | None, namespace: str, errors: ErrorList) -> dict[str, Said]:
    """What a file says of a namespace; the project's own file may leave it out."""
    if document is None:
        return {}
    data, origin = document.data, document.origin
    config: object = data.get("config") if isinstance(data, Mapping) else data
    if config is not None and not isinstance(config, Mapping):
        errors.add(origin.at("config"), "config", "the config is a map of 'fleet:key: value'")
        return {}
    bare = isinstance(data, Mapping) and "name" in data
    return {
        key.removeprefix(f"{namespace}:"): Said(value, origin.at("config", key))
        for key, value in (config.items() if isinstance(config, Mapping) else ())
        if key.startswith(f"{namespace}:") or (bare and ":" not in key)
    }


def _project_keys(document: Document | None, namespace: str, errors: ErrorList) -> dict[str, Said]:
    """What the project says: a value, or a declaration with `value` or `default`."""
    found: dict[str, Said] = {}
    for key, said in _keys(document, namespace, errors).items():
        declared = said.value
        if not isinstance(declared, Mapping):
            found[key] = said
        elif "value" in declared or "default" in declared:
            found[key] = Said(declared.get("value", declared.get("default")), said.place)
    return found


def _stack_file(root: Path, stack: str | None) -> File | None:
    files = {path.name.split(".", 1)[1].rpartition(".")[0]: path for path in _candidates(root)}
    if stack is None:
        wanted = next(iter(files)) if len(files) == 1 else _DEFAULT
        if wanted not in files and files:
            _refuse(f"the project has the stacks {', '.join(sorted(files))}", "say --stack NAME")
    else:
        wanted = stack.rpartition("/")[2]
        if wanted not in files:
            _refuse(f"stack '{stack}' has no Pulumi.{wanted}.yaml", _nearest(wanted, files))
    path = files.get(wanted)
    return File(path.name, path) if path else None


def _candidates(root: Path) -> list[Path]:
    return sorted([*root.glob("Pulumi.?*.yml"), *root.glob("Pulumi.?*.yaml")])


def _nearest(name: str, known: Mapping[str, Path]) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"known are {', '.join(sorted(known))}" if known else "the project has no stack file"


def _refuse(sentence: str, hint: str) -> None:
    errors = ErrorList()
    errors.add(None, "--stack", sentence, hint)
    errors.raise_if_any()
