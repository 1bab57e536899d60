"""`fleet probe`: what do the clusters say of themselves?"""

from dataclasses import dataclass
from typing import Annotated

import typer

from fleet.cli.inputs import prepare
from fleet.cli.options import Form, Inputs, Kubeconfigs, Output

File = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="The observed file; by default observed.yaml in the inventory's folder.",
    ),
]
Limit = Annotated[int, typer.Option(min=1, metavar="SECONDS", help="The limit of each cluster.")]
Name = Annotated[str, typer.Option(metavar="NAME", help="Who measures the latency.")]
Confirm = Annotated[
    bool,
    typer.Option(
        "--confirm",
        help="Ask again until a cluster that went silent answers or counts as down, and one that"
        " came back is used or silent again.",
    ),
]
Every = Annotated[
    int, typer.Option(min=1, metavar="SECONDS", help="How long --confirm waits between probes.")
]
WhenTurned = Annotated[
    bool,
    typer.Option("--when-turned", help="Write only when a cluster died or came back."),
]


@dataclass(frozen=True, slots=True)
class How:
    """How to ask. **Units**: seconds."""

    file: File = None
    kubeconfigs: Kubeconfigs = None
    limit: Limit = 60
    origin: Name = "probe"
    confirm: Confirm = False
    every: Every = 30
    when_turned: WhenTurned = False


def probe(inputs: Inputs, how: How, *, output: Output = Form.TEXT) -> None:
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
