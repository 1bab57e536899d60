"""Faults of all rooms at once, and files of any content: read, or refused in words."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fleet.errors import InvalidError
from fleet.model.snapshot import Snapshot
from tests.load.texts import a_cluster, a_policy

Faults = Callable[..., list[str]]
Load = Callable[..., Snapshot]


def test_all_faults_of_all_rooms_are_said_at_once_in_order(faults: Faults) -> None:
    files = {
        "inventory/a.yaml": a_cluster("A"),
        "inventory/b.yaml": a_cluster("b-1", "region: 1"),
        "policies/x.yaml": a_policy("workloads: [nobody]"),
        "policies/y.yaml": "a: [",
        "workloads/web/x.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: 1}\n",
        "workloads/other.yaml": "a: 1\na: 2\n",
    }
    places = [line.split(": ")[0] for line in faults(files, decommission="gone")]
    assert places == [
        "config fleet:decommission[0]",
        "inventory/a.yaml:3:12",
        "inventory/b.yaml:4:8",
        "policies/x.yaml:4:20",
        "policies/y.yaml:2:1",
        "workloads/other.yaml:2:1",
        "workloads/web/x.yaml:3:12",
    ]


JARGON = ("Input should", "is not allowed here", "None", "pydantic", "Traceback")

VOCABULARY = """
    apiVersion kind metadata spec name labels fleet/v1 v1 apps/v1 Cluster PlacementPolicy origin
    TrafficPolicy OverridePolicy Workload Deployment Pod List ConfigMap Secret Job ScaledObject
    keda.sh/v1alpha1 region zones taints workloads web rules image patch op path affinity required
    clusters template containers initContainers resources requests cpu 1.5 012 yes null -1 replicas
    selector matchLabels items data entry addresses hostname zone mode activeRegion eu-1 <<
"""
WORDS = st.sampled_from(VOCABULARY.split())
VALUES = st.recursive(
    WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=6)
)


def spelled(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {spelled(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(spelled(each) for each in value) + "]"
    return str(value)


DOCUMENTS = st.tuples(WORDS, WORDS, VALUES, VALUES, VALUES).map(
    lambda parts: (
        f"apiVersion: {parts[0]}\nkind: {parts[1]}\nmetadata: {spelled(parts[2])}\n"
        f"spec: {spelled(parts[3])}\ndata: {spelled(parts[4])}\n"
    )
)
TEXTS = st.binary(max_size=80) | VALUES.map(spelled).map(str.encode) | DOCUMENTS.map(str.encode)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["inventory", "policies", "workloads"]), TEXTS)
def test_any_file_is_read_or_refused(load: Load, room: str, content: bytes) -> None:
    files = dict.fromkeys(("inventory/z.yaml", "policies/z.yaml", "workloads/z.yaml"))
    try:
        load({**files, f"{room}/z.yaml": content})
        said = ()
    except InvalidError as invalid:
        said = invalid.errors
    for error in said:
        assert error.sentence
        assert not [word for word in JARGON if word in error.sentence], error
