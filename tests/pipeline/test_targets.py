"""From files and a prior document to the plan: where names lead, and what holds them."""

import json
from pathlib import Path
from typing import Any

from fleet.explain.document import run_document
from fleet.explain.placements import placements_document
from fleet.explain.table import summary_table
from fleet.load.prior import prior_from_text
from fleet.model.plan import Outcome
from fleet.model.prior import Prior
from tests.pipeline.test_pipeline import built, project

SERVICE = """\
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 8080}]}
"""
TRAFFIC = """\
apiVersion: fleet/v1
kind: TrafficPolicy
metadata: {name: web}
spec:
  workload: web
  name: web.fleet.test
  zone: {name: fleet.test}
  activeRegion: eu-west-1
  failover: manual
  target: {kind: Service, name: web}
  lever:
    out: https://levers.example/{region}/out
    release: https://levers.example/{region}/release
"""


def lay(root: Path) -> None:
    project(root)
    (root / "workloads/web/service.yaml").write_text(SERVICE, encoding="utf-8")
    (root / "policies/traffic.yaml").write_text(TRAFFIC, encoding="utf-8")


def after(outcome: Outcome, **targets: str) -> Prior:
    """The prior that an update leaves in its outputs, which saw load balancers at the end."""
    document: dict[str, Any] = placements_document(outcome)
    document["web"]["targets"] = {
        "web": {
            cluster.replace("_", "-"): {"at": value, "last": value, "version": "7"}
            for cluster, value in targets.items()
        }
    }
    return prior_from_text("prior.json", json.dumps(document))


def weights(outcome: Outcome) -> dict[str, int]:
    return {each.cluster: each.dns_weight for each in outcome.plan.endpoints[0].records}


def codes(outcome: Outcome) -> set[str]:
    return {each.code for each in outcome.plan.findings}


def test_a_record_comes_one_update_after_its_load_balancer(tmp_path: Path) -> None:
    lay(tmp_path)
    first = built(tmp_path)
    assert weights(first) == {}
    assert "target-unknown" in codes(first)
    second = built(tmp_path, after(first, eu_1="192.0.2.1", us_1="192.0.2.2"))
    assert weights(second) == {"eu-1": 100, "us-1": 0}
    assert "target-unknown" not in codes(second)
    third = built(tmp_path, after(second, eu_1="192.0.2.1", us_1="192.0.2.2"))
    assert third.plan.digest == second.plan.digest
    prior = prior_from_text("prior.json", json.dumps(placements_document(third)))
    assert prior.targets == third.prior.targets


def test_preview_says_which_lever_holds_what(tmp_path: Path) -> None:
    lay(tmp_path)
    outcome = built(tmp_path, after(built(tmp_path), eu_1="192.0.2.1", us_1="192.0.2.2"))
    assert "manual-not-held" not in codes(outcome)
    shown = " ".join(summary_table(outcome).split())
    at = "https://levers.example/"
    for expected in (
        "decision 60 s + release 30 s + ttl 60 s = 250 s by the lever",
        f"lever: eu-1 is out 30 s after {at}eu-west-1/out appears",
        f"lever: us-1 is out 30 s after {at}us-east-1/out appears",
        f"lever: us-1 is held out until 30 s after {at}us-east-1/release appears",
    ):
        assert expected in shown
    assert run_document(outcome)["levers"][0] == {
        "policy": "web",
        "kind": "out",
        "where": f"{at}eu-west-1/out",
        "clusters": ["eu-1"],
        "seconds": 30,
    }


def test_preview_says_which_routing_control_it_hangs_on(tmp_path: Path) -> None:
    lay(tmp_path)
    arn = "arn:aws:route53-recovery-control::123456789012:controlpanel/a/routingcontrol/b"
    controls = f"  lever: {{routingControls: {{us-east-1: '{arn}'}}}}\n"
    text = TRAFFIC.partition("  lever:")[0] + controls
    (tmp_path / "policies/traffic.yaml").write_text(text, encoding="utf-8")
    outcome = built(tmp_path, after(built(tmp_path), eu_1="192.0.2.1", us_1="192.0.2.2"))
    shown = " ".join(summary_table(outcome).split())
    assert f"lever: us-1 answers while routing control {arn} is on" in shown
