"""`fleet verify`: has the plan come true?"""

from dataclasses import dataclass
from typing import Annotated

import typer

from fleet.cli.options import Form, Inputs, Kubeconfigs, Output

Server = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT", help="The name server to ask; by default the system's resolver."
    ),
]
Timeout = Annotated[
    int, typer.Option(min=0, metavar="SECONDS", help="How long to wait until all agree.")
]
Asks = Annotated[int, typer.Option(min=1, metavar="N", help="How often to ask each name.")]


@dataclass(frozen=True, slots=True)
class How:
    """How to ask. **Units**: seconds."""

    server: Server = None
    timeout: Timeout = 120
    asks: Asks = 20
    kubeconfigs: Kubeconfigs = None


def verify(inputs: Inputs, how: How, *, output: Output = Form.TEXT) -> None:
    """Ask names, entries and clusters whether the plan has come true.

    Whom each public name answers with, whether each entry is healthy as its check asks it, and
    whether the replicas of each cluster are ready. With --prior the last update has to be what the
    files want. Asked again until all agree. Exit 1: not all agreed in time. Exit 2: the input is
    wrong.
    """
    from fleet.cli.verifying import run_verify  # noqa: PLC0415 - the clients are slow to import

    if not run_verify(inputs, how, output):
        raise typer.Exit(1)
