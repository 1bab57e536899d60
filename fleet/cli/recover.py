"""`fleet recover`: after an update that was killed, the state is made true again."""

import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from fleet.cli.aws import AwsError, listed_checks, tags_of
from fleet.cli.console import say, say_error
from fleet.cli.engine import Engine, EngineError
from fleet.cli.stack import project_folder
from fleet.recover.decide import Act, Step, decide
from fleet.recover.edit import edited, to_read
from fleet.recover.look import Seen, is_any, questions, read_seen
from fleet.recover.stored import Stored, read_stored
from fleet.recover.untagged import alike, checks_of, untagged

UNREAD = 2
UNASKED = 1

StackName = Annotated[
    str | None, typer.Option("--stack", metavar="NAME", help="The stack; by default the selected.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def recover(*, stack: StackName = None, yes: Yes = False) -> None:
    """Put the state right after an update that was killed, so that the next one converges.

    Says what it will do, asks, and does it: the lock goes ('pulumi cancel'); what the cut update
    had begun is taken into the state where it exists and is this stack's, and cleared where it
    does not exist; records whose weights differ from the state's are read back. Nothing on a
    cluster or in Route53 is changed. Exit 1: nobody said yes. Exit 2: something could not be read;
    everything else was done.
    """
    engine = Engine(project_folder(Path.cwd()), stack)
    export = engine.run("stack", "export")
    stored = read_stored(export)
    owner = _owner(stored)
    locks = engine.locks(owner) if owner else ()
    alive = [each for each in locks or () if each.is_alive]
    if alive:
        hint = "wait for it, or end it with Ctrl-C"
        raise EngineError(f"an update of this stack still runs ({alive[0].text}) - {hint}")
    steps = _steps(engine, stored, owner)
    todo = [each for each in steps if each.act is not Act.TELL]
    if not todo and not locks:
        _end(steps)
        return
    say(_told([each.text for each in locks or ()], steps))
    if not (yes or _agreed()):
        raise typer.Exit(UNASKED)
    _carry_out(engine, export, steps)
    say("recovered: 'pulumi up' goes on from here\n")
    if any(each.act is Act.KEEP for each in steps):
        say_error("not everything could be read: run 'fleet recover' again when it answers")
        raise typer.Exit(UNREAD)


def _owner(stored: Stored) -> str:
    """`project/stack`, as fleet signs with; empty where the state is empty."""
    everything = (*stored.resources, *(each.resource for each in stored.pending))
    if not everything:
        return ""
    stack, project, *_ = everything[0].urn.removeprefix("urn:pulumi:").split("::")
    return f"{project}/{stack}"


def _steps(engine: Engine, stored: Stored, owner: str) -> tuple[Step, ...]:
    asked = questions(stored, owner)
    seen = read_seen(engine.look(asked)) if is_any(asked) else Seen()
    if checks_of(stored) and owner not in seen.unread:
        seen = _with_loose(seen, stored)
    for what in sorted(seen.unread):
        say_error(f"cannot be read: {what}: {seen.unread[what]}")
    return decide(stored, seen, owner)


def _with_loose(seen: Seen, stored: Stored) -> Seen:
    """With the health checks of nobody that ask what this stack's ask."""
    try:
        checks = alike(stored, listed_checks())
        tags = tags_of([each.id for each in checks])
    except AwsError as error:
        return replace(seen, unlisted=str(error))
    return replace(seen, loose=untagged(checks, tags))


def _end(steps: tuple[Step, ...]) -> None:
    say("nothing to recover\n")
    for each in steps:
        say(f"  {each.sentence}\n")


def _told(locks: list[str], steps: tuple[Step, ...]) -> str:
    lines = ["an update of this stack was cut; this is what will be done"]
    lines += [f"  pulumi cancel: takes away the lock of {each}" for each in locks]
    lines += [f"  {each.sentence}" for each in steps]
    return "".join(f"{line}\n" for line in lines)


def _agreed() -> bool:
    if not sys.stdin.isatty():
        say("nothing was done: say --yes to do it\n")
        return False
    return typer.confirm("do it?")


def _carry_out(engine: Engine, export: str, steps: tuple[Step, ...]) -> None:
    engine.run("cancel", "--yes")
    now = engine.run("stack", "export")
    if json.loads(now)["deployment"] != json.loads(export)["deployment"]:
        raise EngineError("the state changed in the meantime: nothing was done, run it again")
    _import(engine, edited(json.loads(now), steps))
    targets = to_read(steps)
    if targets:
        words = [word for urn in targets for word in ("--target", urn)]
        engine.run("refresh", "--yes", "--skip-preview", "--skip-pending-creates", *words)


def _import(engine: Engine, document: dict[str, Any]) -> None:
    """The state holds what is secret only encrypted, and nobody else reads the file."""
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        path = Path(folder) / "state.json"
        path.write_text(json.dumps(document))
        engine.run("stack", "import", "--file", str(path))
