"""The sentences of findings, by their code; `{s_of_count}` is the plural ending of `count`."""

from collections.abc import Mapping
from typing import Final

from fleet.explain.recovery_words import RECOVERY_WORDS, are_fenced
from fleet.explain.rejection_words import Values, Words
from fleet.model import finding_codes as codes

_FIRST = 3
_LIMITS = {
    "replicasPercent": "moves {counted}% of all replicas",
    "clustersEmptied": "empties {counted} cluster{s_of_counted}",
    "workloadsRemoved": "removes {counted} workload{s_of_counted}",
    "recordsRemoved": "removes {counted} record{s_of_counted}",
    "targetsLeft": "leaves {counted} living target{s_of_counted}",
}


def _movement(values: Values) -> str:
    limit, counted = str(values["limit"]), values["counted"]
    does = _LIMITS.get(limit, "moves or removes {counted}")
    ending = "" if counted == 1 else "s"
    told = does.replace("{s_of_counted}", ending).replace("{counted}", str(counted))
    says = "asks for" if limit == "targetsLeft" else "allows"
    return f"{told} where movementBudget.{limit} {says} {values['allowed']}: {values['what']}"


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
    if "fence" in values:
        left = (
            f"the data of '{values['workload']}' without a primary until somebody says that"
            f" {are_fenced(str(values['fence']))}"
        )
    return f"the loss of {lost}{more} would leave {left}"


def _probe_failed(values: Values) -> str:
    told = f"the last probe of cluster '{values['cluster']}' failed: {values['error']}"
    if "since" in values:
        told += f"; silent since {values['since']}, it counts as down after {values['hold']} s"
    seen = values.get("seen")
    return f"{told}; what was seen at {seen} still counts" if seen else told


def _provider_region(values: Values) -> str:
    region, policies = values["region"], values["policies"]
    part = f"which {policies} leave{'' if ',' in str(policies) else 's'}"
    if values["how"] == "active":
        part = f"which is active for {policies}"
    also = ", and so does Route53's control plane" if region == "us-east-1" else ""
    return (
        f"the AWS provider logs in through '{region}' (config aws:region), {part}: if that region"
        f" fails, so do its logins{also}, and no weight can be changed - name a region where"
        " nothing runs"
    )


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
    codes.RECORD_FIRST: (
        "'{workload}' stays on {clusters} in this update: the record that leads there goes first,"
        " and resolvers may know it for {ttl} s; an update after that takes away what runs there"
    ),
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
    codes.PROBE_FAILED: _probe_failed,
    codes.SCORES_EXPIRED: "the external scores '{name}' have expired and count 0 for {clusters}",
    codes.LAST_RECORD: (
        "policy '{policy}' would lead to no living target any more; it leads to {clusters} today"
    ),
    codes.TARGET_UNKNOWN: (
        "'{name}' gets its record for {clusters} in a later update: where {target} is answered"
        " there is not known yet"
    ),
    codes.TARGET_WAITS: (
        "'{name}' keeps its weights and the old side its replicas until {clusters} can be answered"
    ),
    codes.TARGET_KEPT: (
        "{target} on '{cluster}' has no load balancer any more; the record of '{name}' keeps"
        " {values}"
    ),
    codes.BLIND_CHECK: (
        "the health check of '{name}' opens a TCP connection only: it cannot see a service that"
        " crashes behind a living entry - say 'healthCheck: {{type: HTTP, path: …}}'"
    ),
    codes.NOT_LED_TO: (
        "'{field}' of '{name}' leaves out {clusters}: '{workload}' runs there, and nobody is led"
        " there"
    ),
    codes.REGION_LEFT: (
        "'{name}' leads nobody to {clusters}: a check that is never healthy keeps them out, and"
        " Route53 answers who is near with the next nearest region"
    ),
    codes.PLAIN_ON_TLS: (
        "the health check of '{name}' speaks plain HTTP to port 443 of {clusters}: an entry that"
        " speaks TLS there counts as dead - say 'healthCheck: {{type: HTTPS}}'"
    ),
    codes.FORM_CHANGES: (
        "'{name}' goes over from {was} to {now}: the new records come first, then the name leads"
        " to them, then the old ones go"
    ),
    codes.CHECK_CANNOT_REACH: (
        "Route53's checkers are on the internet and cannot reach the private addresses behind"
        " '{name}' ({clusters}): it refuses such checks, and 'pulumi up' would fail - give the"
        " entries an address or a hostname that the checkers can reach from outside (fleet makes no"
        " check over a CloudWatch alarm, which is what AWS offers for private addresses)"
    ),
    codes.CHECK_NEVER_GREEN: (
        "Route53's checkers are on the internet, where nobody reaches {hosts}, the entry of"
        " {clusters}: the health check never turns green and '{name}' never leads there while"
        " another one is healthy - give the entry a hostname or an address that is reached from"
        " outside"
    ),
    codes.HEALTH_CHECKS: "{count} health check{s_of_count}, about {price} US dollars a month",
    codes.NO_RECORDS: (
        "'{name}' has no record: the workload of policy '{policy}' runs nowhere that has an entry"
    ),
    codes.RECORD_KEPT: (
        "every target of '{name}' is down and nothing takes over: the records for {clusters} stay"
    ),
    codes.WEIGHTS_BY_REPLICAS: (
        "no cluster with a dnsWeight for '{name}' can be led to: each is out of use or runs none of"
        " it, and the others are weighed by their replicas"
    ),
    codes.RTO_MISSED: (
        "a loss of {domain} takes {total} s ({steps}), more than the {rto} s that policy '{policy}'"
        " allows"
    ),
    **RECOVERY_WORDS,
    codes.FAILOVER_CAPACITY: (
        "failover of '{workload}' would land on at most {landing} of {wanted} replicas"
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
    codes.PROVIDER_REGION: _provider_region,
    codes.IMPORT_IGNORED: "{field}: {product} {why}",
    codes.IMPORT_DIFFERS: "{field}: {product} {why} - {knob}",
}
