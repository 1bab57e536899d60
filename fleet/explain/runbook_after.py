"""The steps of a runbook after the switch: whether it came true, what to keep, the way back."""

from collections.abc import Iterator

from fleet.explain import asking
from fleet.explain.drill_words import check_sentence
from fleet.explain.runbook_case import UP, Case, Said
from fleet.explain.runbook_data import fenced_clusters, stopped_writers
from fleet.explain.shell import line
from fleet.model.exercise import Item
from fleet.model.traffic import Mode

_REFRESH = line("pulumi", "refresh", "--yes")


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
    return sentences, [
        line("pulumi", "stack", "history", "--page-size", "5", "--page", "1"),
        "pulumi stack output placements --json > prior.json",
        _committed(case, "down"),
    ]


def _committed(case: Case, word: str) -> str:
    return line("git", "commit", "--all", "--message", f"{word}: {', '.join(case.clusters)}")


def fail_back(case: Case) -> Said:
    """An update of its own, when the region is trusted again."""
    name, first = case.name, case.first
    played = [
        f"Played: {check_sentence(each)}."
        for each in case.exercise.checks
        if each.item is Item.FAILBACK and each.subject == name.dns_name
    ]
    refreshed = _refreshed(case)
    sentences = [*played, *_stays(case)]
    if refreshed:
        sentences.append(
            "Step 3 stopped writers there, which the state does not know: the refresh reads it, and"
            " the update starts them again, as copies."
        )
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
    sentences.append("Commit the config at the end: what CI has declares the region down still.")
    commands = [*removed, *refreshed, *case.clock, preview, UP, *_goes_back(case)]
    return sentences, [*commands, _committed(case, "back")]


def _refreshed(case: Case) -> list[str]:
    """Replicas that were scaled by hand come back only if the state knows that they are gone."""
    return [_REFRESH] if stopped_writers(case) else []


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
    handed = [_REFRESH, up] if _hands_over(case) else []
    return [asked, up, *handed, line("pulumi", "config", "rm", "--path", key)]


def _hands_over(case: Case) -> bool:
    """Whether a planned switch demotes in one update and promotes in the next."""
    return any(
        each.workload.settings.data.handover is not None
        for each in case.outcome.snapshot.linked
        if each.workload.name == case.name.workload
    )
