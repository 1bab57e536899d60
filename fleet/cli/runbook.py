"""`fleet runbook`: what to do when a region is lost, with the names filled in."""

from collections.abc import Collection
from typing import Annotated

import typer
from typer.core import TyperGroup

from fleet.cli.console import say
from fleet.cli.inputs import run
from fleet.cli.options import Inputs
from fleet.errors import ErrorList
from fleet.explain.runbook import Runbook, asked_regions, runbook_text
from fleet.load.words import Words
from fleet.model.exercise import Kind
from fleet.model.plan import Outcome
from fleet.pipeline import draft, drill, emergencies_of

Names = Annotated[
    list[str] | None,
    typer.Option("--name", metavar="NAME", help="Only this public name; repeatable."),
]
Regions = Annotated[
    list[str] | None,
    typer.Option("--region", metavar="REGION", help="Only the loss of this region; repeatable."),
]


def runbook(
    inputs: Inputs, context: typer.Context, *, name: Names = None, region: Regions = None
) -> None:
    """Print a runbook as Markdown: what to do when a region is lost.

    For every public name and each region that it leads to: detect, decide, fence, capacity, data,
    switch, verify, record, fail back, with the commands, and who decides (the annotations 'owner'
    and 'escalation' of the traffic policy). It says what the plan would do, so make it anew when
    the files change. Exit 2: the input is wrong.
    """
    outcome = run(inputs, draft)
    _refuse_unknown(outcome, name or (), region or ())
    regions = frozenset(region or ())
    found = drill(outcome, asked_regions(emergencies_of(outcome, [Kind.REGION]), regions))
    names = frozenset(name or ())
    commands = _commands(context)
    say(runbook_text(Runbook(outcome, found.played, commands, names, inputs.stack)))


def _refuse_unknown(outcome: Outcome, names: Collection[str], regions: Collection[str]) -> None:
    """Raises InvalidError for a name or a region that the files do not have."""
    errors = ErrorList()
    for option, said, known in (
        ("--name", names, {each.dns_name for each in outcome.plan.endpoints}),
        ("--region", regions, {each.spec.region for each in outcome.snapshot.clusters}),
    ):
        for text in said:
            if text not in known:
                errors.add(None, option, f"'{text}' is not in the files", Words(known).hint(text))
    errors.raise_if_any()


def _commands(context: typer.Context) -> frozenset[str]:
    """What this `fleet` can do: a runbook names no command that is not there."""
    root = context.find_root().command
    return frozenset(root.commands) if isinstance(root, TyperGroup) else frozenset()
