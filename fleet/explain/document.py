"""The run as one JSON document, for other programs."""

import json
from collections.abc import Iterator
from typing import Any

from fleet.explain.causes import Since
from fleet.explain.change_words import cure_sentence, edit_document, flip_sentence
from fleet.explain.findings import all_findings, is_undone
from fleet.explain.flips import flips
from fleet.explain.inputs import as_text, run_facts, workload_facts
from fleet.explain.placements import carried_parts, standing_part, tier_part
from fleet.explain.sentences import finding_sentence, rejection_sentence
from fleet.explain.stated import stated_clusters, stated_workload
from fleet.model.change import Change
from fleet.model.decision import Decision, Finding, Rejection, Verdict
from fleet.model.endpoint import AliasDelivery, EndpointDelivery, RecordDelivery
from fleet.model.plan import Outcome, WorkloadDelivery
from fleet.model.source import Source

Json = dict[str, Any]
_DEEPEST_LINES = 4
_ENCODER = json.JSONEncoder(sort_keys=True)


def to_json(outcome: Outcome) -> str:
    """The whole run as JSON text: keys sorted, the same bytes for the same run."""
    return as_json(run_document(outcome))


def as_json(document: object) -> str:
    """JSON text of a document, keys sorted; plain ASCII, so that no terminal's encoding matters.

    What is nested deeper than a verdict stands on its parent's line: a difference between two
    plans is then one line per verdict, and a large fleet's plan stays readable by machines.

    >>> print(as_json({"b": {"x": {"y": {"z": {"deep": [1]}}}}, "a": []}), end="")
    {
      "a": [],
      "b": {
        "x": {
          "y": {
            "z": {"deep": [1]}
          }
        }
      }
    }
    """
    return "".join(_lines(document, 0)) + "\n"


def _lines(value: object, depth: int) -> Iterator[str]:
    if depth >= _DEEPEST_LINES or not value or not isinstance(value, dict | list):
        yield _ENCODER.encode(value)
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    yield opening
    entries = sorted(value.items()) if isinstance(value, dict) else [("", each) for each in value]
    for number, (key, item) in enumerate(entries):
        yield f"{',' if number else ''}\n{'  ' * (depth + 1)}"
        if isinstance(value, dict):
            yield f"{json.dumps(key)}: "
        yield from _lines(item, depth + 1)
    yield f"\n{'  ' * depth}{closing}"


def run_document(outcome: Outcome) -> Json:
    """The whole run as plain values."""
    carried = {
        each.workload: {**carried_parts(each.data, each.passed_over), **_held(each)}
        for each in outcome.plan.workloads
    }
    return {
        "digest": outcome.plan.digest,
        "workloads": {
            each.workload: {
                **decision_document(each),
                "inputs": as_text(workload_facts(outcome.snapshot, each.workload)),
                **carried.get(each.workload, {}),
                **standing_part(outcome, each.workload),
            }
            for each in outcome.plan.decisions.values()
        },
        "clusters": run_facts(outcome.snapshot),
        "records": [
            _record(endpoint, record)
            for endpoint in sorted(outcome.plan.endpoints, key=lambda each: each.policy)
            for record in endpoint.records
        ],
        **_levers(outcome),
        **_aliases(outcome),
        "findings": [_finding(each) for each in all_findings(outcome)],
    }


def _held(workload: WorkloadDelivery) -> Json:
    """Which clusters stand by until what is fenced, where any do."""
    return {"held": dict(workload.held)} if workload.held else {}


def _levers(outcome: Outcome) -> Json:
    """What can be pulled for each name, where there is anything."""
    found = [
        {
            "policy": endpoint.policy,
            "kind": each.kind.value,
            "where": each.where,
            "clusters": list(each.clusters),
            "seconds": each.seconds,
        }
        for endpoint in sorted(outcome.plan.endpoints, key=lambda each: each.policy)
        for each in endpoint.levers
    ]
    return {"levers": found} if found else {}


def workload_document(outcome: Outcome, name: str, cluster: str | None = None) -> Json:
    """One workload of the run under its name, or the verdict on one cluster only.

    Unlike in the document of a whole run, each verdict says what would flip it, `cures` what gives
    every replica a place, `since` what moved and why, and `facts` what the files say, with lines.
    """
    decision = outcome.plan.decisions.get(name)
    document: Json = {}
    if decision is not None:
        found = next(each for each in outcome.plan.workloads if each.workload == name)
        stated = stated_workload(outcome.snapshot, decision)
        document = {**_placed_document(decision), **_held(found), **stated}
        document["since"] = _since(outcome, name)
        document["cures"] = [
            _change(each, cure_sentence(each)) for each in outcome.schedule.cures.get(name, ())
        ]
        verdicts = decision.verdicts
        told = list(verdicts.values()) if cluster is None else [verdicts[cluster]]
        changes = flips(outcome, name, told)
        document["verdicts"] = {
            each.cluster: {
                **_verdict(each),
                "changes": _changes(changes[each.cluster], each.cluster),
            }
            for each in told
        }
    clusters = stated_clusters(outcome.snapshot, document.get("verdicts", ()))
    return {
        "digest": outcome.plan.digest,
        "workloads": {name: document},
        "clusters": clusters,
    }


def decision_document(decision: Decision) -> Json:
    """One workload: where it runs, and the verdict on every cluster."""
    verdicts = {name: _verdict(each) for name, each in decision.verdicts.items()}
    return {**_placed_document(decision), "verdicts": verdicts}


def _placed_document(decision: Decision) -> Json:
    return {
        "assignments": {each.cluster: each.replicas for each in decision.assignments},
        "roles": {each.cluster: each.role.value for each in decision.assignments},
        "shortfall": decision.shortfall,
    } | tier_part(decision.tier)


def _verdict(verdict: Verdict) -> Json:
    return {
        "outcome": verdict.outcome.value,
        "replicas": verdict.replicas,
        "rejections": [_rejection(each) for each in verdict.rejections],
        "scores": [
            {"scorer": each.scorer, "value": each.value, "scorerWeight": each.scorer_weight}
            for each in verdict.scores
        ],
        "total": verdict.total,
        "room": verdict.room,
    }


def _rejection(rejection: Rejection) -> Json:
    return {
        "code": rejection.code,
        "values": dict(rejection.values),
        "source": _place(rejection.source),
        "sentence": rejection_sentence(rejection),
    }


def _since(outcome: Outcome, name: str) -> Json:
    """What moved since the prior, and the inputs that changed."""
    workload = next((each for each in outcome.plan.workloads if each.workload == name), None)
    if workload is None:
        return {"moved": {}, "causes": []}
    since = Since(outcome)
    return {
        "moved": {
            cluster: {"was": was, "now": now}
            for cluster, (was, now) in since.moved(workload).items()
        },
        "causes": [
            {
                "cluster": each.cluster or None,
                "field": each.field,
                "was": each.was or None,
                "now": each.now or None,
                "source": each.place or None,
                "sentence": each.sentence,
            }
            for each in since.causes(workload)
        ],
    }


def _changes(changes: tuple[Change, ...] | None, cluster: str) -> list[Json] | None:
    """What flips a verdict, all of it together; None where nobody asked."""
    if changes is None:
        return None
    return [_change(each, flip_sentence(each, cluster)) for each in changes]


def _change(change: Change, sentence: str) -> Json:
    return {
        "code": change.code,
        "values": dict(change.values),
        "source": _place(change.source),
        "sentence": sentence,
        "edits": [edit_document(each) for each in change.edits],
    }


def _finding(finding: Finding) -> Json:
    """`blocks`: up does nothing without consent; `undone`: it leaves this undone, and fails."""
    undone = {"undone": True} if is_undone(finding) else {}
    return {
        "code": finding.code,
        "values": dict(finding.values),
        "blocks": finding.blocks,
        "source": _place(finding.source),
        "sentence": finding_sentence(finding),
        **undone,
    }


def _record(endpoint: EndpointDelivery, record: RecordDelivery) -> Json:
    return {
        "policy": endpoint.policy,
        "name": record.dns_name or endpoint.dns_name,
        "type": record.type,
        "cluster": record.cluster,
        "weight": record.dns_weight,
        "previousWeight": record.previous,
        "targets": list(record.targets),
        "ttl": endpoint.ttl_seconds,
        "healthCheck": record.check,
    }


def _aliases(outcome: Outcome) -> Json:
    """What leads to other records, where anything does."""
    found = [
        _alias(endpoint, alias)
        for endpoint in sorted(outcome.plan.endpoints, key=lambda each: each.policy)
        for alias in endpoint.aliases
    ]
    return {"aliases": found} if found else {}


def _alias(endpoint: EndpointDelivery, alias: AliasDelivery) -> Json:
    return {
        "policy": endpoint.policy,
        "resource": alias.name,
        "name": alias.dns_name,
        "type": alias.type,
        "setIdentifier": alias.set_identifier,
        "target": alias.target,
        "weight": alias.dns_weight,
        "region": alias.region or None,
        "location": alias.location.code if alias.location else None,
        "previous": alias.previous,
    }


def _place(source: Source | None) -> str | None:
    return str(source) if source else None
