"""The sentences of findings, by their code; `{s_of_count}` is the plural ending of `count`."""

from collections.abc import Mapping
from typing import Final

from fleet.explain.rejection_words import Values, Words
from fleet.model import finding_codes as codes

_FIRST = 3
_LIMITS = {
    "replicasPercent": "moves {counted}% of all replicas",
    "clustersEmptied": "empties {counted} cluster{s_of_counted}",
    "workloadsRemoved": "removes {counted} workload{s_of_counted}",
    "recordsRemoved": "removes {counted} record{s_of_counted}",
}


def _movement(values: Values) -> str:
    limit, counted = str(values["limit"]), values["counted"]
    does = _LIMITS.get(limit, "moves or removes {counted}")
    ending = "" if counted == 1 else "s"
    told = does.replace("{s_of_counted}", ending).replace("{counted}", str(counted))
    return f"{told} where movementBudget.{limit} allows {values['allowed']}: {values['what']}"


def _no_connection(values: Values) -> str:
    names = str(values["clusters"]).split(", ")
    hint = " - say spec.connection in the inventory"
    if len(names) == 1:
        return f"cluster '{names[0]}' has assignments, but nothing says how to reach it{hint}"
    more = len(names) - _FIRST
    listed = ", ".join(f"'{name}'" for name in names[:_FIRST])
    others = f" and {more} more" if more > 0 else ""
    told = f"{len(names)} clusters have assignments, but nothing says how to reach them: {listed}"
    return f"{told}{others}{hint}"


def _not_survived(values: Values) -> str:
    by, domain, others = values["by"], values.get("domain"), values.get("others", 0)
    short = f"{values['short']} of {values['wanted']} replicas of '{values['workload']}'"
    if domain is None:
        return f"{short} have no place, also without the loss of a {by}"
    lost = f"{by} '{domain}'" if domain else "the clusters that say no provider"
    more = f" (or of {others} other {by}{'' if others == 1 else 's'})" if others else ""
    left = f"{short} without a place" if values["short"] else f"nothing of '{values['workload']}'"
    return f"the loss of {lost}{more} would leave {left}"


FINDINGS: Final[Mapping[str, Words]] = {
    codes.NO_ENTRY: (
        "cluster '{cluster}' has no 'entry', so policy '{policy}' sends it no traffic"
        " - say spec.entry in the inventory"
    ),
    codes.NO_CONNECTION: _no_connection,
    codes.SHORTFALL: "only {placed} of {wanted} replicas of '{workload}' fit",
    codes.MOVEMENT_BUDGET: _movement,
    codes.REPLACEMENT: (
        "{object} of '{workload}' on '{cluster}' would be deleted and created anew,"
        " because '{field}' cannot change in place"
    ),
    codes.DELETE: "deletes {count} object{s_of_count} of '{workload}' on '{cluster}': {objects}",
    codes.DELETE_RECORD: "deletes the record of policy '{policy}' for '{cluster}'",
    codes.DEBT: (
        "keeps {count} object{s_of_count} of {workloads} on dead cluster '{cluster}' until it"
        " returns or is declared decommissioned (down says {said_by})"
    ),
    codes.FORGOTTEN: (
        "forgets {count} object{s_of_count} of {workloads} on '{cluster}' without deleting them:"
        " decommissioned says {said_by}"
    ),
    codes.OBSERVATION_STALE: (
        "what was seen of cluster '{cluster}' is {age} s old, more than {allowed} s; it still"
        " counts"
    ),
    codes.SCORES_EXPIRED: "the external scores '{name}' have expired and count 0 for {clusters}",
    codes.LAST_RECORD: (
        "policy '{policy}' would lead to no living target any more; it leads to {clusters} today"
    ),
    codes.BLIND_CHECK: (
        "the health check of '{name}' opens a TCP connection only: it cannot see a service that"
        " crashes behind a living entry - say 'healthCheck: {{type: HTTP, path: …}}'"
    ),
    codes.HEALTH_CHECKS: "{count} health check{s_of_count}, about {price} US dollars a month",
    codes.NO_RECORDS: (
        "'{name}' has no record: the workload of policy '{policy}' runs nowhere that has an entry"
    ),
    codes.RECORD_KEPT: (
        "every target of '{name}' is down and nothing takes over: the records for {clusters} stay"
    ),
    codes.WEIGHTS_BY_REPLICAS: (
        "every cluster with a dnsWeight for '{name}' is out of use: the others are weighed by"
        " their replicas"
    ),
    codes.RTO_MISSED: (
        "an unplanned loss under policy '{policy}' takes {total} s ({detection} s to notice + ttl"
        " {ttl} s), more than its target of {rto} s"
    ),
    codes.FAILOVER_CAPACITY: (
        "failover of '{workload}' would land on {landing} of {wanted} replicas"
    ),
    codes.FAILBACK_AUTOMATIC: (
        "'{name}' goes back by itself when the health check turns green, until an update moves"
        " the weights"
    ),
    codes.MANUAL_NOT_HELD: (
        "'{name}' says 'failover: manual', but its standby runs behind a healthy record of weight"
        " 0: Route53 answers with it when the active side is unhealthy"
    ),
    codes.NOT_SURVIVED: _not_survived,
    codes.IMPORT_IGNORED: "{field}: {product} {why}",
    codes.IMPORT_DIFFERS: "{field}: {product} {why} - {knob}",
}
