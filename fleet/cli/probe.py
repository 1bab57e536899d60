"""`fleet probe`: what do the clusters say of themselves?"""

import typer

from fleet.cli.asking import Probing
from fleet.cli.inputs import prepare
from fleet.cli.options import Form, Inputs, Output


def probe(inputs: Inputs, how: Probing, *, output: Output = Form.TEXT) -> None:
    """Ask every cluster what it has, and write it to the observed file.

    Health, capacity, nodes, version, served APIs, load balancers and latency, from all clusters at
    the same time. A cluster that does not answer, or answers half, keeps what was seen of it
    before, with its time. One that is silent for its hold time counts as down in the next plan.
    Exit 1: some cluster gave no whole answer. Exit 2: the input is wrong, or the file cannot be
    written.
    """
    from fleet.cli.probing import run_probe  # noqa: PLC0415 - the clients are slow to import

    if not run_probe(prepare(inputs), how, output):
        raise typer.Exit(1)
