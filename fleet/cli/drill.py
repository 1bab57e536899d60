"""`fleet drill`: how long is a loss felt, who answers, and what of the checklist passes?"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from fleet.cli.console import say
from fleet.cli.inputs import run
from fleet.cli.live_drill import Live, live_command, run_live
from fleet.cli.options import Form, Inputs
from fleet.cli.show import show
from fleet.errors import ErrorList
from fleet.explain.document import as_json
from fleet.explain.drill import drill_blocks
from fleet.explain.drill_document import drill_document
from fleet.explain.drill_junit import drill_junit
from fleet.explain.drill_words import emergency_key
from fleet.load.words import Words
from fleet.model.exercise import ALL_KINDS, Emergency, Kind
from fleet.model.plan import Outcome
from fleet.pipeline import draft, drill, emergencies_of


class DrillForm(StrEnum):
    """How a drill is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    JUNIT = "junit"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is played; everything where nothing is said."""

    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="KINDS",
            help="Only cluster, region, half-region, provider, route53; with commas, or repeated.",
        ),
    ] = None
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            "--scenario",
            metavar="KIND:NAME",
            help="Only this one, such as region:eu-west-1, or route53; repeatable.",
        ),
    ] = None


Output = Annotated[DrillForm, typer.Option("--output", "-o", help="How to print.")]
ExitCode = Annotated[
    bool, typer.Option("--exit-code", help="Exit 1 when an item of the checklist fails.")
]


DEFAULT_STACK = "dev"
EVERYTHING, NOT_LIVE = Chosen(), Live()


def rehearse(
    inputs: Inputs,
    *,
    chosen: Chosen = EVERYTHING,
    output: Output = DrillForm.TEXT,
    exit_code: ExitCode = False,
    live: Live = NOT_LIVE,
) -> None:
    """Simulate what can go wrong, and measure it against the recovery targets.

    Each cluster, each region, half of each region (every second cluster), each provider, and the
    API of Route53: how long until names are answered again, who is answered before any update and
    after it, what is lost, what moves and what does not fit, whether the return works, and a
    checklist of it. Nothing is changed and nothing is asked: the figures are computed from the
    files, with the assumptions that are printed. With --live the devkit kills one of its clusters
    under a running stack instead, and measures. The config key 'drill' changes limits and
    assumptions. Exit 1: --exit-code, and an item fails. Exit 2: the input is wrong.
    """
    kinds = _kinds(chosen.by or ())
    outcome = run(inputs, draft)
    asked = _asked(outcome, kinds, chosen.scenario or ())
    if live.live:
        endpoints = outcome.plan.endpoints
        run_live(live_command(live, inputs.stack or DEFAULT_STACK, asked, endpoints))
        return
    found = drill(outcome, asked)
    if output is DrillForm.JSON:
        say(as_json(drill_document(found)))
    elif output is DrillForm.JUNIT:
        say(drill_junit(found))
    else:
        show(drill_blocks(found), Form(output))
    if exit_code and any(each.failed for each in found.played):
        raise typer.Exit(1)


def _kinds(texts: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds of `--by`; all where none is said.

    **Errors**: InvalidError for a word that is none.
    """
    errors = ErrorList()
    known = {str(each): each for each in Kind}
    words = [word.strip() for text in texts for word in text.split(",")]
    for word in words:
        if word not in known:
            hint = Words(known).hint(word)
            errors.add(None, "--by", f"'{word}' is nothing that can go wrong", hint)
    errors.raise_if_any()
    return tuple(known[word] for word in words) or ALL_KINDS


def _asked(
    outcome: Outcome, kinds: Sequence[Kind], scenarios: Sequence[str]
) -> Sequence[Emergency]:
    """The emergencies to play.

    **Errors**: InvalidError for a scenario that this fleet does not have.
    """
    found = emergencies_of(outcome, kinds)
    if not scenarios:
        return found
    errors = ErrorList()
    known = {emergency_key(each): each for each in found}
    for text in scenarios:
        if text not in known:
            hint = Words(known).hint(text)
            errors.add(None, "--scenario", f"'{text}' is no scenario of this fleet", hint)
    errors.raise_if_any()
    return [known[text] for text in dict.fromkeys(scenarios)]
