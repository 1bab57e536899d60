"""The prior is read whole or not at all: it is never taken for empty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.errors import InvalidError
from fleet.load.prior import prior_from_document, prior_from_text
from fleet.model.decision import Role


def test_a_prior_by_hand() -> None:
    prior = prior_from_text("prior.json", '{"web": {"eu-1": 4, "us-1": 0}, "api": {}}')
    assert prior.known
    assert prior.workloads["web"].replicas == {"eu-1": 4, "us-1": 0}
    assert prior.workloads["api"].replicas == {}


WHOLE = {
    "web": {
        "assignments": {"eu-1": 4.0, "us-1": 2},
        "roles": {"eu-1": "active", "us-1": "standby"},
        "hashes": {"eu-1": {"Deployment/shop/web": "abcd"}},
        "proven": {"eu-1": "ffff"},
        "dnsWeights": {"front": {"eu-1": 100.0, "us-1": 0.0}},
        "inputs": {"replicas": "6", "spec.pick": "2"},
    },
    "$clusters": {"eu-1": {"capacity.allocatable.cpu": "40", "state": "active"}},
}


@pytest.mark.parametrize("document", [WHOLE, {"placements": WHOLE, "digest": "d", "endpoints": {}}])
def test_a_stack_output(document: object) -> None:
    prior = prior_from_document(document)
    web = prior.workloads["web"]
    assert web.replicas == {"eu-1": 4, "us-1": 2}
    assert web.roles == {"eu-1": Role.ACTIVE, "us-1": Role.STANDBY}
    assert web.hashes == {"eu-1": {"Deployment/shop/web": "abcd"}}
    assert web.proven == {"eu-1": "ffff"}
    assert prior.dns_weights == {"front": {"eu-1": 100, "us-1": 0}}
    assert web.inputs == {"replicas": "6", "spec.pick": "2"}
    assert set(prior.workloads) == {"web"}
    assert prior.clusters == {"eu-1": {"capacity.allocatable.cpu": "40", "state": "active"}}


def test_what_the_plan_printed_as_json() -> None:
    web = {"assignments": {"eu-1": 4}, "roles": {"eu-1": "standby"}, "shortfall": 0, "verdicts": {}}
    plan = {"digest": "d", "workloads": {"web": web}, "records": [], "findings": []}
    assert prior_from_document(plan).clusters == {}
    prior = prior_from_document({**plan, "clusters": {"eu-1": {"state": "down"}}})
    assert prior.clusters == {"eu-1": {"state": "down"}}
    assert prior.workloads["web"].replicas == {"eu-1": 4}
    assert prior.workloads["web"].roles == {"eu-1": Role.STANDBY}


def test_the_names_of_a_plan_are_read() -> None:
    front = {"policy": "front", "cluster": "eu-1", "weight": 70.0}
    alias = {"policy": "front", "resource": "front/_leaf", "target": "_latency.web.test"}
    heavy = {**alias, "resource": "front/eu", "weight": 7}
    web = {"assignments": {"eu-1": 4}, "standing": {"front": "abc"}}
    plan = {"digest": "d", "workloads": {"web": web}, "records": [front], "aliases": [alias, heavy]}
    prior = prior_from_document(plan)
    assert prior.dns_weights == {"front": {"eu-1": 70}}
    texts = {"front/_leaf": "_latency.web.test", "front/eu": "_latency.web.test 7"}
    assert prior.aliases == {"front": texts}
    assert prior.standing == {"front": "abc"}
    with pytest.raises(InvalidError, match=r"records\.front\.eu-1: the dns weight 300 is more"):
        prior_from_document({**plan, "records": [{**front, "weight": 300}]})


def test_aliases_of_a_stack_output_are_read() -> None:
    web = {"assignments": {"eu-1": 4}, "aliases": {"front": {"front/_leaf": "leaf.test"}}}
    assert prior_from_document({"web": web}).aliases == {"front": {"front/_leaf": "leaf.test"}}


def test_the_tier_is_read_and_is_text() -> None:
    web = {"assignments": {"eu-1": 4}, "tier": "second"}
    assert prior_from_document({"web": web}).workloads["web"].tier == "second"
    assert prior_from_document({"web": {"eu-1": 4}}).workloads["web"].tier == ""
    (said,) = faults_of('{"web": {"assignments": {"eu-1": 4}, "tier": 2}}')
    assert said.startswith("prior.json:1:38: web.tier: '2' stands where text is wanted")


def test_a_workload_called_placements_is_a_workload() -> None:
    prior = prior_from_document({"placements": {"eu-1": 1}, "digest": {"eu-1": 2}})
    assert set(prior.workloads) == {"placements", "digest"}


def test_an_empty_map_is_a_fleet_where_nothing_was_placed() -> None:
    prior = prior_from_text("prior.json", "{}")
    assert prior.known
    assert not prior.workloads


def faults_of(text: str) -> list[str]:
    with pytest.raises(InvalidError) as caught:
        prior_from_text("prior.json", text)
    return str(caught.value).splitlines()


ANEW = "pulumi stack output placements --json > prior.json"
WANTED = "write what is wanted"
FAULTS = [
    pytest.param(
        '{"$clusters": {"eu-1": {"state": 4}}}',
        ["prior.json:1:25: $clusters.eu-1.state: '4' stands where text is wanted"],
        id="a fact that is no text",
    ),
    pytest.param("", ["prior.json:1:1: the prior holds nothing, one map"], id="an empty file"),
    pytest.param("null", ["prior.json:1:1: the prior holds nothing, one map"], id="null"),
    pytest.param("[]", ["prior.json:1:1: a list stands where a map is wanted"], id="a list"),
    pytest.param("{}\n---\n{}", ["prior.json:1:1: the prior holds 2 documents"], id="two"),
    pytest.param(
        '{"web": {"eu-1": 1',
        [f"prior.json:1:19: the JSON ends here, in the middle - write the file anew: {ANEW}"],
        id="half a file",
    ),
    pytest.param(
        '{"web": {\n"eu-1', ["prior.json:2:6: the JSON ends here, in the middle"], id="half a word"
    ),
    pytest.param(
        '{"web" {"eu-1": 1}}', ["prior.json:1:8: the JSON is broken: "], id="a colon too few"
    ),
    pytest.param(
        '{"version": 3, "deployment": {"resources": []}}',
        [
            f"prior.json:1:1: this is a whole state, not the placements in it - {WANTED}: {ANEW}",
        ],
        id="a state",
    ),
    pytest.param('{"web": 4}', ["prior.json:1:2: web: '4' stands where a map"], id="no clusters"),
    pytest.param(
        '{"web": {"eu-1": -1}}', ["prior.json:1:10: web.eu-1: -1 is negative"], id="negative"
    ),
    pytest.param(
        '{"web": {"eu-1": 1.5}}', ["prior.json:1:10: web.eu-1: '1.5' stands where"], id="a part"
    ),
    pytest.param(
        '{"web": {"eu-1": 3000000000}}',
        ["prior.json:1:10: web.eu-1: '3000000000' is too large; at most 2147483647"],
        id="more than an API server takes",
    ),
    pytest.param(
        '{"web": {"eu-1": 1e300}}', ["prior.json:1:10: web.eu-1: '1e+300' is too"], id="a float"
    ),
    pytest.param(
        '{"web": {"eu-1": %s}}' % ("9" * 5000),
        ["prior.json:1:18: a number of 5000 digits is too large"],
        id="more digits than Python reads",
    ),
    pytest.param(
        '{"web": {"eu-1": "4"}}', ["prior.json:1:10: web.eu-1: '4' stands where"], id="text"
    ),
    pytest.param(
        '{"web": {"eu-1": true}}', ["prior.json:1:10: web.eu-1: 'true' stands where"], id="truth"
    ),
    pytest.param(
        '{"web": {"eu-1": null}}', ["prior.json:1:10: web.eu-1: nothing (null) stands"], id="none"
    ),
    pytest.param(
        '{"web": {"eu-1": 1}, "web": {"eu-1": 2}}',
        ["prior.json:1:22: the key 'web' is already on line 1"],
        id="a key twice",
    ),
    pytest.param(
        '{\n\t"web": {\n\t\t"eu-1": -1\n\t}\n}', ["prior.json:3:3: web.eu-1: -1"], id="with tabs"
    ),
    pytest.param(
        '{"web": {"assigments": {"eu-1": 1}}}',
        [
            "prior.json:1:2: web: 'assignments' is missing",
            "prior.json:1:10: web.assigments: unknown part 'assigments' - did you mean",
        ],
        id="a mistyped part",
    ),
    pytest.param(
        '{"web": {"assignments": {}, "roles": {"eu-1": "activ"}}}',
        ["prior.json:1:39: web.roles.eu-1: 'activ' is no role"],
        id="no role",
    ),
    pytest.param(
        '{"web": {"assignments": {}, "hashes": {"eu-1": {"a": 1}}, "proven": {"eu-1": 2}}}',
        ["prior.json:1:49: web.hashes.eu-1.a: '1'", "prior.json:1:70: web.proven.eu-1: '2'"],
        id="hashes are text",
    ),
    pytest.param(
        '{"web": {"assignments": {}, "dnsWeights": {"p": {"eu-1": 256}}}}',
        ["prior.json:1:50: web.dnsWeights.p.eu-1: the dns weight 256 is more than 255"],
        id="too heavy",
    ),
    pytest.param(
        '{"a": {"assignments": {}, "dnsWeights": {"p": {}}},'
        ' "b": {"assignments": {}, "dnsWeights": {"p": {}}}}',
        ["prior.json:1:93: b.dnsWeights.p: policy 'p' has weights at 'a.dnsWeights.p'"],
        id="a policy twice",
    ),
]


@pytest.mark.parametrize(("text", "starts"), FAULTS)
def test_a_fault_has_its_place_and_its_sentence(text: str, starts: list[str]) -> None:
    faults = faults_of(text)
    assert len(faults) == len(starts)
    for fault, start in zip(faults, starts, strict=True):
        assert fault.startswith(start)


def test_a_fault_of_a_stack_output_names_its_field() -> None:
    with pytest.raises(InvalidError) as caught:
        prior_from_document({"web": {"assignments": {"eu-1": None}}})
    assert str(caught.value).startswith("prior.web.assignments.eu-1: nothing (null) stands")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)


@given(JSON)
def test_any_document_is_a_prior_or_an_error(document: object) -> None:
    try:
        prior = prior_from_document(document)
    except InvalidError:
        return
    assert isinstance(document, dict)
    assert set(prior.workloads) == set(document)
