"""Who runs and is led to by nobody."""

from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.explain.sentences import finding_sentence
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from tests.builders import a_snapshot, a_traffic, linked
from tests.deliver.kit import a_schedule, findings, two_clusters, web


@pytest.mark.parametrize(
    ("words", "field"),
    [
        pytest.param({"mode": "weighted", "dnsWeights": {"eu-1": 5}}, "dnsWeights", id="weights"),
        pytest.param(
            {"mode": "geolocation", "geolocation": {"eu-west-1": {"default": True}}},
            "geolocation",
            id="places",
        ),
        pytest.param({"mode": "weighted"}, "", id="by replicas"),
        pytest.param(
            {"mode": "weighted", "dnsWeights": {"eu-1": 5, "us-east-1": 0}}, "", id="a 0 is said"
        ),
        pytest.param({"activeRegion": "eu-west-1"}, "", id="a standby"),
    ],
)
def test_a_cluster_that_nobody_is_led_to_is_told(words: dict[str, Any], field: str) -> None:
    snapshot = a_snapshot(two_clusters(), [linked(web(), traffic=[a_traffic(**words)])])
    active = {"web": "eu-west-1"} if "activeRegion" in words else {}
    plan = deliver(
        snapshot, a_schedule({"web": {"eu-1": 4, "us-1": 2}}, active=active), Prior(), Settings()
    )
    told = findings(plan, codes.NOT_LED_TO)
    assert [each.values["field"] for each in told] == ([field] if field else [])
    assert all("leaves out us-1: 'web' runs there" in finding_sentence(each) for each in told)


def test_a_parked_record_of_who_runs_nothing_is_not_told() -> None:
    prior = Prior(known=True, dns_weights=FrozenMap({"web": FrozenMap({"us-1": 2})}))
    policy = a_traffic(mode="weighted", dns_weights={"eu-1": 5})
    snapshot = a_snapshot(two_clusters(), [linked(web(), traffic=[policy])])
    plan = deliver(snapshot, a_schedule({"web": {"eu-1": 6}}), prior, Settings())
    (endpoint,) = plan.endpoints
    assert {each.cluster: each.dns_weight for each in endpoint.records} == {"eu-1": 5, "us-1": 0}
    assert findings(plan, codes.NOT_LED_TO) == []
