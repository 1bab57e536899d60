"""The data plane as one: a cluster's objects, the local Route53, checks, DNS and the watcher."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from dnslib import DNSRecord

from devkit.aws.endpoint.control import Settings
from devkit.aws.endpoint.server import Endpoint
from devkit.dataplane import DataPlane
from devkit.dataplane.cluster_view import ClusterView
from devkit.dataplane.watch import Sample, Watcher
from devkit.dataplane.web import Target, get
from devkit.errors import DevkitError
from devkit.plugs import PlaneCluster, PlaneConfig
from tests.dataplane.kit import (
    WEB,
    FakeCluster,
    a_cluster,
    a_fake_cluster,
    a_kubeconfig,
    a_slice,
    an_ingress,
    until,
)

SERVICE = {"metadata": {"namespace": "default", "name": "web"}}


def fill(cluster: FakeCluster, ready: int) -> None:
    cluster.items["ingresses"] = [an_ingress()]
    cluster.items["services"] = [SERVICE]
    cluster.items["endpointslices"] = [a_slice(ready)]


def test_a_clusters_objects_are_followed(tmp_path: Path) -> None:
    async def run() -> None:
        async with a_fake_cluster() as cluster:
            fill(cluster, 1)
            file = tmp_path / "kubeconfig"
            file.write_text(a_kubeconfig(cluster.port))
            view = ClusterView(file)
            await view.start(5)
            assert len(view.objects.slices[0]["endpoints"]) == 1
            await until(lambda: bool(cluster.streams["endpointslices"]))
            cluster.tell("endpointslices", "MODIFIED", a_slice(3))
            await until(lambda: len(view.objects.slices[0]["endpoints"]) == 3)
            cluster.tell("endpointslices", "DELETED", a_slice(3))
            await until(lambda: not view.objects.slices)
            cluster.items["endpointslices"] = [a_slice(2)]
            cluster.end_watches()
            await until(lambda: bool(view.objects.slices))
            await view.stop()

    asyncio.run(run())


def test_a_cluster_that_is_not_there_delays_the_start_only(tmp_path: Path) -> None:
    async def run() -> None:
        file = tmp_path / "kubeconfig"
        file.write_text(a_kubeconfig(1))
        view = ClusterView(file)
        await view.start(0.3)
        assert "Connect call failed" in view.trouble
        await view.stop()

    asyncio.run(run())


def records_in(endpoint: Endpoint) -> None:
    """Lay a zone, a check and a weighted record per cluster."""
    call = endpoint.account.call
    zone = call("CreateHostedZone", {"Name": "example.test", "CallerReference": "z"})
    identifier = str(zone["HostedZone"]["Id"]).rpartition("/")[2]  # type: ignore[index,call-overload]
    for number, (cluster, weight) in enumerate((("eu-1", 100), ("us-1", 0))):
        config: dict[str, Any] = {
            "Type": "HTTP",
            "IPAddress": f"192.0.2.{number + 1}",
            "Port": 80,
            "FullyQualifiedDomainName": WEB,
            "RequestInterval": 10,
            "FailureThreshold": 2,
        }
        reference = {"CallerReference": cluster, "HealthCheckConfig": config}
        check = call("CreateHealthCheck", reference)["HealthCheck"]
        record: dict[str, Any] = {
            "Name": WEB,
            "Type": "A",
            "TTL": 5,
            "SetIdentifier": cluster,
            "Weight": weight,
            "HealthCheckId": check["Id"],  # type: ignore[index,call-overload]
            "ResourceRecords": [{"Value": f"192.0.2.{number + 1}"}],
        }
        batch = {"Changes": [{"Action": "CREATE", "ResourceRecordSet": record}]}
        call("ChangeResourceRecordSets", {"HostedZoneId": identifier, "ChangeBatch": batch})


async def with_a_plane(
    folder: Path, work: Callable[[DataPlane, dict[str, FakeCluster]], Awaitable[None]]
) -> None:
    """Run some work with two fake clusters, a local Route53 and a data plane over both."""
    endpoint = Endpoint(0, Settings(delay=0, rate=0))
    await asyncio.to_thread(endpoint.start)
    records_in(endpoint)
    async with a_fake_cluster() as one, a_fake_cluster() as other:
        fakes = {"eu-1": one, "us-1": other}
        clusters = []
        for number, (name, fake) in enumerate(fakes.items()):
            fill(fake, ready=number + 1)
            file = folder / name
            file.write_text(a_kubeconfig(fake.port))
            # An address of the world and a port of root: both are served elsewhere.
            clusters.append(PlaneCluster(a_cluster(name, f"192.0.2.{number + 1}", port=80), file))
        plane = DataPlane(PlaneConfig(folder, tuple(clusters), endpoint.url, 0))
        await plane.start()
        try:
            await work(plane, fakes)
        finally:
            await plane.stop()
            await asyncio.to_thread(endpoint.stop)


def shares_of(plane: DataPlane) -> dict[str, str]:
    status = json.loads(json.dumps(plane.status()))
    found: dict[str, str] = status["shares"].get(f"{WEB} A", {})
    return found


def dns_port(plane: DataPlane) -> int:
    return int(str(plane.status()["dns"]).rpartition(":")[2])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checkers that ask every 0.2 s instead of 10."""
    monkeypatch.setenv("FLEET_DEVKIT_CHECK_SPEED", "50")
    monkeypatch.setenv("FLEET_DEVKIT_DNS_SEED", "1")


@pytest.mark.parametrize("how", ["refuse", "blackhole", "hang"])
def test_a_dead_cluster_loses_its_traffic_and_gets_it_back(tmp_path: Path, how: str) -> None:
    async def work(plane: DataPlane, _: dict[str, FakeCluster]) -> None:
        await until(lambda: shares_of(plane) == {"eu-1": "1", "us-1": "0"})
        await plane.kill("eu-1", how)
        await until(lambda: shares_of(plane) == {"eu-1": "0", "us-1": "1"})
        await plane.revive("eu-1")
        await until(lambda: shares_of(plane) == {"eu-1": "1", "us-1": "0"})

    asyncio.run(with_a_plane(tmp_path, work))


def test_a_cluster_without_ready_endpoints_loses_its_traffic(tmp_path: Path) -> None:
    async def work(plane: DataPlane, fakes: dict[str, FakeCluster]) -> None:
        await until(lambda: shares_of(plane) == {"eu-1": "1", "us-1": "0"})
        await until(lambda: bool(fakes["eu-1"].streams["endpointslices"]))
        fakes["eu-1"].tell("endpointslices", "MODIFIED", a_slice(0, unready=1))
        await until(lambda: shares_of(plane) == {"eu-1": "0", "us-1": "1"})
        checks = plane.status()["checks"]
        assert isinstance(checks, dict)
        assert sorted(check["reason"] for check in checks.values()) == ["", "HTTP status 503"]

    asyncio.run(with_a_plane(tmp_path, work))


def test_the_watcher_sees_what_a_user_sees(tmp_path: Path) -> None:
    async def work(plane: DataPlane, _: dict[str, FakeCluster]) -> None:
        await until(lambda: shares_of(plane) == {"eu-1": "1", "us-1": "0"})
        watcher = Watcher(WEB, dns_port(plane), plane.places)
        out, ended = StringIO(), asyncio.Event()
        task = asyncio.create_task(watcher.run(out, ended))
        await asyncio.sleep(0.5)
        await plane.kill("eu-1", "refuse")
        await until(lambda: shares_of(plane)["us-1"] == "1")
        await asyncio.sleep(0.4)
        ended.set()
        await task
        samples = [Sample(**json.loads(line)) for line in out.getvalue().splitlines()]
        seen = list(dict.fromkeys((one.cluster, one.status, one.ready) for one in samples))
        assert seen == [("eu-1", 200, 1), ("eu-1", 0, 0), ("us-1", 200, 2)]
        gaps = [b.time - a.time for a, b in pairwise(samples)]
        assert 0.09 < sum(gaps) / len(gaps) < 0.2

    asyncio.run(with_a_plane(tmp_path, work))


def test_a_resolver_keeps_an_answer_for_its_ttl(tmp_path: Path) -> None:
    async def work(plane: DataPlane, _: dict[str, FakeCluster]) -> None:
        await until(lambda: shares_of(plane) == {"eu-1": "1", "us-1": "0"})
        watcher = Watcher(WEB, dns_port(plane), plane.places)
        watcher.as_resolver = True
        assert (await watcher.sample()).cluster == "eu-1"
        await plane.kill("eu-1", "refuse")
        await until(lambda: shares_of(plane)["us-1"] == "1")
        assert (await watcher.sample()).cluster == "eu-1"
        watcher.as_resolver = False
        assert (await watcher.sample()).cluster == "us-1"

    asyncio.run(with_a_plane(tmp_path, work))


def test_the_name_servers_answer_while_the_api_is_down(tmp_path: Path) -> None:
    async def work(plane: DataPlane, fakes: dict[str, FakeCluster]) -> None:
        await until(lambda: shares_of(plane) == {"eu-1": "1", "us-1": "0"})
        plane._zones._target = Target("127.0.0.1", 1)  # noqa: SLF001 - nobody listens there
        await plane.kill("eu-1", "refuse")
        await until(lambda: shares_of(plane) == {"eu-1": "0", "us-1": "1"})
        question = DNSRecord.question(WEB)
        port = dns_port(plane)
        reply = await asyncio.to_thread(question.send, "127.0.0.1", port, timeout=5)
        assert str(DNSRecord.parse(reply).rr[0].rdata) == "192.0.2.2"
        place = plane.places.find("192.0.2.2")
        assert place is not None
        answer = await get(Target(place.address, place.served_port), "/", {"Host": WEB})
        assert json.loads(answer.body)["ready"] == 2
        del fakes

    asyncio.run(with_a_plane(tmp_path, work))


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    async def run() -> None:
        async with a_fake_cluster() as fake:
            file = tmp_path / "kubeconfig"
            file.write_text(a_kubeconfig(fake.port))
            cluster = PlaneCluster(a_cluster("eu-1", "127.0.0.1", port=fake.port), file)
            plane = DataPlane(PlaneConfig(tmp_path, (cluster,), "http://127.0.0.1:1", 0))
            with pytest.raises(DevkitError, match=r"the entry of 'eu-1' cannot listen on 127\.0"):
                await plane.start()
            await plane.stop()

    asyncio.run(run())
