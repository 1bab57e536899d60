"""The devkit that the engine and live tests share: clusters, Route53, DNS, and how they die."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import boto3

from devkit import control, processes
from devkit import plan as plans
from devkit.dataplane.watch import Sample, read_samples, watching
from devkit.home import PROJECT, Home, environment

REGIONS = {"eu-1": "eu-west-1", "us-1": "us-east-1", "ap-1": "ap-southeast-1"}
CLUSTERS = tuple(REGIONS)
UP_SECONDS = 600


def entry_address(cluster: str) -> str:
    """An entry of this test run's own, so that several runs do not meet."""
    return f"127.31.{os.getpid() % 250 + 1}.{CLUSTERS.index(cluster) + 1}"


def cluster_document(home: Home, cluster: str, **spec: Any) -> dict[str, Any]:
    """A cluster of the inventory, as the devkit plays it."""
    region = REGIONS[cluster]
    return {
        "apiVersion": "fleet/v1",
        "kind": "Cluster",
        "metadata": {"name": cluster, "labels": {"env": "test"}},
        "spec": {
            "region": region,
            "zones": [f"{region}a", f"{region}b"],
            "provider": "aws",
            "capacity": {"allocatable": {"cpu": "24", "memory": "96Gi", "pods": 330}},
            "nodes": 2,
            "connection": {
                "file": str(home.kubeconfig),
                "context": cluster,
                "timeoutSeconds": 5,
            },
            "entry": {"addresses": [entry_address(cluster)], "port": 8080, "path": "/"},
            **spec,
        },
    }


@dataclass(frozen=True)
class Write:
    """One write that an API server carried out, from its audit log.

    **Units**: `time` in seconds since 1970.
    """

    time: float
    verb: str
    resource: str
    name: str
    agent: str


@dataclass(frozen=True)
class World:
    """One devkit with three clusters in three regions."""

    home: Home

    def run(self, *command: str, text: str | None = None) -> str:
        """Runs a program in the devkit's environment; a failure is the test's."""
        done = subprocess.run(
            command,
            env=environment(self.home),
            capture_output=True,
            text=True,
            check=False,
            input=text,
            timeout=UP_SECONDS,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def up(self, inventory: Path) -> None:
        """Starts everything; what runs is reused."""
        self.run(sys.executable, "-m", "devkit", "up", "--inventory", str(inventory))

    def down(self) -> list[str]:
        """Ends everything; returns what is left, as process ids and paths."""
        self.run(sys.executable, "-m", "devkit", "down")
        root = str(self.home.root)
        left = processes.running(lambda arguments: root in " ".join(arguments))
        return [str(pid) for pid in left] + ([root] if self.home.root.exists() else [])

    def kubectl(self, cluster: str, *arguments: str, text: str | None = None) -> str:
        """Asks a cluster's API server, past its proxy: also one that is dead to everybody else."""
        own = self.home.kwok / "clusters" / cluster / "kubeconfig.yaml"
        return self.run("kubectl", "--kubeconfig", str(own), *arguments, text=text)

    def get(self, cluster: str, namespace: str, kind: str) -> dict[str, dict[str, Any]]:
        """The live objects of a kind in a namespace, by name."""
        listed = self.kubectl(cluster, "get", kind, "--namespace", namespace, "-o", "json")
        return {each["metadata"]["name"]: each for each in json.loads(listed)["items"]}

    def replicas(self, namespace: str) -> dict[str, dict[str, int]]:
        """Replicas asked for, by Deployment and cluster."""
        found: dict[str, dict[str, int]] = {}
        for cluster in CLUSTERS:
            for name, each in self.get(cluster, namespace, "deployments").items():
                found.setdefault(name, {})[cluster] = each["spec"]["replicas"]
        return found

    def images(self, namespace: str) -> dict[str, set[str]]:
        """The images of all pods that are not on their way out, by cluster."""
        return {
            cluster: {
                container["image"]
                for pod in self.get(cluster, namespace, "pods").values()
                if "deletionTimestamp" not in pod["metadata"]
                for container in pod["spec"]["containers"]
            }
            for cluster in CLUSTERS
        }

    def kill(self, cluster: str, how: str) -> None:
        """Lets a cluster die: refuse, blackhole or hang."""
        control.ask(self.home, command="kill", cluster=cluster, how=how)

    def revive(self, cluster: str) -> None:
        """Brings a cluster back."""
        control.ask(self.home, command="revive", cluster=cluster)

    def alive(self) -> dict[str, str]:
        """How each cluster is: alive, or how it is dead."""
        found: dict[str, str] = control.ask(self.home, command="status")["clusters"]
        return found

    @contextmanager
    def dead(self, cluster: str, how: str) -> Iterator[None]:
        """A cluster is dead while the block runs."""
        self.kill(cluster, how)
        try:
            yield
        finally:
            self.revive(cluster)

    def writes(self, cluster: str, namespace: str) -> list[Write]:
        """Every write in a namespace, in the order in which the API server did it."""
        lines = self.home.audit_log(cluster).read_text().splitlines()
        events = (json.loads(line) for line in lines if f'"{namespace}"' in line)
        return sorted(
            (
                _write(each)
                for each in events
                if each["objectRef"].get("namespace") == namespace
                and each["responseStatus"]["code"] < 300
            ),
            key=lambda one: one.time,
        )

    def written(self, cluster: str, namespace: str, since: float = 0) -> list[Write]:
        """The engine's writes of Deployments in a namespace from a time on."""
        return [
            each
            for each in self.writes(cluster, namespace)
            if each.time >= since and each.resource == "deployments" and "pulumi" in each.agent
        ]

    def route53(self, word: str, **settings: object) -> Any:
        """Asks the local Route53 something, or tells it how to behave."""
        plan = plans.read(self.home)
        assert plan
        admin = control.ask(self.home, command="status")["route53"]["admin_url"]
        body = json.dumps(settings).encode() if settings else None
        request = urllib.request.Request(f"{admin}/{word}", body)  # noqa: S310 - loopback
        with urllib.request.urlopen(request) as answer:  # noqa: S310 - loopback
            return json.load(answer)

    @contextmanager
    def failing_route53(self, **settings: object) -> Iterator[None]:
        """Route53 misbehaves while the block runs."""
        before = self.route53("settings")
        self.route53("settings", **settings)
        try:
            yield
        finally:
            self.route53("settings", **before)

    def aws(self) -> Any:
        """A client of the local Route53."""
        plan = plans.read(self.home)
        assert plan
        return boto3.client(
            "route53",
            endpoint_url=plan.route53_url,
            region_name="us-east-1",
            aws_access_key_id="devkit",
            aws_secret_access_key="devkit",  # noqa: S106 - the local endpoint takes any
        )

    def weights(self, name: str) -> dict[str, int]:
        """The weights of a name, as Route53 has them, by set identifier."""
        return {
            record["SetIdentifier"]: record["Weight"]
            for zone in self.route53("state")["HostedZones"]
            for record in zone["ResourceRecordSets"]
            if record["Name"].rstrip(".") == name and "Weight" in record
        }

    def names(self) -> dict[str, dict[str, Any]]:
        """How the records of every name stand, by name, then by cluster."""
        found: dict[str, dict[str, Any]] = control.ask(self.home, command="status")["plane"][
            "names"
        ]
        return found

    def calls(self, name: str) -> list[dict[str, Any]]:
        """The changes of a name that Route53 took, in order, with their times."""
        return [
            call
            for call in self.route53("log")
            if call["status"] == 200 and str(call.get("name", "")).rstrip(".") == name
        ]

    @contextmanager
    def watched(self, name: str, into: list[Sample], folder: Path) -> Iterator[None]:
        """What a user of the name sees every 100 ms while the block runs."""
        out = folder / "samples.jsonl"
        with watching(name, self.home.root, out, "--as-resolver"):
            yield
        into += read_samples(out)

    def wipe(self, namespaces: list[str]) -> None:
        """Removes what a test left: its namespaces, and everything in Route53."""
        for cluster in CLUSTERS:
            self.revive(cluster)
            self.kubectl(
                cluster,
                *("delete", "namespace", *namespaces),
                *("--ignore-not-found", "--wait=false"),
            )
        self.route53("settings", fail="none", throttle=0, delay=0, rate=0)
        empty(self.aws())
        self.route53("settings", delay=1, rate=5)


def empty(route53: Any) -> None:
    """Deletes every zone with its records, then every health check."""
    for zone in route53.list_hosted_zones()["HostedZones"]:
        listed = route53.list_resource_record_sets(HostedZoneId=zone["Id"])["ResourceRecordSets"]
        changes = [
            {"Action": "DELETE", "ResourceRecordSet": each}
            for each in listed
            if each["Type"] not in {"NS", "SOA"}
        ]
        if changes:
            batch = {"Changes": changes}
            route53.change_resource_record_sets(HostedZoneId=zone["Id"], ChangeBatch=batch)
        route53.delete_hosted_zone(Id=zone["Id"])
    checks = route53.list_health_checks()["HealthChecks"]
    for check in sorted(checks, key=lambda one: one["HealthCheckConfig"]["Type"] != "CALCULATED"):
        route53.delete_health_check(HealthCheckId=check["Id"])


def _write(event: Mapping[str, Any]) -> Write:
    at = datetime.fromisoformat(event["stageTimestamp"]).timestamp()
    what = event["objectRef"]
    resource = "/".join(filter(None, (what["resource"], what.get("subresource"))))
    return Write(at, event["verb"], resource, what.get("name", ""), event.get("userAgent", ""))


def new_world(folder: Path) -> World:
    """The devkit of a test session, started."""
    world = World(Home(folder))
    world.home.make()
    inventory = folder.parent / "inventory.json"
    documents = [cluster_document(world.home, each) for each in CLUSTERS]
    inventory.write_text("\n---\n".join(json.dumps(each) for each in documents))
    assert PROJECT.is_dir()
    world.up(inventory)
    return world
