"""`fleet plan`: what would an update do, and why?"""

from typing import Annotated

import typer

from fleet.cli.console import say, say_blocks
from fleet.cli.inputs import run
from fleet.cli.options import Form, Inputs, Output
from fleet.explain.changes import has_changes
from fleet.explain.document import to_json
from fleet.explain.markdown import to_markdown
from fleet.explain.table import summary_blocks
from fleet.model.plan import Outcome

ExitCode = Annotated[
    bool, typer.Option("--exit-code", help="Exit 1 when the plan differs from --prior.")
]


def plan(inputs: Inputs, *, output: Output = Form.TEXT, exit_code: ExitCode = False) -> None:
    """Show what an update would do, and why.

    That is: where every workload runs, where its public names lead, and what there is to tell. A
    finding that needs consent is printed with the command that gives it, and the exit is still 0,
    as with 'pulumi preview'; 'pulumi up' refuses. Exit 1: --exit-code, and there are changes. Exit
    2: the input is wrong.
    """
    outcome = run(inputs)
    _show(outcome, output)
    if exit_code and has_changes(outcome):
        raise typer.Exit(1)


def _show(outcome: Outcome, output: Form) -> None:
    if output is Form.JSON:
        say(to_json(outcome))
    elif output is Form.MARKDOWN:
        say(to_markdown(outcome))
    else:
        say_blocks(summary_blocks(outcome))
