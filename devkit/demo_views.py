"""What the demo shows of the world: live objects, records, and who answered when."""

import json
import subprocess
import urllib.request
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from devkit import plan as plans
from devkit.dataplane.watch import Sample, read_samples
from devkit.errors import DevkitError
from devkit.home import Home, environment
from devkit.plan import Plan

KINDS = "deployments,statefulsets,daemonsets,jobs"


def objects_table(home: Home) -> str:
    """Every cluster's workload objects, as its own API server lists them."""
    return "\n".join(
        f"{one.cluster.name}\n{_kubectl(home, one.cluster.name)}" for one in _plan(home).clusters
    )


def _kubectl(home: Home, cluster: str) -> str:
    columns = (
        "NAMESPACE:.metadata.namespace,KIND:.kind,NAME:.metadata.name,"
        "REPLICAS:.spec.replicas,READY:.status.readyReplicas,NODES:.status.numberReady,"
        "RUNNING:.status.ready"
    )
    command = ["kubectl", "--context", cluster, "get", KINDS, "--all-namespaces", "-o"]
    done = subprocess.run(
        [*command, f"custom-columns={columns}"],
        env=environment(home.root),
        check=True,
        capture_output=True,
        text=True,
    )
    return "\n".join(f"  {line}" for line in done.stdout.replace("<none>", "-     ").splitlines())


def records_table(home: Home) -> str:
    """Every record with a weight, as Route53 has it."""
    with urllib.request.urlopen(f"{_plan(home).route53_url}/_devkit/state") as answer:  # noqa: S310 - loopback
        state = json.load(answer)
    rows: list[tuple[str, ...]] = [("NAME", "TYPE", "CLUSTER", "WEIGHT", "TTL", "TARGETS")]
    for zone in state["HostedZones"]:
        for record in zone["ResourceRecordSets"]:
            if "Weight" in record:
                targets = ",".join(one["Value"] for one in record["ResourceRecords"])
                rows.append(
                    (
                        record["Name"],
                        record["Type"],
                        record["SetIdentifier"],
                        str(record["Weight"]),
                        str(record["TTL"]),
                        targets,
                    )
                )
    return _aligned(rows)


def watch_table(file: Path) -> str:
    """Who answered, from when to when, and the fewest ready replicas behind the answers."""
    samples = read_samples(file)
    if not samples:
        return "  nothing was seen"
    begun = samples[0].time
    rows: list[tuple[str, ...]] = [("FROM", "TO", "ANSWERED BY", "HTTP", "FEWEST READY")]
    for (cluster, status), group in groupby(samples, key=lambda one: (one.cluster, one.status)):
        rows.append(_span(begun, cluster or "nobody", status, list(group)))
    return _aligned(rows)


def _span(begun: float, cluster: str, status: int, span: list[Sample]) -> tuple[str, ...]:
    fewest = min(one.ready for one in span)
    return (
        f"{span[0].time - begun:.1f} s",
        f"{span[-1].time - begun:.1f} s",
        cluster,
        str(status),
        str(fewest),
    )


def _aligned(rows: Iterable[tuple[str, ...]]) -> str:
    lines = list(rows)
    widths = [max(len(row[column]) for row in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in lines
    )


def _plan(home: Home) -> Plan:
    plan = plans.read(home)
    if plan is None:
        raise DevkitError("no devkit is up here")
    return plan
