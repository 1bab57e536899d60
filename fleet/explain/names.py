"""Public names as blocks: who is answered, with which weight, and what a loss costs."""

from fleet.explain.changes import was_and_is, weights_known
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.placement import spell
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.plan import (
    AliasDelivery,
    EndpointDelivery,
    LeverDelivery,
    LeverKind,
    Outcome,
    RecordDelivery,
)
from fleet.model.prior import PriorObject
from fleet.model.record_names import LEAF, split_record_name
from fleet.model.timeline import capacity_seconds, is_released, unplanned_loss
from fleet.model.traffic import Mode, TrafficPolicy
from fleet.model.workload import Workload

HEADINGS = ("cluster", "dns weight", "record", "", "said by")


def name_blocks(outcome: Outcome) -> list[Block]:
    """One block per public name."""
    return [_block(outcome, each) for each in outcome.plan.endpoints]


def _block(outcome: Outcome, endpoint: EndpointDelivery) -> Block:
    rows = [_record_row(outcome, endpoint.policy, each) for each in endpoint.records]
    rows += _alias_rows(endpoint)
    rows += [_leaving_row(outcome, endpoint, each) for each in endpoint.leaving]
    texts = [*_loss(outcome, endpoint), *map(lever_text, endpoint.levers)]
    rows += [Row((), text, mood=Mood.QUIET) for text in texts]
    mode = f"{endpoint.mode}, nested" if endpoint.form == Mode.WEIGHTED else str(endpoint.mode)
    facts = (f"{mode} for '{endpoint.workload}'", f"ttl {endpoint.ttl_seconds} s")
    return Block(
        endpoint.dns_name,
        (*facts, *_active(outcome, endpoint)),
        spell(endpoint.source),
        tuple(rows),
        HEADINGS,
    )


def active_text(region: str, said_by: str) -> str:
    """The region that a name leads to, and who says so."""
    return f"active region {region} ({said_by})" if said_by else f"active region {region}"


def _active(outcome: Outcome, endpoint: EndpointDelivery) -> tuple[str, ...]:
    if endpoint.active_region is None:
        return ()
    active = outcome.schedule.active.get(endpoint.policy)
    held = _held(outcome, endpoint)
    if held:
        return (f"active region would be {endpoint.active_region}", *held)
    said_by = active.said_by if active and active.region == endpoint.active_region else ""
    return (active_text(endpoint.active_region, said_by),)


def _record_row(outcome: Outcome, policy: str, record: RecordDelivery) -> Row:
    was = record.previous
    if was is None and not weights_known(outcome, policy):
        was = record.dns_weight
    weight = was_and_is(was, record.dns_weight)
    text = f"{record.type} {', '.join(record.targets)}"
    mood = Mood.CHANGED if "->" in weight else Mood.PLAIN
    return Row((record.cluster, f"weight {weight}"), text, mood=mood)


def _alias_rows(endpoint: EndpointDelivery) -> list[Row]:
    """Where aliases lead, from the name down; those of two types that are alike are one row."""
    alike: dict[tuple[str, str, str, str | None], list[AliasDelivery]] = {}
    for each in sorted(endpoint.aliases, key=lambda each: -each.stage):
        key = (each.dns_name, each.set_identifier, each.text, each.previous)
        alike.setdefault(key, []).append(each)
    return [_alias_row(each) for each in alike.values()]


def _alias_row(alike: list[AliasDelivery]) -> Row:
    alias, kinds = alike[0], ", ".join(each.type for each in alike)
    turns = alias.previous not in {None, alias.text}
    weight = f"weight {alias.dns_weight}" if alias.dns_weight is not None else ""
    text = f"{alias.dns_name} {kinds} leads to {alias.target}"
    if turns:
        text += f" (was {alias.previous})"
    name = "all" if alias.set_identifier == LEAF else alias.set_identifier
    return Row((name, weight), text, mood=Mood.CHANGED if turns else Mood.PLAIN)


def _leaving_row(outcome: Outcome, endpoint: EndpointDelivery, record: PriorObject) -> Row:
    cluster = split_record_name(record.name).cluster
    if not cluster:
        alias = record.name.partition("/")[2]
        return Row((alias, ""), "the alias is deleted", mood=Mood.CHANGED)
    before = outcome.prior.dns_weights.get(endpoint.policy, FrozenMap[int]()).get(cluster)
    weight = f"weight {was_and_is(before, None)}"
    return Row((cluster, weight), "the record is deleted", mood=Mood.CHANGED)


def _loss(outcome: Outcome, endpoint: EndpointDelivery) -> list[str]:
    """What an unplanned loss costs in time, against the target where there is one."""
    policy, workload = _policy(outcome, endpoint), _workload(outcome, endpoint)
    if policy is None or workload is None or not endpoint.records:
        return []
    if _never_recovers(outcome, endpoint):
        return ["unplanned loss: nothing else can answer"]
    check = policy.spec.health_check.slowest
    total = check.seconds + endpoint.ttl_seconds
    text = (
        f"unplanned loss: clients follow in {check.interval_seconds} s x"
        f" {check.failure_threshold} + ttl {endpoint.ttl_seconds} s = {total} s"
    )
    if policy.spec.waits_for_release:
        data = workload.settings.data
        loss = unplanned_loss(policy.spec, data, capacity=capacity_seconds(policy.spec, workload))
        what = "the lever" if is_released(policy.spec, data) else "an update"
        text = f"unplanned loss: {what} takes {loss.spelled} = {loss.total} s, once decided"
    rto = policy.spec.recovery.rto_seconds
    return [text + (f"; target {rto} s" if rto is not None else "")]


def _never_recovers(outcome: Outcome, endpoint: EndpointDelivery) -> bool:
    return any(
        each.code == codes.NEVER_RECOVERS and each.values["policy"] == endpoint.policy
        for each in outcome.plan.findings
    )


def _held(outcome: Outcome, endpoint: EndpointDelivery) -> tuple[str, ...]:
    """That a name stays where it is, because its data cannot follow."""
    for each in outcome.plan.workloads:
        if each.workload == endpoint.workload and each.step is not None and each.step.unfenced:
            return (f"held: stays where it is until {', '.join(each.step.unfenced)} is fenced",)
    return ()


def lever_text(lever: LeverDelivery) -> str:
    """What a lever does to which clusters, and how fast."""
    clusters = ", ".join(lever.clusters)
    if lever.kind is LeverKind.CONTROL:
        return f"lever: {clusters} answers while routing control {lever.where} is on"
    if lever.kind is LeverKind.OUT:
        return f"lever: {clusters} is out {lever.seconds} s after {lever.where} appears"
    return f"lever: {clusters} is held out until {lever.seconds} s after {lever.where} appears"


def _policy(outcome: Outcome, endpoint: EndpointDelivery) -> TrafficPolicy | None:
    policies = (each for linked in outcome.snapshot.linked for each in linked.traffic)
    return next((each for each in policies if each.name == endpoint.policy), None)


def _workload(outcome: Outcome, endpoint: EndpointDelivery) -> Workload | None:
    workloads = (linked.workload for linked in outcome.snapshot.linked)
    return next((each for each in workloads if each.name == endpoint.workload), None)
