"""What `fleet import` takes, a run takes, and decides the same; what runs goes on where it is."""

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fleet.errors import InvalidError
from fleet.load.importing import import_files
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import carried_out, draft, rehearse
from tests.conformance.importing import Document, deployment

CLUSTERS = ("a", "b", "c")
KARMADA = "policy.karmada.io/v1alpha1"
TYPES = "types.kubefed.io/v1beta1"
OWN = Settings(now="2030-01-01T00:00:00Z")
THEIRS = OWN.model_copy(update={"inventory": ("theirs",), "policies": ("theirs",)})


def kubefed_clusters() -> list[Document]:
    return [
        {
            "apiVersion": "core.kubefed.io/v1beta1",
            "kind": "KubeFedCluster",
            "metadata": {"name": name},
            "status": {"region": f"region-{name}"},
        }
        for name in CLUSTERS
    ]


PATHS = ("/data/version", "/data/nope", "/data", "/spec/replicas", "/metadata/labels/app", "/x/y")
STEPS = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["add", "remove", "replace"]),
        "path": st.sampled_from(PATHS),
        "value": st.sampled_from(["1", 2, {}]),
    }
)


@st.composite
def federated(draw: st.DrawFn, name: str) -> list[Document]:
    """A federated object and, of a Deployment, perhaps a preference."""
    kind = draw(st.sampled_from(["Deployment", "ConfigMap"]))
    body = deployment(name, replicas=draw(st.integers(0, 9)))["spec"]
    template = {"spec": body} if kind == "Deployment" else {"data": {"version": "1"}}
    named = draw(st.lists(st.sampled_from(CLUSTERS), unique=True))
    changes = draw(st.dictionaries(st.sampled_from(CLUSTERS), st.lists(STEPS, max_size=2)))
    spec = {
        "template": {"metadata": {"labels": {"app": name}}, **template},
        "placement": {"clusters": [{"name": each} for each in named]},
        "overrides": [
            {"clusterName": cluster, "clusterOverrides": steps}
            for cluster, steps in changes.items()
        ],
    }
    metadata = {"name": name, "namespace": "shop"}
    made = [{"apiVersion": TYPES, "kind": f"Federated{kind}", "metadata": metadata, "spec": spec}]
    if kind == "Deployment" and draw(st.booleans()):
        preference: dict[str, Any] = {
            "targetKind": "FederatedDeployment",
            "totalReplicas": draw(st.integers(0, 9)),
            "clusters": {"*": {"weight": 1, "minReplicas": draw(st.integers(0, 3))}},
        }
        api = "scheduling.kubefed.io/v1alpha1"
        kind = "ReplicaSchedulingPreference"
        made.append({"apiVersion": api, "kind": kind, "metadata": metadata, "spec": preference})
    return made


@st.composite
def propagated(draw: st.DrawFn, name: str) -> list[Document]:
    """A policy of Karmada's for one Deployment, and perhaps an override."""
    selectors = [{"apiVersion": "apps/v1", "kind": "Deployment", "name": name}]
    affinity = {"clusterNames": draw(st.lists(st.sampled_from(CLUSTERS), min_size=1, unique=True))}
    scheduling = draw(
        st.sampled_from(
            [
                {"replicaSchedulingType": "Duplicated"},
                {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Aggregated"},
                {"replicaSchedulingType": "Divided", "replicaDivisionPreference": "Weighted"},
            ]
        )
    )
    metadata = {"name": name, "namespace": "shop"}
    placement = {"clusterAffinity": affinity, "replicaScheduling": scheduling}
    spec: dict[str, Any] = {"resourceSelectors": selectors, "placement": placement}
    made = [
        {"apiVersion": KARMADA, "kind": "PropagationPolicy", "metadata": metadata, "spec": spec}
    ]
    if draw(st.booleans()):
        step = {
            "path": draw(st.sampled_from(["/spec/paused", "/spec/nope/x", "/metadata/labels"])),
            "operator": draw(st.sampled_from(["add", "replace", "remove"])),
            "value": draw(st.sampled_from([{"a": "b"}, True])),
        }
        rule = {"overriders": {"plaintext": [step]}}
        spec = {"resourceSelectors": selectors, "overrideRules": [rule]}
        made.append(
            {"apiVersion": KARMADA, "kind": "OverridePolicy", "metadata": metadata, "spec": spec}
        )
    return made


NAMES = st.lists(st.sampled_from(["web", "db", "job"]), min_size=1, unique=True)


@st.composite
def theirs(draw: st.DrawFn) -> tuple[list[Document], list[Document]]:
    """The documents of a product, and the objects beside them."""
    names = draw(NAMES)
    if draw(st.booleans()):
        return [*kubefed_clusters(), *(x for name in names for x in draw(federated(name)))], []
    objects = [deployment(name, replicas=draw(st.integers(1, 9)), cpu="1") for name in names]
    clusters = [
        {
            "apiVersion": "cluster.karmada.io/v1alpha1",
            "kind": "Cluster",
            "metadata": {"name": name},
            "spec": {"region": f"region-{name}"},
            "status": {
                "resourceSummary": {
                    "allocatable": {"cpu": str(draw(st.integers(0, 9))), "pods": 99}
                }
            },
        }
        for name in CLUSTERS
    ]
    return [*clusters, *(x for name in names for x in draw(propagated(name)))], objects


def run(root: Path, config: Settings, prior: Prior | None = None) -> Outcome | str:
    """The outcome, or what is refused."""
    try:
        return draft(config, prior or Prior(known=True), root)
    except InvalidError as invalid:
        return str(invalid)


def imported(root: Path) -> str:
    """Writes fleet's own files to `ours`; what is refused, if anything is."""
    try:
        written = import_files(["theirs", "workloads"], root)
        assert written.snapshot is not None
        rehearse(written.snapshot)
    except InvalidError as invalid:
        return str(invalid)
    for path, text in written.files.items():
        (root / "ours" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "ours" / path).write_text(text)
    for folder in ("policies", "workloads"):
        (root / "ours" / folder).mkdir(exist_ok=True, parents=True)
    return ""


def placed(outcome: Outcome) -> dict[str, dict[str, int]]:
    return {
        each.workload.replace("/", "."): dict(each.replicas) for each in outcome.schedule.decisions
    }


@settings(max_examples=60, deadline=None)
@given(theirs())
def test_what_is_imported_is_accepted_and_decides_the_same(
    documents: tuple[list[Document], list[Document]],
) -> None:
    root = Path(mkdtemp())
    try:
        for name, each in zip(("theirs", "workloads"), documents, strict=True):
            (root / name).mkdir()
            if each:
                (root / name / "all.yaml").write_text(yaml.safe_dump_all(each))
        before = run(root, THEIRS)
        refused = imported(root)
        assert (before if isinstance(before, str) else "") == refused
        if not isinstance(before, str):
            _goes_on(root, before)
    finally:
        shutil.rmtree(root)


def _goes_on(root: Path, before: Outcome) -> None:
    """The native files decide the same; with what ran, nothing moves and nothing is deleted."""
    fresh = run(root / "ours", OWN)
    assert not isinstance(fresh, str), fresh
    assert placed(fresh) == placed(before)
    after = run(root / "ours", OWN, carried_out(before))
    assert not isinstance(after, str), after
    assert placed(after) == placed(before)
    codes = {each.code for each in after.plan.findings}
    assert not codes & {"delete", "movement-budget", "removal"}
    assert not any(each.removed or each.leaving for each in after.plan.workloads)
