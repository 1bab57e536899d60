"""How `fleet probe` asks, writes and says what it saw."""

import time
from collections.abc import Mapping
from pathlib import Path

from fleet.cli.asking import Probing
from fleet.cli.console import say, say_error
from fleet.cli.inputs import Ready
from fleet.cli.options import Form
from fleet.cli.reaching import accesses_of
from fleet.cli.show import show
from fleet.emit.access import ClusterAccess
from fleet.errors import InvalidError
from fleet.explain.document import as_json
from fleet.explain.observed import (
    error_sentence,
    observed_blocks,
    observed_document,
    turn_sentences,
)
from fleet.load.inventory import Inventory, observed_text, read_inventory
from fleet.model.observation import ClusterObservation
from fleet.probe import probe as ask_all
from fleet.probe.file import write
from fleet.probe.follow import follow

Turns = tuple[list[str], list[str]]


def run_probe(ready: Ready, how: Probing, output: Form) -> bool:
    """Whether every cluster that was asked gave a whole answer."""
    file = Path(how.file) if how.file is not None else None
    try:
        inventory = read_inventory(ready.settings, ready.root, file)
    except InvalidError as error:
        raise ready.placed(error) from None
    accesses, unasked = accesses_of(
        inventory.clusters, inventory.states, ready.root, how.kubeconfigs
    )
    seen = _ask(inventory, accesses, how)
    kept = {name: each for name, each in inventory.observations.items() if name in unasked}
    turns = _turns(inventory.observations, seen)
    if not how.when_turned or any(turns):
        write(inventory.file, observed_text([*seen.values(), *kept.values()]))
    _show(inventory, {**seen, **kept}, unasked, turns, output)
    for name, each in sorted(seen.items()):
        if each.spec.error:
            say_error(error_sentence(name, each.spec))
    return not any(each.spec.error for each in seen.values())


def _ask(
    inventory: Inventory, accesses: list[ClusterAccess], how: Probing
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
