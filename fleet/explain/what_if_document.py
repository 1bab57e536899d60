"""The difference of two plans as a JSON document."""

from fleet.explain.difference import (
    NameDifference,
    WhatIf,
    WorkloadDifference,
    finding_differences,
    moves,
    name_differences,
    workload_differences,
)
from fleet.explain.document import Json
from fleet.explain.placement import spell
from fleet.explain.sentences import finding_sentence
from fleet.explain.survival_difference import SurvivalDifference, survival_differences
from fleet.explain.what_if import differs, note_texts, share, survival_text, why
from fleet.model.decision import Finding


def what_if_document(question: WhatIf) -> Json:
    """The difference as plain values."""
    appear, vanish = finding_differences(question)
    return {
        "asked": list(question.asked),
        "differs": differs(question),
        "digests": {"written": question.written.plan.digest, "then": question.then.plan.digest},
        "workloads": {
            each.name: _workload_document(question, each) for each in workload_differences(question)
        },
        "names": {each.dns_name: _name_document(each) for each in name_differences(question)},
        "survivability": [_survival_document(each) for each in survival_differences(question)],
        "findings": {
            "appear": [_finding_document(each) for each in appear],
            "vanish": [_finding_document(each) for each in vanish],
        },
        "notes": list(note_texts(question)),
    }


def _workload_document(question: WhatIf, each: WorkloadDifference) -> Json:
    found, more = moves(each.counts)
    had, has = each.shortfalls
    return {
        "before": {name: was for name, (was, _) in each.counts.items() if was is not None},
        "after": {name: now for name, (_, now) in each.counts.items() if now is not None},
        "roles": {
            name: {"before": was, "after": now}
            for name, (was, now) in each.roles.items()
            if was != now
        },
        "moves": [{"from": it.source, "to": it.target, "replicas": it.replicas} for it in found],
        "more": more,
        "shortfall": {"before": had, "after": has},
        "objects": {name: list(keys) for name, keys in each.objects.items()},
        "why": {
            name: why(question, each, name)[0]
            for name, (was, now) in each.counts.items()
            if was != now
        },
    }


def _name_document(each: NameDifference) -> Json:
    return {
        "workload": each.workload,
        "activeRegion": {"before": each.regions[0], "after": each.regions[1]},
        "weights": {"before": dict(each.before), "after": dict(each.after)},
        "shares": _shares(each),
        **({"aliases": _turned(each)} if each.turned else {}),
    }


def _shares(each: NameDifference) -> Json | None:
    """Percents by cluster; None where they hang on who asks."""
    if each.endpoint.answers_by_asker:
        return None
    return {
        "before": {name: share(each.before, name) for name in each.before},
        "after": {name: share(each.after, name) for name in each.after},
    }


def _turned(each: NameDifference) -> Json:
    return {name: {"before": was, "after": now} for name, (was, now) in each.turned.items()}


def _survival_document(each: SurvivalDifference) -> Json:
    return {
        "by": each.scenario.by,
        "domain": each.scenario.domain,
        "workload": each.workload,
        "shortfall": {"before": each.shortfalls[0], "after": each.shortfalls[1]},
        "survived": {
            "before": each.was_survived and not each.fences[0],
            "after": each.is_survived and not each.fences[1],
        },
        "unfenced": {"before": [*each.fences[0]], "after": [*each.fences[1]]},
        "sentence": survival_text(each)[0],
    }


def _finding_document(finding: Finding) -> Json:
    return {
        "code": finding.code,
        "blocks": finding.blocks,
        "sentence": finding_sentence(finding),
        "source": spell(finding.source) or None,
    }
