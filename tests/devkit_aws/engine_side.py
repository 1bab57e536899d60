"""The engine's side of the plugin's protocol, as short as a test wants it."""

from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from pulumi.runtime.proto import provider_pb2, provider_pb2_grpc

from devkit.aws.endpoint.server import Endpoint
from devkit.aws.values import read_struct, write_struct

Props = dict[str, Any]
TOKENS = {
    "Zone": "aws:route53/zone:Zone",
    "Record": "aws:route53/record:Record",
    "HealthCheck": "aws:route53/healthCheck:HealthCheck",
}
KINDS = provider_pb2.PropertyDiff.Kind


def urn(kind: str, name: str = "one") -> str:
    return f"urn:pulumi:dev::test::{TOKENS.get(kind, kind)}::{name}"


@dataclass
class Kept:
    """A resource as the engine keeps it: identifier, inputs and outputs."""

    kind: str
    identifier: str
    inputs: Props
    outputs: Props = field(default_factory=dict)


class Plugin:
    """Asks the plugin as the engine does."""

    def __init__(self, stub: provider_pb2_grpc.ResourceProviderStub) -> None:
        self.stub = stub

    def configure(self, url: str, **config: str) -> None:
        """Configure the plugin for an endpoint."""
        args = {
            "region": "us-east-1",
            "endpoints": f'[{{"route53":"{url}"}}]',
            "skipCredentialsValidation": "true",
            "skipRequestingAccountId": "true",
            **config,
        }
        self.stub.Configure(provider_pb2.ConfigureRequest(args=write_struct(args)))

    def check(self, kind: str, inputs: Props) -> list[tuple[str, str]]:
        """Return what is refused, as (property, reason)."""
        request = provider_pb2.CheckRequest(urn=urn(kind), news=write_struct(inputs))
        return [(one.property, one.reason) for one in self.stub.Check(request).failures]

    def diff(self, old: Kept, inputs: Props) -> dict[str, str]:
        """Return what differs: property path -> what happens."""
        request = provider_pb2.DiffRequest(
            urn=urn(old.kind),
            id=old.identifier,
            olds=write_struct(old.outputs),
            old_inputs=write_struct(old.inputs),
            news=write_struct(inputs),
        )
        found = self.stub.Diff(request)
        assert bool(found.detailedDiff) == (found.changes == found.DIFF_SOME)
        replaces = any("REPLACE" in KINDS.Name(one.kind) for one in found.detailedDiff.values())
        assert replaces == bool(found.replaces)
        return {path: KINDS.Name(one.kind) for path, one in found.detailedDiff.items()}

    def create(self, kind: str, inputs: Props) -> Kept:
        """Create a resource."""
        request = provider_pb2.CreateRequest(urn=urn(kind), properties=write_struct(inputs))
        answer = self.stub.Create(request)
        return Kept(kind, answer.id, inputs, read_struct(answer.properties))

    def preview(self, kind: str, inputs: Props) -> Props:
        """Return what a preview of a creation knows."""
        request = provider_pb2.CreateRequest(
            urn=urn(kind), properties=write_struct(inputs), preview=True
        )
        return read_struct(self.stub.Create(request).properties)

    def read(self, old: Kept) -> Kept | None:
        """Return the resource as it is; None where it is gone."""
        answer = self.stub.Read(
            provider_pb2.ReadRequest(
                urn=urn(old.kind),
                id=old.identifier,
                properties=write_struct(old.outputs),
                inputs=write_struct(old.inputs),
            )
        )
        if not answer.id:
            return None
        return Kept(old.kind, answer.id, read_struct(answer.inputs), read_struct(answer.properties))

    def update(self, old: Kept, inputs: Props) -> Kept:
        """Change a resource in place."""
        request = provider_pb2.UpdateRequest(
            urn=urn(old.kind),
            id=old.identifier,
            olds=write_struct(old.outputs),
            old_inputs=write_struct(old.inputs),
            news=write_struct(inputs),
        )
        outputs = read_struct(self.stub.Update(request).properties)
        return Kept(old.kind, old.identifier, inputs, outputs)

    def delete(self, old: Kept) -> None:
        """Delete a resource."""
        request = provider_pb2.DeleteRequest(
            urn=urn(old.kind), id=old.identifier, properties=write_struct(old.outputs)
        )
        self.stub.Delete(request)

    def invoke(self, token: str, **arguments: str | bool) -> Props:
        """Call a function."""
        answer = self.stub.Invoke(
            provider_pb2.InvokeRequest(tok=token, args=write_struct(dict(arguments)))
        )
        return read_struct(getattr(answer, "return"))


CHECK_INPUTS: Props = {
    "type": "HTTP",
    "ipAddress": "127.0.10.1",
    "port": 8080,
    "fqdn": "web.example.test",
    "resourcePath": "/",
    "requestInterval": 10,
    "failureThreshold": 1,
}

OTHER: Props = {
    "Name": "other.example.test",
    "Type": "A",
    "TTL": 5,
    "ResourceRecords": [{"Value": "192.0.2.1"}],
}


def record_inputs(zone: str, **changed: object) -> Props:
    record = {
        "name": "web.example.test",
        "type": "A",
        "zoneId": zone,
        "ttl": 5,
        "records": ["127.0.10.1"],
        "setIdentifier": "eu-1",
        "weightedRoutingPolicies": [{"weight": 100}],
        **changed,
    }
    return {name: value for name, value in record.items() if value is not None}


def refusal(caught: pytest.ExceptionInfo[grpc.RpcError]) -> str:
    sentence: str = caught.value.details()
    assert "Traceback" not in sentence
    return sentence


def calls(endpoint: Endpoint, *actions: str) -> list[tuple[object, ...]]:
    """The changes that Route53 was sent, as (action, set identifier, weight)."""
    return [
        (entry["change"], entry["set_identifier"], entry["weight"])
        for entry in endpoint.log.since()
        if entry.get("change") and (not actions or entry["change"] in actions)
    ]
