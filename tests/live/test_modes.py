"""Names that change their mode while people use them, on three real clusters."""

import socket
from typing import Any

import pytest
from dnslib import QTYPE, DNSRecord

from devkit import plan as plans
from devkit.dataplane.askers import said_by
from devkit.dataplane.watch import Sample, places_of
from tests.harness.documents import lay_inventory, lay_web, placement, traffic
from tests.harness.project import Project, measured
from tests.harness.world import REGIONS

pytestmark = pytest.mark.live

PLACES = {
    "eu-west-1": {"continents": ["EU"]},
    "us-east-1": {"continents": ["NA"], "default": True},
    "ap-southeast-1": {"countries": ["FR"]},
}


def lay_everywhere(project: Project) -> None:
    """`web` on three clusters in three regions, two replicas each."""
    lay_inventory(project)
    lay_web(project, replicas=6)
    project.write("policies/web.yaml", placement("web"))


def lay_mode(project: Project, **spec: Any) -> None:
    document = traffic(project, "web", **spec)
    for word in ("activeRegion", "standby"):
        document["spec"].pop(word)
    project.write("policies/web-traffic.yaml", document)


def answers(project: Project, asker: str, times: int = 20) -> set[str]:
    """The clusters that an asker is led to."""
    plan = plans.read(project.world.home)
    assert plan
    places = places_of(project.world.home, plan)
    found = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(2)
        one.connect(("127.0.0.1", plan.dns_port))
        for _ in range(times):
            question = said_by(DNSRecord.question(f"web.{project.zone}"), asker)
            one.send(question.pack())
            reply = DNSRecord.parse(one.recv(4096))
            place = next(places.find(str(each.rdata)) for each in reply.rr if each.rtype == QTYPE.A)
            assert place is not None
            found.add(place.cluster)
    return found


def changed(project: Project, what: str) -> None:
    """An update that nobody notices who uses the name."""
    samples: list[Sample] = []
    with project.world.watched(f"web.{project.zone}", samples, project.root):
        done = project.up()
    measured(f"{what}: {done.seconds:.1f} s")
    unserved = [each for each in samples if each.status != 200]
    assert unserved == [], unserved[:5]


def test_a_name_goes_from_mode_to_mode_without_a_gap(project: Project) -> None:
    lay_everywhere(project)
    lay_mode(project, mode="weighted")
    project.up()
    assert answers(project, "", 60) == set(REGIONS)

    lay_mode(project, mode="latency")
    assert "goes over from one weighted group at the name" in project.pulumi("preview").text
    changed(project, "weighted to latency")
    project.unchanged()
    for cluster, region in REGIONS.items():
        assert answers(project, f"nearest={region}") == {cluster}

    lay_mode(project, mode="geolocation", geolocation=PLACES)
    changed(project, "latency to geolocation")
    project.unchanged()
    for asker, cluster in (("DE", "eu-1"), ("FR", "ap-1"), ("US", "us-1"), ("BR", "us-1")):
        assert answers(project, asker) == {cluster}

    lay_mode(project, mode="weighted")
    changed(project, "geolocation to weighted")
    project.unchanged()
    assert answers(project, "FR", 60) == set(REGIONS)
    names = {
        record["Name"].rstrip(".")
        for zone in project.world.route53("state")["HostedZones"]
        for record in zone["ResourceRecordSets"]
        if record["Type"] == "A"
    }
    assert names == {f"web.{project.zone}"}


def test_a_drained_region_is_left_in_time_and_a_dead_one_by_itself(project: Project) -> None:
    lay_everywhere(project)
    lay_mode(project, mode="latency")
    project.up()
    project.config(drain=["ap-1"])
    changed(project, "drain")
    # The empty cluster's provider goes in an update of its own; the name has settled.
    assert {each.name for each in project.steps()} == {"ap-1"}
    for region, cluster in (("eu-west-1", "eu-1"), ("us-east-1", "us-1")):
        assert answers(project, f"nearest=ap-southeast-1,{region}", 60) == {cluster}
    project.world.kill("us-1", "refuse")
    project.eventually(
        lambda: answers(project, "nearest=us-east-1") == {"eu-1"}, "us-1 is not answered"
    )
    project.world.revive("us-1")
    project.reimport()
    project.pulumi("destroy", "--yes")
