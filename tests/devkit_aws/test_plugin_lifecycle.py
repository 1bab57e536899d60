"""Resources come, change, are read and imported, and go."""

import grpc
import pytest

from devkit.aws.endpoint.server import Endpoint
from devkit.aws.values import UNKNOWN
from tests.devkit_aws.engine_side import CHECK_INPUTS, Kept, Plugin, calls, record_inputs, refusal
from tests.devkit_aws.kit import Account


def test_a_record_comes_changes_and_goes(
    plugin: Plugin, account: Account, endpoint: Endpoint
) -> None:
    inputs = record_inputs(account.zone)
    made = plugin.create("Record", inputs)
    assert made.identifier == f"{account.zone}_web.example.test_A_eu-1"
    assert made.outputs == {**inputs, "fqdn": "web.example.test"}
    changed = plugin.update(
        made, record_inputs(account.zone, weightedRoutingPolicies=[{"weight": 0}])
    )
    assert account.records()[-1]["Weight"] == 0
    read = plugin.read(changed)
    assert read is not None
    assert read.inputs == changed.inputs
    assert plugin.diff(read, changed.inputs) == {}
    plugin.delete(changed)
    assert plugin.read(changed) is None
    assert calls(endpoint) == [
        ("CREATE", "eu-1", 100),
        ("UPSERT", "eu-1", 0),
        ("DELETE", "eu-1", 0),
    ]


def test_another_set_identifier_is_one_batch(
    plugin: Plugin, account: Account, endpoint: Endpoint
) -> None:
    made = plugin.create("Record", record_inputs(account.zone))
    plugin.update(made, record_inputs(account.zone, setIdentifier="eu-9"))
    log = [entry for entry in endpoint.log.since() if entry.get("change")][1:]
    assert [entry["change"] for entry in log] == ["DELETE", "CREATE"]
    assert log[0]["change_id"] == log[1]["change_id"]
    assert [one.get("SetIdentifier") for one in account.records()] == [None, None, "eu-9"]


def test_another_type_is_one_batch(plugin: Plugin, account: Account) -> None:
    simple = record_inputs(account.zone, setIdentifier=None, weightedRoutingPolicies=None)
    made = plugin.create("Record", simple)
    plugin.update(made, {**simple, "type": "CNAME", "records": ["eu-1.entry.test"]})
    assert [one["Type"] for one in account.records()] == ["NS", "SOA", "CNAME"]


def test_a_create_of_an_existing_record_is_refused(plugin: Plugin, account: Account) -> None:
    plugin.create("Record", record_inputs(account.zone))
    with pytest.raises(grpc.RpcError) as caught:
        plugin.create("Record", record_inputs(account.zone))
    assert refusal(caught) == (
        "creating Route53 Record 'one': ChangeResourceRecordSets: InvalidChangeBatch: [Tried "
        "to create resource record set [name='web.example.test.', type='A', set "
        "identifier='eu-1'] but it already exists]"
    )


def test_a_record_that_may_overwrite_does(
    plugin: Plugin, account: Account, endpoint: Endpoint
) -> None:
    plugin.create("Record", record_inputs(account.zone))
    plugin.create("Record", record_inputs(account.zone, allowOverwrite=True))
    assert calls(endpoint)[-1] == ("UPSERT", "eu-1", 100)


def test_a_record_is_imported_by_its_identifier(plugin: Plugin, account: Account) -> None:
    made = plugin.create("Record", record_inputs(account.zone))
    found = plugin.read(Kept("Record", made.identifier, {}))
    assert found is not None
    assert found.identifier == made.identifier
    assert plugin.diff(found, made.inputs) == {}


def test_a_drifted_record_is_seen(plugin: Plugin, account: Account) -> None:
    made = plugin.create("Record", record_inputs(account.zone))
    record = account.records()[-1]
    account.change(("UPSERT", {**record, "Weight": 3}))
    found = plugin.read(made)
    assert found is not None
    assert plugin.diff(found, made.inputs) == {"weightedRoutingPolicies[0].weight": "UPDATE"}


def test_what_is_gone_can_be_deleted(plugin: Plugin, account: Account) -> None:
    made = plugin.create("Record", record_inputs(account.zone))
    account.change(("DELETE", account.records()[-1]))
    plugin.delete(made)


def test_a_short_name_gets_the_zones(plugin: Plugin, account: Account) -> None:
    made = plugin.create("Record", record_inputs(account.zone, name="www"))
    assert made.outputs["fqdn"] == "www.example.test"
    assert account.records()[-1]["Name"] == "www.example.test."


def test_text_values_are_quoted_there_and_not_here(plugin: Plugin, account: Account) -> None:
    inputs = {"name": "t", "type": "TXT", "zoneId": account.zone, "ttl": 5, "records": ["a b"]}
    made = plugin.create("Record", inputs)
    assert account.records()[-1]["ResourceRecords"] == [{"Value": '"a b"'}]
    read = plugin.read(made)
    assert read is not None
    assert read.inputs == inputs


def test_a_health_check_comes_changes_and_goes(plugin: Plugin) -> None:
    made = plugin.create("HealthCheck", {**CHECK_INPUTS, "tags": {"team": "a"}})
    assert made.outputs["arn"] == f"arn:aws:route53:::healthcheck/{made.identifier}"
    assert made.outputs["tagsAll"] == {"team": "a"}
    changed = plugin.update(made, {**CHECK_INPUTS, "invertHealthcheck": True})
    read = plugin.read(changed)
    assert read is not None
    assert read.inputs == changed.inputs
    assert read.outputs["tagsAll"] == {}
    back = plugin.update(changed, CHECK_INPUTS)
    assert back.outputs["invertHealthcheck"] is False
    plugin.delete(back)
    assert plugin.read(back) is None
    plugin.delete(back)


def test_a_calculated_check_counts_children_and_keeps_them(plugin: Plugin) -> None:
    child, other = (plugin.create("HealthCheck", CHECK_INPUTS) for _ in range(2))
    inputs = {"type": "CALCULATED", "childHealthchecks": [child.identifier, other.identifier]}
    made = plugin.create("HealthCheck", {**inputs, "childHealthThreshold": 2})
    with pytest.raises(grpc.RpcError) as caught:
        plugin.delete(child)
    assert "HealthCheckInUse" in refusal(caught)
    read = plugin.read(made)
    assert read is not None
    assert plugin.diff(read, made.inputs) == {}
    turned = {**made.inputs, "childHealthchecks": [other.identifier, child.identifier]}
    assert plugin.diff(made, turned) == {}, "children are a set"
    fewer = plugin.update(made, {**made.inputs, "childHealthchecks": [child.identifier]})
    assert fewer.outputs["childHealthchecks"] == [child.identifier]
    plugin.delete(made)
    plugin.delete(child)


def test_a_calculated_check_needs_a_threshold_and_children_that_exist(plugin: Plugin) -> None:
    for inputs, reason in (
        ({"childHealthchecks": []}, "HealthThreshold is required"),
        ({"childHealthchecks": ["x"], "childHealthThreshold": 1}, "no health check exists"),
    ):
        with pytest.raises(grpc.RpcError) as caught:
            plugin.create("HealthCheck", {"type": "CALCULATED", **inputs})
        assert reason in refusal(caught)


def test_a_check_follows_a_routing_control(plugin: Plugin) -> None:
    arn = "arn:aws:route53-recovery-control::123456789012:controlpanel/a/routingcontrol/b"
    made = plugin.create("HealthCheck", {"type": "RECOVERY_CONTROL", "routingControlArn": arn})
    read = plugin.read(made)
    assert read is not None
    assert read.outputs["routingControlArn"] == arn
    with pytest.raises(grpc.RpcError) as caught:
        plugin.create("HealthCheck", {"type": "RECOVERY_CONTROL"})
    assert "RoutingControlArn must be specified" in refusal(caught)


def test_a_check_names_the_host_in_tls_or_does_not(plugin: Plugin) -> None:
    inputs = {"type": "HTTPS", "fqdn": "eu-1.entry.test"}
    assert plugin.create("HealthCheck", inputs).outputs["enableSni"] is True
    assert (
        plugin.create("HealthCheck", {**inputs, "enableSni": False}).outputs["enableSni"] is False
    )
    with pytest.raises(grpc.RpcError) as caught:
        plugin.create("HealthCheck", {**CHECK_INPUTS, "type": "HTTP", "enableSni": True})
    assert "EnableSNI cannot be true" in refusal(caught)


def test_what_route53_fills_in_is_no_difference(plugin: Plugin) -> None:
    inputs = {"type": "HTTPS", "fqdn": "eu-1.entry.test"}
    made = plugin.create("HealthCheck", inputs)
    assert made.outputs["port"] == 443
    refreshed = plugin.read(made)
    imported = plugin.read(Kept("HealthCheck", made.identifier, {}))
    assert refreshed is not None
    assert imported is not None
    assert refreshed.inputs == inputs
    assert plugin.diff(refreshed, inputs) == {}
    assert plugin.diff(imported, inputs) == {}


def test_a_zone_comes_changes_and_goes(plugin: Plugin) -> None:
    made = plugin.create("Zone", {"name": "new.test", "comment": "x", "tags": {"a": "b"}})
    assert made.outputs["zoneId"] == made.identifier
    assert made.outputs["arn"] == f"arn:aws:route53:::hostedzone/{made.identifier}"
    assert len(made.outputs["nameServers"]) == 3
    changed = plugin.update(made, {"name": "new.test", "comment": "y"})
    read = plugin.read(changed)
    assert read is not None
    assert read.inputs == changed.inputs
    plugin.delete(changed)
    assert plugin.read(changed) is None


def test_a_zone_with_records_goes_by_force_only(plugin: Plugin) -> None:
    made = plugin.create("Zone", {"name": "new.test"})
    plugin.create("Record", record_inputs(made.identifier, name="web"))
    with pytest.raises(grpc.RpcError) as caught:
        plugin.delete(made)
    assert "HostedZoneNotEmpty" in refusal(caught)
    plugin.delete(plugin.update(made, {"name": "new.test", "forceDestroy": True}))
    assert plugin.read(made) is None


def test_a_preview_touches_nothing(plugin: Plugin, endpoint: Endpoint) -> None:
    assert plugin.preview("Record", record_inputs(UNKNOWN))["fqdn"] == UNKNOWN
    assert plugin.preview("Zone", {"name": "new.test"})["zoneId"] == UNKNOWN
    assert plugin.preview("HealthCheck", CHECK_INPUTS)["arn"] == UNKNOWN
    assert endpoint.log.since() == []
