"""The local Route53 is slow, throttles and fails as it is told, and writes everything down."""

import json
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError

from devkit.aws.endpoint.server import Endpoint
from tests.devkit_aws.kit import Answer, Api, Change, a_record


def ask(url: str, body: Answer | None = None) -> Any:
    data = json.dumps(body).encode() if body is not None else None
    with urllib.request.urlopen(url, data, timeout=5) as answer:  # noqa: S310 - loopback
        return json.load(answer)


def test_a_change_is_in_sync_after_the_delay(endpoint: Endpoint, api: Api, change: Change) -> None:
    endpoint.tell({"delay": 0.4, "busy": 0})
    began = time.monotonic()
    info = change(("CREATE", a_record()))["ChangeInfo"]
    assert info["Status"] == "PENDING"
    while api("GetChange", {"Id": info["Id"]})["ChangeInfo"]["Status"] == "PENDING":
        time.sleep(0.02)
    assert 0.4 <= time.monotonic() - began < 2


def test_an_unknown_change_is_refused(api: Api) -> None:
    with pytest.raises(ClientError, match="NoSuchChange"):
        api("GetChange", {"Id": "C0"})


def test_a_change_while_the_previous_one_is_pending_is_refused(
    endpoint: Endpoint, change: Change
) -> None:
    endpoint.tell({"delay": 0.3})
    change(("CREATE", a_record()))
    with pytest.raises(ClientError, match="PriorRequestNotComplete"):
        change(("UPSERT", a_record(Weight=1)))
    time.sleep(0.35)
    change(("UPSERT", a_record(Weight=1)))


def test_the_name_servers_have_a_change_once_it_is_in_sync(
    endpoint: Endpoint, change: Change
) -> None:
    endpoint.tell({"delay": 0.3})
    change(("CREATE", a_record()))
    zone = endpoint.account.dump()["HostedZones"][0]
    assert len(zone["ResourceRecordSets"]) == 3
    assert len(zone["Published"]) == 2
    time.sleep(0.35)
    assert len(endpoint.account.dump()["HostedZones"][0]["Published"]) == 3


def test_more_than_five_requests_a_second_are_throttled(endpoint: Endpoint, api: Api) -> None:
    endpoint.tell({"rate": 5})
    for _ in range(5):
        api("ListHostedZones", {})
    with pytest.raises(ClientError, match=r"Throttling.*Rate exceeded"):
        api("ListHostedZones", {})
    time.sleep(1.05)
    api("ListHostedZones", {})


def test_it_throttles_as_many_requests_as_told(endpoint: Endpoint, api: Api) -> None:
    endpoint.tell({"throttle": 2})
    for _ in range(2):
        with pytest.raises(ClientError, match="Throttling"):
            api("ListHostedZones", {})
    api("ListHostedZones", {})


def test_it_throttles_until_told_otherwise(endpoint: Endpoint, api: Api) -> None:
    endpoint.tell({"throttle": -1})
    for _ in range(3):
        with pytest.raises(ClientError, match="Throttling"):
            api("ListHostedZones", {})
    endpoint.tell({"throttle": 0})
    api("ListHostedZones", {})


def test_changes_can_fail_while_reading_goes_on(
    endpoint: Endpoint, api: Api, change: Change
) -> None:
    endpoint.tell({"fail": "changes"})
    with pytest.raises(ClientError, match="ServiceUnavailable"):
        change(("CREATE", a_record()))
    api("ListHostedZones", {})


def test_everything_can_fail(endpoint: Endpoint, api: Api) -> None:
    endpoint.tell({"fail": "all", "fail_status": 500})
    with pytest.raises(ClientError, match="InternalFailure"):
        api("ListHostedZones", {})


def test_connections_can_be_reset(endpoint: Endpoint, api: Api, change: Change) -> None:
    endpoint.tell({"fail": "changes", "how": "reset"})
    with pytest.raises(ConnectionClosedError):
        change(("CREATE", a_record()))
    api("ListHostedZones", {})


def test_a_call_can_hang_until_told_otherwise(endpoint: Endpoint, api: Api, change: Change) -> None:
    endpoint.tell({"fail": "changes", "how": "hang"})
    with ThreadPoolExecutor(1) as one:
        hung = one.submit(change, ("CREATE", a_record()))
        with pytest.raises(TimeoutError):
            hung.result(timeout=0.5)
        assert api("ListHostedZones", {})["HostedZones"]
        endpoint.tell({"fail": "none"})
        with pytest.raises(ConnectionClosedError):
            hung.result(timeout=5)


def test_connections_can_be_refused_and_the_state_stays(
    endpoint: Endpoint, api: Api, zone: str
) -> None:
    ask(f"{endpoint.admin_url}/settings", {"fail": "all", "how": "refuse"})
    with pytest.raises(EndpointConnectionError):
        api("ListHostedZones", {})
    ask(f"{endpoint.admin_url}/settings", {"fail": "none"})
    assert api("GetHostedZone", {"Id": zone})["HostedZone"]["Name"] == "example.test."


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"dealy": 1}, "unknown setting 'dealy', there are delay, busy"),
        ({"delay": "1"}, "'delay' is a number, not '1'"),
        ({"fail": "some"}, "'fail' is one of none, changes, all, not 'some'"),
    ],
)
def test_a_wrong_setting_is_refused_and_nothing_is_taken(
    endpoint: Endpoint, wanted: Answer, sentence: str
) -> None:
    before = endpoint.settings.table()
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(f"{endpoint.url}/_devkit/settings", {"rate": 9, **wanted})
    with caught.value:
        assert sentence in json.load(caught.value)["error"]
    assert endpoint.settings.table() == before


def test_the_log_tells_every_change_with_its_time(
    endpoint: Endpoint, api: Api, change: Change, zone: str
) -> None:
    began = time.time()
    info = change(("CREATE", a_record()), ("CREATE", a_record(SetIdentifier="us-1", Weight=0)))
    with pytest.raises(ClientError):
        change(("CREATE", a_record()))
    api("GetChange", {"Id": info["ChangeInfo"]["Id"]})
    log = ask(f"{endpoint.url}/_devkit/log?since=1")
    assert [
        (entry["action"], entry.get("set_identifier"), entry.get("weight"), entry["status"])
        for entry in log
    ] == [
        ("ChangeResourceRecordSets", "eu-1", 100, 200),
        ("ChangeResourceRecordSets", "us-1", 0, 200),
        ("ChangeResourceRecordSets", None, None, 400),
        ("GetChange", None, None, 200),
    ]
    assert log[0]["zone"] == zone
    assert log[0]["change_id"] == log[3]["change_id"] == info["ChangeInfo"]["Id"][8:]
    assert log[2]["error"] == "InvalidChangeBatch"
    assert all(began <= entry["time"] <= time.time() for entry in log)


def test_the_state_tells_every_record_and_check(
    endpoint: Endpoint, api: Api, change: Change
) -> None:
    config = {"Type": "HTTP", "IPAddress": "127.0.10.1", "Port": 8080, "RequestInterval": 10}
    made = api("CreateHealthCheck", {"CallerReference": "x", "HealthCheckConfig": config})
    change(("CREATE", a_record(HealthCheckId=made["HealthCheck"]["Id"])))
    state = ask(f"{endpoint.admin_url}/state")
    record = state["HostedZones"][0]["ResourceRecordSets"][-1]
    assert record["HealthCheckId"] == state["HealthChecks"][0]["Id"]
    assert state["HealthChecks"][0]["HealthCheckConfig"]["FailureThreshold"] == 3


def test_the_admin_port_answers_nothing_else(endpoint: Endpoint) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        ask(endpoint.admin_url.replace("/_devkit", "/2013-04-01/hostedzone"))
    caught.value.close()
    assert caught.value.code == 404


def test_an_operation_that_is_not_played_is_refused(api: Api) -> None:
    with pytest.raises(ClientError, match="not part of this stand-in"):
        api("ListTrafficPolicies", {})
