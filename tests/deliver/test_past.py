"""The records that exist under a policy: from the state, from a file, and half-way."""

from typing import Any

from fleet.deliver.past import past_names, past_of
from fleet.model.base import FrozenMap
from fleet.model.prior import Prior, PriorObject

RECORD = "aws:route53/record:Record"


def a_prior(
    *names: str,
    weights: dict[str, int] | None = None,
    aliases: dict[str, str] | None = None,
    **bodies: Any,
) -> Prior:
    records = {name: PriorObject(name, RECORD, bodies) for name in names}
    return Prior(
        known=True,
        records=FrozenMap(records),
        dns_weights=FrozenMap({"web": FrozenMap(weights)}) if weights else FrozenMap(),
        aliases=FrozenMap({"web": FrozenMap(aliases)}) if aliases else FrozenMap(),
    )


TREE = {"web/_leaf": "_latency.web.test 100", "web/_latency/eu": "eu._latency.web.test"}


def test_nothing_is_no_form() -> None:
    past = past_of(Prior(), "web")
    assert past.form is None
    assert len(past.records) == len(past.leaving(())) == 0


def test_a_file_of_weights_is_flat() -> None:
    past = past_of(a_prior(weights={"eu-1": 3}), "web")
    assert past.form == ""
    assert past.weights == {"web/eu-1": 3}
    assert [each.name for each in past.leaving(())] == ["web/eu-1"]


def test_a_file_of_aliases_has_their_form() -> None:
    past = past_of(a_prior(weights={"eu-1": 3}, aliases=TREE), "web")
    assert past.form == "latency"
    assert past.weights == {"web/eu-1/latency": 3}
    assert set(past.records) == {"web/eu-1/latency", *TREE}


def test_the_state_s_own_weight_goes_before_what_a_file_says() -> None:
    routing = [{"weight": 7}]
    prior = a_prior("web/eu-1", weights={"eu-1": 3}, weightedRoutingPolicies=routing)
    assert past_of(prior, "web").weights == {"web/eu-1": 7}
    assert past_of(a_prior("web/eu-1", weights={"eu-1": 3}), "web").weights == {"web/eu-1": 3}


def test_a_tree_that_was_cut_before_its_name_leads_nowhere_yet() -> None:
    assert past_of(a_prior("web/eu-1/latency", weights={"eu-1": 3}), "web").form is None


def test_a_change_that_was_cut_is_still_flat() -> None:
    past = past_of(a_prior("web/eu-1", "web/eu-1/latency", "web/_latency/eu"), "web")
    assert past.form == ""
    assert [each.name for each in past.leaving({"web/eu-1/latency"})] == [
        "web/_latency/eu",
        "web/eu-1",
    ]


def test_every_record_of_every_policy_is_named() -> None:
    prior = a_prior("api/eu-1", weights={"eu-1": 3}, aliases=TREE)
    assert sorted(past_names(prior)) == [
        "api/eu-1",
        "web/_latency/eu",
        "web/_leaf",
        "web/eu-1/latency",
    ]
