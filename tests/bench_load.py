"""How long files take to load: `python tests/bench_load.py [WORKLOADS ...]`, by hand.

Prints, for each size, lines, seconds and the targets (1,000 workloads with 60,000 lines in under
2 s, 10,000 in under 15 s).
"""

import sys
import tempfile
import time
from pathlib import Path

from fleet.load import load_snapshot
from fleet.model.settings import Settings

CLUSTER = """\
apiVersion: fleet/v1
kind: Cluster
metadata: {{name: eu-{n}, labels: {{env: prod}}}}
spec:
  region: eu-west-{n}
  capacity: {{allocatable: {{cpu: "64", memory: 256Gi, pods: 330}}}}
"""
POLICY = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {{name: w-{n}}}
spec:
  workloads: [w-{n}]
  affinity: {{required: [{{matchLabels: {{env: prod}}}}]}}
  division: {{mode: weighted}}
"""
WORKLOAD = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-{n}
  labels:
    app: web-{n}
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web-{n}
  template:
    metadata:
      labels:
        app: web-{n}
    spec:
      containers:
        - name: web
          image: registry.example/web:1.25
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
          ports:
            - containerPort: 8080
          env:
            - name: MODE
              value: fast
            - name: LEVEL
              value: "2"
---
apiVersion: v1
kind: Service
metadata:
  name: web-{n}
spec:
  selector:
    app: web-{n}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: web-{n}
data:
  one: first
  two: "2"
  three: third
  four: fourth
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: web-{n}
"""


def write(root: Path, count: int) -> int:
    """A fleet of so many workloads; how many lines of workloads it has."""
    for folder in ("inventory", "policies", "workloads"):
        (root / folder).mkdir()
    clusters = "---\n".join(CLUSTER.format(n=n) for n in range(5))
    (root / "inventory" / "all.yaml").write_text(clusters)
    for n in range(count):
        (root / "policies" / f"w-{n}.yaml").write_text(POLICY.format(n=n))
        (root / "workloads" / f"w-{n}").mkdir()
        (root / "workloads" / f"w-{n}" / "all.yaml").write_text(WORKLOAD.format(n=n))
    return count * WORKLOAD.count("\n")


def main() -> None:
    """Measures each size once, in wall and processor time."""
    for count in [int(word) for word in sys.argv[1:]] or [1000, 10000]:
        with tempfile.TemporaryDirectory() as folder:
            lines = write(Path(folder), count)
            wall, cpu = time.perf_counter(), time.process_time()
            snapshot = load_snapshot(Settings(), Path(folder))
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            loaded = len(snapshot.linked)
            took = f"{wall:.2f} s, {cpu:.2f} s of processor"
            sys.stdout.write(f"{loaded} workloads, {lines} lines: {took}\n")


if __name__ == "__main__":
    main()
