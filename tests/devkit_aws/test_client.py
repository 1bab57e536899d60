"""The client's manners: it keeps to the rate, repeats, and gives up in time."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from devkit.aws import client as clients
from devkit.aws.client import ApiError, Client, NotInSyncError
from devkit.aws.endpoint.server import Endpoint
from devkit.aws.settings import Settings
from tests.devkit_aws.kit import Account, a_record


@pytest.fixture
def client(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A client that gives up after a second."""
    monkeypatch.setattr(clients, "OUTAGE_SECONDS", 1.0)
    monkeypatch.setattr(clients, "BUSY_SECONDS", 1.5)
    monkeypatch.setattr(clients, "SYNC_SECONDS", 0.5)
    return Client(Settings(endpoint.url, "us-east-1", "devkit", "devkit"))


def change(client: Client, zone: str) -> dict[str, object]:
    batch = {"Changes": [{"Action": "UPSERT", "ResourceRecordSet": a_record()}]}
    answer = client.call("ChangeResourceRecordSets", HostedZoneId=zone, ChangeBatch=batch)
    return {**answer}


def test_many_threads_keep_to_five_requests_a_second(endpoint: Endpoint, client: Client) -> None:
    endpoint.tell({"rate": 5})
    began = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: client.call("ListHostedZones"), range(12)))
    assert 2 <= time.monotonic() - began < 6
    assert [entry["error"] for entry in endpoint.log.since()] == [""] * 12


@pytest.mark.parametrize("how", ["error", "reset"])
def test_an_outage_is_given_up_in_time(
    endpoint: Endpoint, client: Client, zone: str, how: str
) -> None:
    endpoint.tell({"fail": "changes", "how": how})
    began = time.monotonic()
    with pytest.raises(ApiError, match=r"ServiceUnavailable|ConnectionClosedError"):
        change(client, zone)
    assert 1 <= time.monotonic() - began < 4


def test_a_closed_port_is_given_up_in_time(endpoint: Endpoint, client: Client, zone: str) -> None:
    endpoint.tell({"fail": "all", "how": "refuse"})
    began = time.monotonic()
    with pytest.raises(ApiError, match="EndpointConnectionError: Could not connect"):
        change(client, zone)
    assert 1 <= time.monotonic() - began < 4


def test_changes_give_up_together_although_reading_works(
    endpoint: Endpoint, client: Client, zone: str
) -> None:
    endpoint.tell({"fail": "changes"})
    with pytest.raises(ApiError):
        change(client, zone)
    client.call("GetHostedZone", Id=zone)
    began = time.monotonic()
    with pytest.raises(ApiError):
        change(client, zone)
    assert time.monotonic() - began < 0.8
    endpoint.tell({"fail": "none"})
    change(client, zone)


def test_throttling_is_given_up_in_time(endpoint: Endpoint, client: Client, zone: str) -> None:
    endpoint.tell({"throttle": -1})
    began = time.monotonic()
    with pytest.raises(ApiError, match="Throttling: Rate exceeded"):
        change(client, zone)
    assert 1.5 <= time.monotonic() - began < 5


def test_a_zone_that_is_always_busy_is_given_up_in_time(
    endpoint: Endpoint, client: Client, account: Account
) -> None:
    endpoint.tell({"busy": 60})
    account.change(("CREATE", a_record()))
    with pytest.raises(ApiError, match="PriorRequestNotComplete"):
        change(client, account.zone)


def test_a_wrong_argument_is_told_at_once(client: Client) -> None:
    began = time.monotonic()
    with pytest.raises(ApiError, match="InvalidInput: Parameter validation failed"):
        client.call("GetHostedZone")
    assert time.monotonic() - began < 0.8


def test_a_change_that_never_comes_in_sync_is_told(
    endpoint: Endpoint, client: Client, zone: str
) -> None:
    endpoint.tell({"delay": 60})
    answer = change(client, zone)
    with pytest.raises(NotInSyncError, match="is PENDING after"):
        client.wait(answer)


def test_a_cancelled_client_stops_waiting(endpoint: Endpoint, client: Client, zone: str) -> None:
    endpoint.tell({"delay": 60})
    answer = change(client, zone)
    threading.Timer(0.1, client.cancelled.set).start()
    with pytest.raises(NotInSyncError, match="cancelled while change"):
        client.wait(answer)


def test_each_zone_has_its_lane(client: Client) -> None:
    assert client.lane("Z1") is client.lane("Z1")
    assert client.lane("Z1") is not client.lane("Z2")
