"""The AWS provider must not log in through a region that it may have to lead traffic away from."""

from collections.abc import Iterator
from dataclasses import replace

from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.endpoint import RecordDelivery
from fleet.model.plan import Outcome
from fleet.model.traffic import Mode


def with_provider_region(outcome: Outcome, region: str | None) -> Outcome:
    """The same outcome, with a finding where config `aws:region` is active or being left.

    It decides nothing and blocks nothing: the digest stays.
    """
    if region is None:
        return outcome
    found = tuple(_findings(outcome, region))
    plan = replace(outcome.plan, findings=(*outcome.plan.findings, *found))
    return replace(outcome, plan=plan) if found else outcome


def _findings(outcome: Outcome, region: str) -> Iterator[Finding]:
    inside = {each.name for each in outcome.snapshot.clusters if each.spec.region == region}
    active, left = [], []
    for endpoint in outcome.plan.endpoints:
        records = [each for each in endpoint.records if each.cluster in inside]
        if endpoint.mode is Mode.ACTIVE_STANDBY and any(each.dns_weight for each in records):
            active.append(endpoint.policy)
        if any(_is_left(each) for each in records):
            left.append(endpoint.policy)
    for how, policies in (("active", active), ("left", left)):
        if policies:
            values = {"region": region, "how": how, "policies": ", ".join(policies)}
            yield Finding(codes.PROVIDER_REGION, FrozenMap(values))


def _is_left(record: RecordDelivery) -> bool:
    return bool(record.previous) and not record.dns_weight
