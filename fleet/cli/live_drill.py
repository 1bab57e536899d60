"""The live drill: the devkit kills a cluster that it started, and measures what a user saw.

fleet itself touches nothing here. The devkit refuses a stack that reaches anything else.
"""

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from fleet.errors import ErrorList
from fleet.load.words import Words
from fleet.model.endpoint import EndpointDelivery
from fleet.model.exercise import Emergency


@dataclass(frozen=True, slots=True)
class Live:
    """What is asked of a live drill."""

    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Kill the cluster of --scenario cluster:NAME for real, under the running stack of"
            " --stack: only one that the devkit started.",
        ),
    ] = False
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Live: the public name that is watched.")
    ] = None
    late: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="Live: checks are so much late; the drill must fail."),
    ] = 0.0
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Live: write the measured timeline here, as Markdown."),
    ] = None


def live_command(
    live: Live,
    stack: str,
    emergencies: Sequence[Emergency],
    endpoints: Sequence[EndpointDelivery],
) -> list[str]:
    """The devkit's command for one cluster and one name.

    **Errors**: InvalidError where it is not one cluster, where the name is not clear, or where
    there is no devkit.
    """
    errors = ErrorList()
    clusters = {name for each in emergencies for name in each.clusters}
    if len(emergencies) != 1 or len(clusters) != 1:
        errors.add(None, "--live", "a live drill kills one cluster", "--scenario cluster:NAME")
        errors.raise_if_any()
    cluster = clusters.pop()
    name = _name(live, cluster, endpoints, errors)
    if importlib.util.find_spec("devkit") is None:
        sentence = "the devkit is not here, and only its clusters are killed"
        errors.add(None, "--live", sentence, "it is in the repository of fleet")
    errors.raise_if_any()
    command = [sys.executable, "-m", "devkit", "drill", name, cluster]
    command += ["--stack", stack, "--project", str(Path.cwd()), "--late", f"{live.late:g}"]
    return [*command, "--report", str(live.report)] if live.report else command


def _name(
    live: Live, cluster: str, endpoints: Sequence[EndpointDelivery], errors: ErrorList
) -> str:
    """The name that is watched: the one that is said, or the only one with a record there."""
    found = sorted(
        each.dns_name for each in endpoints if cluster in {one.cluster for one in each.records}
    )
    if live.name is None and len(found) == 1:
        return found[0]
    if live.name is None:
        hint = f"say --name with one of {', '.join(found)}" if found else ""
        said = f"{len(found)} names have a record of '{cluster}'"
        errors.add(None, "--live", said if found else f"no name has a record of '{cluster}'", hint)
    elif live.name not in found:
        hint = Words(found).hint(live.name)
        errors.add(None, "--name", f"'{live.name}' has no record of '{cluster}'", hint)
    return live.name or ""


def run_live(command: Sequence[str]) -> None:
    """Runs it before the user's eyes. Exit 1: a promise was not kept, or it was refused."""
    code = subprocess.run(command, check=False).returncode  # noqa: S603 - made above
    if code:
        raise typer.Exit(code)
