"""A standby that a lever holds: nobody is led to it, by a drill or by a commanded batch."""

import json
from dataclasses import replace
from fractions import Fraction

from fleet.explain.asking import ask_clusters
from fleet.model.base import FrozenMap
from fleet.model.decision import Schedule
from fleet.model.outage import answered
from fleet.model.plan import DeliveryPlan, Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.recover.break_glass import Glass, Identity, break_glass_files
from tests.builders import a_traffic
from tests.deliver.test_dns import EU, a_snapshot_of, directed

LEVER = {"release": "https://levers.example/{region}"}
POLICY = a_traffic(**EU, failover="manual", lever=LEVER)


def planned(active: str = "eu-west-1") -> DeliveryPlan:
    policy = a_traffic(**{**EU, "active_region": active}, failover="manual", lever=LEVER)
    return directed(a_snapshot_of(policy), active=active)


def an_outcome(plan: DeliveryPlan) -> Outcome:
    return Outcome(Settings(), a_snapshot_of(POLICY), Prior(), Schedule(()), plan)


def test_a_drill_finds_the_dead_active_side_answered() -> None:
    (endpoint,) = planned().endpoints
    found = answered(endpoint, ["eu-1", "us-1"], ["eu-1"])
    assert found.shares == FrozenMap({"eu-1": Fraction(1)})
    assert found.nowhere == 1
    free = replace(endpoint, records=tuple(replace(each, held=False) for each in endpoint.records))
    assert answered(free, ["eu-1", "us-1"], ["eu-1"]).shares == {"us-1": Fraction(1)}


def test_a_runbook_asks_the_entry_behind_a_lever() -> None:
    (asked,) = ask_clusters(an_outcome(planned()), POLICY, ["us-1"])
    assert "192.0.2.2" in asked
    assert "levers.example" not in asked


def test_a_commanded_batch_lets_the_standby_go_with_its_weight() -> None:
    plan = planned()
    ids = {each.name: f"id of {each.name}" for each in plan.checks}
    records = {each.cluster: each for each in plan.endpoints[0].records}
    glass = Glass(
        stack="fleet/dev",
        outcome=an_outcome(plan),
        switches={"leave-eu-west-1": an_outcome(planned("us-east-1"))},
        identities={each.name: Identity("Z1", "as it was") for each in records.values()},
        reached={},
        check_ids=ids,
    )
    files = break_glass_files(glass)
    for file, weights in {
        "leave-eu-west-1.Z1.json": {"eu-1": 0, "us-1": 100},
        "now.Z1.json": {"eu-1": 100, "us-1": 0},
    }.items():
        sets = [each["ResourceRecordSet"] for each in json.loads(files[file])["Changes"]]
        assert {each["SetIdentifier"]: each["Weight"] for each in sets} == weights
        assert {each["SetIdentifier"]: each["HealthCheckId"] for each in sets} == {
            name: ids[records[name].check_for(weight)] for name, weight in weights.items()
        }
