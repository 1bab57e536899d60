"""`fleet verify`: has the plan come true?"""

import typer

from fleet.cli.asking import Verifying
from fleet.cli.options import Form, Inputs, Output


def verify(inputs: Inputs, how: Verifying, *, output: Output = Form.TEXT) -> None:
    """Ask names, entries and clusters whether the plan has come true.

    Whom each public name answers with, whether each entry is healthy as its check asks it, and
    whether the replicas of each cluster are ready. With --prior the last update has to be what the
    files want. Asked again until all agree. Exit 1: not all agreed in time. Exit 2: the input is
    wrong.
    """
    from fleet.cli.verifying import run_verify  # noqa: PLC0415 - the clients are slow to import

    if not run_verify(inputs, how, output):
        raise typer.Exit(1)
