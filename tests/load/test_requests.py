"""What a pod asks for: tables by hand, and answers of Kubernetes' own PodRequests.

`pod_requests.jsonl` holds pod specs with the amounts that k8s.io/component-helpers v0.36.3
computed for them (cpu in millicores).
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from fleet.errors import ErrorList
from fleet.load.faults import Faults
from fleet.load.requests import as_resources, pod_request
from fleet.load.scalars import KUBERNETES
from fleet.load.source import read_documents


def request_of(text: str) -> tuple[dict[str, int], list[str]]:
    errors = ErrorList()
    document = read_documents("pod.yaml", text, KUBERNETES, errors).documents[0]
    sums = pod_request(document.data, (), Faults(document, errors))
    return dict(as_resources([(sums, Fraction(1))])), [str(error) for error in errors.errors]


def a_container(kind: str = "requests", **amounts: str | float) -> dict[str, object]:
    return {"name": "c", "image": "i", "resources": {kind: amounts}}


def a_sidecar(**amounts: str | float) -> dict[str, object]:
    return {**a_container(**amounts), "restartPolicy": "Always"}


PODS = [
    pytest.param({"containers": [{"name": "c"}]}, {"pods": 1}, id="nothing asked is one pod"),
    pytest.param(
        {"containers": [a_container(cpu="100m", memory="1Gi"), a_container(cpu=1)]},
        {"cpu": 1100, "memory": 2**30, "pods": 1},
        id="containers add up",
    ),
    pytest.param(
        {"containers": [a_container(cpu=1)], "initContainers": [a_container(cpu=3)]},
        {"cpu": 3000, "pods": 1},
        id="a larger init container counts alone",
    ),
    pytest.param(
        {"containers": [a_container(cpu=1)], "initContainers": [a_container(cpu="200m")]},
        {"cpu": 1000, "pods": 1},
        id="a smaller init container does not count",
    ),
    pytest.param(
        {"containers": [a_container(cpu=1)], "initContainers": [a_sidecar(cpu="200m")]},
        {"cpu": 1200, "pods": 1},
        id="a sidecar runs beside the containers",
    ),
    pytest.param(
        {
            "containers": [a_container(cpu=1)],
            "initContainers": [a_sidecar(cpu=1), a_container(cpu=2)],
        },
        {"cpu": 3000, "pods": 1},
        id="an init container starts beside the sidecars before it",
    ),
    pytest.param(
        {
            "containers": [a_container(cpu=1)],
            "initContainers": [a_container(cpu=2), a_sidecar(cpu=1)],
        },
        {"cpu": 2000, "pods": 1},
        id="an init container does not see the sidecars after it",
    ),
    pytest.param(
        {"containers": [a_container("limits", cpu=2, **{"nvidia.com/gpu": 1})]},
        {"cpu": 2000, "nvidia.com/gpu": 1, "pods": 1},
        id="a limit without a request is a request",
    ),
    pytest.param(
        {
            "containers": [
                {"resources": {"requests": {"cpu": 1}, "limits": {"cpu": 2, "memory": "1Gi"}}}
            ]
        },
        {"cpu": 1000, "memory": 2**30, "pods": 1},
        id="a request goes before its limit",
    ),
    pytest.param(
        {"containers": [a_container(cpu=1)], "overhead": {"cpu": "250m", "memory": 7}},
        {"cpu": 1250, "memory": 7, "pods": 1},
        id="overhead comes on top",
    ),
    pytest.param(
        {
            "containers": [a_container(cpu=1, memory=5, **{"nvidia.com/gpu": 1})],
            "resources": {"requests": {"cpu": "500m", "nvidia.com/gpu": 9}},
        },
        {"cpu": 500, "memory": 5, "nvidia.com/gpu": 1, "pods": 1},
        id="the pod's own request replaces the sum, for cpu and memory only",
    ),
    pytest.param(
        {"containers": [a_container(cpu=1)], "resources": {"limits": {"cpu": 4, "memory": 9}}},
        {"cpu": 1000, "memory": 9, "pods": 1},
        id="the pod's limit counts where no container asks",
    ),
    pytest.param(
        {"containers": [a_container(cpu="500u"), a_container(cpu="500u")]},
        {"cpu": 1, "pods": 1},
        id="sums are rounded, not parts",
    ),
    pytest.param(
        {"containers": [a_container(cpu=1.5, memory="1e3")]},
        {"cpu": 1500, "memory": 1000, "pods": 1},
        id="numbers and exponents are quantities",
    ),
    pytest.param(
        {"containers": [a_container(cpu=1)] * 2, "initContainers": None},
        {"cpu": 2000, "pods": 1},
        id="a null list is empty",
    ),
]


@pytest.mark.parametrize(("spec", "expected"), PODS)
def test_pod_asks_for_what_kubernetes_counts(
    spec: dict[str, object], expected: dict[str, int]
) -> None:
    assert request_of(json.dumps(spec)) == (expected, [])


def test_pods_ask_for_what_kubernetes_itself_answered() -> None:
    rows = Path(__file__).with_name("pod_requests.jsonl").read_text().splitlines()
    assert len(rows) == 100
    for row in map(json.loads, rows):
        expected = {name: amount for name, amount in row["amounts"].items() if amount}
        assert request_of(json.dumps(row["spec"])) == ({**expected, "pods": 1}, [])


FAULTS = [
    ("{cpu: 1x}", "cpu: '1x' is no Kubernetes quantity, such as 2, 500m, 1.5 or 4Gi"),
    ("{cpu: -1}", "cpu: '-1' is negative; a quantity here is 0 or more"),
    ("{cpu: yes}", "cpu: wants a quantity, such as 2, 500m, 1.5 or 4Gi, not yes"),
    ("{cpu: }", "cpu: wants a quantity, such as 2, 500m, 1.5 or 4Gi, not nothing"),
    ("{cpu: 1e40}", "cpu: '1e+40' is more than 2^63-1"),
    ("[cpu]", " wants a map, not a list"),
]


@pytest.mark.parametrize(("requests", "sentence"), FAULTS)
def test_wrong_request_is_refused_at_its_place(requests: str, sentence: str) -> None:
    _, faults = request_of(f"containers:\n- resources:\n    requests: {requests}\n")
    place = "pod.yaml:3:5" if sentence.startswith(" ") else "pod.yaml:3:16"
    dot = "." if not sentence.startswith(" ") else ":"
    assert faults == [f"{place}: containers[0].resources.requests{dot}{sentence}"]


def test_request_over_its_limit_is_refused() -> None:
    _, faults = request_of(
        "containers: [{resources: {requests: {cpu: 2}, limits: {cpu: 1900m}}}]\n"
    )
    assert faults == [
        (
            "pod.yaml:1:38: containers[0].resources.requests.cpu: is more than the limit"
            " - raise the limit or ask for less"
        )
    ]


def test_companions_are_shared_out_and_rounded_up() -> None:
    pods = [({"cpu": Fraction(1, 10)}, Fraction(1)), ({"cpu": Fraction(1)}, Fraction(1, 3))]
    assert dict(as_resources(pods)) == {"cpu": 434, "pods": 2}
    assert dict(as_resources([])) == {}
