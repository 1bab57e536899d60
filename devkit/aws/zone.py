"""aws:route53/zone:Zone."""

import uuid

from devkit.aws.client import ApiError, Client
from devkit.aws.data import Data, Table, flag, table, tables, text, texts
from devkit.aws.resource import State, keeping
from devkit.aws.sdk import Failure
from devkit.aws.tags import all_tags, own_tags, read_tags, write_tags
from devkit.aws.values import UNKNOWN

COMMENT = "Managed by Pulumi"
ARN = "arn:aws:route53:::hostedzone/"
UNSUPPORTED = ("delegationSetId", "enableAcceleratedRecovery")


def plain_id(identifier: str) -> str:
    """Return a zone's or a change's identifier without its path.

    >>> plain_id("/hostedzone/Z1")
    'Z1'
    """
    return identifier.rpartition("/")[2]


class Zone:
    """A hosted zone; with networks a private one."""

    replaces = frozenset({"name", "delegationSetId"})
    sets = frozenset({"vpcs"})
    defaults: dict[str, Data] = {"comment": COMMENT, "forceDestroy": False}  # noqa: RUF012 - read only

    computed = frozenset[str]()

    def check(self, inputs: Table) -> list[Failure]:
        """A name is needed, and only what the local Route53 can do."""
        found = [
            Failure(name, f"'{name}' is not part of this stand-in of the AWS plugin")
            for name in UNSUPPORTED
            if inputs.get(name)
        ]
        if not text(inputs, "name"):
            found.append(Failure("name", "required property 'name' is missing"))
        return found

    def normal(self, name: str, value: Data) -> Data:
        """A last dot and capitals make no other zone."""
        return value.rstrip(".").lower() if name == "name" and isinstance(value, str) else value

    def preview(self, inputs: Table) -> Table:
        """The identifier and the name servers come with the zone."""
        unknown = ("arn", "nameServers", "primaryNameServer", "zoneId", "tagsAll")
        return {**self.defaults, **inputs, **dict.fromkeys(unknown, UNKNOWN)}

    def create(self, client: Client, inputs: Table) -> State:
        """CreateHostedZone, then its tags and what else sees it."""
        networks = _networks(inputs)
        answer = client.call(
            "CreateHostedZone",
            Name=text(inputs, "name"),
            CallerReference=str(uuid.uuid4()),
            HostedZoneConfig={"Comment": text(inputs, "comment", COMMENT)},
            **({"VPC": networks[0]} if networks else {}),
        )
        identifier = plain_id(text(table(answer, "HostedZone"), "Id"))
        tags = all_tags(client, inputs)
        state = State(identifier, _outputs(identifier, inputs, answer, tags))
        with keeping(state):
            write_tags(client, "hostedzone", identifier, {}, tags)
            client.wait(answer)
            _associate(client, identifier, networks[:1], networks)
        return state

    def read(self, client: Client, identifier: str, old: Table) -> State | None:
        """GetHostedZone and its tags."""
        try:
            answer = client.call("GetHostedZone", Id=plain_id(identifier))
        except ApiError as error:
            if error.code == "NoSuchHostedZone":
                return None
            raise
        zone = table(answer, "HostedZone")
        tags = read_tags(client, "hostedzone", plain_id(identifier))
        inputs: Table = {
            "name": text(zone, "Name").rstrip("."),
            "comment": text(table(zone, "Config"), "Comment"),
            "forceDestroy": flag(old, "forceDestroy"),
            "tags": own_tags(client, tags),
        }
        seen = tables(answer, "VPCs")
        if seen:
            inputs["vpcs"] = [
                {"vpcId": text(each, "VPCId"), "vpcRegion": text(each, "VPCRegion")}
                for each in seen
            ]
        outputs = _outputs(plain_id(identifier), inputs, answer, tags)
        return State(plain_id(identifier), outputs, inputs)

    def update(self, client: Client, identifier: str, old: Table, inputs: Table) -> State:
        """Comment, tags and networks."""
        _associate(client, identifier, _networks(old), _networks(inputs))
        if text(old, "comment", COMMENT) != text(inputs, "comment", COMMENT):
            comment = text(inputs, "comment", COMMENT)
            client.call("UpdateHostedZoneComment", Id=identifier, Comment=comment)
        tags = all_tags(client, inputs)
        write_tags(client, "hostedzone", identifier, table(old, "tagsAll"), tags)
        answer = client.call("GetHostedZone", Id=identifier)
        return State(identifier, _outputs(identifier, inputs, answer, tags))

    def delete(self, client: Client, identifier: str, old: Table) -> None:
        """DeleteHostedZone; with forceDestroy its record sets go before it."""
        try:
            if flag(old, "forceDestroy"):
                _empty(client, identifier)
            client.wait(client.call("DeleteHostedZone", Id=identifier))
        except ApiError as error:
            if error.code != "NoSuchHostedZone":
                raise


def _networks(inputs: Table) -> list[Table]:
    """Return the networks as the API wants them."""
    return [
        {"VPCId": text(each, "vpcId"), "VPCRegion": text(each, "vpcRegion")}
        for each in tables(inputs, "vpcs")
    ]


def _associate(client: Client, identifier: str, old: list[Table], new: list[Table]) -> None:
    """Show a private zone to new networks, then hide it from those that go."""
    for operation, networks in (
        ("AssociateVPCWithHostedZone", [each for each in new if each not in old]),
        ("DisassociateVPCFromHostedZone", [each for each in old if each not in new]),
    ):
        for each in networks:
            client.wait(client.call(operation, HostedZoneId=identifier, VPC=each))


def _outputs(identifier: str, inputs: Table, answer: Table, tags: Table) -> Table:
    servers = sorted(texts(table(answer, "DelegationSet"), "NameServers"))
    return {
        "comment": COMMENT,
        "forceDestroy": False,
        **inputs,
        "arn": ARN + identifier,
        "nameServers": list[Data](servers),
        "primaryNameServer": servers[0] if servers else "",
        "tagsAll": tags,
        "zoneId": identifier,
    }


def _empty(client: Client, identifier: str) -> None:
    """Delete every record set that is not the zone's own."""
    apex = text(table(client.call("GetHostedZone", Id=identifier), "HostedZone"), "Name")
    changes = [
        {"Action": "DELETE", "ResourceRecordSet": record}
        for record in records_of(client, identifier)
        if text(record, "Name") != apex or text(record, "Type") not in ("NS", "SOA")
    ]
    if changes:
        batch = {"Changes": changes}
        with client.lane(identifier):
            client.wait(
                client.call("ChangeResourceRecordSets", HostedZoneId=identifier, ChangeBatch=batch)
            )


def records_of(client: Client, identifier: str) -> list[Table]:
    """Return every record set of a zone, page after page."""
    found: list[Table] = []
    page: Table = {"IsTruncated": True}
    while page.get("IsTruncated"):
        start = {
            name.replace("Next", "Start"): text(page, name)
            for name in ("NextRecordName", "NextRecordType", "NextRecordIdentifier")
            if text(page, name)
        }
        page = client.call("ListResourceRecordSets", HostedZoneId=identifier, **start)
        found += tables(page, "ResourceRecordSets")
    return found
