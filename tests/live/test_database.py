"""The example with a CloudNativePG database, on two real clusters; the test plays its operator."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.documents import lay_inventory
from tests.harness.project import Project, measured

pytestmark = pytest.mark.live

EXAMPLE = Path(__file__).parents[2] / "examples" / "cloudnativepg"
KIND = "clusters.postgresql.cnpg.io"
ANYTHING = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": KIND},
    "spec": {
        "group": "postgresql.cnpg.io",
        "scope": "Namespaced",
        "names": {"plural": "clusters", "singular": "cluster", "kind": "Cluster"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": ANYTHING},
            }
        ],
    },
}


def lay_example(project: Project) -> None:
    """The example's own files, in the test's namespace, zone and clusters."""
    zone = f"zone: {{name: {project.zone}, create: true}}"
    changes = {
        "zone: {name: example.org}": zone,
        "example.org": project.zone,
        "create: [shop]": f"create: [{project.name}]",
        "namespace: shop": f"namespace: {project.name}",
        '"shop"': f'"{project.name}"',
        '"kubeconfig"': f'"{project.world.home.kubeconfig}"',
    }
    for file in ("__main__.py", *_below("workloads"), *_below("policies")):
        text = (EXAMPLE / file).read_text()
        for old, new in changes.items():
            text = text.replace(old, new)
        target = project.root / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    lay_inventory(project, ["eu-1", "us-1"])
    project.config(activeRegion="eu-west-1")


def _below(folder: str) -> list[str]:
    return [str(each.relative_to(EXAMPLE)) for each in (EXAMPLE / folder).rglob("*.yaml")]


def define(project: Project) -> None:
    for cluster in ("eu-1", "us-1"):
        project.world.kubectl(cluster, "apply", "-f", "-", text=json.dumps(DEFINITION))
        established = ("--for", "condition=Established", "--timeout", "30s")
        project.world.kubectl(cluster, "wait", *established, f"crd/{KIND}")


def replica(project: Project, cluster: str) -> dict[str, Any]:
    found: dict[str, Any] = project.world.get(cluster, project.name, KIND)["orders"]
    said: dict[str, Any] = found["spec"]["replica"]
    return said


def operator_says(project: Project, cluster: str, **status: str) -> None:
    """What the database's operator writes into the object's status."""
    patch = json.dumps({"status": status})
    project.world.kubectl(
        cluster,
        *("patch", KIND, "orders", "--namespace", project.name),
        *("--subresource", "status", "--type", "merge", "--patch", patch),
    )


def test_a_planned_switch_demotes_promotes_with_the_token_and_then_moves(project: Project) -> None:
    define(project)
    lay_example(project)
    name = f"orders.{project.zone}"
    project.up()
    assert replica(project, "eu-1")["primary"] == "orders-eu-1"
    assert replica(project, "us-1")["primary"] == "orders-eu-1"
    assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}
    project.unchanged()

    # The first update demotes the old primary, and nothing else.
    project.config(activeRegion="us-east-1")
    shown = project.pulumi("preview")
    assert "demotes 'orders' on eu-1 first" in shown.text
    project.up()
    assert replica(project, "eu-1")["primary"] == "orders-us-1"
    assert replica(project, "us-1")["primary"] == "orders-eu-1"
    assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}
    project.unchanged()

    # The token is a status: a refresh takes it into the state, and the next update promotes.
    operator_says(project, "eu-1", demotionToken="T1")
    project.pulumi("refresh", "--yes", "--skip-preview")
    begun = project.running("up", "--yes", "--skip-preview")
    with begun as up:
        project.eventually(
            lambda: replica(project, "us-1").get("promotionToken") == "T1", "us-1 is promoted"
        )
        assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}
        operator_says(project, "us-1", lastPromotionToken="T1")
        done = up.wait()
    assert done.code == 0, done.text
    measured(f"second update of the switch: {done.seconds:.1f} s")
    assert replica(project, "us-1")["primary"] == "orders-us-1"
    assert project.world.weights(name) == {"eu-1": 0, "us-1": 100}
    project.unchanged()


def test_a_dead_primary_is_promoted_elsewhere_only_when_it_is_fenced(project: Project) -> None:
    define(project)
    lay_example(project)
    name = f"orders.{project.zone}"
    project.up()
    with project.world.dead("eu-1", "blackhole"):
        project.config(down=["eu-west-1"])
        refused = project.up(code=None)
        assert "eu-1 is dead and nobody says that it is fenced" in refused.text
        assert "pulumi config set --path 'fenced[0]' eu-1" in refused.text
        assert replica(project, "us-1")["primary"] == "orders-eu-1"
        assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}

        project.config(fenced=["eu-1"])
        project.up()
        assert replica(project, "us-1")["primary"] == "orders-us-1"
        assert project.world.weights(name) == {"eu-1": 0, "us-1": 100}
        project.unchanged()
