"""What would be accepted and do nothing, or the opposite of what was meant, is refused."""

from collections.abc import Callable

import pytest

from fleet.errors import ErrorList, readable
from fleet.load.cron import parse_cron

Faults = Callable[..., list[str]]
Load = Callable[..., object]


def document(kind: str, spec: str) -> str:
    return f"apiVersion: fleet/v1\nkind: {kind}\nmetadata: {{name: x}}\nspec: {{{spec}}}\n"


CLUSTERS = [
    pytest.param(
        "maintenance: [{schedule: 0 0 31 2 *, durationMinutes: 5}]",
        "spec.maintenance[0].schedule: '0 0 31 2 *' never opens: no month of it has such a day",
        id="a window that never opens",
    ),
    pytest.param(
        "capacity: {allocatable: {cpu: 2, memory: 1Gi}, reserved: {cpu: 2500m, memory: 1Gi}}",
        "spec.capacity.reserved.cpu: 2500m is more than is allocatable, 2",
        id="more reserved than there is",
    ),
    *(
        pytest.param(
            f"apis: [apps/v1, {api}]",
            f"4:35: spec.apis[1]: '{api}' is not an API: apps/v1, apps/v1/Deployment, v1 or"
            " v1/Service",
            id=f"the api {api}",
        )
        for api in ("apps", "Deployment", "apps/v1/deployment", "v1/pods", "a/b/C/d", "v2", "/v1")
    ),
]
POLICIES = [
    pytest.param(
        "tolerations: [{key: a, operator: Exists, effect: NoSchedule, tolerationSeconds: 5}]",
        "spec.tolerations[0].tolerationSeconds: 'tolerationSeconds' goes with effect 'NoExecute'"
        " only - as in Kubernetes",
        id="seconds of a taint that moves nothing",
    ),
    pytest.param(
        "tolerations: [{key: a, operator: Exists, tolerationSeconds: 5}]",
        "spec.tolerations[0].tolerationSeconds: 'tolerationSeconds' goes with effect 'NoExecute'"
        " only - as in Kubernetes",
        id="seconds of every taint",
    ),
    pytest.param(
        "affinity: {preferred: [{weight: 5}]}",
        "spec.affinity.preferred[0]: says no 'term' and no 'sort': every cluster would get the"
        " weight - name clusters, or remove it",
        id="a wish for everything",
    ),
    *(
        pytest.param(
            said,
            f"{path}: is an empty list, which says nothing; give it an item, or leave the field"
            " out",
            id=f"an empty list at {path}",
        )
        for said, path in (
            ("tiers: []", "spec.tiers"),
            ("affinity: {required: []}", "spec.affinity.required"),
            ("affinity: {required: [{clusters: []}]}", "spec.affinity.required[0].clusters"),
            ("affinity: {required: [{regions: []}]}", "spec.affinity.required[0].regions"),
            ("division: {mode: weighted, weights: []}", "spec.division.weights"),
        )
    ),
]


@pytest.mark.parametrize(("spec", "expected"), CLUSTERS)
def test_a_cluster_that_says_nonsense_is_refused(faults: Faults, spec: str, expected: str) -> None:
    text = document("Cluster", f"region: a, {spec}")
    said = faults({"inventory/x.yaml": text}, now="2030-01-01T00:00:00Z")
    assert [each.endswith(expected) for each in said] == [True], said


@pytest.mark.parametrize(("spec", "expected"), POLICIES)
def test_a_policy_that_says_nothing_is_refused(faults: Faults, spec: str, expected: str) -> None:
    said = faults({"policies/web.yaml": document("PlacementPolicy", f"workloads: [web], {spec}")})
    assert [each.endswith(expected) for each in said] == [True], said


def test_what_means_something_is_accepted(load: Load) -> None:
    cluster = (
        "region: a, apis: [v1, v1/Service, apps/v1, apps/v1/Deployment, a.b-c.d/stable],"
        " capacity: {allocatable: {cpu: 2}, reserved: {cpu: 2, memory: 1}},"
        " maintenance: [{schedule: 0 0 29 2 *, durationMinutes: 5},"
        " {schedule: 0 0 31 2 mon, durationMinutes: 5}]"
    )
    policy = (
        "workloads: [web], affinity: {preferred: [{weight: 5, sort: {property: allocatable.cpu,"
        " order: ascending}}]}, tolerations: [{operator: Exists, effect: NoExecute,"
        " tolerationSeconds: 5}]"
    )
    files = {
        "inventory/x.yaml": document("Cluster", cluster),
        "policies/web.yaml": document("PlacementPolicy", policy),
    }
    assert load(files, now="2030-01-01T00:00:00Z") is not None


@pytest.mark.parametrize(
    ("line", "opens"),
    [
        ("0 0 31 2 *", False),
        ("0 0 30,31 2 *", False),
        ("0 0 31 4,6,9,11 *", False),
        ("0 0 29 2 *", True),
        ("0 0 31 2,3 *", True),
        ("0 0 31 2 mon", True),
        ("* * * * *", True),
    ],
)
def test_a_cron_line_opens_where_a_day_is_there(line: str, *, opens: bool) -> None:
    assert parse_cron(line).opens is opens


LONG = ["9" * 5000, "a" * 5000, "b c " * 1500]


@pytest.mark.parametrize("value", LONG)
@pytest.mark.parametrize(
    "spec",
    [
        'pick: "{}"',
        'priority: "{}"',
        'affinity: {{required: [{{clusters: ["{}"]}}]}}',
        'spread: [{{by: "labels.{}"}}]',
        'scoring: {{weights: {{"{}": 1}}}}',
        '"{}": 1',
        'affinity: {{preferred: [{{weight: 1, sort: {{order: ascending, property: "{}"}}}}]}}',
    ],
)
def test_no_error_prints_a_long_value_whole(faults: Faults, spec: str, value: str) -> None:
    said = faults({"policies/web.yaml": document("PlacementPolicy", spec.format(value))})
    assert said
    assert max(map(len, said)) < 400


def test_words_and_quoted_values_are_shortened_and_nothing_else() -> None:
    name = "n" * 253
    sentence = f"'{name}' is no '{name}', and this one's sentence goes on {'and on ' * 60}"
    assert readable(sentence) == sentence
    errors = ErrorList()
    errors.add(None, "a" * 300, f"no '{'x y ' * 100}' or 'b'", "c" * 300)
    (error,) = errors.errors
    assert error.path == "a" * 60 + "..."
    assert error.sentence == f"no '{('x y ' * 100)[:59].rstrip()}...' or 'b'"
    assert error.hint == "c" * 60 + "..."
