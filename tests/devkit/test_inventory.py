"""Clusters and nodes, as the inventory describes them."""

from pathlib import Path

import pytest

from devkit import nodes, quantity
from devkit.errors import DevkitError
from devkit.inventory import DevCluster, Entry, choose, read
from fleet.model.quantity import in_base_units

INVENTORY = """\
apiVersion: fleet/v1
kind: Cluster
metadata: {name: eu-1, labels: {env: prod, gpu: "true"}}
spec:
  region: eu-west-1
  zones: [eu-west-1a, eu-west-1b]
  provider: aws
  nodes: 3
  capacity:
    allocatable: {cpu: "24", memory: 96Gi, pods: 330, nvidia.com/gpu: 8}
    reserved: {cpu: "2"}
  connection: {file: HOME/kubeconfig, context: eu-1, timeoutSeconds: 4}
  entry: {addresses: [127.0.10.1], port: 8080, path: /}
---
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {name: not-a-cluster}
---
apiVersion: fleet/v1
kind: Cluster
metadata: {name: ap-1}
spec: {region: ap-south-1}
"""


def an_inventory(folder: Path) -> Path:
    file = folder / "clusters.yaml"
    file.write_text(INVENTORY.replace("HOME", str(folder)))
    return file


def test_read_gives_clusters_sorted_by_name(tmp_path: Path) -> None:
    assert [one.name for one in read(an_inventory(tmp_path))] == ["ap-1", "eu-1"]


def test_read_gives_every_field(tmp_path: Path) -> None:
    one = read(an_inventory(tmp_path))[1]
    assert one == DevCluster(
        name="eu-1",
        region="eu-west-1",
        zones=("eu-west-1a", "eu-west-1b"),
        provider="aws",
        labels={"env": "prod", "gpu": "true"},
        nodes=3,
        allocatable={"cpu": "24", "memory": "96Gi", "pods": "330", "nvidia.com/gpu": "8"},
        connection_file=tmp_path / "kubeconfig",
        context="eu-1",
        timeout_seconds=4,
        entry=Entry(addresses=("127.0.10.1",), port=8080, path="/"),
    )


def test_read_takes_a_folder(tmp_path: Path) -> None:
    an_inventory(tmp_path)
    assert len(read(tmp_path)) == 2


def test_read_refuses_an_empty_inventory(tmp_path: Path) -> None:
    with pytest.raises(DevkitError, match="no document of kind Cluster"):
        read(tmp_path)


def test_choose_takes_those_that_connect_through_the_home(tmp_path: Path) -> None:
    chosen = choose(read(an_inventory(tmp_path)), [], tmp_path)
    assert [one.name for one in chosen] == ["eu-1"]


def test_choose_takes_all_when_none_connects_through_the_home(tmp_path: Path) -> None:
    chosen = choose(read(an_inventory(tmp_path)), [], tmp_path / "elsewhere")
    assert [one.name for one in chosen] == ["ap-1", "eu-1"]


def test_choose_names_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(DevkitError, match=r"no cluster 'eu-2' - it has ap-1, eu-1"):
        choose(read(an_inventory(tmp_path)), ["eu-2"], tmp_path)


@pytest.mark.parametrize(
    ("total", "resource", "parts", "shares"),
    [
        pytest.param("24", "cpu", 3, ["8000m"] * 3, id="whole cores"),
        pytest.param("2", "cpu", 3, ["667m", "667m", "666m"], id="cores with a rest"),
        pytest.param("500m", "cpu", 2, ["250m", "250m"], id="millicores"),
        pytest.param("1Gi", "memory", 2, ["536870912"] * 2, id="binary suffix"),
        pytest.param("1G", "memory", 1, ["1000000000"], id="decimal suffix"),
        pytest.param("1e3", "pods", 4, ["250"] * 4, id="exponent"),
        pytest.param("8", "nvidia.com/gpu", 3, ["3", "3", "2"], id="devices are not cut"),
    ],
)
def test_divide_gives_the_whole_away(
    total: str, resource: str, parts: int, shares: list[str]
) -> None:
    assert quantity.divide(total, resource, parts) == shares
    whole = in_base_units(resource, total)
    assert sum(in_base_units(resource, share) for share in shares) == whole


@pytest.mark.parametrize("text", ["", "Gi", "1gb", "1 Gi", "--1"])
def test_a_bad_quantity_is_named(text: str) -> None:
    with pytest.raises(DevkitError, match="is no Kubernetes quantity"):
        quantity.divide(text, "memory", 1)


def test_nodes_carry_zone_region_and_labels(tmp_path: Path) -> None:
    made = nodes.documents(read(an_inventory(tmp_path))[1], "v1.36.3")
    labels = [node["metadata"]["labels"] for node in made]
    zones = [one["topology.kubernetes.io/zone"] for one in labels]
    assert zones == ["eu-west-1a", "eu-west-1b", "eu-west-1a"]
    assert {one["topology.kubernetes.io/region"] for one in labels} == {"eu-west-1"}
    assert {one["gpu"] for one in labels} == {"true"}
    assert [node["status"]["allocatable"]["nvidia.com/gpu"] for node in made] == ["3", "3", "2"]
