"""Records that exist and are not fleet's: found before anything is registered under a name."""

import re
from typing import Any

from fleet.emit.ask import GET_RECORDS, GET_ZONE, UnansweredError, ask
from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.errors import RefusedError
from fleet.model.plan import EndpointDelivery

ANSWERS = {"A", "AAAA", "CNAME"}


async def find_foreign_records(run: Run, traffic: Traffic) -> None:
    """Asks each existing zone for the names that this run will own.

    Raises RefusedError for every name that somebody else's records hold; one that is to be
    adopted is noted in `traffic.imports` instead. Where Route53 does not answer, the name is noted
    in `traffic.unasked`: nothing of it changes, and capacity is raised all the same.
    """
    refusals = []
    for endpoint in run.outcome.plan.endpoints:
        _zone_of_state(run, traffic, endpoint)
        if all(r.name in run.state.prior.records for r in endpoint.records):
            continue
        try:
            zone_id = await _zone_id(run, traffic, endpoint)
            if zone_id is None:
                continue
            traffic.zone_ids[endpoint.zone.name] = zone_id
            theirs = await _records(traffic, zone_id, endpoint.dns_name)
            refusals += _foreign(run, traffic, endpoint, theirs)
        except UnansweredError as error:
            traffic.unasked[endpoint.policy] = str(error)
    if refusals:
        raise RefusedError("\n".join(refusals))


def _foreign(
    run: Run, traffic: Traffic, endpoint: EndpointDelivery, theirs: list[dict[str, Any]]
) -> list[str]:
    """Sentences for what is in the way; what is to be adopted is noted as an import."""
    ours = {
        (str(r.body.get("type")), str(r.body.get("setIdentifier")))
        for r in run.state.prior.records.values()
        if str(r.body.get("name", "")).rstrip(".").lower() == endpoint.dns_name.lower()
    }
    planned = {(each.type, each.cluster): each.name for each in endpoint.records}
    refusals = []
    for record in theirs:
        key = (str(record["type"]), str(record.get("setIdentifier") or ""))
        if key[0] not in ANSWERS or key in ours:
            continue
        # Nobody else's record asks a health check of ours: a plugin died before it could tell.
        own = str(record.get("healthCheckId") or "") in run.state.check_ids
        if (endpoint.adopt or own) and key in planned:
            parts = (traffic.zone_ids[endpoint.zone.name], endpoint.dns_name, *key)
            traffic.imports[planned[key]] = "_".join(parts)
            continue
        which = f" '{key[1]}'" if key[1] else ""
        refusals.append(
            f"{endpoint.source}: name '{endpoint.dns_name}' has a {key[0]} record{which} already"
            " that is not fleet's - remove it, or say 'adopt: true' where it has a cluster's name"
            " as set identifier; one name has one owner"
        )
    return refusals


def _zone_of_state(run: Run, traffic: Traffic, endpoint: EndpointDelivery) -> None:
    """The zone's identifier as the state has it: a switch needs no answer of Route53 for it."""
    if endpoint.zone.id is not None or endpoint.zone.create:
        return
    known = (run.state.prior.records.get(each.name) for each in endpoint.records)
    for each in (*known, *endpoint.leaving):
        if each is not None and each.body.get("zoneId"):
            traffic.zone_ids.setdefault(endpoint.zone.name, str(each.body["zoneId"]))


async def _zone_id(run: Run, traffic: Traffic, endpoint: EndpointDelivery) -> str | None:
    """The zone's id, or None where this run creates the zone."""
    if endpoint.zone.id is not None:
        return endpoint.zone.id
    if endpoint.zone.create:
        return run.state.zone_ids.get(endpoint.zone.name)
    known = traffic.zone_ids.get(endpoint.zone.name)
    if known is not None:
        return known
    answer = await ask(GET_ZONE, {"name": endpoint.zone.name}, traffic.provider)
    return str(answer["zoneId"])


async def _records(traffic: Traffic, zone_id: str, name: str) -> list[dict[str, Any]]:
    # Route53 lists a wildcard in its own spelling.
    pattern = "^" + re.escape(name).replace(r"\*", r"(\*|\\052)") + r"\.?$"
    answer = await ask(GET_RECORDS, {"zoneId": zone_id, "nameRegex": pattern}, traffic.provider)
    return list(answer.get("resourceRecordSets") or [])
