"""What exists and is not fleet's: refused, adopted, renamed, referenced, never deleted."""

import json

import pytest

from tests.harness.documents import configmap, deployment, fleet_file, lay_inventory, placement
from tests.harness.project import Project
from tests.harness.world import World

pytestmark = pytest.mark.engine


def lay(project: Project, name: str = "web", **settings: object) -> None:
    """`web` on eu-1: a Deployment and a ConfigMap, both of that name."""
    lay_inventory(project, ["eu-1"])
    project.write(
        f"workloads/{name}/web.yaml", deployment(project, "web", 1), configmap(project, "web")
    )
    project.write(f"workloads/{name}/fleet.yaml", fleet_file(project, name, **settings))
    project.write("policies/web.yaml", placement(name))


def uid(project: Project, kind: str = "deployments") -> str:
    """Which live object it is."""
    live = project.world.get("eu-1", project.name, kind)["web"]
    return str(live["metadata"]["uid"])


def put(project: Project, how: str, document: dict[str, object]) -> None:
    """Somebody else puts an object there: `apply` leaves kubectl's record, `create` does not."""
    project.world.kubectl("eu-1", how, "-f", "-", text=json.dumps(document))


def test_an_object_that_is_not_fleets_is_refused_at_preview(project: Project) -> None:
    project.world.kubectl("eu-1", "create", "namespace", project.name)
    put(project, "create", deployment(project, "web", 2))
    lay(project)
    live = uid(project)
    for command in (["preview"], ["up", "--yes", "--skip-preview"]):
        done = project.pulumi(*command, code=None)
        assert f"Deployment '{project.name}/web' exists on cluster 'eu-1' already" in done.text
        assert "adopt: true" in done.text
    assert uid(project) == live
    assert project.resources() == {}


@pytest.mark.parametrize("how", ["apply", "create"])
def test_adopt_takes_over_what_lives_as_an_import(project: Project, how: str) -> None:
    project.world.kubectl("eu-1", "create", "namespace", project.name)
    put(project, how, deployment(project, "web", 1))
    live = uid(project)
    lay(project, adopt=True)
    preview = project.pulumi("preview")
    assert f"takes over web/eu-1/Deployment/{project.name}/web" in preview.text
    name = f"web/eu-1/Deployment/{project.name}/web"
    ops = [each.op for each in project.steps() if each.name == name]
    assert ops[0] == "import"
    assert set(ops) <= {"import", "update"}
    project.up()
    assert uid(project) == live
    owner = project.world.get("eu-1", project.name, "deployments")["web"]["metadata"]
    assert owner["annotations"]["fleet/owner"] == f"fleet/{project.name}/web"
    project.unchanged()
    # It is fleet's now: scaling it works as ever.
    project.write(
        "workloads/web/web.yaml", deployment(project, "web", 2), configmap(project, "web")
    )
    project.up()
    assert project.world.replicas(project.name) == {"web": {"eu-1": 2}}
    assert uid(project) == live


def test_a_renamed_workload_keeps_its_live_objects(project: Project) -> None:
    lay(project)
    project.up()
    live, settings = uid(project), uid(project, "configmaps")
    project.remove("workloads/web")
    lay(project, "shop")
    stolen = project.pulumi("preview", code=None)
    assert "renamedFrom: [web]" in stolen.text

    lay(project, "shop", renamedFrom=["web"])
    steps = {each.name: each.op for each in project.steps()}
    assert not {"delete", "replace", "create-replacement"} & set(steps.values())
    project.up()
    assert (uid(project), uid(project, "configmaps")) == (live, settings)
    assert f"shop/eu-1/Deployment/{project.name}/web" in project.resources()
    assert not [name for name in project.resources() if name.startswith("web")]
    project.unchanged()
    project.reimport()


def test_a_namespace_that_is_there_is_used_and_never_deleted(
    world: World, project: Project
) -> None:
    world.kubectl("eu-1", "create", "namespace", project.name)
    lay(project)
    project.up()
    assert f"eu-1/Namespace/{project.name}" not in project.resources()
    project.pulumi("destroy", "--yes", "--skip-preview")
    world.kubectl("eu-1", "get", "namespace", project.name)
    assert world.get("eu-1", project.name, "deployments") == {}


def test_a_missing_namespace_that_nobody_asked_for_is_refused(project: Project) -> None:
    lay(project, namespaces={"create": []})
    done = project.pulumi("preview", code=None)
    assert f"namespace '{project.name}' does not exist on cluster 'eu-1'" in done.text
    assert project.resources() == {}


def test_a_namespace_that_fleet_made_is_deleted_only_when_named(
    world: World, project: Project
) -> None:
    lay(project)
    second = f"{project.name}-b"
    project.namespaces.append(second)
    lay(project, namespaces={"create": [project.name, second]})
    project.up()
    assert f"eu-1/Namespace/{second}" in project.resources()
    # Nobody asks for it any more: it stays, with whatever others put there.
    lay(project)
    project.up()
    world.kubectl("eu-1", "get", "namespace", second)
    project.unchanged()
    # Named: one update releases it, the next deletes it.
    project.config(deleteNamespaces=[second])
    project.up()
    world.kubectl("eu-1", "get", "namespace", second)
    project.up()
    assert f"eu-1/Namespace/{second}" not in project.resources()
    listed = json.loads(world.kubectl("eu-1", "get", "namespaces", "-o", "json"))["items"]
    gone = {each["metadata"]["name"]: each["status"]["phase"] for each in listed}.get(
        second, "Terminating"
    )
    assert gone == "Terminating"
