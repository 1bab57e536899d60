"""A drill's checks and emergencies as sentences."""

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from fleet.explain.sentences import counted
from fleet.explain.survival import few
from fleet.model import drill_codes as codes
from fleet.model.data import DataKind
from fleet.model.exercise import (
    Check,
    Emergency,
    Exercises,
    Item,
    Kind,
    NameExercise,
    Result,
)
from fleet.model.outage import Answers
from fleet.model.timeline import StepKind, Timeline
from fleet.model.traffic import Mode

Words = Callable[[Mapping[str, str | int], bool], str]
_PERCENT = 100


def emergency_name(emergency: Emergency) -> str:
    """What goes wrong, in words.

    >>> emergency_name(Emergency(Kind.REGION, "eu-west-1", ("eu-1",)))
    'region eu-west-1'
    """
    if emergency.kind is Kind.ROUTE53:
        return "Route53's API"
    if emergency.kind is Kind.HALF_REGION:
        return f"half of region {emergency.domain} ({few(emergency.clusters)})"
    if not emergency.domain:
        return f"the clusters that say no {emergency.kind}"
    return f"{emergency.kind} {emergency.domain}"


def emergency_key(emergency: Emergency) -> str:
    """The same as `--scenario` takes it: `region:eu-west-1`."""
    return f"{emergency.kind}:{emergency.domain}" if emergency.clusters else str(emergency.kind)


def steps_text(timeline: Timeline) -> str:
    """The parts of a timeline: `detection 30 + spread 10 + ttl 5`."""
    return " + ".join(f"{each.kind} {each.seconds}" for each in timeline.steps)


def way_text(timeline: Timeline) -> str:
    """Who ends it.

    >>> way_text(Timeline())
    'by itself'
    """
    if timeline.by_lever:
        return "by the lever"
    return "by an update" if timeline.by_update else "by itself"


WHO_ASKS = {Mode.LATENCY.value: "latency", Mode.GEOLOCATION.value: "place"}
"""What who is answered hangs on, by the form of a name in which nobody knows the shares."""


def answers_text(answers: Answers) -> str:
    """Who is answered: `eu-1 67%, us-1 33%`, and which part of it leads nowhere.

    Without shares where they hang on who asks: `by latency eu-1, us-1`.
    """
    if not answers.shares:
        return "nobody"
    listed = ", ".join(f"{name} {percent(share)}" for name, share in answers.shares.items())
    part = f"; {percent(answers.nowhere)} leads nowhere"
    if answers.by:
        listed, part = ", ".join(answers.shares), "; some of it leads nowhere"
    if answers.nowhere == 1:
        return (
            f"nobody ({listed} {'leads' if len(answers.shares) == 1 else 'lead'} to what is dead)"
        )
    by = f"by {WHO_ASKS[answers.by]} " if answers.by else ""
    return f"{by}{listed}{part if answers.nowhere else ''}"


def landing_text(name: NameExercise) -> str:
    """The replicas that answer after a loss, beside those that answered before."""
    if name.landing > name.wanted:
        return f"{name.landing} replicas, {name.wanted} before"
    return f"{name.landing} of {name.wanted} replicas"


def felt_text(name: NameExercise, dead: Collection[str]) -> str:
    """Which of today's answers die, until the timeline is over.

    Where answers hang on who asks, whose answers: nobody knows how many they are.
    """
    if not name.today.by or name.felt == 1:
        return f"{percent(name.felt)} of the answers die"
    led = ", ".join(each for each in name.today.shares if each in dead)
    return f"all answers that lead to {led} die"


def assumed_texts(drill: Exercises) -> list[str]:
    """What a drill takes for granted."""
    targets = drill.targets
    start = targets.start_seconds
    took = "at most waitSeconds" if start is None else f"{start} s"
    texts = [
        f"decision {targets.decision_seconds} s: from the alarm to the update that declares it",
        f"spread {targets.spread_seconds} s: until Route53's checkers agree",
        f"record {targets.record_seconds} s: until a changed record is in sync",
        f"capacity {took}: until replicas are ready",
        "detection is interval x threshold, resolvers keep to the TTL",
    ]
    if any(name.today.by for each in drill.played for name in each.names):
        texts.append(
            "by latency or place nobody knows how many ask from where: the shares of --output json"
            " count each region and place as much as the weights that serve it"
        )
    return texts


def percent(share: Fraction) -> str:
    """A share in whole percent; what is rounded away is still not 0.

    >>> percent(Fraction(2, 3)), percent(Fraction(1, 1000))
    ('67%', '<1%')
    """
    whole = round(share * _PERCENT)
    return f"{whole}%" if whole or not share else "<1%"


def check_sentence(check: Check) -> str:
    """Why a check came out as it did."""
    return WORDS[check.code](check.values, check.result is Result.PASS)


def _dns(values: Mapping[str, str | int], passes: bool) -> str:  # noqa: FBT001 - as above
    keys = ("detection", "spread", "release", "record", "ttl")
    parts = [f"{key} {values.get(key, 0)}" for key in keys]
    shown = " + ".join(each for each in parts if each not in {"release 0", "record 0"})
    text = f"{values['total']} s of {values['limit']} s: {shown}"
    if passes:
        return text
    if values["record"] and values.get("held"):
        return f"{text}; its standby is held out until an update has promoted the data"
    if values["record"]:
        return f"{text}; something that runs behind a record elsewhere would need no record change"
    return f"{text}; {_quicker(values)}"


def _quicker(values: Mapping[str, str | int]) -> str:
    """What would pass, of check and TTL."""
    if values["best"]:
        return f"a check of 10 s x 3 and ttlSeconds of at most {values['best']} would pass"
    if values.get("hasty"):
        return (
            f"only a check of 10 s x 1 and ttlSeconds of at most {values['hasty']} would pass,"
            " which takes one slow answer for a death"
        )
    beside = f" beside a lever of {values['release']} s" if values.get("release") else ""
    return f"no check and no TTL are quick enough for this limit{beside}"


def _api_needed(values: Mapping[str, str | int], _: bool) -> str:  # noqa: FBT001 - as above
    text = f"the loss of {values['regions']} needs a record change, which nobody could make"
    if values.get("hopeless"):
        text += f"; after that of {values['hopeless']} nobody answers, even with one"
    return text


def _nowhere(values: Mapping[str, str | int], _: bool) -> str:  # noqa: FBT001 - as above
    return f"nobody answers, also after an update; limit {values['limit']} s"


def _rto(values: Mapping[str, str | int], _: bool) -> str:  # noqa: FBT001 - as above
    how = "by itself" if values["by_itself"] else "by an update"
    how = "by the lever" if values.get("by_lever") else how
    return f"{values['total']} s of {values['limit']} s, {how}"


def _starts(values: Mapping[str, str | int], passes: bool) -> str:  # noqa: FBT001 - as above
    seconds, assumed = values["seconds"], values["assumed"]
    took = f"in {seconds} s (startSeconds)" if assumed else f"within {seconds} s (waitSeconds)"
    text = f"{counted(int(values['moves']), 'replica')} to start {took}, limit {values['limit']} s"
    if passes or assumed:
        return text
    return f"{text}; a lower waitSeconds would bound it"


def _data_time(values: Mapping[str, str | int], _: bool) -> str:  # noqa: FBT001 - as above
    return f"another copy takes writes {data_time_text(values)}, limit {values['limit']} s"


def data_time_text(values: Mapping[str, str | int]) -> str:
    """When a copy takes writes: `130 s after the loss (detection 30 + ... + data 30)`."""
    shown = " + ".join(f"{kind} {values[kind]}" for kind in StepKind if kind in values)
    start = "loss" if StepKind.DETECTION in values else "alarm"
    return f"{values['seconds']} s after the {start} ({shown})"


def _data_lag(values: Mapping[str, str | int], passes: bool) -> str:  # noqa: FBT001 - as above
    lost = f"what was written in the last {values['seconds']} s"
    if not values["limit"]:
        return "the copy lacks nothing" if passes else f"the copy lacks {lost}"
    return f"the copy lacks {lost}, limit {values['limit']} s"


def _volumes(values: Mapping[str, str | int], _: bool) -> str:  # noqa: FBT001 - as above
    if values["kind"] == DataKind.OBJECT_STORAGE:
        return "its bucket is copied nowhere"
    held = f"the data of {values['volumes']}" if values["volumes"] else f"its {values['kind']} data"
    return f"{held} on {values['clusters']} is copied nowhere"


def _back_nowhere(values: Mapping[str, str | int], _: bool) -> str:  # noqa: FBT001 - as above
    shown = {key: f"{values[key]}%" for key in ("revived", "returned")}
    if values.get("by"):
        shown = {key: _SOME.get(text, "some") for key, text in shown.items()}
    return (
        f"{shown['revived']} of the answers lead nowhere when it is back alive,"
        f" {shown['returned']} after going back"
    )


_SOME = {"0%": "none", "100%": "all"}


WORDS: dict[str, Words] = {
    codes.DNS_TIME: _dns,
    codes.NOWHERE: _nowhere,
    codes.API_NOT_NEEDED: lambda values, _: (
        f"the loss of {values['regions']} needs no record change"
    ),
    codes.API_NEEDED: _api_needed,
    codes.API_NO_HELP: lambda values, _: (
        f"after the loss of {values['hopeless']} nobody answers, also after a record change"
        if values["hopeless"]
        else "nobody answers today, and no record change would help"
    ),
    codes.RTO_TIME: _rto,
    codes.NO_ALARM: lambda *_: "fleet knows of no alarm; let yours ring in a live drill",
    codes.STANDS: lambda *_: "nothing has to start",
    codes.STARTS: _starts,
    codes.NO_PLACE: lambda values, _: (
        f"{values['short']} of {counted(int(values['wanted']), 'replica')} without a place"
    ),
    codes.REFUSED: lambda values, _: f"the update is not made: {values['faults']}",
    codes.NO_DATA: lambda *_: (
        "it declares no data that has to be kept, and claims no volumes for it"
    ),
    codes.DATA_TIME: _data_time,
    codes.DATA_LAG: _data_lag,
    codes.VOLUMES: _volumes,
    codes.PRIMARY_LIVES: lambda values, _: (
        f"the primary lives; only a copy on {values['clusters']} is lost"
    ),
    codes.NO_COPY: lambda values, _: (
        f"every copy of the data died (it ran on {values['clusters']})"
    ),
    codes.NO_PROMOTION: lambda *_: "the copy is written to by whoever answers",
    codes.BACK: lambda *_: "everything has a place again",
    codes.BACK_SHORT: lambda values, _: (
        f"{counted(int(values['short']), 'replica')} without a place after the return,"
        f" today {values['before']}"
    ),
    codes.NAME_BACK: lambda values, _: (
        f"when it lives again {values['revived'] or 'nobody'} until an update,"
        f" after going back {values['returned'] or 'nobody'}"
    ),
    codes.NAME_BACK_NOWHERE: _back_nowhere,
    codes.BACK_REFUSED: lambda values, _: f"the update after the return: {values['faults']}",
}

ITEMS: dict[Item, str] = {
    Item.DNS: "names lead elsewhere",
    Item.APPLICATION: "replicas have started elsewhere",
    Item.DATABASE: "another copy of the data takes writes",
    Item.RTO: "names are answered again",
    Item.RPO: "data that is lost at most",
    Item.NO_DATA_LOSS: "nothing is lost",
    Item.FAILBACK: "the return is played: places and answers",
    Item.ALERTS: "somebody is told",
}
"""What each item of the checklist asks."""
