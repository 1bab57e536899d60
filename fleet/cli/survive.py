"""`fleet survive`: what if a cluster, a region or a provider is gone?"""

from typing import Annotated

import typer

from fleet.cli.console import say
from fleet.cli.inputs import run
from fleet.cli.options import Form, Inputs, Output
from fleet.cli.show import show
from fleet.explain.document import as_json
from fleet.explain.survival import demands_hold, survival_blocks, survival_document
from fleet.model.survival import KINDS, By
from fleet.pipeline import draft, survival

Kinds = Annotated[
    list[By] | None,
    typer.Option("--by", metavar="KIND", help="Only cluster, region or provider; repeatable."),
]
ExitCode = Annotated[
    bool, typer.Option("--exit-code", help="Exit 1 when a policy's 'survive' does not hold.")
]


def survive(
    inputs: Inputs, *, by: Kinds = None, output: Output = Form.TEXT, exit_code: ExitCode = False
) -> None:
    """Show what is lost, what moves and what does not fit when something is gone.

    Each cluster, each region and each provider in turn: how many replicas die, where they are
    started again by the update that declares it down, how many fit nowhere, and which public names
    nobody answers until then. Nothing is changed. Exit 1: --exit-code, and a policy demands to
    survive what it would not. Exit 2: the input is wrong.
    """
    outcome = run(inputs, draft)
    found = survival(outcome, by or KINDS)
    if output is Form.JSON:
        say(as_json(survival_document(outcome, found)))
    else:
        show(survival_blocks(outcome, found), output)
    if exit_code and not demands_hold(outcome):
        raise typer.Exit(1)
