"""Record sets with quiet defaults, and calls by the API's own names."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from botocore.client import BaseClient

Answer = dict[str, Any]
Api = Callable[[str, Answer], Answer]
Change = Callable[..., Answer]
Step = tuple[str, Answer]


@dataclass(frozen=True)
class Account:
    """One zone of an account, and what can be done in it."""

    api: Api
    zone: str

    def change(self, *steps: Step) -> Answer:
        """Send a change batch: (action, record set) pairs."""
        changes = [{"Action": action, "ResourceRecordSet": record} for action, record in steps]
        batch = {"HostedZoneId": self.zone, "ChangeBatch": {"Changes": changes}}
        return self.api("ChangeResourceRecordSets", batch)

    def records(self) -> list[Answer]:
        """Return every record set, in the API's order."""
        answer = self.api("ListResourceRecordSets", {"HostedZoneId": self.zone})
        found: list[Answer] = answer["ResourceRecordSets"]
        return found


def calls_of(client: BaseClient) -> Api:
    """Return how a client calls an operation by its name, with a check by the server only."""
    call: Api = client._make_api_call  # noqa: SLF001 - the public methods have other names
    return call


def a_record(**changed: object) -> Answer:
    """A weighted A record of web.example.test; None takes a field away."""
    record = {
        "Name": "web.example.test",
        "Type": "A",
        "SetIdentifier": "eu-1",
        "Weight": 100,
        "TTL": 60,
        "ResourceRecords": [{"Value": "192.0.2.1"}],
        **changed,
    }
    return {name: value for name, value in record.items() if value is not None}


def a_simple(**changed: object) -> Answer:
    return a_record(**{"SetIdentifier": None, "Weight": None, **changed})


def an_alias(target: str, **changed: object) -> Answer:
    """A simple alias of web.example.test to another name of the zone."""
    alias = {"HostedZoneId": "Z1", "DNSName": target, "EvaluateTargetHealth": True}
    fields: Answer = {"TTL": None, "ResourceRecords": None, "AliasTarget": alias}
    return a_simple(**{**fields, **changed})


def values(*items: str) -> list[Answer]:
    return [{"Value": item} for item in items]
