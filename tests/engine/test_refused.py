"""What the engine is never let do: wrong input, and what needs a person's consent."""

import re

import pytest

from tests.harness.documents import (
    configmap,
    deployment,
    fleet_file,
    lay_inventory,
    placement,
    traffic,
)
from tests.harness.project import Project

pytestmark = pytest.mark.engine


def lay(project: Project, **changes: object) -> None:
    """`web` on eu-1: a Deployment."""
    lay_inventory(project, ["eu-1"])
    project.write("workloads/web/web.yaml", deployment(project, "web", 1, **changes))
    project.write("workloads/web/fleet.yaml", fleet_file(project, "web"))
    project.write("policies/web.yaml", placement("web"))


def consent(text: str) -> str:
    """The digest that a refusal asks for."""
    found = re.search(r"pulumi config set approve (\S+)", text)
    assert found, text
    return found.group(1)


def test_config_typos_are_refused_with_the_nearest_word_and_nothing_is_registered(
    project: Project,
) -> None:
    lay(project)
    project.config(activeRegoin="us-east-1", dwon=["eu-1"])
    for command in (["preview"], ["up", "--yes", "--skip-preview"]):
        done = project.pulumi(*command, code=None)
        assert "unknown config key 'fleet:activeRegoin'" in done.text
        assert "'activeRegion'" in done.text
        assert "unknown config key 'fleet:dwon'" in done.text
        assert "'down'" in done.text
        assert "Traceback" not in done.text
    assert project.resources() == {}


def test_bad_files_are_refused_all_at_once_and_nothing_is_registered(project: Project) -> None:
    lay(project)
    # A region that nobody knows, an unknown field, a duplicate key, a bad quantity.
    project.config(activeRegion="eu-wset-1")
    project.write("policies/web.yaml", placement("web", residence={"regions": ["eu-*"]}))
    twice = project.root / "workloads" / "web" / "twice.yaml"
    twice.write_text("apiVersion: v1\nkind: ConfigMap\nkind: ConfigMap\nmetadata: {name: a}\n")
    file = project.root / "inventory" / "clusters.yaml"
    file.write_text(file.read_text().replace("96Gi", "96Gb"))
    for command in (["preview"], ["up", "--yes", "--skip-preview"]):
        done = project.pulumi(*command, code=None)
        said = done.text
        assert re.search(r"policies/web\.yaml:\d+:\d+: .*residence", said), said
        assert re.search(r"workloads/web/twice\.yaml:3:1: .*kind", said), said
        assert re.search(r"inventory/clusters\.yaml:\d+:\d+: .*96Gb", said), said
        assert "Traceback" not in said
    assert project.resources() == {}


def test_an_unknown_region_in_the_config_is_refused_with_the_nearest_one(project: Project) -> None:
    lay(project)
    project.config(activeRegion="eu-wset-1")
    done = project.pulumi("preview", code=None)
    assert "eu-wset-1" in done.text
    assert "'eu-west-1'" in done.text
    assert project.resources() == {}


def test_a_replacement_is_refused_without_consent_and_done_with_it(project: Project) -> None:
    lay(project)
    project.up()
    uid = project.world.get("eu-1", project.name, "deployments")["web"]["metadata"]["uid"]
    lay(project, labels={"app": "web", "track": "stable"})
    steps = {each.name: each.op for each in project.steps()}
    assert steps[f"web/eu-1/Deployment/{project.name}/web"] in {"replace", "delete-replaced"}
    refused = project.up(code=None)
    assert "would be deleted and created anew" in refused.text
    assert "spec.selector" in refused.text
    live = project.world.get("eu-1", project.name, "deployments")["web"]
    assert live["metadata"]["uid"] == uid

    project.config(approve=consent(refused.text))
    project.up()
    live = project.world.get("eu-1", project.name, "deployments")["web"]
    assert live["metadata"]["uid"] != uid
    project.unchanged()


def test_a_breach_of_the_movement_budget_is_shown_by_preview_and_refused_by_up(
    project: Project,
) -> None:
    lay_inventory(project, ["eu-1"])
    for name in ("one", "two"):
        project.write(f"workloads/{name}/map.yaml", configmap(project, name))
        project.write(f"workloads/{name}/fleet.yaml", fleet_file(project, name))
    project.write("policies/all.yaml", placement("all", workloads=["*"]))
    project.config(movementBudget={"workloadsRemoved": 0})
    project.up()
    project.remove("workloads/two")
    shown = project.pulumi("preview")
    assert "removes 1 workload where movementBudget.workloadsRemoved allows 0: two" in shown.text
    refused = project.up(code=None)
    assert "movementBudget.workloadsRemoved" in refused.text
    assert set(project.world.get("eu-1", project.name, "configmaps")) >= {"one", "two"}

    project.config(approve=consent(refused.text))
    project.up()
    assert "two" not in project.world.get("eu-1", project.name, "configmaps")


def test_a_foreign_record_is_refused_at_preview(project: Project) -> None:
    lay_inventory(project, ["eu-1"])
    project.write("workloads/web/map.yaml", configmap(project, "web"))
    project.write("workloads/web/fleet.yaml", fleet_file(project, "web"))
    zone = {"name": project.zone}
    spec = {"zone": zone, "standby": 100, "failover": "manual"}
    project.write("policies/web.yaml", placement("web"), traffic(project, "web", **spec))
    aws = project.world.aws()
    created = aws.create_hosted_zone(Name=project.zone, CallerReference=project.name)
    record = {
        "Name": f"web.{project.zone}",
        "Type": "A",
        "TTL": 60,
        "ResourceRecords": [{"Value": "192.0.2.1"}],
    }
    changes = [{"Action": "CREATE", "ResourceRecordSet": record}]
    zone_id = created["HostedZone"]["Id"]
    aws.change_resource_record_sets(HostedZoneId=zone_id, ChangeBatch={"Changes": changes})
    for command in (["preview"], ["up", "--yes", "--skip-preview"]):
        done = project.pulumi(*command, code=None)
        assert f"name 'web.{project.zone}' has a A record already" in done.text
    assert "web" not in project.world.route53("state")
    assert not [name for name in project.resources() if name.startswith("web/")]
