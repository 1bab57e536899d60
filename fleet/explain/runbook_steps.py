"""The steps of a runbook: what each says about one name and one region, and its commands."""

from collections.abc import Callable, Iterator

from fleet.explain import asking
from fleet.explain.changes import was_and_is
from fleet.explain.drill_words import answers_text, check_sentence, emergency_key
from fleet.explain.runbook_case import NOW, UP, Case, Said
from fleet.explain.runbook_data import data, fence, fenced_clusters
from fleet.explain.sentences import counted, verb
from fleet.explain.shell import line
from fleet.model.exercise import Exercise, Item
from fleet.model.plan import LeverKind
from fleet.model.survival import Loss
from fleet.model.timeline import StepKind
from fleet.model.traffic import Mode

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
    some = f" ({name.landing} of {name.wanted} replicas)" if name.wanted else ""
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
    if name.by_itself:
        sentences.append(
            "If Route53's API fails, the weights wait and nothing is shrunk. Names are answered"
            " as without the update; run it again later."
        )
    elif name.timeline.by_lever:
        sentences.append("If Route53's API fails, the lever works as before; update later.")
    elif name.timeline.ends:
        sentences.append("If Route53's API fails, nobody is answered until it is back.")
    return [*_released(case), *sentences], [*_time(case), UP]


def _moved(case: Case) -> Iterator[str]:
    """What the update does to the name."""
    if not case.name.timeline.ends:
        yield (
            "The update moves what has a place; the name leads nowhere until"
            f" {case.region} is back, or the files give its workload a place."
        )
        return
    seconds = case.outcome.settings.drill.record_seconds
    ttl = case.policy.spec.ttl_seconds
    record = f"a record change ({seconds} s until it is in sync) and the TTL, {ttl} s"
    yield f"The update raises capacity, then the weights; resolvers follow after {record}."


def _time(case: Case) -> list[str]:
    """What gives an update the time, where the files need one."""
    return [] if case.outcome.settings.now is None else [f"pulumi config set now {NOW}"]


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


def verify(case: Case) -> Said:
    """Ask as a user would, and see that what should run does."""
    there = [each for each in case.name.afterwards.shares if each not in case.clusters]
    sentences = ["Ask the public name from more than one network: resolvers keep the TTL."]
    return sentences, [
        *([case.fleet("verify", "--prior", "prior.json")] if "verify" in case.commands else []),
        *asking.ask_name(case.policy),
        *asking.ask_clusters(case.outcome, case.policy, there),
        *asking.roll_outs(case.outcome, case.name.workload, there),
    ]


def record(case: Case) -> Said:
    """What happened, and the declaration, in git."""
    sentences = [
        "Write down when it was noticed, decided, declared and answered, beside the prediction.",
        "Commit the config: a run from CI without it would take the declaration back.",
    ]
    message = f"down: {', '.join(case.clusters)}"
    return sentences, [
        line("pulumi", "stack", "history", "--page-size", "5", "--page", "1"),
        "pulumi stack output placements --json > prior.json",
        line("git", "commit", "--all", "--message", message),
    ]


def fail_back(case: Case) -> Said:
    """An update of its own, when the region is trusted again."""
    name, first = case.name, case.first
    played = [
        f"Played: {check_sentence(each)}."
        for each in case.exercise.checks
        if each.item is Item.FAILBACK and each.subject == name.dns_name
    ]
    sentences = [*played, *_stays(case)]
    said = (
        ("down", first, case.clusters),
        ("fenced", case.first_fenced, fenced_clusters(case)),
    )
    removed = [
        line("pulumi", "config", "rm", "--path", f"{key}[{place}]")
        for key, start, clusters in said
        for place in reversed(range(start, start + len(clusters)))
    ]
    preview = line("pulumi", "preview")
    return sentences, [*removed, *_time(case), preview, UP, *_goes_back(case)]


def _elsewhere(case: Case) -> str | None:
    """The region that answers an active-standby name after the update."""
    if case.policy.spec.mode is not Mode.ACTIVE_STANDBY:
        return None
    regions = {each.name: each.spec.region for each in case.outcome.snapshot.clusters}
    found = {regions[each] for each in case.name.afterwards.shares if each in regions}
    found.discard(case.region)
    return min(found, default=None)


def _stays(case: Case) -> Iterator[str]:
    there = _elsewhere(case)
    if there is not None:
        yield (
            f"After the update the name stays in {there}, until somebody asks: the lines with"
            " `failback` go back, in an hour that you choose."
        )
        if _hands_over(case):
            yield "Going back takes two updates: the first demotes, the second promotes and moves."


def _goes_back(case: Case) -> list[str]:
    """The switch that returns a name to the region that was lost."""
    if _elsewhere(case) is None:
        return []
    key = f"failback[{len(case.outcome.settings.failback)}]"
    asked = line("pulumi", "config", "set", "--path", key, case.policy.name)
    up = line("pulumi", "up", "--yes")
    handed = [line("pulumi", "refresh", "--yes"), up] if _hands_over(case) else []
    return [asked, up, *handed, line("pulumi", "config", "rm", "--path", key)]


def _hands_over(case: Case) -> bool:
    """Whether a planned switch demotes in one update and promotes in the next."""
    return any(
        each.workload.settings.data.handover is not None
        for each in case.outcome.snapshot.linked
        if each.workload.name == case.name.workload
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
