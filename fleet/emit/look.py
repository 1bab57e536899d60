"""What `fleet recover` has to know of the clusters and of Route53, asked by the program itself.

Only the program has the stack's secrets, its logins and the engine's AWS plugin. It is started as a
preview with the questions in a file; it registers providers only, answers, and ends the preview
before anything is planned.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pulumi

from fleet.deliver.identity import OWNER
from fleet.emit.access import ClusterAccess, ForbiddenError, UnreachableError
from fleet.emit.kubeconfig import KubeconfigError
from fleet.emit.providers import aws_provider
from fleet.recover.look import TAG, manager_of

TAGS_REGION = "us-east-1"
"""Where AWS keeps the tags of Route53, whose control plane is there."""
NO_ZONE, NO_MATCH = "NoSuchHostedZone", "no matching"
"""What the AWS plugin says of a zone that is not there: by its id, by its name."""


@dataclass(slots=True)
class _Looker:
    accesses: Mapping[str, ClusterAccess]
    answers: dict[str, Any] = field(
        default_factory=lambda: {
            "objects": {},
            "records": {},
            "zones": {},
            "checks": [],
            "unread": {},
        }
    )

    async def object(self, urn: str, asked: Mapping[str, str]) -> None:
        cluster = asked["cluster"]
        access = self.accesses.get(cluster)
        if access is None:
            self._unread(urn, f"cluster '{cluster}' is not in the inventory, or is down")
            return
        what = (asked["apiVersion"], asked["kind"], asked["namespace"], asked["name"])
        try:
            live = await access.get(*what)
        except (ForbiddenError, UnreachableError, KubeconfigError) as error:
            self._unread(urn, f"cluster '{cluster}': {error}")
            return
        metadata = (live or {}).get("metadata") or {}
        self.answers["objects"][urn] = live and {
            "owner": (metadata.get("annotations") or {}).get(OWNER),
            "manager": manager_of(live),
        }

    async def records(self, zone: str, provider: pulumi.ProviderResource) -> None:
        token = "aws:route53/getRecords:getRecords"  # noqa: S105 - a type token
        answer = await self._invoke(token, {"zoneId": zone}, provider, zone)
        if answer is None and NO_ZONE in self.answers["unread"].get(zone, ""):
            answer = {}
            del self.answers["unread"][zone]
        if answer is not None:
            self.answers["records"][zone] = answer.get("resourceRecordSets") or []

    async def zone(self, name: str, provider: pulumi.ProviderResource) -> None:
        token = "aws:route53/getZone:getZone"  # noqa: S105 - a type token
        answer = await self._invoke(token, {"name": name}, provider, name)
        if answer is None and NO_MATCH not in self.answers["unread"][name]:
            return
        self.answers["unread"].pop(name, None)
        self.answers["zones"][name] = answer

    async def checks(self, tag: str, provider: pulumi.ProviderResource) -> None:
        token = "aws:resourcegroupstaggingapi/getResources:getResources"  # noqa: S105 - the same
        asked = {
            "resourceTypeFilters": ["route53:healthcheck"],
            "tagFilters": [{"key": TAG, "values": [tag]}],
            "region": TAGS_REGION,
        }
        answer = await self._invoke(token, asked, provider, tag)
        if answer is not None:
            self.answers["checks"] = answer.get("resourceTagMappingLists") or []

    async def _invoke(
        self, token: str, asked: dict[str, Any], provider: pulumi.ProviderResource, what: str
    ) -> dict[str, Any] | None:
        options = pulumi.InvokeOptions(provider=provider)
        try:
            return dict(await pulumi.runtime.invoke_async(token, asked, options) or {})
        except Exception as error:  # noqa: BLE001 - the SDK raises nothing narrower
            self._unread(what, f"Route53: {str(error).strip().splitlines()[-1]}")
        return None

    def _unread(self, what: str, why: str) -> None:
        self.answers["unread"][what] = why


async def look(path: Path, accesses: Mapping[str, ClusterAccess]) -> None:
    """Answers the questions of a file beside it; what cannot be read says why."""
    asked = json.loads(await asyncio.to_thread(path.read_text))
    looker = _Looker(accesses)
    work = [looker.object(urn, each) for urn, each in asked["objects"].items()]
    if asked["records"] or asked["zones"] or asked["tag"]:
        provider = aws_provider()
        work += [looker.records(zone, provider) for zone in asked["records"]]
        work += [looker.zone(name, provider) for name in asked["zones"]]
        work += [looker.checks(asked["tag"], provider)] if asked["tag"] else []
    await asyncio.gather(*work)
    answers = path.with_name(f"{path.name}.answers")
    await asyncio.to_thread(answers.write_text, json.dumps(looker.answers))
