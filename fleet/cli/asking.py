"""The options of the commands that ask clusters and names."""

from dataclasses import dataclass
from typing import Annotated

import typer

from fleet.cli.options import Kubeconfigs

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
class Probing:
    """How to ask. **Units**: seconds."""

    file: File = None
    kubeconfigs: Kubeconfigs = None
    limit: Limit = 60
    origin: Name = "probe"
    confirm: Confirm = False
    every: Every = 30
    when_turned: WhenTurned = False


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
class Verifying:
    """How to ask. **Units**: seconds."""

    server: Server = None
    timeout: Timeout = 120
    asks: Asks = 20
    kubeconfigs: Kubeconfigs = None
