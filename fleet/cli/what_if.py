"""`fleet what-if`: what would be different if …?"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from fleet.cli.asked import STATES, Asked, edits_of, settings_of
from fleet.cli.console import say
from fleet.cli.inputs import Ready, from_root, prepare, read_settings
from fleet.cli.options import Form, Inputs, Output
from fleet.cli.show import show
from fleet.errors import ErrorList, InvalidError, SourceError
from fleet.explain.difference import WhatIf
from fleet.explain.document import as_json
from fleet.explain.what_if import differs, what_if_blocks
from fleet.explain.what_if_document import what_if_document
from fleet.model.edits import Edits
from fleet.model.plan import Outcome
from fleet.model.settings import Settings
from fleet.pipeline import carried_out, draft, survival

_STATE = re.compile(rf"config fleet:({'|'.join(STATES)})\[(\d+)\]")

Quick = Annotated[
    bool, typer.Option("--quick", help="Leave survivability out: two plans instead of many.")
]
ExitCode = Annotated[bool, typer.Option("--exit-code", help="Exit 1 when anything differs.")]


def what_if(
    inputs: Inputs,
    asked: Asked,
    *,
    quick: Quick = False,
    output: Output = Form.TEXT,
    exit_code: ExitCode = False,
) -> None:
    """Show what would be different, and change nothing.

    Two plans are made: one as everything is written, and one as asked, by the options here and by
    --set. The second starts from the first, so that what runs stays where it can; with --prior,
    both start from there. Shown is what differs: which replicas move and why, what does not fit
    any more, shares of the traffic, what would be survived, and findings. Exit 1: --exit-code, and
    anything differs. Exit 2: the input is wrong.
    """
    question = _ask(inputs, asked, quick=quick)
    if output is Form.JSON:
        say(as_json(what_if_document(question)))
    else:
        show(what_if_blocks(question), output)
    if exit_code and differs(question):
        raise typer.Exit(1)


def _ask(inputs: Inputs, asked: Asked, *, quick: bool) -> WhatIf:
    words = (*asked.words(), *(f"--set {each}" for each in inputs.assignments or ()))
    ready = prepare(replace(inputs, assignments=None))
    request = _request(ready, inputs, asked, words)
    try:
        written = draft(ready.settings, ready.prior, ready.root, cache=ready.cache)
    except InvalidError as error:
        raise ready.placed(error) from None
    then = _planned(ready, request, written)
    return WhatIf(
        asked=words,
        written=written,
        then=then,
        removed=request.edits.removed,
        survival_written=None if quick else survival(written),
        survival_then=None if quick else survival(then),
    )


@dataclass(frozen=True, slots=True)
class _Request:
    """A question that could be read. `inputs` say what of the config came by --set."""

    inputs: Inputs
    asked: Asked
    settings: Settings
    edits: Edits
    added: tuple[str, ...]


def _request(ready: Ready, inputs: Inputs, asked: Asked, words: Iterable[str]) -> _Request:
    """Reads every option, and notes every fault of them.

    **Errors**: InvalidError.
    """
    errors = ErrorList()
    if not any(words):
        sentence = "says nothing that would be different"
        errors.add(
            None, "what-if", sentence, "such as --down eu-1, or --set activeRegion=eu-west-1"
        )
    edits = edits_of(asked, errors)
    added = [from_root(each, ready.root, ready.here) for each in _files(asked, errors)]
    settings = ready.settings
    try:
        settings = read_settings(inputs, ready.config, ready.root, ready.here)
    except InvalidError as error:
        errors.errors.extend(error.errors)
    settings = settings_of(asked, settings, added, errors)
    errors.raise_if_any()
    return _Request(inputs, asked, settings, edits, tuple(added))


def _files(asked: Asked, errors: ErrorList) -> list[str]:
    """The files of --add that are there."""
    for each in asked.add or ():
        if not each or not Path(each).exists():
            errors.add(None, "--add", f"'{each}' does not exist")
        elif Path(each).is_dir():
            errors.add(None, "--add", f"'{each}' is a folder, a file is wanted")
    return list(asked.add or ())


def _planned(ready: Ready, request: _Request, written: Outcome) -> Outcome:
    """The plan as asked.

    **Errors**: InvalidError; a fault of an option's name is at the option.
    """
    prior = ready.prior
    if ready.inputs.prior is None:
        prior = carried_out(written)
    prior = prior.without(request.edits.removed)
    try:
        then = draft(request.settings, prior, ready.root, request.edits, ready.cache)
    except InvalidError as error:
        told = replace(ready, inputs=request.inputs).placed(error)
        raise InvalidError(_at_option(each, request) for each in told.errors) from None
    _check_added(request, written, then)
    return then


def _check_added(request: _Request, written: Outcome, then: Outcome) -> None:
    """A file of --add without a new cluster is a slip."""
    errors = ErrorList()
    known = {each.name for each in written.snapshot.clusters}
    new = {each.origin.file for each in then.snapshot.clusters if each.name not in known}
    for each in request.added:
        if str(Path(each)) not in new:
            errors.add(None, "--add", f"'{each}' holds no cluster that is not there already")
    errors.raise_if_any()


def _at_option(error: SourceError, request: _Request) -> SourceError:
    """A name in the config that came by an option is a fault of the option."""
    match = _STATE.fullmatch(error.path)
    if match is None:
        return error
    key, index = match[1], int(match[2])
    name = getattr(request.settings, key)[index]
    if name not in (getattr(request.asked, key) or ()):
        return error
    return SourceError(None, f"--{key}", error.sentence, error.hint)
