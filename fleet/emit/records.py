"""Records that exist and are not fleet's: found before anything is registered under a name."""

import re
from dataclasses import dataclass
from typing import Any

from fleet.emit.ask import GET_RECORDS, GET_ZONE, UnansweredError, ask
from fleet.emit.route53 import Traffic
from fleet.emit.run import Run
from fleet.errors import RefusedError
from fleet.model.endpoint import EndpointDelivery

ANSWERS = {"A", "AAAA", "CNAME"}
Key = tuple[str, str]
"""A record's type and set identifier."""


async def find_foreign_records(run: Run, traffic: Traffic) -> None:
    """Asks each existing zone for the names that this run will own.

    Raises RefusedError for every name that somebody else's records hold; one that is to be
    adopted is noted in `traffic.imports` instead. Where Route53 does not answer, the name is noted
    in `traffic.unasked`: nothing of it changes, and capacity is raised all the same.
    """
    refusals = []
    for endpoint in run.outcome.plan.endpoints:
        wanted = planned_names(endpoint)
        _zone_of_state(run, traffic, endpoint)
        if all(
            name in run.state.prior.records for each in wanted.values() for name in each.values()
        ):
            continue
        try:
            zone_id = await _zone_id(run, traffic, endpoint)
            if zone_id is None:
                continue
            traffic.zone_ids[endpoint.zone.key] = zone_id
            theirs = await _records(traffic, zone_id, list(wanted))
        except UnansweredError as error:
            traffic.unasked[endpoint.policy] = str(error)
            continue
        for dns_name, planned in wanted.items():
            here = [each for each in theirs if _plain(each) == dns_name.lower()]
            refusals += _foreign(run, traffic, _Name(endpoint, dns_name, planned), here)
    if refusals:
        raise RefusedError("\n".join(refusals))


def planned_names(endpoint: EndpointDelivery) -> dict[str, dict[Key, str]]:
    """The resource names of an endpoint by DNS name, then by type and set identifier."""
    found: dict[str, dict[Key, str]] = {}
    for record in endpoint.records:
        at_name = found.setdefault(record.dns_name or endpoint.dns_name, {})
        at_name[record.type, record.cluster] = record.name
    for alias in endpoint.aliases:
        found.setdefault(alias.dns_name, {})[alias.type, alias.set_identifier] = alias.name
    return found


@dataclass(frozen=True, slots=True)
class _Name:
    """One name in a zone, and the resource names of what will stand at it."""

    endpoint: EndpointDelivery
    dns_name: str
    planned: dict[Key, str]


def _foreign(run: Run, traffic: Traffic, name: _Name, theirs: list[dict[str, Any]]) -> list[str]:
    """Sentences for what is in the way; what is to be adopted is noted as an import."""
    endpoint = name.endpoint
    ours = {
        (str(r.body.get("type")), str(r.body.get("setIdentifier")))
        for r in run.state.prior.records.values()
        if str(r.body.get("name", "")).rstrip(".").lower() == name.dns_name.lower()
    }
    refusals = []
    for record in theirs:
        key = (str(record["type"]), str(record.get("setIdentifier") or ""))
        if key[0] not in ANSWERS or key in ours:
            continue
        # Nobody else's record asks a health check of ours: a plugin died before it could tell.
        own = str(record.get("healthCheckId") or "") in run.state.check_ids
        if (endpoint.adopt or own) and key in name.planned:
            parts = (traffic.zone_ids[endpoint.zone.key], name.dns_name, *key)
            traffic.imports[name.planned[key]] = "_".join(parts)
            continue
        which = f" '{key[1]}'" if key[1] else ""
        refusals.append(
            f"{endpoint.source}: name '{name.dns_name}' has a {key[0]} record{which} already"
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
            traffic.zone_ids.setdefault(endpoint.zone.key, str(each.body["zoneId"]))


async def _zone_id(run: Run, traffic: Traffic, endpoint: EndpointDelivery) -> str | None:
    """The zone's id, or None where this run creates the zone."""
    if endpoint.zone.id is not None:
        return endpoint.zone.id
    if endpoint.zone.create:
        return run.state.zone_ids.get(endpoint.zone.key)
    known = traffic.zone_ids.get(endpoint.zone.key)
    if known is not None:
        return known
    private = {"privateZone": True} if endpoint.zone.private else {}
    answer = await ask(GET_ZONE, {"name": endpoint.zone.name} | private, traffic.provider)
    return str(answer["zoneId"])


async def _records(traffic: Traffic, zone_id: str, names: list[str]) -> list[dict[str, Any]]:
    """The records at these names; asked at once, because each question lists the whole zone."""
    # Route53 lists a wildcard in its own spelling.
    patterns = [re.escape(name).replace(r"\*", r"(\*|\\052)") for name in sorted(names)]
    pattern = patterns[0] if len(patterns) == 1 else f"({'|'.join(patterns)})"
    wanted = {"zoneId": zone_id, "nameRegex": rf"^{pattern}\.?$"}
    answer = await ask(GET_RECORDS, wanted, traffic.provider)
    return list(answer.get("resourceRecordSets") or [])


def _plain(record: dict[str, Any]) -> str:
    return str(record["name"]).rstrip(".").lower().replace("\\052", "*")
