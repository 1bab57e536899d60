"""The stack output reads back as the prior that it was made of."""

import json
from dataclasses import replace

import pytest

from fleet.explain.placements import placements_document
from fleet.load.prior import prior_from_document
from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.plan import WorkloadDelivery
from fleet.model.prior import Prior, PriorWorkload
from tests.explain.outcomes import (
    a_delivery,
    an_endpoint,
    an_outcome,
    leaving,
    the_decision,
)


def as_the_engine_returns(document: object) -> object:
    """Outputs come back from the engine with every number as a float."""
    return json.loads(json.dumps(document), parse_int=float)


@pytest.mark.parametrize("floats", [False, True])
def test_what_is_written_is_read(*, floats: bool) -> None:
    outcome = an_outcome(endpoints=[an_endpoint({"eu-1": (0, 100), "us-1": (100, 0)})])
    document: object = placements_document(outcome)
    prior = prior_from_document(as_the_engine_returns(document) if floats else document)
    assert prior.known
    assert prior.dns_weights == {"web": {"eu-1": 100, "us-1": 0}}
    web = prior.workloads["web"]
    assert web.replicas == {"eu-1": 4, "us-1": 2}
    assert all(isinstance(each, int) for each in web.replicas.values())
    assert web.roles == {"eu-1": Role.ACTIVE, "us-1": Role.STANDBY}
    assert web.hashes["eu-1"] == {"Deployment/shop/web": "d1"}
    assert web.proven == {"eu-1": "f1", "us-1": "f1"}
    assert web.inputs["replicas"] == "6"
    assert prior.clusters["eu-1"]["region"] == "eu-west-1"


def test_it_is_plain_json() -> None:
    document = placements_document(an_outcome())
    assert json.loads(json.dumps(document)) == document


def test_a_debt_keeps_its_objects_and_is_no_assignment() -> None:
    before = PriorWorkload(
        FrozenMap({"ap-1": 3}),
        hashes=FrozenMap({"ap-1": FrozenMap({"Deployment/shop/web": "d9"})}),
    )
    delivery = WorkloadDelivery(
        "web", the_decision(), (a_delivery("eu-1", 4),), (leaving("ap-1", 3, debt=True),)
    )
    prior = Prior(known=True, workloads=FrozenMap({"web": before}))
    web = placements_document(an_outcome(workloads=[delivery], prior=prior))["web"]
    assert web["assignments"] == {"eu-1": 4}
    assert web["hashes"]["ap-1"] == {"Deployment/shop/web": "d9", "Service/shop/web": ""}


def test_a_workload_that_is_gone_stays_while_it_owes() -> None:
    gone = WorkloadDelivery("old", None, (), (leaving("ap-1", 3),))
    owing = WorkloadDelivery("owes", None, (), (leaving("ap-1", 3, debt=True),))
    document = placements_document(an_outcome(workloads=[gone, owing]))
    assert list(document) == ["owes", "$clusters"]
    assert document["owes"]["assignments"] == {}


def test_the_tier_is_read_back() -> None:
    decision = replace(the_decision(), tier="second")
    delivery = WorkloadDelivery("web", decision, (a_delivery("eu-1", 4),), ())
    document = placements_document(an_outcome(workloads=[delivery]))
    assert document["web"]["tier"] == "second"
    assert prior_from_document(document).workloads["web"].tier == "second"
    assert "tier" not in placements_document(an_outcome())["web"]
