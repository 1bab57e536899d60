"""The steps of a runbook: what each says about one name and one region, and its commands."""

from collections.abc import Callable, Iterator

from fleet.explain import asking
from fleet.explain.changes import was_and_is
from fleet.explain.drill_words import answers_text, emergency_key, landing_text
from fleet.explain.runbook_after import fail_back, record, verify
from fleet.explain.runbook_case import UP, Case, Said
from fleet.explain.runbook_data import data, fence
from fleet.explain.sentences import counted, verb
from fleet.explain.shell import line
from fleet.model.endpoint import LeverKind
from fleet.model.exercise import Exercise
from fleet.model.survival import Loss
from fleet.model.timeline import StepKind

_WHO = ("owner", "escalation")
_UNAIDED = (StepKind.DETECTION, StepKind.SPREAD, StepKind.TTL)
"""What Route53 and resolvers do by themselves."""


def detect(case: Case) -> Said:
    """What Route53 asks, and how to ask the same."""
    spec = case.policy.spec
    check = spec.health_check.slowest
    seconds = case.name.timeline.seconds(StepKind.DETECTION)
    lost = [each for each in case.clusters if each in case.name.today.shares]
    spread = case.name.timeline.seconds(StepKind.SPREAD)
    asked = (
        f"Route53 asks {', '.join(lost)} every {check.interval_seconds} s and takes"
        f" {verb(len(lost), 'it', 'each')} for dead after"
        f" {counted(check.failure_threshold, 'failure')}: {seconds} s, and {spread} s until its"
        " checkers agree."
    )
    sentences = [asked]
    if check.type == "TCP":
        sentences.append("The check only opens a connection: it cannot see a service that fails.")
    sentences.append("fleet declares no alarm: say here who is told, and by what.")
    scenario = emergency_key(case.exercise.emergency)
    return sentences, [
        *asking.ask_clusters(case.outcome, case.policy, lost),
        *([case.fleet("probe")] if "probe" in case.commands else []),
        case.fleet("drill", "--scenario", scenario),
    ]


def decide(case: Case) -> Said:
    """Who decides, and what there is to decide about."""
    sentences = [*_who(case), *_unaided(case)]
    sentences += _consequences(case.exercise)
    places = enumerate(case.clusters, case.first)
    words = [f"down[{place}]={cluster}" for place, cluster in places]
    sets = [word for each in words for word in ("--set", each)]
    return sentences, [case.fleet("plan", "--prior", "prior.json", *sets)]


def _unaided(case: Case) -> Iterator[str]:
    """What happens without anybody's help, and how urgent that makes it."""
    name = case.name
    some = f" ({landing_text(name)})" if name.wanted else ""
    early = sum(name.timeline.seconds(each) for each in _UNAIDED)
    alone = f"Without any update, after {early} s: {answers_text(name.at_once)}{some}"
    if name.by_itself and name.timeline.by_update:
        yield (
            f"{alone}. But its data is not the primary: writes fail until the update has promoted"
            f" it, {name.timeline.total} s after the loss."
        )
    elif name.by_itself:
        yield (
            f"{alone}. If {case.region} comes back before an update, its checks turn green and"
            " traffic returns by itself."
        )
    elif not name.timeline.ends:
        yield (
            "Nobody is answered, and no update of these files changes that: nothing that the name"
            " could lead to has a place."
        )
    elif name.timeline.by_lever:
        yield "Nobody is answered until the lever lets a standby go: step 6 first."
    elif name.at_once.nowhere < 1:
        yield f"{alone}. Declare the loss at once: the rest waits for an update."
    else:
        yield "Nobody is answered until an update is done: declare the loss at once."


def _who(case: Case) -> Iterator[str]:
    """The people that the policy names."""
    said = case.policy.metadata.annotations
    for key in _WHO:
        if key in said:
            yield f"{key.capitalize()}: {said[key]}."
    if "owner" not in said:
        yield (
            "Who decides is not declared: annotate the traffic policy"
            f" '{case.policy.name}' with 'owner' (and 'escalation')."
        )


def _consequences(exercise: Exercise) -> Iterator[str]:
    losses = exercise.losses.values()
    moves = sum(each.moves for each in losses)
    gone = f"{counted(exercise.dies, 'replica')} {verb(exercise.dies)} gone"
    yield f"Of all workloads {gone}; the update starts {moves or 'none'} elsewhere."
    for each in losses:
        if each.shortfall > each.short_before:
            yield f"{_placeless(each)}."
    for refused in exercise.refused:
        yield f"**The update that declares it has faults**: {refused}"


def _placeless(loss: Loss) -> str:
    verb_ = verb(loss.shortfall, "has", "have")
    short = f"{loss.shortfall} of {counted(loss.wanted, 'replica')}"
    return f"`{loss.workload}`: {short} {verb_} no place"


def capacity(case: Case) -> Said:
    """Declare the loss, so that the next update moves what it took."""
    loss = case.exercise.losses.get(case.name.workload)
    sentences = ["What is left has all its replicas: nothing starts."]
    if loss is not None and loss.moves:
        gains = [
            f"{cluster} {was_and_is(loss.before.get(cluster), count)}"
            for cluster, count in loss.after.items()
            if count > loss.before.get(cluster, 0)
        ]
        seconds = case.exercise.starts[loss.workload].seconds(StepKind.CAPACITY)
        started = f"The update starts {counted(loss.moves, 'replica')} of `{loss.workload}`"
        sentences = [f"{started} ({', '.join(gains)}) and waits {seconds} s at most."]
    elif loss is not None and not loss.is_survived:
        sentences = [f"{_placeless(loss)}: nothing of it starts."]
    sentences.append(
        f"Declare {counted(len(case.clusters), 'cluster')} down. Nothing happens before the update."
    )
    places = enumerate(case.clusters, case.first)
    return sentences, [
        line("pulumi", "config", "set", "--path", f"down[{place}]", cluster)
        for place, cluster in places
    ]


def switch(case: Case) -> Said:
    """The update."""
    name = case.name
    sentences = [
        *_moved(case),
        f"Afterwards: {answers_text(name.afterwards)}.",
        "If an update was killed and left its lock: `pulumi cancel --yes`, then again.",
    ]
    if "recover" in case.commands:
        sentences.append("What a killed update left half done: `fleet recover`.")
    if "break-glass" in case.commands:
        sentences.append(
            "If Pulumi does not run: the scripts of the break-glass files switch without it."
            " Afterwards `pulumi refresh`, and commit the config that says the same."
        )
        if case.is_database:
            sentences.append(
                "They leave out names of a database that is promoted elsewhere: fence and promote"
                f" by hand, then `sh leave-{case.region}.data.sh --fenced-and-promoted`."
            )
    if name.by_itself:
        sentences.append(
            "If Route53's API fails, the weights wait and nothing is shrunk. Names are answered"
            " as without the update; run it again later."
        )
    elif name.timeline.by_lever:
        sentences.append("If Route53's API fails, the lever works as before; update later.")
    elif name.timeline.ends:
        sentences.append("If Route53's API fails, nobody is answered until it is back.")
    return [*_released(case), *sentences], [*case.clock, UP]


def _moved(case: Case) -> Iterator[str]:
    """What the update does to the name."""
    if not case.name.timeline.ends:
        yield (
            "The update moves what has a place; the name leads nowhere until"
            f" {case.region} is back, or the files give its workload a place."
        )
        return
    if case.name.by_itself:
        yield "The update raises capacity, then the weights; the name is answered before that."
        return
    seconds = case.outcome.settings.drill.record_seconds
    ttl = case.policy.spec.ttl_seconds
    record = f"a record change ({seconds} s until it is in sync) and the TTL, {ttl} s"
    yield f"The update raises capacity, then the weights; resolvers follow after {record}."


def _released(case: Case) -> Iterator[str]:
    """How the lever lets the standbys answer that live."""
    if not case.name.timeline.by_lever:
        return
    for endpoint in case.outcome.plan.endpoints:
        for lever in endpoint.levers if endpoint.policy == case.policy.name else ():
            clusters = [each for each in lever.clusters if each not in case.clusters]
            if not clusters or lever.kind is LeverKind.OUT:
                continue
            names = ", ".join(clusters)
            if lever.kind is LeverKind.CONTROL:
                yield f"Without an update: turn on routing control {lever.where} ({names})."
            else:
                yield (
                    f"Without an update: put an object at {lever.where}; within {lever.seconds} s"
                    f" Route53 may answer with {names}. Remove it when the update is done."
                )


STEPS: dict[str, Callable[[Case], Said]] = {
    "Detect": detect,
    "Decide": decide,
    "Fence": fence,
    "Capacity": capacity,
    "Data": data,
    "Switch": switch,
    "Verify": verify,
    "Record": record,
    "Fail back": fail_back,
}
