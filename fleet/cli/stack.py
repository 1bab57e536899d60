"""The stack's config file, read without the engine: `Pulumi.<stack>.yaml` of the project."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fleet.errors import ErrorList
from fleet.load.files import File, Files
from fleet.load.scalars import FLEET
from fleet.load.source import read_documents
from fleet.model.settings import Settings
from fleet.model.source import Origin, Source

NAMESPACE = "fleet:"
_PROJECT_FILES = ("Pulumi.yaml", "Pulumi.yml")
_DEFAULT = "dev"


@dataclass(frozen=True, slots=True)
class StackConfig:
    """The keys of the namespace `fleet:` without it, and where they stand; raw values."""

    raw: Mapping[str, Any]
    origin: Origin | None = None

    @property
    def readable(self) -> dict[str, Any]:
        """The keys without those that are encrypted and known: only the engine can read them."""
        return {key: value for key, value in self.raw.items() if key not in self.encrypted}

    @property
    def encrypted(self) -> tuple[str, ...]:
        """The known keys whose values are encrypted."""
        known = {field.alias for field in Settings.model_fields.values()}
        return tuple(key for key in self.raw if key in known and _is_secret(self.raw[key]))

    def at(self, key: str) -> Source | None:
        """The place of a key; None where the file does not have it."""
        if self.origin is None or key not in self.raw:
            return None
        return self.origin.at("config", NAMESPACE + key)


def _is_secret(value: object) -> bool:
    return isinstance(value, Mapping) and set(value) == {"secure"}


def project_folder(start: Path) -> Path:
    """The nearest folder from `start` upwards that is a Pulumi project; else `start` itself."""
    for folder in (start, *start.parents):
        if any((folder / name).is_file() for name in _PROJECT_FILES):
            return folder
    return start


def read_stack(root: Path, stack: str | None) -> StackConfig:
    """The config of the named stack, of the only one, or of `dev`; none where there is no file.

    **Errors**: InvalidError when the stack has no file, the file is no stack file, or several
    stacks could be meant.
    """
    file = _stack_file(root, stack)
    if file is None:
        return StackConfig({})
    errors = ErrorList()
    text = Files(root, errors).text(file)
    documents = () if text is None else read_documents(file.shown, text, FLEET, errors).documents
    errors.raise_if_any()
    if not documents:
        return StackConfig({})
    origin = documents[0].origin
    return StackConfig(_fleet_keys(documents[0].data, origin), origin)


def _fleet_keys(data: object, origin: Origin) -> dict[str, Any]:
    config: object = data.get("config") if isinstance(data, Mapping) else data
    if config is None:
        return {}
    if not isinstance(config, Mapping):
        errors = ErrorList()
        errors.add(origin.at("config"), "config", "the config is a map of 'fleet:key: value'")
        errors.raise_if_any()
        return {}
    return {
        key.removeprefix(NAMESPACE): value
        for key, value in config.items()
        if key.startswith(NAMESPACE)
    }


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
    try:
        return sorted([*root.glob("Pulumi.?*.yml"), *root.glob("Pulumi.?*.yaml")])
    except OSError:
        return []


def _nearest(name: str, known: Mapping[str, Path]) -> str:
    near = get_close_matches(name, known, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    return f"known are {', '.join(sorted(known))}" if known else "the project has no stack file"


def _refuse(sentence: str, hint: str) -> None:
    errors = ErrorList()
    errors.add(None, "--stack", sentence, hint)
    errors.raise_if_any()
