"""Clusters by kwokctl's binary runtime: real control planes with simulated nodes."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import yaml

from devkit import nodes, processes
from devkit.dev_cluster import DevCluster
from devkit.engine import need
from devkit.errors import DevkitError
from devkit.home import Home, environment
from devkit.ledger import ClusterPorts, Ledger

Say = Callable[[str], None]
AT_ONCE = 3
READY_SECONDS = 60
LIMIT_SECONDS = 120
DEAD_SECONDS = 4
IMPATIENCE_SECONDS = 0.5
COMPONENTS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "kwok-controller",
)
AUDIT_POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  resources:
  - {group: coordination.k8s.io, resources: [leases]}
  - {group: "", resources: [events, nodes/status]}
  - {group: events.k8s.io, resources: [events]}
- level: Metadata
  verbs: [create, update, patch, delete, deletecollection]
- level: None
"""
KWOKCTL_CONFIG = """\
apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokctlConfiguration
options:
  bindAddress: 127.0.0.1
  etcdPeerPort: {peer}
"""
# An API server that listens on loopback only has no address to advertise, and a laptop without
# a network has none to guess: this one is set aside for documentation, and nobody dials it.
ADVERTISED = "198.51.100.1"


def folder(home: Home, name: str) -> Path:
    """Return the folder in which kwokctl keeps a cluster."""
    return home.kwok / "clusters" / name


def own_kubeconfig(home: Home, name: str) -> Path:
    """Return the kubeconfig that speaks to the API server itself, past the proxy."""
    return folder(home, name) / "kubeconfig.yaml"


def start_all(home: Home, clusters: list[DevCluster], ledger: Ledger, say: Say) -> None:
    """Start what does not run yet, at most three at once.

    Errors: DevkitError naming the first cluster that did not start.
    """
    (home.kwok).mkdir(parents=True, exist_ok=True)
    (home.kwok / "audit-policy.yaml").write_text(AUDIT_POLICY)

    def one(cluster: DevCluster) -> None:
        start(home, cluster, ledger.of(cluster.name), say)

    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        # list() raises the first error after all have ended.
        list(pool.map(one, clusters))


def start(home: Home, cluster: DevCluster, ports: ClusterPorts, say: Say) -> None:
    """Start one cluster and lay its nodes; a running one is reused."""
    began = time.monotonic()
    _drop_stale(home, cluster.name)
    reused = len(component_pids(home, cluster.name)) == len(COMPONENTS)
    if not reused:
        _start_or_recreate(home, cluster, ports, say)
    nodes.lay(cluster, need(home, "kubectl"), own_kubeconfig(home, cluster.name))
    what = "reused" if reused else "started"
    say(f"{cluster.name}: {what} in {time.monotonic() - began:.1f} s, {cluster.nodes} nodes")


def _start_or_recreate(home: Home, cluster: DevCluster, ports: ClusterPorts, say: Say) -> None:
    """Start a cluster; one that an earlier run left broken is thrown away and made anew."""
    existed = folder(home, cluster.name).exists()
    try:
        _create(home, cluster, ports)
    except DevkitError:
        if not existed:
            raise
        say(f"{cluster.name}: what an earlier run left does not start, it is made anew")
        _discard(home, cluster.name)
        _create(home, cluster, ports)


def _create(home: Home, cluster: DevCluster, ports: ClusterPorts) -> None:
    """Let kwokctl create a cluster, or start one that it created before.

    Errors: DevkitError with the last lines of what did not start.
    """
    log = home.logs / f"{cluster.name}-kwokctl.log"
    with (
        log.open("ab") as handle,
        subprocess.Popen(
            _command(home, cluster, ports),
            env=environment(home) | {"KWOK_WORKDIR": str(home.kwok)},
            stdout=handle,
            stderr=handle,
            stdin=subprocess.DEVNULL,
            cwd=home.kwok,
        ) as kwokctl,
    ):
        died = _watch(home, cluster.name, kwokctl)
    if died:
        log = folder(home, cluster.name) / "logs" / f"{died}.log"
    missing = set(COMPONENTS) - set(component_pids(home, cluster.name))
    if kwokctl.returncode or missing:
        last = "\n".join(log.read_text(errors="replace").splitlines()[-10:])
        raise DevkitError(f"cluster {cluster.name} does not start ({log}):\n{last}")


def _command(home: Home, cluster: DevCluster, ports: ClusterPorts) -> list[str]:
    config = home.kwok / f"{cluster.name}.yaml"
    config.write_text(KWOKCTL_CONFIG.format(peer=ports.etcd_peer))
    binaries = {name: need(home, name) for name in COMPONENTS if name != "kwok-controller"}
    binaries["kwok-controller"] = need(home, "kwok")
    options: dict[str, object] = {
        **{f"{name}-binary": path.resolve() for name, path in binaries.items()},
        "kube-apiserver-port": ports.api_server,
        "etcd-port": ports.etcd,
        "controller-port": ports.kwok,
        "kube-controller-manager-port": ports.controller_manager,
        "kube-scheduler-port": ports.scheduler,
        "kube-audit-policy": home.kwok / "audit-policy.yaml",
        "kubeconfig": "",
        "heartbeat-factor": 4,
        "runtime": "binary",
        "wait": f"{READY_SECONDS}s",
        "config": config,
    }
    command = [str(need(home, "kwokctl")), "--name", cluster.name, "create", "cluster"]
    command += [f"--{name}={value}" for name, value in options.items()]
    for extra in (
        f"kube-apiserver=audit-log-path={home.audit_log(cluster.name)}",
        f"kube-apiserver=advertise-address={ADVERTISED}",
        # A devkit's data need not survive the machine, and its disk may be slow.
        "etcd=unsafe-no-fsync=true",
    ):
        command += ["--extra-args", extra]
    return command


def _watch(home: Home, name: str, kwokctl: subprocess.Popen[bytes]) -> str:
    """Wait for kwokctl; return the component that died meanwhile, '' where none did.

    kwokctl itself would wait for minutes for an API server that has ended.
    """
    deadline = time.monotonic() + LIMIT_SECONDS
    dead_since: dict[str, float] = {}
    while kwokctl.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            kwokctl.wait(1)
        now = time.monotonic()
        dead_since = {one: dead_since.get(one, now) for one in _dead(home, name)}
        given_up = [one for one, since in dead_since.items() if now - since > DEAD_SECONDS]
        if given_up or now > deadline:
            kwokctl.kill()
            return given_up[0] if given_up else ""
    return ""


def _dead(home: Home, name: str) -> list[str]:
    """Return the components that were started and do not run."""
    running = component_pids(home, name)
    files = (folder(home, name) / "pids").glob("*.pid")
    return sorted(file.stem for file in files if file.stem not in running)


def component_pids(home: Home, name: str) -> dict[str, int]:
    """Return the running components of a cluster: name -> process id."""
    programs = folder(home, name) / "bin"
    return {
        Path(arguments[0]).name: pid
        for pid, arguments in processes.command_lines().items()
        if arguments and Path(arguments[0]).parent == programs and processes.is_alive(pid)
    }


def _drop_stale(home: Home, name: str) -> None:
    """Remove what a half-dead run left: process ids of others, a folder without its config."""
    running = component_pids(home, name).values()
    for file in (folder(home, name) / "pids").glob("*.pid"):
        with suppress(OSError, ValueError):
            if int(file.read_text()) not in running:
                file.unlink()
    if not _is_whole(folder(home, name) / "kwok.yaml"):
        _discard(home, name)


def _is_whole(config: Path) -> bool:
    """Tell whether kwokctl came as far as writing down every component."""
    if not config.exists():
        return False
    try:
        documents = list(yaml.safe_load_all(config.read_text()))
    except yaml.YAMLError:
        return False
    listed = {
        component.get("name")
        for document in documents
        if isinstance(document, dict)
        for component in document.get("components") or []
    }
    return listed.issuperset(COMPONENTS)


def _discard(home: Home, name: str) -> None:
    processes.end(component_pids(home, name).values(), IMPATIENCE_SECONDS)
    shutil.rmtree(folder(home, name), ignore_errors=True)


def names(home: Home) -> list[str]:
    """Return the clusters that have a folder."""
    every = home.kwok / "clusters"
    return sorted(path.name for path in every.iterdir()) if every.is_dir() else []


def stop_all(home: Home) -> None:
    """End every process that runs a program of the kwok folder, and remove the folder."""
    inside = f"{home.kwok}{os.sep}"
    found = processes.running(lambda arguments: arguments[0].startswith(inside))
    # What they hold is thrown away: an orderly end is not worth its 10 s.
    processes.end(found, IMPATIENCE_SECONDS)
    shutil.rmtree(home.kwok, ignore_errors=True)
