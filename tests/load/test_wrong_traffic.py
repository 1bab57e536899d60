"""Wrong traffic policies, entries that no group of records can hold, and the config."""

from collections.abc import Callable

import pytest

from fleet.model.snapshot import Snapshot
from tests.load.texts import a_cluster, a_policy

Faults = Callable[..., list[str]]
Load = Callable[..., Snapshot]


def a_traffic(spec: str = "", name: str = "t", dns: str = "web.fleet.test") -> str:
    zone = "" if "zone:" in spec else ", zone: {name: fleet.test}"
    region = (
        "" if "mode: weighted" in spec or "activeRegion" in spec else ", activeRegion: eu-west-1"
    )
    return a_policy(f"workload: web, name: {dns}{zone}{region}{spec}", "TrafficPolicy", name)


TRAFFIC = [
    pytest.param([a_traffic()], [], id="good"),
    pytest.param(
        [a_traffic(), a_traffic(name="u")],
        ["the name 'web.fleet.test' belongs to 't' at policies/t.yaml:4:23"],
        id="two owners",
    ),
    pytest.param(
        [a_traffic(dns=f"{'a' * 64}.fleet.test")],
        ["spec.name: 'aaaaaaaaaaaaaaaaaaaa...' has 64 characters; a part of a DNS name has at"],
        id="a part too long for DNS",
    ),
    pytest.param(
        [a_traffic(dns=f"{'.'.join(['a' * 60] * 4)}.fleet.test")],
        ["spec.name: the name has 254 characters; a DNS name has at most 253"],
        id="a name too long for DNS",
    ),
    pytest.param(
        [a_traffic(dns="Web.fleet.test")],
        ["is not a DNS name in lower case", "- write 'web.fleet.test'"],
        id="upper case",
    ),
    pytest.param(
        [a_traffic(), a_traffic(", zone: {name: fleet.test, create: true}", "u", "u.fleet.test")],
        ["'t' does not create the zone 'fleet.test' at policies/t.yaml:4:45"],
        id="zones disagree",
    ),
    pytest.param(
        [a_traffic(", activeRegion: eu-wst-1")],
        ["no cluster is in a region 'eu-wst-1' - did you mean 'eu-west-1'?"],
        id="an unknown region",
    ),
    pytest.param(
        [a_traffic(", activeRegion: 'eu-*'")],
        ["no cluster is in a region 'eu-*'"],
        id="a pattern is no active region",
    ),
    pytest.param(
        [a_traffic(", activeRegion: ")],
        [
            (
                "needs an active region, and nothing says which - write spec.activeRegion,"
                " or: pulumi config set fleet:activeRegion REGION"
            )
        ],
        id="no active region",
    ),
    pytest.param(
        [a_traffic(", mode: weighted, dnsWeights: {eu-1: 1, us-east-1: 2, eu-9: 3}")],
        ["spec.dnsWeights.eu-9: no cluster is in a region 'eu-9'"],
        id="an unknown weight",
    ),
    pytest.param(
        [a_traffic(", mode: weighted, dnsWeights: {eu-1: 256}")],
        ["spec.dnsWeights.eu-1: 256 is too large; it is at most 255"],
        id="a weight that Route53 refuses",
    ),
    pytest.param(
        [a_traffic(dns="web.other.test")],
        ["name 'web.other.test' is not in zone 'fleet.test'"],
        id="a name outside its zone",
    ),
    pytest.param(
        [a_traffic(", healthCheck: {intervalSeconds: 20}")],
        ["intervalSeconds: the number 20 is not allowed; allowed are '10', '30'"],
        id="an interval that Route53 refuses",
    ),
    pytest.param(
        [a_traffic().replace("workload: web", "workload: wbe")],
        ["spec.workload: there is no workload 'wbe' - did you mean 'web'?"],
        id="an unknown workload",
    ),
]


@pytest.mark.parametrize(("policies", "parts"), TRAFFIC)
def test_wrong_traffic_is_refused(faults: Faults, policies: list[str], parts: list[str]) -> None:
    found = faults(
        {f"policies/{name}.yaml": text for name, text in zip("tu", policies, strict=False)}
    )
    assert len(found) == min(1, len(parts))
    assert all(part in found[0] for part in parts)


def two_clusters(first: str, second: str) -> dict[str, str]:
    inventory = "---\n".join(
        (
            a_cluster("eu-1", f"region: eu-west-1{first}", ", labels: {env: prod}"),
            a_cluster("us-1", f"region: us-east-1{second}", ", labels: {env: dev}"),
        )
    )
    return {"inventory/dev.yaml": inventory, "policies/t.yaml": a_traffic()}


V4 = ", entry: {addresses: [192.0.2.1]}"
V6 = ", entry: {addresses: ['2001:db8::1']}"
HOST = ", entry: {hostname: lb.example.org}"
ONLY_EU = a_policy("workloads: [web], affinity: {required: [{matchLabels: {env: prod}}]}")


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        (V4, HOST, "IPv4 addresses (inventory/dev.yaml:4:27) and that of 'us-1' a hostname"),
        (V4, V6, "IPv4 addresses (inventory/dev.yaml:4:27) and that of 'us-1' IPv6 addresses"),
        (HOST, V6, "a hostname (inventory/dev.yaml:4:27) and that of 'us-1' IPv6 addresses"),
    ],
)
def test_one_name_has_one_type_of_record(
    faults: Faults, first: str, second: str, kinds: str
) -> None:
    files = two_clusters(first, second)
    found = faults(files)
    assert len(found) == 1
    assert f"all records of a name have one type, but the entry of 'eu-1' has {kinds}" in found[0]
    assert faults({**files, "policies/web.yaml": ONLY_EU}) == []


def test_hostname_cannot_stand_at_the_apex(faults: Faults) -> None:
    files = two_clusters(HOST, HOST)
    assert faults(files) == []
    files["policies/t.yaml"] = a_traffic(dns="fleet.test")
    assert faults(files) == [
        (
            "policies/t.yaml:4:23: spec.name: 'fleet.test' is the zone itself, where a CNAME to a"
            " hostname is not allowed, and the entry of 'eu-1' has a hostname"
            " - use a name below the zone, or entries with addresses"
        )
    ]
    files.update(two_clusters(V4, V4), **{"policies/t.yaml": a_traffic(dns="fleet.test")})
    assert faults(files) == []


def test_cluster_without_entry_is_told_and_no_entry_at_all_is_refused(
    load: Load, faults: Faults
) -> None:
    findings = load(two_clusters(V4, "")).findings
    assert [(each.code, dict(each.values)) for each in findings] == [
        ("no-entry", {"cluster": "us-1", "policy": "t"})
    ]
    assert faults(two_clusters("", "")) == [
        (
            "policies/t.yaml:4:8: spec.workload: no cluster that 'web' may use has an entry:"
            " eu-1, us-1 - write spec.entry to the Clusters"
        )
    ]


CONFIG = [
    ({"down": "eu-2"}, ["down[0]: there is no cluster or region 'eu-2' - did you mean 'eu-1'?"]),
    ({"drain": '["eu-1", "x"]'}, ["drain[1]: there is no cluster or region 'x'"]),
    ({"fenced": ["eu-west-1", "y"]}, ["fenced[1]: there is no cluster or region 'y'"]),
    ({"down": ["eu-west-1"], "drain": "us-1"}, []),
    ({"decommission": ["eu-west-1"]}, ["decommission[0]: there is no cluster 'eu-west-1'"]),
    ({"decommission": ["x"]}, ["decommission[0]: there is no cluster 'x'"]),
    ({"activeRegion": "eu-west-2"}, ["activeRegion: no cluster is in a region 'eu-west-2'"]),
    ({"activeRegions": {"u": "eu-west-1"}}, ["activeRegions.u: there is no traffic policy 'u'"]),
    ({"shift": {"u": 10}}, ["shift.u: there is no traffic policy 'u'"]),
    ({"shift": {"t": 10}}, []),
    ({"shift": 10}, []),
    ({"shift": {"t": 100, "u": 5}}, ["shift.u: there is no traffic policy 'u'"]),
    ({"activeRegions": {"t": "eu"}}, ["activeRegions.t: no cluster is in a region 'eu'"]),
]


SHIFTS = [
    pytest.param(
        [a_traffic(", mode: weighted")], {"shift": 10}, "shift: no traffic policy", id="all"
    ),
    pytest.param([], {"shift": 10}, "shift: no traffic policy is active-standby", id="none"),
    pytest.param(
        [a_traffic(", mode: weighted")],
        {"shift": {"t": 10}},
        "shift.t: the policy 't' is weighted and has no active region - remove the key",
        id="one",
    ),
]


@pytest.mark.parametrize(("documents", "config", "start"), SHIFTS)
def test_a_shift_of_what_has_no_active_region_is_refused(
    faults: Faults, documents: list[str], config: dict[str, object], start: str
) -> None:
    files = {f"policies/{number}.yaml": text for number, text in enumerate(documents)}
    (line,) = faults(files, **config)
    assert line.startswith(f"config fleet:{start}")


def test_a_shift_is_not_judged_while_a_policy_cannot_be_read(faults: Faults) -> None:
    broken = a_traffic(", mode: weihgted")
    (line,) = faults({"policies/t.yaml": broken}, shift=10)
    assert line.startswith("policies/t.yaml:")


@pytest.mark.parametrize(("config", "starts"), CONFIG)
def test_config_names_what_exists(
    faults: Faults, config: dict[str, object], starts: list[str]
) -> None:
    found = faults({"policies/t.yaml": a_traffic()}, **config)
    assert len(found) == len(starts)
    for line, start in zip(found, starts, strict=True):
        assert line.startswith(f"config fleet:{start}")


def test_weighted_policy_has_no_active_region_in_the_config(faults: Faults) -> None:
    files = {"policies/t.yaml": a_traffic(", mode: weighted")}
    assert faults(files, activeRegions={"t": "eu-west-1"}) == [
        (
            "config fleet:activeRegions.t: the policy 't' is weighted and has no active region"
            " - remove the key"
        )
    ]
