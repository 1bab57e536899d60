"""Commands that ask an entry, a name or a cluster, and those that stop writers."""

from collections.abc import Collection, Iterable, Iterator

from fleet.explain.shell import line
from fleet.model.inventory import Cluster
from fleet.model.plan import CheckDelivery, Outcome
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import Workload

_ROLLED_OUT = ("DaemonSet", "Deployment", "StatefulSet")
_SCALED = ("Deployment", "StatefulSet")


def ask_name(policy: TrafficPolicy) -> Iterator[str]:
    """Who is answered under a name."""
    yield line("dig", "+short", policy.spec.name)


def ask_clusters(outcome: Outcome, policy: TrafficPolicy, clusters: Iterable[str]) -> Iterator[str]:
    """What Route53 asks the entries of these clusters."""
    checks = {each.name: each for each in outcome.plan.checks}
    found = {
        record.cluster: checks[record.check]
        for endpoint in outcome.plan.endpoints
        for record in endpoint.records
        if endpoint.policy == policy.name and record.check in checks
    }
    for name in clusters:
        if name in found:
            yield _ask(found[name])


def _ask(check: CheckDelivery) -> str:
    there = check.address or check.hostname or ""
    if check.check.type == "TCP":
        return line("nc", "-z", "-w", "5", there, str(check.port))
    scheme = "https" if check.check.type.startswith("HTTPS") else "http"
    words = ["curl", "--silent", "--show-error", "--include", "--max-time", "5"]
    if check.address is not None:
        shown = f"[{check.address}]" if ":" in check.address else check.address
        words += ["--resolve", f"{check.host}:{check.port}:{shown}"]
    return line(*words, f"{scheme}://{check.host}:{check.port}{check.path}")


def roll_outs(outcome: Outcome, workload: str, clusters: Iterable[str]) -> Iterator[str]:
    """Whether the workload is ready on these clusters."""
    for cluster, found in _on(outcome, workload, clusters):
        kind, name = _object(found)
        if kind in _ROLLED_OUT:
            seconds = f"--timeout={found.settings.wait_seconds}s"
            words = (*_kubectl(cluster, found), "rollout", "status", f"{kind}/{name}".lower())
            yield line(*words, seconds)


def stop_writers(
    outcome: Outcome, workloads: Collection[str], clusters: Collection[str]
) -> Iterator[str]:
    """No replica of these workloads on these clusters."""
    for name in sorted(workloads):
        for cluster, found in _on(outcome, name, clusters):
            kind, named = _object(found)
            if kind in _SCALED:
                words = (*_kubectl(cluster, found), "scale", f"{kind}/{named}".lower())
                yield line(*words, "--replicas=0")


def _on(
    outcome: Outcome, workload: str, clusters: Iterable[str]
) -> Iterator[tuple[Cluster, Workload]]:
    """The workload on every one of these clusters that a kubeconfig file reaches."""
    known = {each.name: each for each in outcome.snapshot.clusters}
    for linked in outcome.snapshot.linked:
        if linked.workload.name == workload:
            for name in clusters:
                connection = known[name].spec.connection
                if connection is not None and connection.file is not None:
                    yield known[name], linked.workload


def _object(workload: Workload) -> tuple[str, str]:
    kind, _, name = (workload.main or "//").split("/")
    return kind, name


def _kubectl(cluster: Cluster, workload: Workload) -> tuple[str, ...]:
    connection = cluster.spec.connection
    if connection is None or connection.file is None:
        return ("kubectl",)
    context = ("--context", connection.context) if connection.context else ()
    place = ("--namespace", workload.namespace)
    return ("kubectl", "--kubeconfig", connection.file, *context, *place)
