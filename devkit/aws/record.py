"""aws:route53/record:Record.

**Source**: the AWS provider's record.go: CREATE (or UPSERT where overwriting is allowed), UPSERT,
and for another type or set identifier DELETE and CREATE in one batch.
"""

import threading

from devkit.aws.client import ApiError, Client
from devkit.aws.data import Data, Table, flag, table, tables, text
from devkit.aws.record_wire import from_wire, to_wire
from devkit.aws.resource import State, keeping
from devkit.aws.sdk import Failure
from devkit.aws.values import UNKNOWN, is_unknown
from devkit.aws.zone import plain_id

NAMES = "A, AAAA, CAA, CNAME, DS, HTTPS, MX, NAPTR, NS, PTR, SOA, SPF, SRV, SSHFP, SVCB, TLSA, TXT"
TYPES = frozenset(NAMES.split(", "))
POLICIES = (
    "weightedRoutingPolicies",
    "failoverRoutingPolicies",
    "latencyRoutingPolicies",
    "geolocationRoutingPolicies",
    "geoproximityRoutingPolicy",
    "cidrRoutingPolicy",
    "multivalueAnswerRoutingPolicy",
)
IN_IDENTIFIER = ("type", "setIdentifier")


def plain_name(name: str) -> str:
    r"""Return a name as the real provider compares it.

    >>> plain_name("\\052.Example.org.")
    '*.example.org'
    """
    return name.lower().rstrip(".").replace("\\052", "*")


def full_name(name: str, zone: str) -> str:
    """Return a name with its zone's, where it was left out.

    >>> full_name("www", "example.org"), full_name("www.example.org", "example.org.")
    ('www.example.org', 'www.example.org')
    """
    name, zone = plain_name(name), plain_name(zone)
    if not name:
        return zone
    return name if name == zone or name.endswith(f".{zone}") else f"{name}.{zone}"


def identifier_of(inputs: Table) -> str:
    """Return the real provider's identifier: zone, name, type and set identifier."""
    parts = [plain_id(text(inputs, "zoneId")), plain_name(text(inputs, "name"))]
    parts += [text(inputs, "type"), text(inputs, "setIdentifier")]
    return "_".join(part for part in parts if part)


def parse_identifier(identifier: str) -> Table:
    """Return what an identifier says; a name may hold underscores, so types are looked for.

    >>> parse_identifier("Z1_my_name.example.org_A_eu_1")["setIdentifier"]
    'eu_1'
    """
    zone, *rest = identifier.split("_")
    for place in range(1, len(rest)):
        if rest[place] in TYPES:
            found: Table = {
                "zoneId": plain_id(zone),
                "name": "_".join(rest[:place]),
                "type": rest[place],
            }
            if rest[place + 1 :]:
                found["setIdentifier"] = "_".join(rest[place + 1 :])
            return found
    raise ValueError(
        f"'{identifier}' is no record's identifier, which is ZONEID_name_TYPE or "
        "ZONEID_name_TYPE_setidentifier"
    )


class Record:
    """A record set."""

    replaces = frozenset({"name", "zoneId"})
    sets = frozenset({"records"})
    defaults: dict[str, Data] = {  # noqa: RUF012 - read only
        "allowOverwrite": False,
        "multivalueAnswerRoutingPolicy": False,
    }

    computed = frozenset[str]()

    def __init__(self) -> None:
        self._zones: dict[str, str] = {}
        self._guard = threading.Lock()

    def check(self, inputs: Table) -> list[Failure]:
        """Return what the real provider's schema refuses."""
        found = []
        kind = inputs.get("type")
        if isinstance(kind, str) and not is_unknown(kind) and kind not in TYPES:
            found.append(Failure("type", f"'{kind}' is none of {NAMES}"))
        plain, alias = "records" in inputs, "aliases" in inputs
        if plain == alias:
            found.append(Failure("records", "exactly one of 'records' and 'aliases' must be given"))
        if plain != ("ttl" in inputs) and not alias:
            found.append(Failure("ttl", "'ttl' and 'records' must be given together"))
        given = [name for name in POLICIES if inputs.get(name)]
        if len(given) > 1:
            found.append(Failure(given[1], f"conflicts with '{given[0]}'"))
        if given and "setIdentifier" not in inputs:
            found.append(Failure("setIdentifier", f"must be given with '{given[0]}'"))
        return found

    def normal(self, name: str, value: Data) -> Data:
        """A last dot and capitals make no other name."""
        if name == "name" and isinstance(value, str):
            return plain_name(value)
        if name == "aliases" and isinstance(value, list):
            return [
                {**item, "name": plain_name(text(item, "name"))} if isinstance(item, dict) else item
                for item in value
            ]
        return plain_id(value) if name == "zoneId" and isinstance(value, str) else value

    def preview(self, inputs: Table) -> Table:
        """The full name needs the zone."""
        return {**inputs, "fqdn": UNKNOWN}

    def create(self, client: Client, inputs: Table) -> State:
        """One change: CREATE, or UPSERT where the program allows to overwrite."""
        name = self._full_name(client, inputs)
        action = "UPSERT" if flag(inputs, "allowOverwrite") else "CREATE"
        state = State(identifier_of(inputs), {**inputs, "fqdn": name})
        return _change(client, state, [(action, to_wire(inputs, name))])

    def read(self, client: Client, identifier: str, old: Table) -> State | None:
        """List from the record set on, and take it when it is there."""
        known = old if text(old, "name") else parse_identifier(identifier)
        try:
            name = self._full_name(client, known)
            found = _find(client, known, name)
        except ApiError as error:
            if error.code == "NoSuchHostedZone":
                return None
            raise
        if found is None:
            return None
        inputs: Table = {
            "name": text(known, "name"),
            "zoneId": plain_id(text(known, "zoneId")),
            **from_wire(found),
            "allowOverwrite": flag(old, "allowOverwrite"),
        }
        outputs = {**inputs, "fqdn": name}
        return State(identifier if old else identifier_of(inputs), outputs, inputs)

    def update(self, client: Client, identifier: str, old: Table, inputs: Table) -> State:
        """UPSERT; for another type or set identifier DELETE and CREATE in one batch."""
        name = self._full_name(client, inputs)
        steps = [("UPSERT", to_wire(inputs, name))]
        if any(text(old, part) != text(inputs, part) for part in IN_IDENTIFIER):
            before = _find(client, old, self._full_name(client, old))
            steps = [("CREATE", to_wire(inputs, name))]
            if before is not None:
                steps.insert(0, ("DELETE", before))
        return _change(client, State(identifier, {**inputs, "fqdn": name}), steps)

    def delete(self, client: Client, identifier: str, old: Table) -> None:
        """DELETE what is there; one that is gone is fine."""
        known = old if text(old, "name") else parse_identifier(identifier)
        try:
            found = _find(client, known, self._full_name(client, known))
            if found is not None:
                _change(client, State(identifier, known), [("DELETE", found)])
        except ApiError as error:
            if error.code != "NoSuchHostedZone":
                raise

    def _full_name(self, client: Client, inputs: Table) -> str:
        """Return the record's full name; a zone's name is asked for once."""
        zone = plain_id(text(inputs, "zoneId"))
        with self._guard:
            if zone not in self._zones:
                answer = client.call("GetHostedZone", Id=zone)
                self._zones[zone] = text(table(answer, "HostedZone"), "Name")
        return full_name(text(inputs, "name"), self._zones[zone])


def _find(client: Client, wanted: Table, name: str) -> Table | None:
    """Return the record set by its name, type and set identifier."""
    start = {"StartRecordName": name, "StartRecordType": text(wanted, "type")}
    if text(wanted, "setIdentifier"):
        start["StartRecordIdentifier"] = text(wanted, "setIdentifier")
    zone = plain_id(text(wanted, "zoneId"))
    page = client.call("ListResourceRecordSets", HostedZoneId=zone, MaxItems="1", **start)
    for record in tables(page, "ResourceRecordSets"):
        same = plain_name(text(record, "Name")) == name
        same = same and text(record, "Type") == text(wanted, "type")
        if same and text(record, "SetIdentifier") == text(wanted, "setIdentifier"):
            return record
    return None


def _change(client: Client, state: State, steps: list[tuple[str, Table]]) -> State:
    """Send one change batch. The zone's lane is held until the change is in sync."""
    zone = plain_id(text(state.outputs, "zoneId"))
    batch = {"Changes": [{"Action": act, "ResourceRecordSet": record} for act, record in steps]}
    with client.lane(zone):
        answer = client.call("ChangeResourceRecordSets", HostedZoneId=zone, ChangeBatch=batch)
        with keeping(state):
            client.wait(answer)
    return state
