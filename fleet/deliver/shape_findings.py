"""What is to be said of how a name's records stand."""

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from fleet.deliver.past import Past
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Finding
from fleet.model.endpoint import EndpointDelivery
from fleet.model.traffic import Mode, TrafficPolicy

FORM_WORDS = {
    "": "one weighted group at the name",
    "weighted": "regions by weight",
    "latency": "regions by latency",
    "geolocation": "regions by place",
}
_RANGES = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 169.254.0.0/16 fc00::/7"
_PRIVATE = tuple(ip_network(each) for each in _RANGES.split())
"""Source: RFC 1918, 6598, 3927, 4193."""
_HIDDEN = re.compile(r"(.+\.)?(internal|local|localhost|home\.arpa)\Z")
"""Nobody outside resolves these. Source: ICANN resolution 2024.07.29.06, RFC 6762, 6761, 8375."""
_OF_A_VPC = re.compile(r"(dualstack\.)?internal-.+\.elb\.amazonaws\.com(\.cn)?\Z")
"""How AWS names a load balancer inside a VPC: everybody resolves it, to a private address."""


def shape_findings(
    policy: TrafficPolicy, endpoint: EndpointDelivery, past: Past
) -> Iterator[Finding]:
    """A change of form, regions that are left, and checks that nobody can make."""
    place = policy.origin.at("spec", "mode")
    if endpoint.records and past.form not in {None, endpoint.form}:
        values: FrozenMap[str | int] = FrozenMap(
            {
                "policy": policy.name,
                "name": endpoint.dns_name,
                "was": FORM_WORDS[past.form or ""],
                "now": FORM_WORDS[endpoint.form],
            }
        )
        yield Finding(codes.FORM_CHANGES, values, place)
    left = list(dict.fromkeys(each.cluster for each in endpoint.records if each.held))
    if left and policy.spec.mode is Mode.LATENCY:
        values = FrozenMap(
            {"policy": policy.name, "name": endpoint.dns_name, "clusters": ", ".join(left)}
        )
        yield Finding(codes.REGION_LEFT, values, place)
    hidden = [
        each.cluster
        for each in endpoint.records
        if each.type != "CNAME" and is_private(each.targets[0])
    ]
    if hidden:
        values = FrozenMap(
            {"policy": policy.name, "name": endpoint.dns_name, "clusters": ", ".join(hidden)}
        )
        yield Finding(codes.CHECK_CANNOT_REACH, values, policy.origin.at("spec", "healthCheck"))
    yield from _hidden_hosts(policy, endpoint)


def _hidden_hosts(policy: TrafficPolicy, endpoint: EndpointDelivery) -> Iterator[Finding]:
    """Hostnames whose checks never turn green."""
    hosts = [
        (each.cluster, each.targets[0])
        for each in endpoint.records
        if each.type == "CNAME" and is_hidden(each.targets[0])
    ]
    if hosts:
        values: dict[str, str | int] = {
            "policy": policy.name,
            "name": endpoint.dns_name,
            "clusters": ", ".join(cluster for cluster, _ in hosts),
            "hosts": ", ".join(dict.fromkeys(host for _, host in hosts)),
        }
        source = policy.origin.at("spec", "healthCheck")
        yield Finding(codes.CHECK_NEVER_GREEN, FrozenMap(values), source)


def is_hidden(host: str) -> bool:
    """Whether a hostname leads to nothing that the internet reaches, as far as its name tells.

    >>> is_hidden("web.corp.internal."), is_hidden("internal-a-1.eu-west-1.elb.amazonaws.com")
    (True, True)
    >>> is_hidden("dualstack.internal-a-1.cn-north-1.elb.amazonaws.com.cn"), is_hidden("localhost")
    (True, True)
    >>> is_hidden("internal.example.com"), is_hidden("a-1.eu-west-1.elb.amazonaws.com")
    (False, False)
    """
    name = host.lower().rstrip(".")
    return bool(_HIDDEN.match(name) or _OF_A_VPC.match(name))


def is_private(address: str) -> bool:
    """Whether an address cannot be reached from the internet.

    >>> is_private("10.1.2.3"), is_private("192.0.2.1"), is_private("fd00::1")
    (True, False, True)
    """
    parsed = ip_address(address)
    return any(parsed in network for network in _PRIVATE if network.version == parsed.version)
