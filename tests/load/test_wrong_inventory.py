"""Wrong inventories: for each the exact error lines."""

from collections.abc import Callable

import pytest

from tests.load.texts import a_cluster

Faults = Callable[..., list[str]]


CLUSTERS = [
    pytest.param(
        a_cluster(spec="regoin: eu"),
        [
            "4:1: spec.region: is required, but not there",
            "4:8: spec.regoin: is no field that is known here - did you mean 'region'?",
        ],
        id="an unknown field",
    ),
    pytest.param(
        a_cluster(spec="region: a, kubernetes_version: v1"),
        [
            (
                "4:19: spec.kubernetes_version: is no field that is known here"
                " - did you mean 'kubernetesVersion'?"
            )
        ],
        id="snake case",
    ),
    pytest.param(
        "origin: {file: x}\n" + a_cluster(),
        [
            (
                "1:1: origin: is no field that is known here"
                " - known are 'apiVersion', 'kind', 'metadata', 'spec'"
            )
        ],
        id="a field that only the program has",
    ),
    pytest.param(
        a_cluster(metadata=", labels: {version: 1.10, gpu: true, norway: no, zip: 012}"),
        [
            '3:32: metadata.labels.version: wants text, not the number 1.10 - write "1.10"',
            '3:47: metadata.labels.gpu: wants text, not true - write "true"',
        ],
        id="text that reads as something else, but not Norway and 012",
    ),
    pytest.param(
        a_cluster(spec='region: a, nodes: "3", zones: a'),
        [
            "4:19: spec.nodes: wants a whole number, not '3' - write 3 without quotes",
            "4:31: spec.zones: wants a list, not 'a' - write [a]",
        ],
        id="wrong types",
    ),
    pytest.param(
        a_cluster(spec="region: a, nodes: 012, zones: , capacity: 3"),
        [
            "4:19: spec.nodes: wants a whole number, not '012'",
            "4:31: spec.zones: wants a list, not nothing - remove the field, or write []",
            "4:40: spec.capacity: wants a map, not the number 3",
        ],
        id="more wrong types",
    ),
    pytest.param(
        a_cluster(spec="region: a, nodes: 1.5, zones: [a, a]"),
        [
            "4:19: spec.nodes: wants a whole number, not the number 1.5",
            "4:31: spec.zones: a zone is listed twice",
        ],
        id="a fraction and a zone twice",
    ),
    pytest.param(
        a_cluster(spec="region: a, state: drained"),
        [
            (
                "4:19: spec.state: 'drained' is not allowed; allowed are 'active', 'draining',"
                " 'down', 'decommissioned' - did you mean 'draining'?"
            )
        ],
        id="an unknown state",
    ),
    pytest.param(
        a_cluster(spec="region: a, capacity: {allocatable: {cpu: 4x, memory: -1, pods: on}}"),
        [
            (
                "4:44: spec.capacity.allocatable.cpu: '4x' is no Kubernetes quantity,"
                " such as 2, 500m, 1.5 or 4Gi"
            ),
            (
                "4:53: spec.capacity.allocatable.memory: '-1' is negative; a quantity here is 0 or"
                " more"
            ),
            (
                "4:65: spec.capacity.allocatable.pods: 'on' is no Kubernetes quantity,"
                " such as 2, 500m, 1.5 or 4Gi"
            ),
        ],
        id="bad quantities, each at its own place",
    ),
    pytest.param(
        a_cluster(spec="region: a, capacity: {reserved: {cpu: true, memory: [1]}}"),
        [
            "4:41: spec.capacity.reserved.cpu: wants a quantity, such as 2, 500m, 1.5 or 4Gi",
            "4:52: spec.capacity.reserved.memory: wants a quantity, such as 2, 500m, 1.5 or 4Gi",
        ],
        id="quantities that are no numbers",
    ),
    pytest.param(
        a_cluster(name="Eu_1"),
        [
            (
                "3:12: metadata.name: 'Eu_1' is not a name: lower case letters, digits, '-' and"
                " '.', at most 253 characters"
            )
        ],
        id="a bad name",
    ),
    pytest.param(
        a_cluster(name="EU-1"),
        [
            (
                "3:12: metadata.name: 'EU-1' is not a name: lower case letters, digits, '-' and"
                " '.', at most 253 characters - write 'eu-1'"
            )
        ],
        id="a name in upper case",
    ),
    pytest.param(
        a_cluster(spec="region: a, entry: {hostname: a.b, addresses: [192.0.2.1]}"),
        ["4:19: spec.entry: say either 'hostname' or 'addresses', not both and not neither"],
        id="two kinds of entry",
    ),
    pytest.param(
        a_cluster(spec="region: a, entry: {hostname: 192.0.2.1, port: 0}"),
        [
            "4:27: spec.entry.hostname: '192.0.2.1' is an address - write addresses: [192.0.2.1]",
            "4:48: spec.entry.port: 0 is too small; it is at least 1",
        ],
        id="a port that is none",
    ),
    pytest.param(
        a_cluster(spec="region: a, entry: {hostname: 192.0.2.1}"),
        ["4:27: spec.entry.hostname: '192.0.2.1' is an address - write addresses: [192.0.2.1]"],
        id="an address as a hostname",
    ),
    pytest.param(
        a_cluster(spec='region: a, entry: {hostname: "http://a.b/"}'),
        [
            (
                "4:27: spec.entry.hostname: 'http://a.b/' is no hostname"
                " - a name only, such as lb.example.org: no scheme, port or path"
            )
        ],
        id="a URL as a hostname",
    ),
    pytest.param(
        a_cluster(spec='region: a, entry: {addresses: [192.0.2.1, "2001:db8::1", lb.x]}'),
        [
            (
                "4:65: spec.entry.addresses[2]: 'lb.x' is no IPv4 or IPv6 address"
                " - a name goes under 'hostname'"
            ),
        ],
        id="a name among addresses of two families",
    ),
    pytest.param(
        a_cluster(spec="region: a, connection: {file: a, secret: b, timeoutSeconds: 99}"),
        [
            "4:19: spec.connection: say either 'file' or 'secret', not both and not neither",
            "4:52: spec.connection.timeoutSeconds: 99 is too large; it is at most 60",
        ],
        id="a time limit that is too long",
    ),
    pytest.param(
        a_cluster(spec="region: a, taints: [{effect: noSchedule}, {key: '', effect: NoExecute}]"),
        [
            "4:28: spec.taints[0].key: is required, but not there",
            (
                "4:29: spec.taints[0].effect: 'noSchedule' is not allowed; allowed are"
                " 'NoSchedule', 'PreferNoSchedule', 'NoExecute' - did you mean 'NoSchedule'?"
            ),
            "4:51: spec.taints[1].key: is empty; it wants text",
        ],
        id="bad taints",
    ),
    pytest.param(
        a_cluster() + "---\n" + a_cluster(),
        [
            (
                "8:12: metadata.name: the cluster 'x-1' is already at inventory/x.yaml:1:1"
                " - keep one of the two"
            )
        ],
        id="a cluster twice",
    ),
    pytest.param(
        a_cluster().replace("Cluster", "Clutser"),
        ["2:1: kind: 'Clutser' is not known here - did you mean 'Cluster'?"],
        id="an unknown kind",
    ),
    pytest.param(
        a_cluster().replace("fleet/v1", "fleet/v2"),
        ["1:1: apiVersion: 'fleet/v2' is not known here - did you mean 'fleet/v1'?"],
        id="an unknown version",
    ),
    pytest.param(
        a_cluster().replace("Cluster", "[Cluster]"),
        ["2:1: kind: a list is not known here - did you mean 'Cluster'?"],
        id="a kind that is no word",
    ),
    pytest.param(
        "kind: Cluster\n",
        ["1:1: apiVersion: is required, but not there - write fleet/v1"],
        id="no version",
    ),
    pytest.param(
        "apiVersion: fleet/v1\nkind: Workload\n",
        [
            (
                "2:1: kind: 'Workload' is not known here"
                " - it belongs to its workload: write it to workloads/<name>/fleet.yaml"
            )
        ],
        id="a kind that lives elsewhere",
    ),
    pytest.param(
        "just text\n",
        [
            "1:1: a document is a map with apiVersion, kind, metadata and spec, not 'just text'",
        ],
        id="no map",
    ),
]


@pytest.mark.parametrize(("text", "expected"), CLUSTERS)
def test_wrong_inventory_is_refused(faults: Faults, text: str, expected: list[str]) -> None:
    found = faults({"inventory/x.yaml": text})
    assert found == [f"inventory/x.yaml:{line}" for line in expected]


def test_empty_inventory_is_refused(faults: Faults) -> None:
    assert faults({"inventory/dev.yaml": "# nothing\n"}) == [
        (
            "config fleet:inventory: there is no Cluster document in 'inventory'"
            " - a fleet has at least one cluster; is fleet:inventory the right path?"
        )
    ]


def test_missing_path_is_refused_with_the_key_to_set(faults: Faults) -> None:
    for key in ("inventory", "workloads", "policies"):
        assert (
            f"config fleet:{key}: 'gone' does not exist - name a folder or file: "
            f"pulumi config set fleet:{key} PATH, or fleet … --{key} PATH"
        ) in faults(**{key: "gone"})
