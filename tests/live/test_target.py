"""A name that leads to the load balancers of a Service: the record comes one update later."""

import json

import pytest

from devkit import control
from tests.harness.documents import deployment, door, fleet_file, lay_inventory, placement, traffic
from tests.harness.project import Project
from tests.harness.world import entry_address

pytestmark = pytest.mark.live

CLUSTERS = ("eu-1", "us-1")


def lay(project: Project) -> None:
    """`web` behind a Service of type LoadBalancer; the policy does not use the entries."""
    lay_inventory(project)
    service, ingress = door(project, "web")
    service["spec"]["type"] = "LoadBalancer"
    project.write("workloads/web/web.yaml", deployment(project, "web", 4), service, ingress)
    project.write("workloads/web/fleet.yaml", fleet_file(project, "web"))
    policy = traffic(project, "web", target={"kind": "Service", "name": "web"})
    policy["spec"]["healthCheck"]["port"] = 8080
    project.write("policies/web.yaml", placement("web", [*CLUSTERS]), policy)


def balance(project: Project, cluster: str, *addresses: str) -> None:
    """Plays the cloud's controller: a load balancer has these addresses."""
    status = {"loadBalancer": {"ingress": [{"ip": each} for each in addresses] or None}}
    patch = json.dumps({"status": status})
    project.world.kubectl(
        cluster,
        *("patch", "service", "web", "--namespace", project.name),
        *("--subresource=status", "--type=merge", "--patch", patch),
    )


def has_service(project: Project, cluster: str) -> bool:
    """Whether the engine has placed the Service."""
    listed = project.world.kubectl(
        cluster, "get", "service", "--namespace", project.name, "--output=name"
    )
    return "service/web" in listed


def test_a_record_follows_the_load_balancer_one_update_later(project: Project) -> None:
    lay(project)
    name = f"web.{project.zone}"
    with project.running("up", "--yes", "--skip-preview") as running:
        for cluster in CLUSTERS:
            project.eventually(lambda: has_service(project, cluster), "it is placed")  # noqa: B023 - at once
            balance(project, cluster, entry_address(cluster))
        done = running.wait()
    assert done.code == 0, done.text
    assert "gets its record for eu-1, us-1 in a later update" in " ".join(done.text.split())
    assert project.world.weights(name) == {}

    second = project.up()
    assert "in a later update" not in second.text
    assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}
    project.unchanged()
    plane = control.ask(project.world.home, command="status")["plane"]
    assert f"{name} A" in plane["shares"]

    balance(project, "eu-1")
    project.up()
    told = " ".join(project.pulumi("preview").text.split())
    assert f"the record of '{name}' keeps {entry_address('eu-1')}" in told
    assert project.world.weights(name) == {"eu-1": 100, "us-1": 0}
    project.unchanged()

    balance(project, "us-1", "127.0.0.77")
    project.pulumi("refresh", "--yes")
    project.up()
    records = [
        record["ResourceRecords"][0]["Value"]
        for zone in project.world.route53("state")["HostedZones"]
        for record in zone["ResourceRecordSets"]
        if record["Name"].rstrip(".") == name and record.get("SetIdentifier") == "us-1"
    ]
    assert records == ["127.0.0.77"]
