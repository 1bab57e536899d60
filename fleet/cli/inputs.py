"""What a command works on: the config and the command line as Settings, --prior as Prior."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from fleet.cli.assign import assign
from fleet.cli.console import say_error
from fleet.cli.options import Inputs
from fleet.cli.stack import StackConfig, project_folder, read_stack
from fleet.errors import ErrorList, InvalidError, SourceError
from fleet.load.cache import cache_folder
from fleet.load.files import File, Files
from fleet.load.prior import prior_from_text
from fleet.load.settings import parse_settings
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build
from fleet.recover.provider_region import with_provider_region


class Build(Protocol):
    """How a plan is made of what a command works on."""

    def __call__(
        self, settings: Settings, prior: Prior, root: Path, *, cache: Path | None
    ) -> Outcome:
        """The plan."""
        ...


@dataclass(frozen=True, slots=True)
class Ready:
    """What a run starts from. `here` is the folder of the command line, `root` the project's."""

    inputs: Inputs
    here: Path
    root: Path
    config: StackConfig
    settings: Settings
    prior: Prior

    @property
    def cache(self) -> Path | None:
        """Where what was read is kept, if it is."""
        return cache_folder(os.environ) if self.inputs.cache else None

    def placed(self, error: InvalidError) -> InvalidError:
        """The same faults; those of the config with their line in the stack's file."""
        return InvalidError(_placed(each, self.inputs, self.config) for each in error.errors)


def run(inputs: Inputs, plan: Build = build) -> Outcome:
    """Reads everything and builds the plan.

    **Errors**: InvalidError with the faults of the config and of --prior, or of the files.
    """
    ready = prepare(inputs)
    try:
        made = plan(ready.settings, ready.prior, ready.root, cache=ready.cache)
    except InvalidError as error:
        raise ready.placed(error) from None
    return with_provider_region(made, ready.config.provider_region)


def prepare(inputs: Inputs) -> Ready:
    """Reads the config, the command line and --prior.

    **Errors**: InvalidError with all their faults.
    """
    here = Path.cwd()
    root = here if _stands_alone(inputs) else project_folder(here)
    faults: list[SourceError] = []
    settings, prior = Settings(), Prior()
    config = StackConfig({})
    try:
        if not _stands_alone(inputs):
            config = read_stack(root, inputs.stack)
        for key in config.encrypted:
            place = config.at(key)
            say_error(f"{place}: fleet:{key} is encrypted and was left out; say it with --set")
        settings = read_settings(inputs, config, root, here)
    except InvalidError as error:
        faults.extend(error.errors)
    try:
        prior = read_prior(inputs.prior)
    except InvalidError as error:
        faults.extend(error.errors)
    if faults:
        raise InvalidError(faults)
    return Ready(inputs, here, root, config, settings, prior)


def _stands_alone(inputs: Inputs) -> bool:
    """Whether all files are named, and no stack: then the config of a stack nearby is not meant."""
    return bool(inputs.inventory and inputs.workloads and inputs.policies) and not inputs.stack


def read_settings(inputs: Inputs, config: StackConfig, root: Path, here: Path) -> Settings:
    """The stack's config, with --set on top, and the options of their own on top of that."""
    raw: dict[str, Any] = _copy(config.readable)
    errors = ErrorList()
    for text in inputs.assignments or ():
        try:
            assign(raw, text)
        except ValueError as error:
            errors.add(None, "--set", str(error))
    errors.raise_if_any()
    for key in ("inventory", "workloads", "policies"):
        paths = getattr(inputs, key)
        if paths:
            raw[key] = [from_root(path, root, here) for path in paths]
    if inputs.now is not None:
        raw["now"] = inputs.now
    try:
        return parse_settings(raw)
    except InvalidError as error:
        raise InvalidError(_placed(each, inputs, config) for each in error.errors) from None


def read_prior(path: str | None) -> Prior:
    """The prior of a file; unknown where no file was named.

    **Errors**: InvalidError when the file cannot be read, or not understood.
    """
    if path is None:
        return Prior()
    errors = ErrorList()
    file = File(path, Path(path))
    text = Files(Path(), errors).text(file) if _there(file, errors) else None
    errors.raise_if_any()
    return prior_from_text(path, text or "")


def _there(file: File, errors: ErrorList) -> bool:
    if file.path.is_dir():
        errors.add(None, "--prior", f"'{file.shown}' is a folder, a file is wanted")
    elif not file.path.exists():
        errors.add(None, "--prior", f"'{file.shown}' does not exist")
    return not errors.errors


def _copy(value: Any) -> Any:  # noqa: ANN401 - raw config
    """A copy that --set may change."""
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def from_root(path: str, root: Path, here: Path) -> str:
    """A path of the command line, as the project's folder sees it."""
    if root == here or Path(path).is_absolute():
        return path
    return os.path.relpath(here / path, root)


def _placed(error: SourceError, inputs: Inputs, config: StackConfig) -> SourceError:
    """A fault of the config with the line of the stack's file that has the key.

    What the command line says over the file has no line.
    """
    named = re.search(r"\bfleet:([^.\['\s]+)", f"{error.path} {error.sentence}")
    place = error.source
    if place is None and named and named[1] not in _said_here(inputs):
        place = config.at(named[1])
    return SourceError(place, error.path, error.sentence, error.hint)


def _said_here(inputs: Inputs) -> set[str]:
    """The config keys that the command line says."""
    keys = {
        re.split(r"[.\[=]", text.strip().removeprefix("fleet:"), maxsplit=1)[0].strip()
        for text in inputs.assignments or ()
    }
    own = ("inventory", "workloads", "policies", "now")
    return keys | {key for key in own if getattr(inputs, key)}
