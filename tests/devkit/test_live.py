"""One real cluster: up, three ways to die, revive, down with nothing left."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devkit import clusters, control, processes, status
from devkit.home import Home, environment

pytestmark = pytest.mark.live

Run = Callable[..., subprocess.CompletedProcess[str]]
INVENTORY = """\
apiVersion: fleet/v1
kind: Cluster
metadata: {name: solo-1, labels: {env: test, gpu: "true"}}
spec:
  region: eu-west-1
  zones: [eu-west-1a, eu-west-1b]
  provider: aws
  capacity: {allocatable: {cpu: "24", memory: 96Gi, pods: 330, nvidia.com/gpu: 8}}
  connection: {file: KUBECONFIG, context: solo-1, timeoutSeconds: 5}
  entry: {addresses: [127.0.77.1], port: 8477, path: /}
"""
LIMIT = 4


@pytest.fixture(scope="module")
def up(devkit: tuple[Path, Run]) -> Iterator[Home]:
    """Give a devkit with one cluster."""
    root, run = devkit
    home = Home(root)
    file = root.parent / "inventory.yaml"
    file.write_text(INVENTORY.replace("KUBECONFIG", str(home.kubeconfig)))
    done = run("up", "--inventory", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    yield home
    run("down")


def kubectl(home: Home, *arguments: str) -> tuple[int, str, float]:
    """Run kubectl through the proxy: exit code, all that it printed, seconds."""
    started = time.monotonic()
    answer = subprocess.run(
        ["kubectl", f"--request-timeout={LIMIT}s", *arguments],
        env=environment(home),
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.returncode, answer.stdout + answer.stderr, time.monotonic() - started


def test_nodes_are_what_the_inventory_says(up: Home) -> None:
    code, text, _ = kubectl(up, "get", "nodes", "-o", "json")
    assert code == 0, text
    nodes = json.loads(text)["items"]
    assert [node["metadata"]["name"] for node in nodes] == ["solo-1-0", "solo-1-1", "solo-1-2"]
    gpus = [node["status"]["allocatable"]["nvidia.com/gpu"] for node in nodes]
    assert gpus == ["3", "3", "2"]
    assert {node["metadata"]["labels"]["gpu"] for node in nodes} == {"true"}


def test_the_kubeconfig_is_private_and_verifies_tls(up: Home) -> None:
    assert up.kubeconfig.stat().st_mode & 0o777 == 0o600
    assert "insecure" not in up.kubeconfig.read_text()


def test_a_deployment_becomes_ready_and_the_audit_log_says_when(up: Home) -> None:
    code, text, _ = kubectl(up, "create", "deployment", "web", "--image=web", "--replicas=2")
    assert code == 0, text
    code, text, _ = kubectl(up, "rollout", "status", "deployment/web", "--timeout=30s")
    assert code == 0, text
    events = [json.loads(line) for line in up.audit_log("solo-1").read_text().splitlines()]
    created = [
        event
        for event in events
        if event["objectRef"].get("name") == "web"
        and event["objectRef"]["resource"] == "deployments"
    ]
    assert created[0]["verb"] == "create"
    assert created[0]["stageTimestamp"]
    assert {event["verb"] for event in events} <= {"create", "update", "patch", "delete"}


@pytest.mark.parametrize(
    ("how", "shortest", "longest", "said"),
    [
        pytest.param("refuse", 0, 3, "refused", id="refused at once"),
        pytest.param("blackhole", LIMIT - 1, LIMIT + 4, "", id="swallowed until the time limit"),
        pytest.param("hang", LIMIT - 1, LIMIT + 4, "", id="hangs until the time limit"),
    ],
)
def test_a_killed_cluster_is_dead_in_its_way_and_comes_back(
    up: Home, how: str, shortest: float, longest: float, said: str
) -> None:
    control.ask(up, command="kill", cluster="solo-1", how=how)
    try:
        code, text, seconds = kubectl(up, "get", "nodes")
        assert code != 0
        assert said in text
        assert shortest <= seconds <= longest
        assert status.collect(up)[0][0].how == how
    finally:
        control.ask(up, command="revive", cluster="solo-1")
    assert kubectl(up, "get", "nodes")[0] == 0


def test_a_kill_reaches_a_connection_that_is_open(up: Home) -> None:
    with subprocess.Popen(
        ["kubectl", "get", "configmaps", "--watch", "-o", "name"],
        env=environment(up),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as watch:
        assert watch.stdout
        watch.stdout.readline()
        control.ask(up, command="kill", cluster="solo-1", how="refuse")
        try:
            watch.wait(10)
        finally:
            watch.kill()
            control.ask(up, command="revive", cluster="solo-1")


def test_unknown_names_are_refused_with_the_known_ones(devkit: tuple[Path, Run], up: Home) -> None:
    assert up.root.exists()
    answer = devkit[1]("kill", "solo-2", "--how", "hang")
    assert answer.returncode == 1
    assert "no cluster 'solo-2' here - there are solo-1" in answer.stderr


def test_status_is_a_table(devkit: tuple[Path, Run], up: Home) -> None:
    assert up.root.exists()
    text = devkit[1]("status").stdout
    assert "solo-1" in text
    assert "5 of 5" in text
    assert "Route53" in text


def test_a_second_up_reuses_and_starts_what_is_missing(devkit: tuple[Path, Run], up: Home) -> None:
    before = clusters.component_pids(up, "solo-1")
    os.kill(before["kube-scheduler"], signal.SIGKILL)
    done = devkit[1]("up", "--inventory", str(up.root.parent / "inventory.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr
    after = clusters.component_pids(up, "solo-1")
    assert set(after) == set(clusters.COMPONENTS)
    assert {name for name in after if after[name] != before[name]} == {"kube-scheduler"}
    assert "agent: reused" in done.stdout


def test_an_up_mends_what_an_interrupted_up_left(devkit: tuple[Path, Run], up: Home) -> None:
    processes.end(clusters.component_pids(up, "solo-1").values(), 0.5)
    (clusters.folder(up, "solo-1") / "kwok.yaml").write_text(
        "apiVersion: config.kwok.x-k8s.io/v1alpha1\nkind: KwokctlConfiguration\n"
    )
    (clusters.folder(up, "solo-1") / "pids" / "etcd.pid").write_text("1")
    done = devkit[1]("up", "--inventory", str(up.root.parent / "inventory.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert kubectl(up, "get", "nodes")[0] == 0


def test_an_up_makes_anew_what_does_not_start(devkit: tuple[Path, Run], up: Home) -> None:
    processes.end(clusters.component_pids(up, "solo-1").values(), 0.5)
    for file in (clusters.folder(up, "solo-1") / "pki").iterdir():
        file.unlink()
    done = devkit[1]("up", "--inventory", str(up.root.parent / "inventory.yaml"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "solo-1: what an earlier run left does not start, it is made anew" in done.stdout
    assert kubectl(up, "get", "nodes")[0] == 0


def test_down_leaves_no_process_and_no_file(devkit: tuple[Path, Run], up: Home) -> None:
    assert clusters.component_pids(up, "solo-1")
    done = devkit[1]("down", "--keep-logs")
    assert done.returncode == 0, done.stdout + done.stderr
    left = processes.running(lambda arguments: str(up.root) in " ".join(arguments))
    assert left == []
    assert sorted(path.name for path in up.root.iterdir()) == ["logs"]
    assert control.try_ask(up, command="status") is None
    assert devkit[1]("down").returncode == 0
    assert not up.root.exists()
