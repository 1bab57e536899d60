"""Exported states of a small stack, as the engine writes them."""

import json
from collections.abc import Mapping
from typing import Any

from fleet.recover.stored import CHECK, RECORD, ZONE

OWNER = "fleet/dev"
STACK = "urn:pulumi:dev::fleet"
AWS = f"{STACK}::pulumi:providers:aws::route53"
EU = f"{STACK}::pulumi:providers:kubernetes::eu-1"
ENDPOINT = f"{STACK}::fleet:index:Endpoint::web"


def urn(token: str, name: str) -> str:
    return f"{STACK}::{token}::{name}"


def a_resource(token: str, name: str, **more: Any) -> dict[str, Any]:
    return {"urn": urn(token, name), "type": token, **more}


def an_object(kind: str = "Service", name: str = "web", **more: Any) -> dict[str, Any]:
    inputs = {
        "apiVersion": "v1",
        "kind": kind,
        "metadata": {"name": name, "namespace": "shop"},
    }
    token = f"kubernetes:core/v1:{kind}"
    name = f"web/eu-1/{kind}/shop/{name}"
    return a_resource(token, name, inputs=inputs, provider=f"{EU}::id", **more)


def a_record(cluster: str = "eu-1", weight: int | None = 100, **more: Any) -> dict[str, Any]:
    inputs: dict[str, Any] = {
        "zoneId": "Z1",
        "name": "web.shop.test",
        "type": "A",
        "setIdentifier": cluster,
        "weightedRoutingPolicies": [] if weight is None else [{"weight": weight}],
    }
    return a_resource(
        RECORD, f"web/{cluster}", inputs=inputs, provider=f"{AWS}::id", parent=ENDPOINT, **more
    )


def a_check(name: str = "check/eu-1", **more: Any) -> dict[str, Any]:
    return a_resource(CHECK, name, inputs={"type": "HTTP"}, provider=f"{AWS}::id", **more)


def a_zone(**more: Any) -> dict[str, Any]:
    return a_resource(
        ZONE, "shop.test", inputs={"name": "shop.test"}, provider=f"{AWS}::id", **more
    )


def live_record(cluster: str = "eu-1", weight: int = 100, name: str = "web.shop.test.") -> Any:
    return {"name": name, "type": "A", "setIdentifier": cluster, "weight": weight}


GROUND = (
    {"urn": AWS, "type": "pulumi:providers:aws", "id": "id"},
    {"urn": EU, "type": "pulumi:providers:kubernetes", "id": "id"},
    {"urn": ENDPOINT, "type": "fleet:index:Endpoint"},
)


def an_export(
    *resources: Mapping[str, Any], ground: Any = GROUND, **pending: Any
) -> dict[str, Any]:
    """A state with these resources, and pending operations by what they were doing."""
    operations = [
        {"type": what, "resource": each} for what, several in pending.items() for each in several
    ]
    deployment = {"resources": [*ground, *resources], "pending_operations": operations}
    return {"version": 3, "deployment": deployment}


def text_of(export: Mapping[str, Any]) -> str:
    return json.dumps(export)
