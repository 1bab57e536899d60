"""Observations, external scores, cluster sets, and what depends on the time of the run."""

from collections.abc import Callable

import pytest

from fleet.explain.sentences import finding_sentence
from fleet.load.candidates import term_holds
from fleet.model.affinity import ClusterTerm
from fleet.model.inventory import State
from fleet.model.snapshot import Snapshot
from tests.builders import a_cluster

Load = Callable[..., Snapshot]
Faults = Callable[..., list[str]]
NOW = "2030-05-01T12:00:00Z"


def a_document(kind: str, name: str, spec: str) -> str:
    return f"apiVersion: fleet/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"


def seen(spec: str = "", name: str = "eu-1", at: str = NOW) -> dict[str, str]:
    body = f"observedAt: '{at}'{spec and ', '}{spec}"
    return {"inventory/seen.yaml": a_document("ClusterObservation", name, body)}


def scores(spec: str, name: str = "health") -> dict[str, str]:
    return {"policies/scores.yaml": a_document("ExternalScores", name, spec)}


def policy(spec: str) -> dict[str, str]:
    body = f"workloads: [web], {spec}"
    return {"policies/web.yaml": a_document("PlacementPolicy", "web", body)}


def cluster(spec: str) -> dict[str, str]:
    body = f"region: eu-west-1, entry: {{addresses: [192.0.2.9]}}, {spec}"
    return {"inventory/more.yaml": a_document("Cluster", "eu-9", body)}


def test_what_was_seen_replaces_the_inventory_resource_by_resource(load: Load) -> None:
    said = "capacity: {allocatable: {cpu: 8, memory: 1Gi}, reserved: {cpu: 1}}"
    capacity = (
        "capacity: {allocatable: {cpu: 6}, reserved: {memory: 1Mi}, nodes: [{free: {cpu: 3}}]}"
    )
    files = {**cluster(said), **seen(capacity, "eu-9")}
    (found,) = [each for each in load(files, now=NOW).clusters if each.name == "eu-9"]
    assert dict(found.spec.capacity.allocatable) == {"cpu": 6000, "memory": 2**30}
    assert dict(found.spec.capacity.reserved) == {"cpu": 1000, "memory": 2**20}
    assert [dict(each.free) for each in found.spec.capacity.nodes] == [{"cpu": 3000}]


def test_a_policy_may_compare_what_was_only_seen(load: Load) -> None:
    rule = "matchProperties: [{property: free.gpu, operator: Gt, value: 1}]"
    files = {
        **seen("capacity: {allocatable: {gpu: 4}}"),
        **policy(f"affinity: {{required: [{{{rule}}}]}}"),
    }
    assert load(files, now=NOW).clusters[0].free["gpu"] == 4


def test_without_capacity_the_inventory_stands(load: Load) -> None:
    files = {**cluster("capacity: {allocatable: {cpu: 8}}"), **seen("", "eu-9")}
    (found,) = [each for each in load(files, now=NOW).clusters if each.name == "eu-9"]
    assert dict(found.free) == {"cpu": 8000}


AGES = [
    ("2030-05-01T11:00:00Z", "", None),
    ("2030-05-01T10:59:59Z", "", 3601),
    ("2030-05-01T11:59:00Z", "staleAfterSeconds: 59", 60),
    ("2030-05-01T12:04:00Z", "", None),  # a clock that is ahead
]


@pytest.mark.parametrize(("at", "spec", "age"), AGES)
def test_an_old_observation_is_told_with_its_age(
    load: Load, at: str, spec: str, age: int | None
) -> None:
    findings = list(load(seen(spec, at=at), now=NOW).findings)
    told = [each.values["age"] for each in findings if each.code == "observation-stale"]
    assert told == ([] if age is None else [age])


EXPIRED = [
    ("scores: {eu-1: 5, us-1: -5}", None),
    ("scores: {eu-1: 5, us-1: -5}, validUntil: '2030-05-01T12:00:01Z'", None),
    ("scores: {eu-1: 5, us-1: -5}, validUntil: '2030-05-01T12:00:00Z'", "eu-1, us-1"),
    (
        (
            "scores: {eu-1: 5, us-1: -5}, validUntil: '2030-05-01T12:00:00Z',"
            " validUntilByCluster: {us-1: '2031-05-01T12:00:00Z'}"
        ),
        "eu-1",
    ),
    ("scores: {eu-1: 5}, validUntilByCluster: {eu-1: '2029-05-01T12:00:00Z'}", "eu-1"),
]


@pytest.mark.parametrize(("spec", "clusters"), EXPIRED)
def test_expired_scores_are_told(load: Load, spec: str, clusters: str | None) -> None:
    findings = load(scores(spec), now=NOW).findings
    told = [each.values["clusters"] for each in findings if each.code == "scores-expired"]
    assert told == ([] if clusters is None else [clusters])


CRON = "maintenance: [{schedule: '0 22 * * sat', durationMinutes: 60%s}]"
NEEDS = "depends on the time of the run, which nobody said - say --now, or the config fleet:now"
TAINT = "taints: [{key: k, effect: NoExecute, timeAdded: '2030-05-01T12:00:00Z'}]"
SECONDS = "tolerations: [{key: %s, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]"
TIMELESS = [
    pytest.param(cluster(CRON % ""), "inventory/more.yaml:4:60: spec.maintenance", id="a window"),
    pytest.param(seen(), "inventory/seen.yaml:4:8: spec.observedAt", id="an observation"),
    pytest.param(
        scores(f"scores: {{}}, validUntil: '{NOW}'"),
        "policies/scores.yaml:4:20: spec.validUntil",
        id="scores that expire",
    ),
    pytest.param(
        scores(f"scores: {{eu-1: 1}}, validUntilByCluster: {{eu-1: '{NOW}'}}"),
        "policies/scores.yaml:4:27: spec.validUntilByCluster",
        id="scores of a cluster that expire",
    ),
    pytest.param(
        {**cluster(TAINT), **policy(SECONDS % "k")},
        "policies/web.yaml:4:86: spec.tolerations[0].tolerationSeconds",
        id="seconds from a taint with a time",
    ),
    pytest.param(
        {**cluster(TAINT), **policy(SECONDS % "''")},
        "policies/web.yaml:4:87: spec.tolerations[0].tolerationSeconds",
        id="seconds for any taint",
    ),
]


@pytest.mark.parametrize(("files", "place"), TIMELESS)
def test_the_time_must_be_said_where_it_is_needed(
    faults: Faults, files: dict[str, str], place: str
) -> None:
    assert [each.startswith(f"{place}: {NEEDS}") for each in faults(files)] == [True]


def test_a_latency_limit_needs_the_time_where_anything_was_seen(load: Load, faults: Faults) -> None:
    limit = policy("latency: {origin: probe, most: 80}")
    assert load(limit).facts.now is None
    found = faults({**limit, **seen()})
    assert [each.partition(": ")[0] for each in found] == [
        "inventory/seen.yaml:4:8",
        "policies/web.yaml:4:26",
    ]


def test_nothing_needs_the_time_where_nothing_speaks_of_it(load: Load) -> None:
    quiet = [
        policy(SECONDS % "k"),
        {**cluster(TAINT), **policy(SECONDS % "other")},
        {**cluster(TAINT), **policy("tolerations: [{key: k, operator: Exists}]")},
        scores("scores: {eu-1: 1}"),
    ]
    for files in quiet:
        facts = load({"inventory/more.yaml": None, **files}).facts
        assert facts.now is None
        assert not facts.windows


def test_windows_that_are_open_are_in_the_snapshot(load: Load) -> None:
    window = load(cluster(CRON % ""), now="2030-05-04T22:30:00Z").facts.windows["eu-9"]
    assert (window.action, str(window.source)) == ("avoid", "inventory/more.yaml:4:74")


WRONG = [
    (
        cluster(CRON % ", timeZone: Europe/Berln"),
        "there is no time zone 'Europe/Berln' - did you mean 'Europe/Berlin'?",
    ),
    (
        cluster("maintenance: [{schedule: daily, durationMinutes: 1}]"),
        (
            "spec.maintenance[0].schedule: 'daily' has 1 fields; a cron line has five, such as"
            " '0 22 * * sat'"
        ),
    ),
    (
        cluster("maintenance: [{schedule: '* * * * *'}]"),
        "say 'start' and 'end', or 'schedule' and 'durationMinutes'",
    ),
    (
        cluster(f"maintenance: [{{start: '{NOW}', end: '{NOW}'}}]"),
        f"'end' {NOW} is not after 'start' {NOW}",
    ),
    (
        cluster("taints: [{key: k, effect: NoExecute, timeAdded: yesterday}]"),
        "'yesterday' is no time of RFC 3339, such as 2030-01-31T12:00:00Z",
    ),
    (seen("", "eu-2"), "metadata.name: there is no cluster 'eu-2' - did you mean 'eu-1'?"),
    (scores("scores: {eu-2: 1}"), "there is no cluster 'eu-2' - did you mean 'eu-1'?"),
    (scores("scores: {eu-1: 101}"), "101 is too large; it is at most 100"),
    (
        {**scores("scores: {eu-1: 1}"), **policy("scoring: {weights: {external/heath: 1}}")},
        "there are no ExternalScores 'heath' - did you mean 'external/health'?",
    ),
    (
        policy(
            "affinity: {required: [{matchProperties: [{property: node, operator: Gt, value: 1}]}]}"
        ),
        (
            "spec.affinity.required[0].matchProperties[0].property: no cluster says 'node' - did"
            " you mean 'nodes'?"
        ),
    ),
    (
        policy("affinity: {preferred: [{weight: 1, sort: {property: cost, order: ascending}}]}"),
        "spec.affinity.preferred[0].sort.property: no cluster says 'cost'",
    ),
    (
        {
            **cluster("capacity: {allocatable: {cpu: 1}}"),
            **policy(
                "affinity: {required: [{matchProperties:"
                " [{property: free.gpu, operator: Gt, value: 1}]}]}"
            ),
        },
        "no cluster says 'free.gpu' - did you mean 'free.cpu'?",
    ),
    (
        {"policies/sets.yaml": a_document("ClusterSet", "a", "clusters: [{}]")},
        "say 'namespaces' or 'teams': a set without tenants is for nobody",
    ),
    (
        {
            "policies/sets.yaml": a_document(
                "ClusterSet", "a", "clusters: [{clusters: [eu-2]}], namespaces: [default]"
            )
        },
        "spec.clusters[0].clusters[0]: there is no cluster 'eu-2' - did you mean 'eu-1'?",
    ),
    (
        {
            "policies/sets.yaml": a_document(
                "ClusterSet", "a", "clusters: [{clusters: [eu-1]}], namespaces: [defualt]"
            )
        },
        "spec.namespaces[0]: no workload has the namespace 'defualt' - did you mean 'default'?",
    ),
]


@pytest.mark.parametrize(("files", "part"), WRONG)
def test_what_is_wrong_is_told(faults: Faults, files: dict[str, str], part: str) -> None:
    found = faults(files, now=NOW)
    assert len(found) == 1
    assert part in found[0]


def test_a_broken_document_of_scores_makes_no_name_unknown(faults: Faults) -> None:
    files = {**scores("scores: {eu-1: x}"), **policy("scoring: {weights: {external/y: 1}}")}
    assert len(faults(files)) == 1


def test_documents_of_one_name_are_told(faults: Faults) -> None:
    twice = seen()["inventory/seen.yaml"]
    found = faults({"inventory/seen.yaml": f"{twice}---\n{twice}"}, now=NOW)
    assert len(found) == 1
    assert "the observation of cluster 'eu-1' is already at" in found[0]


SIZED = a_cluster(
    "a",
    cpu=8,
    allocatable={"memory": "1Gi"},
    reserved={"cpu": "3500m"},
    properties={"cost-per-core": "0.023"},
    nodes=[{"count": 2, "free": {"cpu": 2}}],
)
COMPARED = [
    ("free.cpu", "Ge", "4500m", True),
    ("free.cpu", "Gt", "4500m", False),
    ("allocatable.cpu", "Eq", 8, True),
    ("allocatable.memory", "Lt", "1025Mi", True),
    ("nodes", "Le", 2, True),
    ("nodes", "Ne", 2, False),
    ("cost-per-core", "Lt", "0.0231", True),
    ("free.gpu", "Ne", 1, False),
]


@pytest.mark.parametrize(("name", "operator", "value", "expected"), COMPARED)
def test_properties_count_where_a_name_may_lead(
    name: str, operator: str, value: object, *, expected: bool
) -> None:
    said = {"property": name, "operator": operator, "value": value}
    assert term_holds(ClusterTerm.model_validate({"match_properties": [said]}), SIZED) is expected


def test_what_was_seen_of_version_nodes_and_apis_replaces_the_inventory(load: Load) -> None:
    said = "kubernetesVersion: v1.1.0, nodes: 2, apis: [v1]"
    files = {
        **cluster(said),
        **seen("kubernetesVersion: v1.2.0, nodes: 5, apis: [v1, apps/v1]", "eu-9"),
    }
    (found,) = [each for each in load(files, now=NOW).clusters if each.name == "eu-9"]
    assert (found.spec.kubernetes_version, found.spec.nodes) == ("v1.2.0", 5)
    assert found.spec.apis == ("v1", "apps/v1")
    (found,) = [
        each
        for each in load({**cluster(said), **seen("", "eu-9")}, now=NOW).clusters
        if each.name == "eu-9"
    ]
    assert (found.spec.kubernetes_version, found.spec.nodes) == ("v1.1.0", 2)
    assert found.spec.apis == ("v1",)


SILENT = "reachable: false, error: no answer in time, unreachableSince: '2030-05-01T12:00:00Z'"


def silent(until: str, more: str = "") -> dict[str, str]:
    return seen(f"probedAt: '2030-05-01T{until}Z', {SILENT}{more}", at="2030-05-01T11:59:00Z")


@pytest.mark.parametrize(
    ("until", "more", "down"),
    [
        pytest.param("12:00:00", "", False, id="one probe"),
        pytest.param("12:04:59", "", False, id="not long enough"),
        pytest.param("12:05:00", "", True, id="long enough"),
        pytest.param("12:00:10", ", holdSeconds: 10", True, id="its own hold time"),
    ],
)
def test_a_cluster_that_was_silent_for_its_hold_time_is_down(
    load: Load, until: str, more: str, *, down: bool
) -> None:
    snapshot = load(silent(until, more), now="2030-05-01T18:00:00Z")
    said = snapshot.states["eu-1"]
    assert (said.state is State.DOWN) is down
    if down:
        assert said.said_by.startswith("inventory/seen.yaml:4:")


BACK = "unreachableSince: '2030-05-01T10:00:00Z', reachableSince: '2030-05-01T12:00:00Z'"


@pytest.mark.parametrize(
    ("until", "down"), [("12:00:00", True), ("12:04:59", True), ("12:05:00", False)]
)
def test_a_cluster_that_came_back_is_used_after_its_hold_time(
    load: Load, until: str, *, down: bool
) -> None:
    snapshot = load(seen(f"probedAt: '2030-05-01T{until}Z', {BACK}"), now=NOW)
    assert (snapshot.states["eu-1"].state is State.DOWN) is down


@pytest.mark.parametrize(
    ("config", "state"),
    [
        pytest.param({"drain": ["eu-1"]}, State.DOWN, id="a dead cluster cannot be drained"),
        pytest.param({"down": ["eu-1"]}, State.DOWN, id="both say it"),
        pytest.param({"decommission": ["eu-1"]}, State.DECOMMISSIONED, id="a person goes further"),
    ],
)
def test_what_a_person_says_of_a_dead_cluster(
    load: Load, config: dict[str, list[str]], state: State
) -> None:
    snapshot = load(silent("12:05:00"), now=NOW, **config)
    assert snapshot.states["eu-1"].state is state


def test_a_failed_probe_is_told_with_what_still_counts(load: Load) -> None:
    told = [
        finding_sentence(each)
        for until in ("12:00:00", "12:05:00")
        for each in load(silent(until), now=NOW).findings
        if each.code == "probe-failed"
    ]
    begin = "the last probe of cluster 'eu-1' failed: no answer in time"
    end = "what was seen at 2030-05-01T11:59:00Z still counts"
    since = "silent since 2030-05-01T12:00:00Z, it counts as down after 300 s"
    assert told == [f"{begin}; {since}; {end}", f"{begin}; {end}"]


def test_a_cluster_that_was_never_read_is_told(load: Load) -> None:
    body = f"probedAt: '{NOW}', error: connection refused"
    files = {"inventory/seen.yaml": a_document("ClusterObservation", "eu-1", body)}
    (told,) = [each for each in load(files, now=NOW).findings if each.code == "probe-failed"]
    sentence = "the last probe of cluster 'eu-1' failed: connection refused"
    assert finding_sentence(told) == sentence


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        ("error: x", "say 'observedAt', when this was seen"),
        (f"observedAt: '{NOW}', reachable: false", "goes with 'unreachableSince'"),
        (f"observedAt: '{NOW}', unreachableSince: '{NOW}'", "says 'unreachableSince' and"),
    ],
)
def test_an_observation_that_contradicts_itself_is_refused(
    faults: Faults, spec: str, fault: str
) -> None:
    files = {"inventory/seen.yaml": a_document("ClusterObservation", "eu-1", spec)}
    assert any(fault in each for each in faults(files, now=NOW))


LATER, SOON = "2030-05-01T12:05:01Z", "2030-05-01T12:05:00Z"


@pytest.mark.parametrize(
    ("spec", "fault"),
    [
        pytest.param(
            f"observedAt: '{LATER}'",
            f"inventory/seen.yaml:4:8: spec.observedAt: '{LATER}' is in the future of the run",
            id="seen later",
        ),
        pytest.param(
            f"observedAt: '{NOW}', probedAt: '{LATER}'",
            f"inventory/seen.yaml:4:44: spec.probedAt: '{LATER}' is in the future of the run",
            id="probed later",
        ),
        pytest.param(
            f"observedAt: '{NOW}', reachable: false, unreachableSince: '{SOON}'",
            f"spec.unreachableSince: '{SOON}' is later than the last probe, '{NOW}'",
            id="silent later than anybody asked",
        ),
        pytest.param(
            f"observedAt: '{NOW}', unreachableSince: '{NOW}', reachableSince: '{SOON}'",
            f"spec.reachableSince: '{SOON}' is later than the last probe, '{NOW}'",
            id="back later than anybody asked",
        ),
        pytest.param(f"observedAt: '{SOON}'", "", id="clocks differ"),
    ],
)
def test_a_moment_that_cannot_be_is_refused(faults: Faults, spec: str, fault: str) -> None:
    files = {"inventory/seen.yaml": a_document("ClusterObservation", "eu-1", spec)}
    said = faults(files, now=NOW)
    assert len(said) == bool(fault)
    assert all(fault in each for each in said)
