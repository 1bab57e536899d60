"""The devkit's command line."""

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from devkit import control
from devkit import drill as drills
from devkit import status as statuses
from devkit import up as ups
from devkit.engine import prepare
from devkit.errors import DevkitError
from devkit.home import PROJECT, environment, locate, variables
from devkit.proxy import How

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="The real engine, clusters and DNS on one laptop.",
    pretty_exceptions_enable=False,
)
HomeOption = Annotated[
    Path | None,
    typer.Option("--home", envvar="FLEET_DEVKIT_HOME", help="The devkit's folder."),
]


def say(text: str) -> None:
    """Tell what happens, at once."""
    print(text, flush=True)


@app.command()
def engine(home: HomeOption = None) -> None:
    """Find or compile every program, and link it into the devkit's bin folder."""
    started = time.monotonic()
    devkit = locate(home)
    prepare(devkit, say)
    say(f"engine ready in {devkit.bin} ({time.monotonic() - started:.1f} s)")


@app.command()
def env(home: HomeOption = None) -> None:
    """Print the devkit's environment as export lines: eval "$(python -m devkit env)"."""
    devkit = locate(home)
    devkit.make()
    for name, value in variables(devkit).items():
        print(f"export {name}={shlex.quote(value)}")


@app.command()
def up(
    home: HomeOption = None,
    inventory: Annotated[Path, typer.Option(help="A file or folder.")] = PROJECT / "inventory",
    clusters: Annotated[str, typer.Option(help="Names, comma separated.")] = "",
    route53_port: Annotated[int | None, typer.Option(help="By default 4580 if free.")] = None,
) -> None:
    """Start clusters, Route53 and the data plane; what runs already is reused."""
    started = time.monotonic()
    devkit = locate(home)
    chosen = ups.choose(devkit, inventory, clusters)
    prepare(devkit, say)
    ups.up(devkit, chosen, route53_port, say)
    say(f"up: {len(chosen)} clusters in {time.monotonic() - started:.1f} s")


@app.command()
def down(
    home: HomeOption = None,
    keep_logs: Annotated[bool, typer.Option("--keep-logs", help="Leave the logs.")] = False,  # noqa: FBT002
) -> None:
    """End every process of this devkit and remove its files."""
    ups.down(locate(home), say, keep_logs=keep_logs)


@app.command()
def status(home: HomeOption = None) -> None:
    """Show clusters, Route53, DNS and entries."""
    statuses.show(locate(home))


@app.command()
def kill(
    cluster: str,
    how: Annotated[How, typer.Option(help="refuse, blackhole or hang")] = How.REFUSE,
    home: HomeOption = None,
) -> None:
    """Let a cluster die: connections refused, packets swallowed, or TLS that hangs."""
    answer = control.ask(locate(home), command="kill", cluster=cluster, how=str(how))
    say(f"{answer['cluster']}: dead ({answer['how']})")


@app.command()
def revive(cluster: str, home: HomeOption = None) -> None:
    """Bring a cluster back."""
    answer = control.ask(locate(home), command="revive", cluster=cluster)
    say(f"{answer['cluster']}: alive")


@app.command()
def drill(  # noqa: PLR0913, PLR0917 - one option per thing that can be chosen
    name: Annotated[str, typer.Argument(help="The public name that is watched.")],
    cluster: Annotated[str, typer.Argument(help="The cluster that dies.")],
    stack: Annotated[str, typer.Option(help="The stack that is up.")] = "dev",
    how: Annotated[How, typer.Option(help="refuse, blackhole or hang")] = How.BLACKHOLE,
    late: Annotated[float, typer.Option(help="Seconds by which checks are late: a fault.")] = 0,
    report: Annotated[Path | None, typer.Option(help="Write the report here, too.")] = None,
    project: Annotated[Path, typer.Option(help="The project's folder.")] = PROJECT,
    home: HomeOption = None,
) -> None:
    """Kill a real cluster under a running stack and measure what a user sees; 1 if it failed."""
    asked = drills.Asked(locate(home), project.resolve(), stack, name, cluster, how, late)
    found = drills.rehearse(asked, say)
    text = drills.markdown(asked, found)
    say(text)
    if report is not None:
        report.write_text(text + "\n")
    if not all(each.passed for each in found):
        raise typer.Exit(1)


@app.command(context_settings={"ignore_unknown_options": True})
def run(command: Annotated[list[str], typer.Argument()], home: HomeOption = None) -> None:
    """Run a command in the devkit's environment: run -- CMD…."""
    surroundings = environment(locate(home))
    sys.stdout.flush()
    try:
        os.execvpe(command[0], command, surroundings)  # noqa: S606 - it becomes the command
    except OSError as error:
        raise DevkitError(f"{command[0]} does not start: {error.strerror}") from None


def main() -> None:
    """Run a command; a DevkitError is one sentence and exit code 1."""
    try:
        app(standalone_mode=True)
    except DevkitError as error:
        print(f"devkit: {error}", file=sys.stderr)
        sys.exit(1)
    except subprocess.CalledProcessError as error:
        print(f"devkit: {shlex.join(map(str, error.cmd))} failed", file=sys.stderr)
        sys.exit(1)
