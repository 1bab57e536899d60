"""Commands that ask an entry, a name or a cluster, and those that stop writers."""

from collections.abc import Iterable, Iterator

from fleet.explain.shell import line
from fleet.model.api_version import group_of
from fleet.model.check_state import entry_probes
from fleet.model.endpoint import CheckDelivery
from fleet.model.health import Probe
from fleet.model.plan import Outcome
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload

_ROLLED_OUT = ("DaemonSet", "Deployment", "StatefulSet")
_SCALED = ("Deployment", "ReplicaSet", "StatefulSet")
_RUNS = ("CronJob", "DaemonSet", "Job", "Pod")
_OWN = ".k8s.io"
"""How the API groups end that are Kubernetes' own; an operator's end otherwise."""


def ask_name(policy: TrafficPolicy) -> Iterator[str]:
    """Who is answered under a name."""
    yield line("dig", "+short", policy.spec.name)


def ask_clusters(outcome: Outcome, policy: TrafficPolicy, clusters: Iterable[str]) -> Iterator[str]:
    """What Route53 asks the entries of these clusters."""
    found = {
        record.cluster: entry_probes(outcome.plan.checks, record.check)
        for endpoint in outcome.plan.endpoints
        for record in endpoint.records
        if endpoint.policy == policy.name
    }
    for name in clusters:
        for each in found.get(name, ()):
            yield _ask(each, each.check or Probe())


def _ask(check: CheckDelivery, probe: Probe) -> str:
    there = check.address or check.hostname or ""
    if probe.type == "TCP":
        return line("nc", "-z", "-w", "5", there, str(check.port))
    scheme = "https" if probe.is_secure else "http"
    words = ["curl", "--silent", "--show-error", "--include", "--max-time", "5"]
    if check.address is not None:
        shown = f"[{check.address}]" if ":" in check.address else check.address
        words += ["--resolve", f"{check.host}:{check.port}:{shown}"]
    return line(*words, f"{scheme}://{check.host}:{check.port}{check.path}")


def roll_outs(outcome: Outcome, workload: str, clusters: Iterable[str]) -> Iterator[str]:
    """Whether the workload is ready on these clusters."""
    for kubectl, found in _on(outcome, workload, clusters):
        kind, name = _object(found)
        if kind in _ROLLED_OUT:
            seconds = f"--timeout={found.settings.wait_seconds}s"
            where = ("--namespace", found.namespace)
            yield line(*kubectl, *where, "rollout", "status", f"{kind}/{name}".lower(), seconds)


def stop_writers(outcome: Outcome, workload: str, clusters: Iterable[str]) -> Iterator[str]:
    """No replica of the workload on these clusters; one that is dead is not waited for long."""
    for kubectl, found in _on(outcome, workload, clusters):
        for each in found.manifests:
            if each.kind in _SCALED:
                where = ("--namespace", each.namespace or found.namespace)
                what = f"{each.kind}/{each.name}".lower()
                words = ("--request-timeout=10s", "scale", what, "--replicas=0")
                yield line(*kubectl, *where, *words)


def not_scaled(outcome: Outcome, workload: str) -> list[str]:
    """What of a workload may write and has no replicas to take away: also what an operator runs."""
    return [
        f"{each.kind}/{each.name}"
        for item in outcome.snapshot.linked
        if item.workload.name == workload
        for each in item.workload.manifests
        if each.kind in _RUNS or _is_an_operators(each.api_version)
    ]


def _is_an_operators(api_version: str) -> bool:
    group = group_of(api_version)
    return "." in group and not group.endswith(_OWN)


def _on(
    outcome: Outcome, workload: str, clusters: Iterable[str]
) -> Iterator[tuple[list[str], Workload]]:
    """The words of kubectl on each cluster that a file reaches, and the workload."""
    connections = {each.name: each.spec.connection for each in outcome.snapshot.clusters}
    found = [each.workload for each in outcome.snapshot.linked if each.workload.name == workload]
    for one in found:
        for name in clusters:
            connection = connections[name]
            if connection is not None and connection.file is not None:
                context = ["--context", connection.context] if connection.context else []
                yield ["kubectl", "--kubeconfig", connection.file, *context], one


def _object(workload: Workload) -> tuple[str, str]:
    kind, _, name = (workload.main or "//").split("/")
    return kind, name
