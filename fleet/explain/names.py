"""Public names as blocks: who is answered, with which weight, and what a loss costs."""

from fleet.explain.changes import was_and_is, weights_known
from fleet.explain.drill_words import way_text
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.placement import spell
from fleet.explain.sentences import verb
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.endpoint import (
    AliasDelivery,
    EndpointDelivery,
    LeverDelivery,
    LeverKind,
    RecordDelivery,
)
from fleet.model.outage import Led, worst_loss
from fleet.model.plan import Outcome
from fleet.model.prior import PriorObject
from fleet.model.record_names import LEAF, split_record_name
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
    held = held_facts(outcome, endpoint)
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
    """What an unplanned loss costs in time, against the target where there is one.

    It is what preview checks, and what a drill of the same loss plays.
    """
    led = _led(outcome, endpoint)
    if led is None:
        return []
    if _never_recovers(outcome, endpoint):
        return ["unplanned loss: nothing else can answer"]
    loss = worst_loss(led, outcome.settings.drill)
    if loss is None or not loss.timeline.steps:
        return []
    line, rto = loss.timeline, led.spec.recovery.rto_seconds
    text = f"unplanned loss of {loss.domain}: {line.spelled} = {line.total} s {way_text(line)}"
    return [text + (f"; target {rto} s" if rto is not None else "")]


def _led(outcome: Outcome, endpoint: EndpointDelivery) -> Led | None:
    """The name with what runs behind it; None where the files have it no more."""
    policy, workload = _policy(outcome, endpoint), _workload(outcome, endpoint)
    decision = outcome.plan.decisions.get(endpoint.workload)
    if policy is None or workload is None or decision is None:
        return None
    regions = {each.name: each.spec.region for each in outcome.snapshot.clusters}
    return Led(endpoint, policy.spec, workload, decision, regions)


def _never_recovers(outcome: Outcome, endpoint: EndpointDelivery) -> bool:
    return any(
        each.code == codes.NEVER_RECOVERS and each.values["policy"] == endpoint.policy
        for each in outcome.plan.findings
    )


def held_facts(outcome: Outcome, endpoint: EndpointDelivery) -> tuple[str, ...]:
    """That a name stays where it is, because its data cannot follow."""
    for each in outcome.plan.workloads:
        if each.workload == endpoint.workload and each.step is not None and each.step.unfenced:
            unfenced = each.step.unfenced
            fenced = f"{', '.join(unfenced)} {verb(len(unfenced))} fenced"
            return (f"held: stays where it is until {fenced}",)
    return ()


def lever_text(lever: LeverDelivery) -> str:
    """What a lever does to which clusters, and how fast."""
    clusters, number = ", ".join(lever.clusters), len(lever.clusters)
    if lever.kind is LeverKind.CONTROL:
        answers = verb(number, "answers", "answer")
        return f"lever: {clusters} {answers} while routing control {lever.where} is on"
    out = f"{verb(number)} out" if lever.kind is LeverKind.OUT else f"{verb(number)} held out until"
    return f"lever: {clusters} {out} {lever.seconds} s after {lever.where} appears"


def _policy(outcome: Outcome, endpoint: EndpointDelivery) -> TrafficPolicy | None:
    policies = (each for linked in outcome.snapshot.linked for each in linked.traffic)
    return next((each for each in policies if each.name == endpoint.policy), None)


def _workload(outcome: Outcome, endpoint: EndpointDelivery) -> Workload | None:
    workloads = (linked.workload for linked in outcome.snapshot.linked)
    return next((each for each in workloads if each.name == endpoint.workload), None)
