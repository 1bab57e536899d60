"""`fleet break-glass`: the region switches that need neither fleet nor Pulumi, made offline."""

from pathlib import Path
from typing import Annotated

import typer

from fleet.cli.console import say
from fleet.cli.inputs import run
from fleet.cli.options import Inputs
from fleet.errors import ErrorList, FleetError, InvalidError
from fleet.load.prior import prior_from_document
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build, region_switches
from fleet.recover.break_glass import Glass, Identity, break_glass_files
from fleet.recover.files import write_files
from fleet.recover.stored import CHECK, RECORD, Stored, read_stored

STACK = "pulumi:pulumi:Stack"
State = Annotated[
    str,
    typer.Option(
        "--state",
        metavar="FILE",
        help="What 'pulumi stack export' printed: the identifiers of zones and health checks.",
    ),
]
To = Annotated[
    str | None,
    typer.Option("--to", metavar="FOLDER", help="Where to write; by default config breakGlass."),
]


def break_glass(inputs: Inputs, *, state: State, to: To = None) -> None:
    """Write the break-glass files: every region switch, without Pulumi.

    Change batches for 'aws route53 change-resource-record-sets' both ways, kubectl lines that raise
    capacity, and a script of each switch. Every 'pulumi up' writes them, too. Without --prior, what
    runs today is what the state says. Exit 2: the input is wrong.
    """
    stored = _read(state)

    def plan(settings: Settings, prior: Prior, root: Path, *, cache: Path | None) -> Outcome:
        known = prior if prior.known else _prior(stored, state)
        return build(settings, known, root, cache=cache)

    outcome = run(inputs, plan)
    stack, project = _stack(stored)
    glass = Glass(
        stack=f"{project}/{stack}",
        outcome=outcome,
        switches=region_switches(outcome),
        identities=_identities(stored),
        reached={},
        check_ids={each.name: each.id for each in stored.of(CHECK) if each.id},
    )
    files = break_glass_files(glass)
    if not files:
        say("no name of this stack is answered by weight: there is nothing to switch\n")
        return
    folder = Path(to) if to else Path(outcome.settings.break_glass) / stack
    try:
        write_files(folder, files)
    except OSError as error:
        raise FleetError(
            f"'{folder}' cannot be written: {(error.strerror or '').lower()}"
        ) from None
    say("".join(f"{folder / name}\n" for name in files))


def _read(path: str) -> Stored:
    try:
        return read_stored(Path(path).read_text(), path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror or "" if isinstance(error, OSError) else "it is no text"
        errors = ErrorList()
        errors.add(None, "--state", f"'{path}' cannot be read: {reason.lower()}")
        errors.raise_if_any()
        raise


def _stack(stored: Stored) -> tuple[str, str]:
    if not stored.resources:
        raise FleetError("--state: the stack has no resources yet, so there is nothing to switch")
    stack, project, *_ = stored.resources[0].urn.removeprefix("urn:pulumi:").split("::")
    return stack, project


def _prior(stored: Stored, path: str) -> Prior:
    for each in stored.of(STACK):
        placements = (each.raw.get("outputs") or {}).get("placements")
        if placements:
            try:
                return prior_from_document(placements)
            except InvalidError as error:
                said = (f"the state '{path}' cannot be read: {each}" for each in error.errors)
                raise FleetError("\n".join(said)) from None
    return Prior()


def _identities(stored: Stored) -> dict[str, Identity]:
    found = {}
    for each in stored.of(RECORD):
        outputs = each.raw.get("outputs") or {}
        zone, check = outputs.get("zoneId"), outputs.get("healthCheckId")
        if zone:
            found[each.name] = Identity(str(zone), str(check or ""))
    return found
