"""One placed workload, looked at from all sides: state, secrets, names, the preview's diff."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.harness.documents import (
    configmap,
    deployment,
    door,
    fleet_file,
    lay_inventory,
    placement,
    secret,
    traffic,
)
from tests.harness.fixtures import new_project
from tests.harness.project import Project
from tests.harness.world import World

pytestmark = pytest.mark.engine

PASSWORD = "correct-horse-battery"  # noqa: S105 - a secret for the test to look for


def lay(project: Project, replicas: int = 1) -> None:
    """`web` on eu-1, with a Secret, a ConfigMap and a name."""
    lay_inventory(project, ["eu-1"])
    project.write(
        "workloads/web/web.yaml",
        deployment(project, "web", replicas),
        *door(project, "web"),
        configmap(project, "web"),
        secret(project, "web", PASSWORD),
    )
    project.write("workloads/web/fleet.yaml", fleet_file(project, "web"))
    project.write(
        "policies/web.yaml",
        placement("web"),
        traffic(project, "web", standby=100, failover="manual"),
    )


@pytest.fixture(scope="module")
def placed(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A stack after its first update; the tests below change files only, and put them back."""
    project = new_project(world, tmp_path_factory, "placed")
    lay(project)
    before = project.steps()
    assert {each.op for each in before} == {"create"}
    project.up()
    yield project
    world.wipe(project.namespaces)


def kinds(project: Project) -> dict[str, str]:
    """The type of every resource of the state, by name."""
    return {name: str(each["type"]) for name, each in project.resources().items()}


def test_a_second_preview_and_up_have_nothing_to_do(placed: Project) -> None:
    placed.unchanged()
    placed.up("--expect-no-changes")


def test_a_refresh_finds_no_change(placed: Project) -> None:
    before = placed.resources()
    placed.pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes")
    placed.unchanged()
    assert set(placed.resources()) == set(before)


def test_the_engine_shows_the_decision_as_a_diff(placed: Project) -> None:
    lay(placed, replicas=4)
    try:
        steps = {each.name: each for each in placed.steps()}
        shown = placed.pulumi("preview", "--diff")
    finally:
        lay(placed)
    web = steps["web"]
    assert web.op == "update"
    assert web.old["inputs"]["assignments"] == {"eu-1": 1}
    assert web.new["inputs"]["assignments"] == {"eu-1": 4}
    replicas = steps[f"web/eu-1/Deployment/{placed.name}/web"]
    assert replicas.new["inputs"]["spec"]["replicas"] == 4
    assert set(steps) == {"web", f"web/eu-1/Deployment/{placed.name}/web"}
    assert "eu-1: 1 => 4" in shown.text


def test_names_are_stable_and_objects_belong_to_their_workload(placed: Project) -> None:
    resources, namespace = placed.resources(), placed.name
    names = {
        f"web/eu-1/{kind}/{namespace}/web"
        for kind in ("Deployment", "Service", "Ingress", "ConfigMap", "Secret")
    }
    assert names <= set(resources)
    workload = resources["web"]
    assert workload["urn"] == f"urn:pulumi:{namespace}::fleet::fleet:index:Workload::web"
    for name in names:
        assert resources[name]["parent"] == workload["urn"], name
        assert "dependencies" not in resources[name], name
        assert "protect" not in resources[name], name
    assert resources[f"eu-1/Namespace/{namespace}"]["retainOnDelete"] is True


def test_every_resource_names_the_provider_of_its_cluster(placed: Project) -> None:
    providers = {
        name: str(each.get("provider", "")).split("::")[3] if each.get("provider") else ""
        for name, each in placed.resources().items()
    }
    for name, provider in providers.items():
        kind = kinds(placed)[name]
        if kind.startswith("kubernetes:"):
            assert provider == "eu-1", name
        elif kind.startswith("aws:"):
            assert provider == "route53", name
    assert set(providers.values()) == {"", "eu-1", "route53"}


def test_what_is_in_a_secret_is_nowhere_in_the_state(placed: Project) -> None:
    exported = json.dumps(placed.export())
    encoded = base64.b64encode(PASSWORD.encode()).decode()
    assert PASSWORD not in exported
    assert encoded not in exported
    live = placed.world.get("eu-1", placed.name, "secrets")["web"]
    assert base64.b64decode(live["data"]["password"]).decode() == PASSWORD
    shown = placed.pulumi("stack", "export", "--show-secrets")
    assert encoded in shown.text


def test_a_default_provider_is_refused(placed: Project) -> None:
    program = placed.root / "__main__.py"
    ours = program.read_text()
    program.write_text(
        "import pulumi_kubernetes as k8s\n\n"
        "k8s.core.v1.ConfigMap('stray', metadata={'name': 'stray'})\n"
    )
    try:
        done = placed.pulumi("preview", code=None)
    finally:
        program.write_text(ours)
    assert "Default provider for 'kubernetes' disabled" in done.text


def test_the_state_goes_out_and_in_again(placed: Project) -> None:
    placed.reimport()
    placed.unchanged()


def test_a_state_of_an_older_fleet_previews_no_changes(placed: Project) -> None:
    """What newer fleets note beside a decision is an output: it changes no resource."""
    exported = placed.pulumi("stack", "export").out
    document = json.loads(exported)
    for each in document["deployment"]["resources"]:
        for said in _notes(each):
            assert said.pop("standing")
    try:
        _import(placed, document)
        placed.unchanged()
        assert placed.steps() == []
    finally:
        _import(placed, json.loads(exported))


def _notes(resource: dict[str, Any]) -> list[dict[str, Any]]:
    """What an update notes of workload web: on its component, and on the stack."""
    outputs = resource.get("outputs") or {}
    if resource["type"] == "fleet:index:Workload":
        return [outputs["placement"]]
    return [outputs["placements"]["web"]] if resource["type"] == "pulumi:pulumi:Stack" else []


def _import(project: Project, document: dict[str, Any]) -> None:
    path = project.root / "older.json"
    path.write_text(json.dumps(document))
    project.pulumi("stack", "import", "--file", str(path))


def test_destroy_takes_everything_but_the_namespace_and_the_zone(
    world: World, project: Project
) -> None:
    lay(project)
    project.up()
    assert world.weights(f"web.{project.zone}") == {"eu-1": 100}
    project.pulumi("destroy", "--yes", "--skip-preview")
    assert project.resources() == {}
    assert world.get("eu-1", project.name, "deployments") == {}
    assert world.get("eu-1", project.name, "services") == {}
    assert "web" not in world.get("eu-1", project.name, "configmaps")
    world.kubectl("eu-1", "get", "namespace", project.name)
    # Others may have put names into the zone.
    zones = {str(zone["Name"]).rstrip(".") for zone in world.route53("state")["HostedZones"]}
    assert project.zone in zones
    assert world.weights(f"web.{project.zone}") == {}


def test_the_outputs_say_who_runs_what_and_who_is_answered(placed: Project) -> None:
    outputs: dict[str, Any] = json.loads(placed.pulumi("stack", "output", "--json").out)
    assert outputs["placements"]["web"]["assignments"] == {"eu-1": 1}
    assert outputs["endpoints"] == {f"web.{placed.zone}": {"eu-1": 100}}
    assert outputs["digest"]
