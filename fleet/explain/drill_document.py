"""A drill as one JSON document, for other programs."""

from fleet.explain.document import Json
from fleet.explain.drill_words import ITEMS, assumed_texts, check_sentence, emergency_key
from fleet.explain.placement import spell
from fleet.explain.survival import loss_document
from fleet.model.exercise import Check, Emergency, Exercise, Exercises, NameExercise
from fleet.model.outage import Answers
from fleet.model.timeline import Timeline


def drill_document(drill: Exercises) -> Json:
    """All emergencies as plain values. Shares are exact: numerator and denominator as text.

    Those of a name whose answers hang on who asks are assumed, and say so.
    """
    return {
        "targets": drill.targets.model_dump(by_alias=True),
        "assumed": assumed_texts(drill),
        "items": {str(item): text for item, text in ITEMS.items()},
        "scenarios": [_exercise(each) for each in drill.played],
        "quiet": [_emergency(each) for each in drill.quiet],
        "failed": sum(len(each.failed) for each in drill.played),
    }


def _emergency(emergency: Emergency) -> Json:
    return {
        "scenario": emergency_key(emergency),
        "kind": str(emergency.kind),
        "domain": emergency.domain,
        "clusters": list(emergency.clusters),
    }


def _exercise(exercise: Exercise) -> Json:
    return {
        **_emergency(exercise.emergency),
        "dies": exercise.dies,
        "refused": list(exercise.refused),
        "workloads": {name: loss_document(each) for name, each in exercise.losses.items()},
        "starts": {name: _timeline(each) for name, each in exercise.starts.items()},
        "names": [_name(each) for each in exercise.names],
        "checks": [_check(each) for each in exercise.checks],
    }


def _timeline(timeline: Timeline) -> Json:
    return {
        "steps": [[str(each.kind), each.seconds] for each in timeline.steps],
        "total": timeline.total if timeline.ends else None,
    }


def _name(name: NameExercise) -> Json:
    stages = {
        "today": name.today,
        "atOnce": name.at_once,
        "afterwards": name.afterwards,
        "revived": name.revived,
        "returned": name.returned,
    }
    return {
        "name": name.dns_name,
        "policy": name.policy,
        "workload": name.workload,
        "hit": name.hit,
        "felt": str(name.felt),
        "sharesAssumed": bool(name.today.by),
        "byItself": name.by_itself,
        "landing": name.landing,
        "wanted": name.wanted,
        "timeline": _timeline(name.timeline),
        "answers": {stage: _answers(each) for stage, each in stages.items()},
        "healedWithoutApi": dict(name.healed),
    }


def _answers(answers: Answers) -> Json:
    shares = {name: str(share) for name, share in answers.shares.items()}
    return {"shares": shares, "nowhere": str(answers.nowhere)}


def _check(check: Check) -> Json:
    return {
        "item": str(check.item),
        "subject": check.subject,
        "result": str(check.result),
        "sentence": check_sentence(check),
        "source": spell(check.source),
        "values": dict(check.values),
    }
