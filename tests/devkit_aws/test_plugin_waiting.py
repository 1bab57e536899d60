"""The plugin waits, repeats, gives up and keeps what has come to be."""

import grpc
import pytest
from google.rpc import status_pb2
from pulumi.runtime.proto import provider_pb2

from devkit.aws.endpoint.server import Endpoint
from devkit.aws.values import read_struct, write_struct
from tests.devkit_aws.engine_side import OTHER, Plugin, calls, record_inputs, refusal, urn
from tests.devkit_aws.kit import Account


def test_a_change_is_waited_for(plugin: Plugin, account: Account, endpoint: Endpoint) -> None:
    endpoint.tell({"delay": 0.6})
    made = plugin.create("Record", record_inputs(account.zone))
    zones = endpoint.account.dump()["HostedZones"]
    assert isinstance(zones, list)
    assert isinstance(zones[0], dict)
    assert zones[0]["Published"] == zones[0]["ResourceRecordSets"]
    plugin.delete(made)


def test_throttling_is_repeated(plugin: Plugin, account: Account, endpoint: Endpoint) -> None:
    endpoint.tell({"throttle": 3})
    plugin.create("Record", record_inputs(account.zone))
    errors = [entry["error"] for entry in endpoint.log.since() if entry["error"]]
    assert errors == ["Throttling"] * 3


def test_a_pending_change_of_somebody_else_is_waited_for(
    plugin: Plugin, account: Account, endpoint: Endpoint
) -> None:
    endpoint.tell({"delay": 0.7})
    account.change(("CREATE", OTHER))
    plugin.create("Record", record_inputs(account.zone))
    errors = [entry["error"] for entry in endpoint.log.since() if entry["error"]]
    assert set(errors) == {"PriorRequestNotComplete"}


def test_an_outage_ends_with_one_sentence(
    plugin: Plugin, account: Account, endpoint: Endpoint
) -> None:
    plugin.configure(endpoint.url, maxRetries="2")
    endpoint.tell({"fail": "changes"})
    with pytest.raises(grpc.RpcError) as caught:
        plugin.create("Record", record_inputs(account.zone))
    assert refusal(caught) == (
        "creating Route53 Record 'one': ChangeResourceRecordSets: ServiceUnavailable: told to fail"
    )


def test_what_was_accepted_is_kept_when_its_wait_fails(
    plugin: Plugin, account: Account, endpoint: Endpoint
) -> None:
    endpoint.tell({"delay": 60})
    request = provider_pb2.CreateRequest(
        urn=urn("Record"), properties=write_struct(record_inputs(account.zone))
    )
    pending = plugin.stub.Create.future(request)
    while not calls(endpoint, "CREATE"):
        assert not pending.done()
    plugin.stub.Cancel(provider_pb2.InvokeRequest())
    error = pending.exception(10)
    trailing = dict(error.trailing_metadata())["grpc-status-details-bin"]
    detail = provider_pb2.ErrorResourceInitFailed()
    assert status_pb2.Status.FromString(trailing).details[0].Unpack(detail)
    assert detail.id == f"{account.zone}_web.example.test_A_eu-1"
    assert read_struct(detail.properties)["setIdentifier"] == "eu-1"
    assert "cancelled while change" in error.details()
