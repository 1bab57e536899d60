"""Writes the break-glass files at the end of every up, whether it ended well or not."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pulumi

from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.recover.break_glass import Glass, Identity, break_glass_files
from fleet.recover.files import write_files


async def write_break_glass(
    run: Run, traffic: Traffic, root: Path, switches: Mapping[str, Outcome]
) -> None:
    """Writes them below `<breakGlass>/<stack>`; a folder that cannot be written is told only.

    Nothing is written where nothing is known, so that a failed update keeps what the last one
    wrote.
    """
    identities = known_identities(run.state.prior) | await traffic.identities()
    glass = Glass(
        stack=f"{pulumi.get_project()}/{pulumi.get_stack()}",
        outcome=run.outcome,
        switches=switches,
        identities=identities,
        reached=dict(traffic.reached),
        checks=await traffic.check_ids(),
    )
    folder = root / run.outcome.settings.break_glass / pulumi.get_stack()
    try:
        await asyncio.to_thread(write_files, folder, break_glass_files(glass))
    except OSError as error:
        pulumi.log.warn(f"the break-glass files cannot be written: {error}")


def known_identities(prior: Prior) -> dict[str, Identity]:
    """The identifiers that the state has, by record name."""
    return {
        name: Identity(str(each.body["zoneId"]), str(each.body.get("healthCheckId") or ""))
        for name, each in prior.records.items()
        if each.body.get("zoneId")
    }
