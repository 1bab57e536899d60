"""A seeded fleet on disk: workloads of about 60 lines each, as people keep them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

_CLUSTER = """\
apiVersion: fleet/v1
kind: Cluster
metadata:
  name: c-{n:04}
  labels: {{env: {env}, tier: t{tier}}}
spec:
  region: region-{region}
  zones: [region-{region}-a, region-{region}-b]
  capacity:
    allocatable: {{cpu: "{cpu}", memory: {memory}Gi, pods: {pods}}}
"""
_POLICY = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {{name: {name}}}
spec:
  workloads: [{name}]
  affinity:
    required: [{{matchLabels: {{env: {env}}}}}]
  division: {{mode: {mode}}}
"""
_LABELS = """\
  labels:
    app.kubernetes.io/name: {name}
    app.kubernetes.io/part-of: {team}
"""
_DEPLOYMENT = """\
apiVersion: apps/v1
kind: {kind}
metadata:
  name: {name}
  namespace: {team}
{labels}spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app.kubernetes.io/name: {name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {name}
    spec:
      containers:
        - name: main
          image: registry.example/{team}/{name}:1.{minor}.{patch}
          args: ["--port=8080", "--log-level={level}"]
          ports:
            - containerPort: 8080
          env:
            - name: LOG_LEVEL
              value: {level}
            - name: WORKERS
              value: "{workers}"
          resources:
            requests:
              cpu: {cpu}m
              memory: {memory}Mi
            limits:
              memory: {limit}Mi
"""
_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: {name}
  namespace: {team}
spec:
  selector:
    app.kubernetes.io/name: {name}
  ports:
    - port: 80
      targetPort: 8080
"""
_CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
  namespace: {team}
data:
  endpoint: https://{team}.example.org/{name}
  retries: "{workers}"
  settings.ini: |
    [main]
    level = {level}
    limit = {limit}
"""
_SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {name}
  namespace: {team}
spec:
  minReplicas: {replicas}
  maxReplicas: {most}
  scaleTargetRef: {{apiVersion: apps/v1, kind: {kind}, name: {name}}}
"""
_ACCOUNT = """\
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {name}
  namespace: {team}
{labels}"""
_KEY = """\
apiVersion: v1
kind: Secret
metadata:
  name: {name}
  namespace: {team}
stringData:
  token: "{patch}-{minor}-{workers}"
"""
_ENVIRONMENTS = ("prod", "staging")
_MODES = ("duplicated", "weighted", "aggregated")


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: workloads, lines and files of them, and lines of policies."""

    workloads: int
    lines: int
    files: int
    policy_lines: int


def write_fleet(root: Path, count: int, *, one_file: bool = False, seed: int = 1) -> Written:
    """A fleet of `count` workloads and as many policies, the same for the same seed.

    One folder, file and policy file per workload; or (`one_file`) all documents in one file each,
    where they are one workload with many objects.
    """
    random = Random(seed)
    for room in ("inventory", "policies", "workloads"):
        (root / room).mkdir(parents=True)
    (root / "inventory" / "all.yaml").write_text("---\n".join(_clusters(random, 100)))
    names = [f"w-{number:05}" for number in range(count)]
    workloads = {name: _workload(name, random) for name in names}
    policies = {name: _policy(name, random) for name in names}
    if one_file:
        workloads = {"all": "---\n".join(workloads.values())}
        everyone = _POLICY.format(name="all", env="prod", mode="duplicated")
        policies = {"all": everyone}
    for name, text in workloads.items():
        folder = root / "workloads" / name
        folder.mkdir()
        (folder / "all.yaml").write_text(text)
    for name, text in policies.items():
        (root / "policies" / f"{name}.yaml").write_text(text)
    lines = sum(text.count("\n") for text in workloads.values())
    policy_lines = sum(text.count("\n") for text in policies.values())
    return Written(count, lines, len(workloads) + len(policies), policy_lines)


def _clusters(random: Random, count: int) -> Iterator[str]:
    for n in range(count):
        cpu = random.choice((32, 64, 128))
        yield _CLUSTER.format(
            n=n,
            env=_ENVIRONMENTS[n % 2],
            tier=n % 5,
            region=n % 10,
            cpu=cpu,
            memory=cpu * 4,
            pods=cpu * 10,
        )


def _policy(name: str, random: Random) -> str:
    return _POLICY.format(name=name, env=random.choice(_ENVIRONMENTS), mode=random.choice(_MODES))


def _workload(name: str, random: Random) -> str:
    """A Deployment or StatefulSet, a Service, a ConfigMap; often more, seldom a Secret."""
    memory = random.choice((64, 128, 256, 512, 1000))
    replicas = random.randint(1, 12)
    team = f"team-{random.randrange(40)}"
    words = {
        "name": name,
        "team": team,
        "labels": _LABELS.format(name=name, team=team),
        "kind": random.choice(("Deployment", "Deployment", "Deployment", "StatefulSet")),
        "replicas": replicas,
        "most": replicas * 2,
        "minor": random.randrange(30),
        "patch": random.randrange(100),
        "level": random.choice(("debug", "info", "warn")),
        "workers": random.randint(1, 16),
        "cpu": random.randrange(50, 2000, 10),
        "memory": memory,
        "limit": memory * 2,
    }
    forms = [_DEPLOYMENT, _SERVICE, _CONFIG]
    forms += [form for form in (_SCALER, _ACCOUNT) if random.random() < 0.25]  # noqa: PLR2004 - a quarter
    forms += [_KEY] if random.random() < 0.02 else []  # noqa: PLR2004 - one of fifty
    return "---\n".join(form.format(**words) for form in forms)
