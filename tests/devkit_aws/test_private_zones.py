"""Private zones: who sees them, and that nobody else does."""

import grpc
import pytest
from botocore.exceptions import ClientError

from devkit.aws.endpoint.server import Endpoint
from devkit.dataplane.zone_view import read_dump
from tests.devkit_aws.engine_side import Plugin, refusal
from tests.devkit_aws.kit import Account

GET_ZONE = "aws:route53/getZone:getZone"
EU = {"vpcId": "vpc-1", "vpcRegion": "eu-west-1"}
US = {"vpcId": "vpc-2", "vpcRegion": "us-east-1"}


def test_a_private_zone_comes_changes_its_networks_and_goes(plugin: Plugin) -> None:
    made = plugin.create("Zone", {"name": "example.test", "vpcs": [EU, US]})
    read = plugin.read(made)
    assert read is not None
    assert read.inputs["vpcs"] == [EU, US]
    assert plugin.diff(read, {"name": "example.test", "vpcs": [US, EU]}) == {}
    changed = plugin.update(made, {"name": "example.test", "vpcs": [US]})
    read = plugin.read(changed)
    assert read is not None
    assert read.inputs["vpcs"] == [US]
    plugin.delete(changed)
    assert plugin.read(changed) is None


def test_a_private_zone_is_found_where_it_is_asked_for(plugin: Plugin, account: Account) -> None:
    made = plugin.create("Zone", {"name": "example.test", "vpcs": [EU]})
    found = plugin.invoke(GET_ZONE, name="example.test", privateZone=True)
    assert (found["zoneId"], found["privateZone"]) == (made.identifier, True)
    assert plugin.invoke(GET_ZONE, name="example.test")["zoneId"] == account.zone
    with pytest.raises(grpc.RpcError) as caught:
        plugin.invoke(GET_ZONE, name="example.test", vpcId="vpc-1")
    assert "does not look for networks" in refusal(caught)


def test_the_internet_does_not_see_it(plugin: Plugin, endpoint: Endpoint) -> None:
    plugin.create("Zone", {"name": "private.test", "vpcs": [EU]})
    plugin.create("Zone", {"name": "public.test"})
    assert "private.test" not in read_dump(endpoint.account.dump()).zones
    assert "public.test" in read_dump(endpoint.account.dump()).zones


def test_what_route53_refuses_of_networks(plugin: Plugin, account: Account) -> None:
    made = plugin.create("Zone", {"name": "private.test", "vpcs": [EU]})
    network = {"VPCId": "vpc-1", "VPCRegion": "eu-west-1"}
    other = {"VPCId": "vpc-2", "VPCRegion": "us-east-1"}
    for operation, zone, vpc, code in (
        ("AssociateVPCWithHostedZone", account.zone, network, "PublicZoneVPCAssociation"),
        ("DisassociateVPCFromHostedZone", made.identifier, network, "LastVPCAssociation"),
        ("DisassociateVPCFromHostedZone", made.identifier, other, "VPCAssociationNotFound"),
    ):
        with pytest.raises(ClientError) as caught:
            account.api(operation, {"HostedZoneId": zone, "VPC": vpc})
        assert caught.value.response["Error"]["Code"] == code
