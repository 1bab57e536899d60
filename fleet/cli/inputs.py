"""What a command works on: the config and the command line as Settings, --prior as Prior."""

import os
import re
from pathlib import Path
from typing import Any

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


def run(inputs: Inputs) -> Outcome:
    """Reads everything and builds the plan.

    **Errors**: InvalidError with the faults of the config and of --prior, or of the files.
    """
    here = Path.cwd()
    root = here if _stands_alone(inputs) else project_folder(here)
    faults: list[SourceError] = []
    settings, prior = Settings(), Prior()
    config = StackConfig({})
    try:
        if not _stands_alone(inputs):
            config = read_stack(root, inputs.stack)
        settings = read_settings(inputs, config, root, here)
    except InvalidError as error:
        faults.extend(error.errors)
    try:
        prior = read_prior(inputs.prior)
    except InvalidError as error:
        faults.extend(error.errors)
    if faults:
        raise InvalidError(faults)
    try:
        return build(settings, prior, root, cache_folder(os.environ) if inputs.cache else None)
    except InvalidError as error:
        raise InvalidError(_placed(each, inputs, config) for each in error.errors) from None


def _stands_alone(inputs: Inputs) -> bool:
    """Whether all files are named, and no stack: then the config of a stack nearby is not meant."""
    return bool(inputs.inventory and inputs.workloads and inputs.policies) and not inputs.stack


def read_settings(inputs: Inputs, config: StackConfig, root: Path, here: Path) -> Settings:
    """The stack's config, with --set on top, and the options of their own on top of that."""
    for key in config.encrypted:
        say_error(f"{config.at(key)}: fleet:{key} is encrypted and was left out; say it with --set")
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
            raw[key] = [_from_root(path, root, here) for path in paths]
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


def _from_root(path: str, root: Path, here: Path) -> str:
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
