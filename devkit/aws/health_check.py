"""aws:route53/healthCheck:HealthCheck."""

import ipaddress
import uuid

from devkit.aws.client import ApiError, Client
from devkit.aws.data import Data, Table, table, text
from devkit.aws.resource import State, keeping
from devkit.aws.sdk import Failure
from devkit.aws.tags import all_tags, own_tags, read_tags, write_tags
from devkit.aws.values import UNKNOWN, is_unknown

ARN = "arn:aws:route53:::healthcheck/"
FIELDS = {
    "type": "Type",
    "ipAddress": "IPAddress",
    "port": "Port",
    "resourcePath": "ResourcePath",
    "fqdn": "FullyQualifiedDomainName",
    "searchString": "SearchString",
    "requestInterval": "RequestInterval",
    "failureThreshold": "FailureThreshold",
    "measureLatency": "MeasureLatency",
    "invertHealthcheck": "Inverted",
    "disabled": "Disabled",
    "childHealthThreshold": "HealthThreshold",
    "childHealthchecks": "ChildHealthChecks",
    "enableSni": "EnableSNI",
    "regions": "Regions",
    "insufficientDataHealthStatus": "InsufficientDataHealthStatus",
    "routingControlArn": "RoutingControlArn",
}
CREATE_ONLY = ("type", "requestInterval", "measureLatency", "routingControlArn")
RESETTABLE = ("fqdn", "regions", "resourcePath", "childHealthchecks")
TYPES = (
    "CALCULATED",
    "CLOUDWATCH_METRIC",
    "HTTP",
    "HTTPS",
    "HTTPS_STR_MATCH",
    "HTTP_STR_MATCH",
    "RECOVERY_CONTROL",
    "TCP",
)
BOUNDS = {
    "failureThreshold": (1, 10),
    "childHealthThreshold": (0, 256),
    "port": (1, 65535),
}
LENGTHS = {"resourcePath": 255, "searchString": 255, "fqdn": 255, "referenceName": 27}
INTERVALS = (10, 30)


class HealthCheck:
    """A health check."""

    replaces = frozenset(
        {"type", "requestInterval", "measureLatency", "referenceName", "routingControlArn"}
    )
    sets = frozenset({"childHealthchecks", "regions"})
    defaults: dict[str, Data] = {  # noqa: RUF012 - read only
        "disabled": False,
        "invertHealthcheck": False,
        "measureLatency": False,
    }

    computed = frozenset({"port", "requestInterval", "failureThreshold", "enableSni"})

    def check(self, inputs: Table) -> list[Failure]:
        """Return what the real provider's schema refuses."""
        known = {name: value for name, value in inputs.items() if not is_unknown(value)}
        found = [
            Failure(name, f"must be {low}..{high}, not {known[name]}")
            for name, (low, high) in BOUNDS.items()
            if isinstance(known.get(name), int) and not low <= int(str(known[name])) <= high
        ]
        found += [
            Failure(name, f"must have at most {longest} characters")
            for name, longest in LENGTHS.items()
            if len(text(known, name)) > longest
        ]
        if "type" in known and known["type"] not in TYPES:
            found.append(Failure("type", f"'{known['type']}' is none of {', '.join(TYPES)}"))
        if known.get("requestInterval", 10) not in INTERVALS:
            reason = f"must be 10 or 30, not {known['requestInterval']}"
            found.append(Failure("requestInterval", reason))
        if "ipAddress" in known and not _is_address(text(known, "ipAddress")):
            found.append(Failure("ipAddress", f"'{known['ipAddress']}' is no IP address"))
        return found

    def normal(self, name: str, value: Data) -> Data:
        """Return the value: every spelling is its own."""
        del name
        return value

    def preview(self, inputs: Table) -> Table:
        """The identifier comes with the check."""
        return {**self.defaults, **inputs, "arn": UNKNOWN, "tagsAll": UNKNOWN}

    def create(self, client: Client, inputs: Table) -> State:
        """CreateHealthCheck, then its tags."""
        reference = "-".join(filter(None, (text(inputs, "referenceName"), str(uuid.uuid4()))))
        answer = client.call(
            "CreateHealthCheck", CallerReference=reference, HealthCheckConfig=to_wire(inputs)
        )
        check = table(answer, "HealthCheck")
        tags = all_tags(client, inputs)
        state = State(text(check, "Id"), _outputs(check, inputs, tags))
        with keeping(state):
            write_tags(client, "healthcheck", state.identifier, {}, tags)
        return state

    def read(self, client: Client, identifier: str, old: Table) -> State | None:
        """GetHealthCheck and its tags."""
        try:
            answer = client.call("GetHealthCheck", HealthCheckId=identifier)
        except ApiError as error:
            if error.code == "NoSuchHealthCheck":
                return None
            raise
        check = table(answer, "HealthCheck")
        tags = read_tags(client, "healthcheck", identifier)
        inputs = from_wire(table(check, "HealthCheckConfig"))
        inputs["tags"] = own_tags(client, tags)
        for name in ("triggers", "referenceName"):
            if name in old:
                inputs[name] = old[name]
        return State(identifier, _outputs(check, inputs, tags), inputs)

    def update(self, client: Client, identifier: str, old: Table, inputs: Table) -> State:
        """UpdateHealthCheck, and its tags."""
        wanted = {**self.defaults, **inputs}
        config = to_wire({key: one for key, one in wanted.items() if key not in CREATE_ONLY})
        gone: list[Data] = [
            FIELDS[name] for name in RESETTABLE if old.get(name) and not inputs.get(name)
        ]
        if gone:
            config["ResetElements"] = gone
        answer = client.call("UpdateHealthCheck", HealthCheckId=identifier, **config)
        tags = all_tags(client, inputs)
        write_tags(client, "healthcheck", identifier, table(old, "tagsAll"), tags)
        return State(identifier, _outputs(table(answer, "HealthCheck"), inputs, tags))

    def delete(self, client: Client, identifier: str, old: Table) -> None:
        """DeleteHealthCheck; one that is gone is fine."""
        del old
        try:
            client.call("DeleteHealthCheck", HealthCheckId=identifier)
        except ApiError as error:
            if error.code != "NoSuchHealthCheck":
                raise


def _is_address(value: str) -> bool:
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


def to_wire(inputs: Table) -> Table:
    """Return the settings as the API wants them.

    >>> to_wire({"type": "HTTP", "invertHealthcheck": True})
    {'Type': 'HTTP', 'Inverted': True}
    """
    config: Table = {FIELDS[name]: value for name, value in inputs.items() if name in FIELDS}
    if text(inputs, "cloudwatchAlarmName"):
        alarm: Table = {"Name": inputs["cloudwatchAlarmName"]}
        alarm["Region"] = inputs.get("cloudwatchAlarmRegion")
        config["AlarmIdentifier"] = alarm
    return config


def from_wire(config: Table) -> Table:
    """Return the inputs that describe settings."""
    inputs = {name: config[field] for name, field in FIELDS.items() if field in config}
    alarm = table(config, "AlarmIdentifier")
    if alarm:
        inputs["cloudwatchAlarmName"] = text(alarm, "Name")
        inputs["cloudwatchAlarmRegion"] = text(alarm, "Region")
    return inputs


def _outputs(check: Table, inputs: Table, tags: Table) -> Table:
    return {
        **from_wire(table(check, "HealthCheckConfig")),
        **inputs,
        "arn": ARN + text(check, "Id"),
        "tagsAll": tags,
    }
