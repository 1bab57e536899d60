"""What a load balancer's status says, whatever its kind."""

from typing import Any

import pytest

from fleet.model.target import KnownTarget, seen_of

STATUSES: list[Any] = [
    pytest.param({}, (), id="no status"),
    pytest.param({"status": None}, (), id="an empty status"),
    pytest.param({"status": {"loadBalancer": {}}}, (), id="none yet"),
    pytest.param({"status": {"loadBalancer": {"ingress": "x"}}}, (), id="something else"),
    pytest.param(
        {"status": {"loadBalancer": {"ingress": [{"hostname": "a.elb"}, {"hostname": "b.elb"}]}}},
        ("a.elb",),
        id="host names",
    ),
    pytest.param(
        {
            "status": {
                "loadBalancer": {
                    "ingress": [
                        {"hostname": "a.elb", "ip": "192.0.2.1"},
                        {"ip": "2001:db8::1"},
                        {"ip": "192.0.2.2"},
                        {"ip": "192.0.2.1"},
                    ]
                }
            }
        },
        ("192.0.2.1", "192.0.2.2"),
        id="addresses of the first one's family",
    ),
    pytest.param(
        {"status": {"addresses": [{"type": "IPAddress", "value": "192.0.2.3"}, "x"]}},
        ("192.0.2.3",),
        id="a gateway",
    ),
]


@pytest.mark.parametrize(("body", "expected"), STATUSES)
def test_a_status(body: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert seen_of(body) == KnownTarget(expected, expected)


@pytest.mark.parametrize(("version", "expected"), [("12", 12), ("", 0), ("a1", 0), (None, 0)])
def test_a_version(version: str | None, expected: int) -> None:
    assert seen_of({"metadata": {"resourceVersion": version}}).version == expected
