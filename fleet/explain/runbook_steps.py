"""The steps of a runbook: what each says about one name and one region, and its commands."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fleet.explain import asking
from fleet.explain.changes import was_and_is
from fleet.explain.drill_words import answers_text, check_sentence, emergency_key
from fleet.explain.sentences import counted
from fleet.explain.shell import line
from fleet.model import drill_codes as codes
from fleet.model.endpoint import LeverKind
from fleet.model.exercise import Check, Exercise, Item, NameExercise, StepKind
from fleet.model.plan import Outcome
from fleet.model.traffic import Mode, TrafficPolicy

Said = tuple[list[str], list[str]]
"""Sentences, and commands."""

_UP = line("pulumi", "up", "--yes", "--skip-preview", "--continue-on-error")
_WHO = ("owner", "escalation")
_UNAIDED = (StepKind.DETECTION, StepKind.SPREAD, StepKind.TTL)
"""What Route53 and resolvers do by themselves."""
_NOW = '"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'


@dataclass(frozen=True, slots=True)
class Case:
    """One name, and the loss of one region that it leads to."""

    outcome: Outcome = field(repr=False)
    policy: TrafficPolicy
    name: NameExercise
    exercise: Exercise
    commands: frozenset[str]

    @property
    def region(self) -> str:
        """The region that is lost."""
        return self.exercise.emergency.domain

    @property
    def clusters(self) -> tuple[str, ...]:
        """The clusters that are lost with it."""
        return self.exercise.emergency.clusters

    def fleet(self, *words: str) -> str:
        """A command of fleet, with the time where the files need one."""
        timed = self.outcome.settings.now is not None and words[0] != "probe"
        return line("fleet", *words) + (f" --now {_NOW}" if timed else "")

    @property
    def first(self) -> int:
        """The first free place of the config's list `down`."""
        return len(self.outcome.settings.down)

    @property
    def first_fenced(self) -> int:
        """The first free place of the config's list `fenced`."""
        return len(self.outcome.settings.fenced)


def detect(case: Case) -> Said:
    """What Route53 asks, and how to ask the same."""
    spec = case.policy.spec
    check = spec.health_check.slowest
    seconds = case.name.timeline.seconds(StepKind.DETECTION)
    lost = [each for each in case.clusters if each in case.name.today.shares]
    spread = case.name.timeline.seconds(StepKind.SPREAD)
    asked = (
        f"Route53 asks {', '.join(lost)} every {check.interval_seconds} s and takes it for dead"
        f" after {check.failure_threshold} failures: {seconds} s, and {spread} s until its checkers"
        " agree."
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
    name = case.name
    sentences = [*_who(case)]
    if name.by_itself and name.timeline.seconds(StepKind.DATA):
        early = sum(name.timeline.seconds(each) for each in _UNAIDED)
        sentences.append(
            f"Without any update, {answers_text(name.at_once)} after {early} s, but its data is not"
            f" the primary: writes fail until the update has promoted it ({name.timeline.total} s)."
        )
    elif name.by_itself:
        some = f" ({name.landing} of {name.wanted} replicas)" if name.wanted else ""
        sentences.append(
            f"Without any update, {answers_text(name.at_once)} after {name.timeline.total} s{some}."
            f" If {case.region} comes back before an update, its checks turn green and traffic"
            " returns by itself."
        )
    elif name.timeline.by_lever:
        sentences.append("Nobody is answered until the lever lets a standby go: step 6 first.")
    else:
        sentences.append("Nobody is answered until an update is done: declare the loss at once.")
    sentences += _consequences(case.exercise)
    places = enumerate(case.clusters, case.first)
    words = [f"down[{place}]={cluster}" for place, cluster in places]
    sets = [word for each in words for word in ("--set", each)]
    return sentences, [case.fleet("plan", "--prior", "prior.json", *sets)]


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
    gone = f"{counted(exercise.dies, 'replica')} {'is' if exercise.dies == 1 else 'are'} gone"
    yield f"Of all workloads {gone}; the update starts {moves}."
    for each in losses:
        if each.shortfall > each.short_before:
            yield f"`{each.workload}`: {each.shortfall} of {each.wanted} replicas have no place."
    for refused in exercise.refused:
        yield f"**The update that declares it has faults**: {refused}"


def fence(case: Case) -> Said:
    """Stop writers on the old side."""
    holders = _holders(case)
    if not holders:
        return ["No workload here declares data: there is no writer to stop."], []
    sentences = [f"`{each.subject}`: {check_sentence(each)}." for each in holders]
    sentences += [
        "Stop its writers where they can be reached, before a copy takes writes.",
        "Where they cannot, see to it that they write nowhere any more: `fenced` is your word.",
        "Without it the update promotes no copy.",
    ]
    names = {each.subject for each in holders}
    said = [
        line("pulumi", "config", "set", "--path", f"fenced[{place}]", cluster)
        for place, cluster in enumerate(case.clusters, case.first_fenced)
    ]
    return sentences, [*asking.stop_writers(case.outcome, names, case.clusters), *said]


def _holders(case: Case) -> list[Check]:
    """What was found about every workload that holds data there."""
    return [
        each
        for each in case.exercise.checks
        if each.item is Item.DATABASE and each.code != codes.NO_DATA
    ]


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
    sentences.append(
        f"Declare {counted(len(case.clusters), 'cluster')} down. Nothing happens before the update."
    )
    places = enumerate(case.clusters, case.first)
    return sentences, [
        line("pulumi", "config", "set", "--path", f"down[{place}]", cluster)
        for place, cluster in places
    ]


def data(case: Case) -> Said:
    """Promote what has to be promoted."""
    checks = [
        each
        for each in case.exercise.checks
        if each.item is Item.DATABASE and each.subject == case.name.workload
    ]
    seconds = case.name.timeline.seconds(StepKind.DATA)
    return [f"`{each.subject}`: {check_sentence(each)} ({seconds} s)." for each in checks] or [
        f"`{case.name.workload}` loses no replica."
    ], []


def switch(case: Case) -> Said:
    """The update."""
    name, spec = case.name, case.policy.spec
    seconds = case.outcome.settings.drill.record_seconds
    record = f"a record change ({seconds} s until it is in sync) and the TTL, {spec.ttl_seconds} s"
    sentences = [
        f"The update raises capacity, then the weights; resolvers follow after {record}.",
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
    else:
        sentences.append("If Route53's API fails, nobody is answered until it is back.")
    return [*_released(case), *sentences], [*_time(case), _UP]


def _time(case: Case) -> list[str]:
    """What gives an update the time, where the files need one."""
    return [] if case.outcome.settings.now is None else [f"pulumi config set now {_NOW}"]


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
                    f"Without an update: put the object {lever.where} there, and within"
                    f" {lever.seconds} s Route53 may answer with {names}."
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
    keys = {"down": first} | ({"fenced": case.first_fenced} if _holders(case) else {})
    removed = [
        line("pulumi", "config", "rm", "--path", f"{key}[{place}]")
        for key, start in keys.items()
        for place in reversed(range(start, start + len(case.clusters)))
    ]
    preview = line("pulumi", "preview")
    return sentences, [*removed, *_time(case), preview, _UP, *_goes_back(case)]


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


def _goes_back(case: Case) -> list[str]:
    """The switch that returns a name to the region that was lost."""
    if _elsewhere(case) is None:
        return []
    key = f"failback[{len(case.outcome.settings.failback)}]"
    asked = line("pulumi", "config", "set", "--path", key, case.policy.name)
    return [asked, line("pulumi", "up", "--yes"), line("pulumi", "config", "rm", "--path", key)]


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
