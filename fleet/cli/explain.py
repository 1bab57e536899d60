"""`fleet explain WORKLOAD`: why there, and why not there?"""

from typing import Annotated

import typer

from fleet.cli.console import say, say_blocks
from fleet.cli.inputs import run
from fleet.cli.options import Form, Inputs, Output
from fleet.errors import ErrorList
from fleet.explain.document import as_json, workload_document
from fleet.explain.markdown import blocks_to_markdown
from fleet.explain.workload import UnknownNameError, workload_blocks
from fleet.model.plan import Outcome
from fleet.pipeline import draft

Workload = Annotated[str, typer.Argument(metavar="WORKLOAD", help="The workload's name.")]
Cluster = Annotated[
    str | None, typer.Option(metavar="CLUSTER", help="Only the verdict on this cluster.")
]


def explain(
    inputs: Inputs, workload: Workload, cluster: Cluster = None, output: Output = Form.TEXT
) -> None:
    """Show the verdict on every cluster for a workload.

    All reasons and what would flip the verdict, all parts of the scores, the room that there was,
    and the lines that said so. With --prior also what moved, and which input caused it. Also a plan
    is explained that preview refuses for what a policy demands.
    """
    outcome = run(inputs, draft)
    try:
        _show(outcome, workload, cluster, output)
    except UnknownNameError as error:
        faults = ErrorList()
        faults.add(None, "", str(error))
        faults.raise_if_any()


def _show(outcome: Outcome, workload: str, cluster: str | None, output: Form) -> None:
    blocks = workload_blocks(outcome, workload, cluster)
    if output is Form.JSON:
        say(as_json(workload_document(outcome, workload, cluster)))
    elif output is Form.MARKDOWN:
        say(blocks_to_markdown(blocks))
    else:
        say_blocks(blocks)
