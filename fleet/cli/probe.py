"""`fleet probe`: what do the clusters say of themselves?"""

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from fleet.cli.console import say, say_error
from fleet.cli.inputs import Ready, prepare
from fleet.cli.options import Form, Inputs, Output
from fleet.cli.show import show
from fleet.emit.access import ClusterAccess
from fleet.errors import ErrorList, InvalidError
from fleet.explain.document import as_json
from fleet.explain.observed import (
    error_sentence,
    observed_blocks,
    observed_document,
    turn_sentences,
)
from fleet.load.inventory import Inventory, observed_text, read_inventory
from fleet.model.inventory import State
from fleet.model.observation import ClusterObservation
from fleet.probe import probe as ask_all
from fleet.probe.file import write
from fleet.probe.follow import follow

File = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="The observed file; by default observed.yaml in the inventory's folder.",
    ),
]
Kubeconfigs = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Kubeconfigs by name as JSON, as 'pulumi config get kubeconfigs' prints them, for"
        " clusters whose connection is a secret; - is stdin.",
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
    ready = prepare(inputs)
    file = Path(how.file) if how.file is not None else None
    try:
        inventory = read_inventory(ready.settings, ready.root, file)
    except InvalidError as error:
        raise ready.placed(error) from None
    accesses, unasked = _accesses(inventory, ready, how)
    seen = _ask(inventory, accesses, how)
    kept = {name: each for name, each in inventory.observations.items() if name in unasked}
    turns = _turns(inventory.observations, seen)
    written = not how.when_turned or any(turns)
    if written:
        write(inventory.file, observed_text([*seen.values(), *kept.values()]))
    _show(inventory, {**seen, **kept}, unasked, turns, output)
    for name, each in sorted(seen.items()):
        if each.spec.error:
            say_error(error_sentence(name, each.spec))
    if any(each.spec.error for each in seen.values()):
        raise typer.Exit(1)


Turns = tuple[list[str], list[str]]


def _ask(
    inventory: Inventory, accesses: list[ClusterAccess], how: How
) -> dict[str, ClusterObservation]:
    """The observations after a probe, or after as many as it takes to be sure."""
    seen: Mapping[str, ClusterObservation] = inventory.observations
    begun = time.monotonic()
    while True:
        answers = ask_all(accesses, how.limit)
        found = follow(seen, answers, int(time.time()), how.origin)
        if not how.confirm or not _undecided(found, time.monotonic() - begun):
            return found
        seen = found
        time.sleep(how.every)


def _undecided(found: Mapping[str, ClusterObservation], seconds: float) -> bool:
    """Whether a cluster is neither dead for sure nor back for sure, and can still become it."""
    return any(
        spec.unreachable_since is not None
        and spec.is_dead == spec.reachable
        and seconds < 2 * spec.hold_seconds
        for spec in (each.spec for each in found.values())
    )


def _turns(
    before: Mapping[str, ClusterObservation], after: Mapping[str, ClusterObservation]
) -> Turns:
    """Who died and who came back."""
    was = {name for name, each in before.items() if each.spec.is_dead}
    now = {name for name, each in after.items() if each.spec.is_dead}
    return sorted(now - was), sorted((was - now) & after.keys())


def _show(
    inventory: Inventory,
    seen: Mapping[str, ClusterObservation],
    unasked: Mapping[str, str],
    turns: Turns,
    output: Form,
) -> None:
    died, returned = turns
    if output is Form.JSON:
        document = {"clusters": observed_document(seen), "notAsked": dict(unasked)}
        say(as_json({**document, "died": died, "returned": returned}))
        return
    here = {name: each for name, each in seen.items() if name not in unasked}
    show(observed_blocks(here, unasked, inventory.file.name), output)
    for sentence in turn_sentences(died, returned):
        say(f"{sentence}\n")


def _accesses(
    inventory: Inventory, ready: Ready, how: How
) -> tuple[list[ClusterAccess], dict[str, str]]:
    """A way to each cluster that can be asked, and why the others are not."""
    secrets = _secrets(how.kubeconfigs)
    errors = ErrorList()
    accesses, unasked = [], {}
    for cluster in inventory.clusters:
        connection = cluster.spec.connection
        if inventory.states[cluster.name].state is State.DECOMMISSIONED:
            unasked[cluster.name] = f"decommissioned, says {inventory.states[cluster.name].said_by}"
        elif connection is None:
            unasked[cluster.name] = "the inventory does not say how to connect"
        elif connection.secret is not None and connection.secret not in secrets:
            place = cluster.origin.at("spec", "connection", "secret")
            sentence = f"there is no kubeconfig '{connection.secret}'"
            hint = "pulumi config get kubeconfigs | fleet probe --kubeconfigs -"
            errors.add(place, "spec.connection.secret", sentence, hint)
        else:
            text = secrets[connection.secret] if connection.secret is not None else None
            accesses.append(ClusterAccess(cluster.name, connection, ready.root, text))
    errors.raise_if_any()
    return accesses, unasked


def _secrets(path: str | None) -> dict[str, str]:
    """The kubeconfigs of --kubeconfigs. **Errors**: InvalidError, without any of their text."""
    if path is None:
        return {}
    errors = ErrorList()
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        value = json.loads(text)
    except OSError as error:
        errors.add(None, "--kubeconfigs", (error.strerror or "cannot be read").lower())
    except ValueError:
        errors.add(None, "--kubeconfigs", "is no JSON")
    else:
        if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
            return {str(key): str(each) for key, each in value.items()}
        errors.add(None, "--kubeconfigs", "wants a map of name to kubeconfig text")
    errors.raise_if_any()
    return {}
