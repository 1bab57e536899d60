"""Wrong health checks, levers and targets: one sentence each, at its place in the file."""

from collections.abc import Callable

import pytest

Faults = Callable[..., list[str]]


def a_traffic(spec: str) -> str:
    return (
        "apiVersion: fleet/v1\nkind: TrafficPolicy\nmetadata: {name: t}\n"
        "spec:\n  workload: web\n  name: web.fleet.test\n  zone: {name: fleet.test}\n"
        f"  activeRegion: eu-west-1\n  {spec}\n"
    )


WRONG = [
    pytest.param(
        "healthCheck: {type: TCP, enableSni: false}",
        "9:3: spec.healthCheck: 'enableSni' goes with the HTTPS types",
        id="SNI without TLS",
    ),
    pytest.param(
        "healthCheck: {calculated: {children: [{port: 1}, {port: 1}]}}",
        "spec.healthCheck.calculated: a child is listed twice; Route53 counts each check once",
        id="a child twice",
    ),
    pytest.param(
        "healthCheck: {calculated: {children: [{port: 1}], threshold: 2}}",
        "spec.healthCheck.calculated: the threshold 2 is more than the 1 children",
        id="never healthy",
    ),
    pytest.param(
        "healthCheck: {calculated: {children: [{prot: 1}]}}",
        "spec.healthCheck.calculated.children[0].prot: is no field that is known here",
        id="a word",
    ),
    pytest.param(
        "healthCheck: {port: 1, calculated: {children: [{port: 1}]}}",
        "spec.healthCheck: 'calculated' stands alone, not beside port: each child says its own",
        id="beside a probe",
    ),
    pytest.param(
        "lever: {release: 'https://a.example/{region}'}",
        "9:11: spec.lever.release: 'lever.release' holds a standby out: it goes with mode"
        " 'active-standby' and 'failover: manual'",
        id="nothing to release",
    ),
    pytest.param(
        "healthCheck: {calculated: {children: [{port: 1}, {port: 2}], threshold: 1}}\n"
        "  lever: {out: 'https://a.example/{region}'}",
        "10:3: spec.lever: a lever goes with a check that needs all its children: Route53 counts"
        " children and knows no 'this many of these, and the lever'; drop 'threshold', or let one"
        " path of the service answer for several and ask that",
        id="a count, and a lever",
    ),
    pytest.param(
        "lever: {out: 'https://a.example/out'}",
        "9:11: spec.lever.out: the URL has no {region} and no {cluster}: it would pull everything",
        id="one for all",
    ),
    pytest.param(
        "lever: {searchString: x}",
        "spec.lever: a lever has 'out', 'release' or 'routingControls'",
        id="no object",
    ),
    pytest.param(
        "lever: {routingControls: {eu-west-1: 'arn:aws:s3:::x'}}",
        "9:29: spec.lever.routingControls.eu-west-1: 'arn:aws:s3:::x' is no ARN of a routing",
        id="another ARN",
    ),
    pytest.param(
        "target: {kind: Deployment, name: web}",
        "9:12: spec.target.kind: 'Deployment' is not allowed; allowed are 'Service', 'Ingress',",
        id="no load balancer",
    ),
]


def test_a_wrong_lever_is_told_at_its_place_beside_other_faults(faults: Faults) -> None:
    spec = "lever: {release: 'https://a.example/{region}'}\n  ttlSeconds: 0"
    found = faults({"policies/t.yaml": a_traffic(spec)})
    assert [line.split(": ")[:2] for line in found] == [
        ["policies/t.yaml:9:11", "spec.lever.release"],
        ["policies/t.yaml:10:3", "spec.ttlSeconds"],
    ]


@pytest.mark.parametrize(("spec", "expected"), WRONG)
def test_a_wrong_traffic_policy(faults: Faults, spec: str, expected: str) -> None:
    (line,) = faults({"policies/t.yaml": a_traffic(spec)})
    assert line.startswith("policies/t.yaml:")
    assert expected in line


def test_a_target_needs_no_entry(faults: Faults) -> None:
    cluster = (
        "apiVersion: fleet/v1\nkind: Cluster\nmetadata: {name: eu-1}\nspec: {region: eu-west-1}\n"
    )
    files = {"inventory/dev.yaml": cluster}
    target = {"policies/t.yaml": a_traffic("target: {kind: Service, name: web}")}
    assert faults(files | target) == []
    (line,) = faults(files | {"policies/t.yaml": a_traffic("failover: manual")})
    assert "has an entry" in line


@pytest.mark.parametrize("mode", ["weighted", "latency"])
def test_only_a_standby_waits_for_a_person(faults: Faults, mode: str) -> None:
    policy = a_traffic(f"mode: {mode}\n  failover: manual").replace(
        "  activeRegion: eu-west-1\n", ""
    )
    (line,) = faults({"policies/t.yaml": policy})
    assert line.endswith(
        "spec.failover: 'failover: manual' goes with mode 'active-standby': no other has a standby"
    )
    assert faults({"policies/t.yaml": policy.replace("manual", "automatic")}) == []
