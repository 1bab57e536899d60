"""Health checks as Route53 keeps them: what it refuses, what it fills in."""

import uuid
from collections.abc import Collection

from devkit.aws.data import Table, flag, number, table, text, texts
from devkit.aws.endpoint.faults import Refused, bad_input

ENDPOINT_TYPES = ("HTTP", "HTTPS", "HTTP_STR_MATCH", "HTTPS_STR_MATCH", "TCP")
INTERVALS = (10, 30)
UPDATABLE = (
    "IPAddress",
    "Port",
    "ResourcePath",
    "FullyQualifiedDomainName",
    "SearchString",
    "FailureThreshold",
    "Inverted",
    "Disabled",
    "HealthThreshold",
    "ChildHealthChecks",
    "EnableSNI",
    "Regions",
    "AlarmIdentifier",
    "InsufficientDataHealthStatus",
)


class HealthChecks:
    """Every health check of the account, by identifier."""

    def __init__(self) -> None:
        self.by_id: dict[str, Table] = {}

    def create(self, call: Table) -> Table:
        """Create one. The same caller reference with the same settings is the same check."""
        config = with_defaults(table(call, "HealthCheckConfig"))
        refuse_impossible(config, self.by_id)
        reference = text(call, "CallerReference")
        for check in self.by_id.values():
            if text(check, "CallerReference") == reference:
                if check["HealthCheckConfig"] == config:
                    return check
                sentence = f"A health check with caller reference {reference} already exists"
                raise Refused("HealthCheckAlreadyExists", sentence, 409)
        identifier = str(uuid.uuid4())
        self.by_id[identifier] = {
            "Id": identifier,
            "CallerReference": reference,
            "HealthCheckConfig": config,
            "HealthCheckVersion": 1,
        }
        return self.by_id[identifier]

    def get(self, identifier: str) -> Table:
        """Return one. **Errors**: NoSuchHealthCheck."""
        if identifier not in self.by_id:
            sentence = f"No health check exists with id: {identifier}"
            raise Refused("NoSuchHealthCheck", sentence, 404)
        return self.by_id[identifier]

    def update(self, call: Table) -> Table:
        """Change the given settings; an element to reset goes back to its default."""
        check = self.get(text(call, "HealthCheckId"))
        wanted = number(call, "HealthCheckVersion")
        if wanted and wanted != check["HealthCheckVersion"]:
            raise Refused("HealthCheckVersionMismatch", f"the version is not {wanted}", 409)
        old = table(check, "HealthCheckConfig")
        new = {**old, **{name: call[name] for name in UPDATABLE if name in call}}
        for element in texts(call, "ResetElements"):
            new.pop(element, None)
        new = with_defaults(new)
        refuse_impossible(new, self.by_id)
        check["HealthCheckConfig"] = new
        check["HealthCheckVersion"] = number(check, "HealthCheckVersion") + 1
        return check

    def delete(self, identifier: str) -> None:
        """Delete one. Route53 does not mind records that still name it."""
        self.get(identifier)
        parents = [
            other
            for other, check in self.by_id.items()
            if identifier in texts(table(check, "HealthCheckConfig"), "ChildHealthChecks")
        ]
        if parents:
            sentence = f"the health check is a child of {', '.join(parents)}"
            raise Refused("HealthCheckInUse", sentence)
        del self.by_id[identifier]


def with_defaults(config: Table) -> Table:
    """Return the settings with what Route53 fills in."""
    kind = text(config, "Type")
    filled: Table = {"Inverted": False, "Disabled": False}
    if kind in ENDPOINT_TYPES:
        secure = kind.startswith("HTTPS")
        filled |= {
            "RequestInterval": 30,
            "FailureThreshold": 3,
            "MeasureLatency": False,
            "EnableSNI": secure,
        }
        if kind != "TCP":
            filled["Port"] = 443 if secure else 80
    return {**filled, **{name: value for name, value in config.items() if value not in (None, "")}}


def refuse_impossible(config: Table, known: Collection[str]) -> None:
    """Refuse settings that do not go together. Bounds of single values are the model's."""
    kind = text(config, "Type")
    if kind in ENDPOINT_TYPES:
        _refuse_endpoint(kind, config)
    elif "RequestInterval" in config or "IPAddress" in config or "Port" in config:
        raise bad_input(f"RequestInterval, IPAddress and Port cannot be specified for type {kind}")
    if kind == "CALCULATED":
        _refuse_calculated(config, known)
    if kind == "CLOUDWATCH_METRIC" and "AlarmIdentifier" not in config:
        raise bad_input("AlarmIdentifier must be specified for type CLOUDWATCH_METRIC")
    if kind == "RECOVERY_CONTROL" and not text(config, "RoutingControlArn"):
        raise bad_input("RoutingControlArn must be specified for type RECOVERY_CONTROL")


def _refuse_endpoint(kind: str, config: Table) -> None:
    if number(config, "RequestInterval") not in INTERVALS:
        raise bad_input(
            f"Invalid parameter : RequestInterval must be 10 or 30, not {config['RequestInterval']}"
        )
    if not text(config, "IPAddress") and not text(config, "FullyQualifiedDomainName"):
        raise bad_input("Invalid parameter : IPAddress or FullyQualifiedDomainName is required")
    if kind == "TCP" and ("Port" not in config or text(config, "ResourcePath")):
        raise bad_input("Invalid parameter : TCP needs a Port and takes no ResourcePath")
    if kind.endswith("_STR_MATCH") != bool(text(config, "SearchString")):
        raise bad_input(
            "Invalid parameter : SearchString is required for the types that end in _STR_MATCH, "
            f"and for no other; the type is {kind}"
        )
    if flag(config, "EnableSNI") and not kind.startswith("HTTPS"):
        raise bad_input(f"Invalid parameter : EnableSNI cannot be true for type {kind}")


def _refuse_calculated(config: Table, known: Collection[str]) -> None:
    for child in texts(config, "ChildHealthChecks"):
        if child not in known:
            raise bad_input(f"Invalid parameter : no health check exists with id: {child}")
    if "HealthThreshold" not in config:
        raise bad_input("Invalid parameter : HealthThreshold is required for type CALCULATED")
