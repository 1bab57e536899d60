"""Where the example fleet's workloads go: today, after a switch, after the loss of a region."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from fleet.errors import InvalidError
from fleet.model.decision import Role
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build

ROOT = Path(__file__).parents[2]
EVERYWHERE = {"ap-1": 1, "eu-1": 1, "us-1": 1}
TODAY = {
    "api": {"eu-1": 4, "us-1": 2},
    "descheduler": EVERYWHERE,
    "embeddings": {"us-1": 4},
    "log-agent": EVERYWHERE,
    "mailer": {"ap-1": 2, "eu-1": 2, "us-1": 2},
    "sessions": {"eu-1": 3},
    "web": EVERYWHERE,
}
WITHOUT_EU = {
    "api": {"us-1": 4},
    "descheduler": {"ap-1": 1, "us-1": 1},
    "embeddings": {"us-1": 4},
    "log-agent": {"ap-1": 1, "us-1": 1},
    "mailer": {"ap-1": 4, "us-1": 2},
    "sessions": {},
    "web": {"ap-1": 2, "us-1": 1},
}
WITHOUT_US = {
    "api": {"eu-1": 4},
    "descheduler": {"ap-1": 1, "eu-1": 1},
    "embeddings": {},
    "log-agent": {"ap-1": 1, "eu-1": 1},
    "mailer": {"ap-1": 3, "eu-1": 3},
    "sessions": {"eu-1": 3},
    "web": {"ap-1": 2, "eu-1": 1},
}
SWITCHED = {**TODAY, "api": {"eu-1": 2, "us-1": 4}}


def _outcome(settings: Settings) -> Outcome:
    return build(settings, Prior(), ROOT)


def _replicas(outcome: Outcome) -> dict[str, Mapping[str, int]]:
    return {each.workload: dict(each.replicas) for each in outcome.schedule.decisions}


def _dns_weights(outcome: Outcome) -> dict[str, dict[str, int]]:
    return {
        endpoint.dns_name: {record.cluster: record.dns_weight for record in endpoint.records}
        for endpoint in outcome.plan.endpoints
    }


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param(Settings(), TODAY, id="today"),
        pytest.param(Settings(active_region="us-east-1"), SWITCHED, id="after a switch"),
        pytest.param(Settings(down=("eu-1",)), WITHOUT_EU, id="without the EU"),
        pytest.param(Settings(down=("us-1",)), WITHOUT_US, id="without the US"),
    ],
)
def test_workloads_are_placed(settings: Settings, expected: dict[str, dict[str, int]]) -> None:
    assert _replicas(_outcome(settings)) == expected


@pytest.mark.parametrize(
    ("region", "api"),
    [("eu-west-1", {"eu-1": 100, "us-1": 0}), ("us-east-1", {"eu-1": 0, "us-1": 100})],
)
def test_names_lead_to_the_active_region(region: str, api: dict[str, int]) -> None:
    assert _dns_weights(_outcome(Settings(active_region=region))) == {
        "api.fleet.test": api,
        "www.fleet.test": EVERYWHERE,
    }


def test_region_without_a_candidate_cannot_become_active() -> None:
    with pytest.raises(InvalidError, match="ap-southeast-1"):
        _outcome(Settings(active_region="ap-southeast-1"))


def test_lost_eu_leaves_sessions_unplaced_and_says_so() -> None:
    outcome = _outcome(Settings(down=("eu-1",)))
    shortfalls = [each.values for each in outcome.plan.findings if each.code == "shortfall"]
    assert shortfalls == [{"workload": "sessions", "placed": 0, "wanted": 3}]


def test_today_nothing_is_refused() -> None:
    assert [each for each in _outcome(Settings()).plan.findings if each.blocks] == []


def test_mailers_bounds_are_divided() -> None:
    decisions = _outcome(Settings()).schedule.decisions
    mailer = next(each for each in decisions if each.workload == "mailer")
    assert [(each.minimum, each.maximum) for each in mailer.assignments] == [(2, 8)] * 3


def _bodies(outcome: Outcome, workload: str, kind: str) -> dict[str, dict[str, object]]:
    return {
        delivery.cluster: planned.body
        for each in outcome.plan.workloads
        if each.workload == workload
        for delivery in each.deliveries
        for planned in delivery.objects
        if planned.body["kind"] == kind
    }


def test_every_region_pulls_from_its_mirror() -> None:
    deployments = _bodies(_outcome(Settings()), "web", "Deployment")
    mirrors = {"ap-1": "ap-southeast-1", "eu-1": "eu-west-1", "us-1": "us-east-1"}
    for cluster, body in deployments.items():
        assert f"registry.{mirrors[cluster]}.fleet.example/shop/web:2.4.1" in str(body)
    assert deployments.keys() == mirrors.keys()


def test_switch_changes_no_pod_of_the_api() -> None:
    """The role is written where the server rereads it, so a switch restarts nothing."""
    before, after = _outcome(Settings()), _outcome(Settings(active_region="us-east-1"))
    old, new = (_bodies(each, "api", "ConfigMap") for each in (before, after))
    assert (old["eu-1"]["data"], old["us-1"]["data"]) == (new["us-1"]["data"], new["eu-1"]["data"])
    assert old["eu-1"]["data"] != old["us-1"]["data"]
    was, now = (_bodies(each, "api", "Deployment") for each in (before, after))
    for cluster in ("eu-1", "us-1"):
        assert _template(was[cluster]) == _template(now[cluster])


def _template(body: dict[str, object]) -> object:
    spec = body["spec"]
    assert isinstance(spec, dict)
    return spec["template"]


def test_api_has_one_active_and_one_standby_cluster() -> None:
    decisions = _outcome(Settings()).schedule.decisions
    api = next(each for each in decisions if each.workload == "api")
    roles = {each.cluster: each.role for each in api.assignments}
    assert roles == {"eu-1": Role.ACTIVE, "us-1": Role.STANDBY}
