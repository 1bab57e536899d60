"""What counts as a change, and what the prior knows too little of."""

from dataclasses import replace

import pytest

from fleet.explain.changes import has_changes, unknown_standing
from fleet.explain.table import summary_table
from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment, Decision, Role
from fleet.model.plan import DataStep, WorkloadDelivery
from fleet.model.prior import Prior, PriorWorkload
from tests.explain.outcomes import a_delivery, an_endpoint, an_outcome, leaving

DECISION = Decision("web", (Assignment("eu-1", 4),))


def a_prior_web(**parts: object) -> Prior:
    """A prior where `web` runs 4 replicas on eu-1."""
    web = PriorWorkload(FrozenMap({"eu-1": 4}), **parts)  # type: ignore[arg-type]
    return Prior(known=True, workloads=FrozenMap({"web": web}))


def web(**parts: object) -> WorkloadDelivery:
    """`web` as the prior has it, changed by `parts`."""
    fields = {"deliveries": (a_delivery("eu-1", 4, 4),), **parts}
    return WorkloadDelivery("web", DECISION, **fields)  # type: ignore[arg-type]


SAME = FrozenMap({"eu-1": FrozenMap({"Deployment/shop/web": "d1"})})
OTHER = FrozenMap({"eu-1": FrozenMap({"Deployment/shop/web": "d0"})})
MORE = FrozenMap({"eu-1": FrozenMap({"Deployment/shop/web": "d1", "Service/shop/web": "d2"})})

CASES = [
    pytest.param(web(), a_prior_web(), False, id="replicas are the same"),
    pytest.param(web(), a_prior_web(hashes=SAME), False, id="objects are the same"),
    pytest.param(web(), a_prior_web(hashes=OTHER), True, id="an object differs"),
    pytest.param(web(), a_prior_web(hashes=MORE), True, id="an object is gone"),
    pytest.param(
        web(), a_prior_web(roles=FrozenMap({"eu-1": Role.STANDBY})), True, id="a role differs"
    ),
    pytest.param(
        web(deliveries=(a_delivery("eu-1", 5, 4),)), a_prior_web(), True, id="replicas differ"
    ),
    pytest.param(
        web(deliveries=(a_delivery("eu-1", 4, None),)), Prior(), True, id="nothing is known"
    ),
    pytest.param(web(leaving=(leaving("us-1", 1),)), a_prior_web(), True, id="it leaves a cluster"),
    pytest.param(
        web(leaving=(leaving("us-1", 1, debt=True),)), a_prior_web(), False, id="it keeps a debt"
    ),
]


@pytest.mark.parametrize(("delivery", "prior", "expected"), CASES)
def test_a_workload_changes(delivery: WorkloadDelivery, prior: Prior, *, expected: bool) -> None:
    assert has_changes(an_outcome(workloads=[delivery], prior=prior)) is expected


LEFT = Prior(
    known=True,
    workloads=FrozenMap({"web": PriorWorkload(FrozenMap({"eu-1": 4, "us-1": 2}))}),
)
OWED = a_prior_web(
    hashes=FrozenMap({**SAME, "us-1": FrozenMap({"Deployment/shop/web": "d1"})}),
)


def test_what_is_given_up_or_newly_owed_is_a_change() -> None:
    debt = web(leaving=(leaving("us-1", 2, debt=True),))
    assert has_changes(an_outcome(workloads=[web()], prior=LEFT))
    assert has_changes(an_outcome(workloads=[debt], prior=LEFT))
    assert has_changes(an_outcome(workloads=[web()], prior=OWED))
    assert not has_changes(an_outcome(workloads=[debt], prior=OWED))


def test_a_workload_that_is_nowhere_any_more_is_a_change() -> None:
    assert has_changes(an_outcome(workloads=[], prior=LEFT))


def test_data_that_moves_is_a_change() -> None:
    prior = a_prior_web(data=FrozenMap({"primary": "eu-1"}))
    assert not has_changes(
        an_outcome(workloads=[web(data=prior.workloads["web"].data)], prior=prior)
    )
    turned = FrozenMap({"primary": "us-1"})
    assert has_changes(an_outcome(workloads=[web(data=turned)], prior=prior))
    step = DataStep("web", "us-east-1", ("us-1",), ("eu-1",))
    refused = replace(step, lost=("eu-1",), unfenced=("eu-1",))
    assert has_changes(an_outcome(workloads=[web(step=step)], prior=a_prior_web()))
    assert not has_changes(an_outcome(workloads=[web(step=refused)], prior=a_prior_web()))


@pytest.mark.parametrize(("stood", "changed"), [("s1", False), ("s0", True), (None, False)])
def test_how_a_name_stands_is_compared_where_it_is_known(
    stood: str | None, *, changed: bool
) -> None:
    endpoint = replace(an_endpoint({"eu-1": (100, 100)}), standing="s1")
    prior = replace(
        a_prior_web(),
        dns_weights=FrozenMap({"web": FrozenMap({"eu-1": 100})}),
        standing=FrozenMap({"web": stood} if stood else {}),
    )
    outcome = an_outcome(workloads=[web()], endpoints=[endpoint], prior=prior)
    assert has_changes(outcome) is changed
    assert unknown_standing(outcome) == ([] if stood else ["web.fleet.test"])
    told = summary_table(outcome)
    assert ("no change that the prior can tell" in told) is (stood is None)
    assert ("the prior does not say what the records" in told) is (stood is None)


def test_a_new_name_for_a_workload_is_compared_with_the_old_one() -> None:
    renamed = WorkloadDelivery("shop", DECISION, (a_delivery("eu-1", 4, 4),), renamed_from=("web",))
    same, other = a_prior_web(hashes=SAME), a_prior_web(hashes=OTHER)
    assert not has_changes(an_outcome(workloads=[renamed], prior=same))
    assert has_changes(an_outcome(workloads=[renamed], prior=other))


WEIGHTS = [
    pytest.param({"eu-1": (100, 100)}, True, False, id="the weight is the same"),
    pytest.param({"eu-1": (100, 0)}, True, True, id="the weight moves"),
    pytest.param({"eu-1": (None, 0)}, True, True, id="a record is new"),
    pytest.param({"eu-1": (None, 0)}, False, False, id="the prior has no weights"),
]


def test_a_name_is_new_where_the_prior_is_an_update_s_own() -> None:
    outcome = an_outcome(
        workloads=[web()],
        endpoints=[an_endpoint({"eu-1": (None, 100)})],
        prior=a_prior_web(hashes=SAME),
    )
    assert has_changes(outcome)


@pytest.mark.parametrize(("weights", "known", "expected"), WEIGHTS)
def test_a_name_changes(
    weights: dict[str, tuple[int | None, int]], *, known: bool, expected: bool
) -> None:
    policies = FrozenMap({"web": FrozenMap({"eu-1": 100})}) if known else FrozenMap()
    prior = Prior(known=True, dns_weights=policies)
    outcome = an_outcome(workloads=[], endpoints=[an_endpoint(weights)], prior=prior)
    assert has_changes(outcome) is expected
