"""Pulumi's door: the stack's config and state in, the plan shown, refused or carried out.

Everything is validated before the first resource is registered. Only this door knows whether the
run is a preview; the rooms never ask.
"""

import asyncio
import json
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pulumi

from fleet.emit.access import ClusterAccess
from fleet.emit.cut import compare_weights, pending_operations, pending_sentence
from fleet.emit.existing import Survey, survey
from fleet.emit.glass import write_break_glass
from fleet.emit.kubeconfig import KubeconfigError
from fleet.emit.look import look
from fleet.emit.namespaces import create_namespaces
from fleet.emit.placement import carry_out
from fleet.emit.promotion import Promotion, check_promotions
from fleet.emit.providers import aws_provider, kubernetes_provider
from fleet.emit.records import find_foreign_records
from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.emit.state import read_own_state
from fleet.errors import FleetError, RefusedError
from fleet.explain.findings import approved, blocking, refused_steps
from fleet.explain.inputs import run_facts
from fleet.explain.placements import CLUSTERS
from fleet.explain.sentences import finding_sentence
from fleet.explain.table import summary_table
from fleet.load import load_snapshot
from fleet.load.settings import parse_settings
from fleet.model.inventory import State
from fleet.model.plan import Outcome
from fleet.model.settings import Settings
from fleet.pipeline import build, region_switches
from fleet.recover.look import VARIABLE
from fleet.recover.provider_region import with_provider_region

CLUSTERS_PER_STACK = 25
THREADS = 128
OBJECTS_PER_STACK = 1000
ASKED = (State.ACTIVE, State.DRAINING)


async def main(*, promotions: Mapping[str, Promotion] | None = None) -> dict[str, Any]:
    """The program: `pulumi.run(main)`. Returns the stack's outputs.

    **Shape**: `promotions` by the name that a workload's `data.promotion` says, handed over as in
    `pulumi.run(partial(main, promotions={"orders-db": Promotion(run=promote)}))`.
    """
    try:
        return await _run(Path.cwd(), promotions or {})
    except FleetError as error:
        raise pulumi.RunError(str(error)) from None


async def _run(root: Path, promotions: Mapping[str, Promotion]) -> dict[str, Any]:
    _widen()
    raw = _config()
    settings = parse_settings(raw)
    kubeconfigs = _kubeconfigs(raw)
    if VARIABLE in os.environ:
        await _look(Path(os.environ[VARIABLE]), settings, root, kubeconfigs)
    state = await read_own_state()
    region = pulumi.Config("aws").get("region")
    outcome = with_provider_region(build(settings, state.prior, root), region)
    check_promotions(outcome.snapshot, promotions)
    accesses = _accesses(outcome, root, kubeconfigs)
    seen, pending = await asyncio.gather(
        survey(outcome.plan, state, accesses), pending_operations()
    )
    _show(outcome, seen)
    if pending:
        pulumi.log.warn(pending_sentence(pending))
    _refuse(outcome, seen)
    run = Run(
        outcome=outcome,
        state=state,
        survey=seen,
        accesses=accesses,
        providers={
            each.cluster: kubernetes_provider(each, kubeconfigs) for each in outcome.plan.providers
        },
        preview=pulumi.runtime.is_dry_run(),
        promotions=promotions,
    )
    await _carry_out(run, root)
    return _outputs(run)


async def _look(
    path: Path, settings: Settings, root: Path, kubeconfigs: dict[str, str]
) -> NoReturn:
    """Answers `fleet recover`, and ends the preview before it plans anything."""
    snapshot = load_snapshot(settings, root)
    accesses = {
        each.name: ClusterAccess(
            each.name,
            each.spec.connection,
            root,
            kubeconfigs.get(each.spec.connection.secret or ""),
        )
        for each in snapshot.clusters
        if each.spec.connection is not None and snapshot.states[each.name].state in ASKED
    }
    await look(path, accesses)
    raise RefusedError("'fleet recover' has looked; nothing is planned")


async def _carry_out(run: Run, root: Path) -> None:
    plan = run.outcome.plan
    named = bool(plan.endpoints)
    traffic = Traffic(run, aws_provider() if named else None)
    if named:
        await asyncio.gather(find_foreign_records(run, traffic), compare_weights(run, traffic))
        traffic.prepare()
    await create_namespaces(run)
    await asyncio.gather(*(carry_out(run, each, traffic) for each in plan.workloads))
    if named and not run.preview:
        await write_break_glass(run, traffic, root, region_switches(run.outcome))


def _outputs(run: Run) -> dict[str, Any]:
    """The stack's outputs; raises what failed on the way, after everything else is done."""
    outcome = run.outcome
    outputs: dict[str, Any] = {
        "placements": run.placements | {CLUSTERS: run_facts(outcome.snapshot)},
        "endpoints": {
            each.dns_name: {record.cluster: record.dns_weight for record in each.records}
            for each in outcome.plan.endpoints
        },
        "digest": outcome.plan.digest,
    }
    sentences = _cut_off(outcome, run.survey) + run.failures
    if sentences and not run.preview:
        for key, value in outputs.items():
            pulumi.export(key, value)
        raise RefusedError("\n".join(sentences))
    return outputs


def _cut_off(outcome: Outcome, seen: Survey) -> list[str]:
    """A sentence for each cluster that is dead for nobody but us, with the command for each."""
    declared = len(outcome.settings.down)
    return [
        f"cluster '{cluster}' does not answer ({reason}) and nobody declared it down: nothing on"
        " it is changed, everything else is, but what is to be deleted waits for the next run -"
        " mend it, or if it is lost:"
        f" pulumi config set --path 'down[{declared + place}]' {cluster}"
        for place, (cluster, reason) in enumerate(sorted(seen.unreachable.items()))
    ]


def _widen() -> None:
    """A registration blocks a thread until its step has ended.

    With as many threads as the engine has workers, the steps of one dying cluster would hold up
    the questions to all others.
    """
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(max_workers=THREADS))


def _config() -> dict[str, Any]:
    """The stack's config in our namespace, keys without it; secrets are text here."""
    prefix = f"{pulumi.get_project()}:"
    return {
        key.removeprefix(prefix): value
        for key, value in pulumi.runtime.config.CONFIG.get().items()
        if key.startswith(prefix)
    }


def _kubeconfigs(raw: dict[str, Any]) -> dict[str, str]:
    text = raw.get("kubeconfigs")
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise RefusedError(
            "config fleet:kubeconfigs: wants a map of name to kubeconfig text -"
            " pulumi config set --secret --path 'kubeconfigs[\"eu-1\"]' < file"
        )
    return {str(key): str(each) for key, each in value.items()}


def _accesses(
    outcome: Outcome, root: Path, kubeconfigs: dict[str, str]
) -> dict[str, ClusterAccess]:
    """A way to ask each living cluster; every kubeconfig that cannot be used is named at once."""
    accesses, faults = {}, []
    for provider in outcome.plan.providers:
        secret = provider.connection.secret
        if secret is not None and secret not in kubeconfigs:
            faults.append(
                f"cluster '{provider.cluster}': config fleet:kubeconfigs has no '{secret}'"
                f" - pulumi config set --secret --path 'kubeconfigs[\"{secret}\"]' < file"
            )
            continue
        if provider.skip or provider.forget:
            continue
        text = kubeconfigs[secret] if secret is not None else None
        access = ClusterAccess(provider.cluster, provider.connection, root, text)
        try:
            access.connect()
        except KubeconfigError as error:
            faults.append(str(error))
        accesses[provider.cluster] = access
    placed = {each.cluster for each in outcome.plan.providers}
    faults += [
        f"cluster '{each.cluster}': {workload.workload} is placed there, but the inventory does"
        " not say how to connect - add spec.connection, or a taint until it has one"
        for workload in outcome.plan.workloads
        for each in workload.deliveries
        if each.cluster not in placed
    ]
    if faults:
        raise RefusedError("\n".join(sorted(set(faults))))
    return accesses


def _show(outcome: Outcome, seen: Survey) -> None:
    pulumi.log.info(summary_table(outcome))
    for name in sorted(seen.imports):
        pulumi.log.info(f"takes over {name}, which exists already")
    for finding in (*blocking(outcome), *refused_steps(outcome)):
        pulumi.log.warn(finding_sentence(finding))
    for sentence in _cut_off(outcome, seen):
        pulumi.log.warn(sentence)
    objects = sum(
        len(each.objects) for workload in outcome.plan.workloads for each in workload.deliveries
    )
    if len(outcome.plan.providers) > CLUSTERS_PER_STACK or objects > OBJECTS_PER_STACK:
        pulumi.log.warn(
            f"{len(outcome.plan.providers)} clusters and {objects} objects in one stack: each"
            " cluster is a process of 120 MB and each step rewrites the state - about"
            f" {CLUSTERS_PER_STACK} clusters or {OBJECTS_PER_STACK} objects is what one stack holds"
        )


def _refuse(outcome: Outcome, seen: Survey) -> None:
    """What exists and is not fleet's, always; what needs consent, in up only."""
    if seen.refusals:
        raise RefusedError("\n".join(seen.refusals))
    if pulumi.runtime.is_dry_run() or approved(outcome) or not blocking(outcome):
        return
    sentences = [finding_sentence(each) for each in blocking(outcome)]
    consent = f"refused without consent: pulumi config set approve {outcome.plan.digest}"
    raise RefusedError("\n".join([*sentences, consent]))
