"""The kubectl lines of the break-glass scripts, run by a shell against clusters that are a file."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fleet.model.prior import Prior
from fleet.model.settings import Settings
from fleet.pipeline import build, region_switches
from fleet.recover.break_glass import Glass, break_glass_files
from tests.cli.test_commands import WEB
from tests.recover.test_break_glass import IDS, lay

HPA = """\
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  minReplicas: 4
  maxReplicas: 10
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
"""
KEDA = """\
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, namespace: shop}
spec:
  minReplicaCount: 4
  maxReplicaCount: 10
  scaleTargetRef: {name: web}
"""
ROLLOUT = """\
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: shop}
spec: {replicas: 4}
"""
SETTINGS = """\
---
apiVersion: fleet/v1
kind: Workload
metadata: {name: web}
spec: {replicas: [{apiVersion: argoproj.io/v1alpha1, kind: Rollout, path: spec.replicas}]}
"""
KUBECTL = f"""\
#!{sys.executable}
import json, os, pathlib, sys

world = pathlib.Path(os.environ["WORLD"])
live = json.loads(world.read_text())
words = sys.argv[1:]
assert words[0] == "--kubeconfig", words
side = "us-1" if words[1] == "us.kubeconfig" else "eu-1"
words = words[4:] if words[2] == "--context" else words[2:]
assert words[:4] == ["--request-timeout", "20s", "--namespace", "shop"], words
verb, *rest = words[4:]
target = live[side][rest[1] if rest[0] == "--" else rest[0]]
live["calls"].append([side, verb, rest[0]])
if verb == "get":
    path = rest[rest.index("--output") + 1]
    assert path.startswith("jsonpath={{.") and path.endswith("}}"), path
    part, field = path[len("jsonpath={{.") : -1].split(".")
    if part == "status" and rest[0] in live["late"]:
        live["late"][rest[0]] -= 1
        if live["late"][rest[0]] <= 0:
            target["status"]["readyReplicas"] = live["then"]
    print(target[part].get(field, ""), end="")
elif verb == "scale":
    count = int(rest[rest.index("--replicas") + 1])
    target["spec"]["replicas"] = target["status"]["readyReplicas"] = count
elif verb == "patch":
    assert rest[1:3] == ["--type", "merge"], rest
    target["spec"].update(json.loads(rest[rest.index("--patch") + 1])["spec"])
    bounds = list(target["spec"].values())
    assert sorted(bounds) == bounds or len(bounds) < 2, "the API server takes no such bounds"
else:
    sys.exit(f"unknown: {{sys.argv}}")
world.write_text(json.dumps(live))
"""
"""`kubectl` with the few words that the scripts use; a status follows after so many looks."""

PASSED = '#!/bin/sh\ncase "$*" in *--query*) echo C1;; esac\n'


class World:
    """The tools and the clusters that a script meets."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tools = root / "tools"
        self.tools.mkdir()
        for name, text in {"kubectl": KUBECTL, "aws": PASSED, "sleep": "#!/bin/sh\n"}.items():
            (self.tools / name).write_text(text)
            (self.tools / name).chmod(0o755)

    def play(self, text: str, live: dict[str, Any]) -> tuple[int, str, dict[str, Any]]:
        """Runs a script; its exit, what it said, and the clusters afterwards."""
        (self.root / "script.sh").write_text(text)
        world = self.root / "world.json"
        world.write_text(json.dumps({"calls": [], "late": {}, "then": 0, **live}))
        variables = {"WORLD": str(world), "KUBECONFIG_US_1": "us.kubeconfig", "HOME": "/nowhere"}
        done = subprocess.run(
            ["sh", str(self.root / "script.sh")],
            cwd=self.root,
            env=variables | {"PATH": f"{self.tools}{os.pathsep}/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return done.returncode, done.stdout + done.stderr, json.loads(world.read_text())


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def files(root: Path, objects: str, standby: int = 50) -> dict[str, str]:
    lay(root)
    web = root / "workloads" / "web" / "web.yaml"
    web.write_text(objects)
    policy = root / "policies" / "web.yaml"
    words = f"standby: {standby}" if standby else "standby: 0\n  failover: manual"
    policy.write_text(policy.read_text().replace("standby: 50", words))
    outcome = build(Settings(), Prior(), root)
    switches = region_switches(outcome)
    return break_glass_files(Glass("fleet/dev", outcome, switches, IDS, {}))


def a_deployment(replicas: int, ready: int | None = None) -> dict[str, Any]:
    status = {"readyReplicas": replicas if ready is None else ready}
    return {"spec": {"replicas": replicas}, "status": status}


SCALERS = [
    pytest.param(HPA, "horizontalpodautoscaler/web", "minReplicas", "maxReplicas", id="HPA"),
    pytest.param(KEDA, "scaledobject/web", "minReplicaCount", "maxReplicaCount", id="KEDA"),
]


@pytest.mark.parametrize(("scaler", "target", "low", "high"), SCALERS)
def test_an_autoscaler_s_bounds_are_raised_and_its_replicas_left_to_it(
    world: World, scaler: str, target: str, low: str, high: str
) -> None:
    made = files(world.root, WEB + scaler)
    sides = {"eu-1": {}, "us-1": {"deployment/web": a_deployment(2)}}
    sides["us-1"][target] = {"spec": {low: 2, high: 5}, "status": {}}
    live = {**sides, "late": {"deployment/web": 3}, "then": 4}
    code, said, after = world.play(made["leave-eu-west-1.sh"], live)
    assert (code, said) == (0, "")
    assert after["us-1"][target]["spec"] == {low: 4, high: 10}
    assert after["us-1"]["deployment/web"]["spec"] == {"replicas": 2}
    # It waited for the autoscaler to act.
    assert after["late"]["deployment/web"] == 0
    assert "scale" not in [verb for _, verb, _ in after["calls"]]


@pytest.mark.parametrize(("scaler", "target", "low", "high"), SCALERS)
def test_the_way_back_raises_the_bounds_of_what_answered(
    world: World, scaler: str, target: str, low: str, high: str
) -> None:
    made = files(world.root, WEB + scaler)
    assert made["now.sh"].count(" patch ") == 2
    eu = {"deployment/web": a_deployment(4), target: {"spec": {low: 2, high: 5}, "status": {}}}
    code, said, after = world.play(made["now.sh"], {"eu-1": eu, "us-1": {}})
    assert (code, said) == (0, "")
    assert after["eu-1"][target]["spec"] == {low: 4, high: 10}
    assert after["eu-1"]["deployment/web"]["spec"] == {"replicas": 4}


def test_what_has_more_keeps_it(world: World) -> None:
    made = files(world.root, WEB + HPA)
    target = "horizontalpodautoscaler/web"
    us = {
        "deployment/web": a_deployment(12),
        target: {"spec": {"minReplicas": 6, "maxReplicas": 20}, "status": {}},
    }
    code, said, after = world.play(made["leave-eu-west-1.sh"], {"eu-1": {}, "us-1": us})
    assert (code, said) == (0, "")
    assert after["us-1"] == us
    plain = files(world.root, WEB)
    code, said, after = world.play(plain["leave-eu-west-1.sh"], {"eu-1": {}, "us-1": us})
    assert (code, said) == (0, "")
    assert after["us-1"] == us


def test_replicas_of_the_files_are_scaled(world: World) -> None:
    made = files(world.root, WEB)
    us = {"deployment/web": a_deployment(2)}
    code, said, after = world.play(made["leave-eu-west-1.sh"], {"eu-1": {}, "us-1": us})
    assert (code, said) == (0, "")
    assert after["us-1"]["deployment/web"]["spec"] == {"replicas": 4}


def test_capacity_that_does_not_come_ends_it_before_any_traffic_moves(world: World) -> None:
    made = files(world.root, WEB + HPA)
    us = {
        "deployment/web": a_deployment(2),
        "horizontalpodautoscaler/web": {"spec": {"minReplicas": 2, "maxReplicas": 5}, "status": {}},
    }
    (world.tools / "aws").write_text("#!/bin/sh\necho moved\n")
    code, said, _ = world.play(made["leave-eu-west-1.sh"], {"eu-1": {}, "us-1": us})
    assert code == 1
    assert said.startswith("after 300 s not 4 ready: kubectl --kubeconfig us.kubeconfig")
    assert "moved" not in said


def test_a_cluster_that_does_not_answer_ends_it(world: World) -> None:
    made = files(world.root, WEB + HPA)
    (world.tools / "kubectl").write_text("#!/bin/sh\necho no route to host >&2\nexit 1\n")
    (world.tools / "aws").write_text("#!/bin/sh\necho moved\n")
    code, said, _ = world.play(made["leave-eu-west-1.sh"], {"eu-1": {}, "us-1": {}})
    assert code == 1
    assert "moved" not in said


def lines(made: dict[str, str], name: str) -> list[str]:
    """What a script does about capacity."""
    return made[name].partition("# 1.")[2].partition("# 2.")[0].splitlines()[1:-1]


def test_a_side_without_its_autoscaler_is_scaled(world: World) -> None:
    made = files(world.root, WEB + HPA, standby=0)
    said = lines(made, "leave-eu-west-1.sh")
    assert said[0] == "# the autoscaler of deployment/web comes to us-1 with the next update"
    us = {"deployment/web": a_deployment(0)}
    code, told, after = world.play(made["leave-eu-west-1.sh"], {"eu-1": {}, "us-1": us})
    assert (code, told) == (0, "")
    assert after["us-1"]["deployment/web"]["spec"] == {"replicas": 4}


def test_what_kubectl_cannot_scale_is_named(world: World) -> None:
    root = world.root
    (root / "workloads" / "web").mkdir(parents=True)
    (root / "workloads" / "web" / "fleet.yaml").write_text(SETTINGS.removeprefix("---\n"))
    made = files(root, ROLLOUT.removeprefix("---\n"))
    assert lines(made, "leave-eu-west-1.sh") == [
        "# web on us-1: 2 -> 4 replicas, which 'kubectl scale' cannot do: raise it by hand"
    ]
