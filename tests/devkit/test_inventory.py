"""Clusters and nodes, as the inventory describes them."""

from pathlib import Path

import pytest

from devkit import nodes
from devkit.dev_cluster import DevCluster, Entry
from devkit.errors import DevkitError
from devkit.inventory import choose, read

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
spec: {workloads: [web]}
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
        labels={"env": "prod", "gpu": "true"},
        nodes=3,
        allocatable={"cpu": 24_000, "memory": 96 * 2**30, "pods": 330, "nvidia.com/gpu": 8},
        connection_file=tmp_path / "kubeconfig",
        context="eu-1",
        entry=Entry(addresses=("127.0.10.1",), port=8080, path="/"),
    )


def test_read_takes_a_folder(tmp_path: Path) -> None:
    an_inventory(tmp_path)
    assert len(read(tmp_path)) == 2


def test_read_refuses_an_empty_inventory(tmp_path: Path) -> None:
    with pytest.raises(DevkitError, match="there is no Cluster document"):
        read(tmp_path)


def test_read_refuses_what_fleet_refuses_at_its_place(tmp_path: Path) -> None:
    file = an_inventory(tmp_path)
    file.write_text(file.read_text().replace("zones:", "zone:"))
    with pytest.raises(DevkitError, match=r"clusters\.yaml:6:3: spec\.zone"):
        read(file)


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
        pytest.param(24_000, "cpu", 3, ["8000m"] * 3, id="whole cores"),
        pytest.param(2000, "cpu", 3, ["667m", "667m", "666m"], id="cores with a rest"),
        pytest.param(2**30, "memory", 2, ["536870912"] * 2, id="bytes"),
        pytest.param(8, "nvidia.com/gpu", 3, ["3", "3", "2"], id="devices are not cut"),
    ],
)
def test_divide_gives_the_whole_away(
    total: int, resource: str, parts: int, shares: list[str]
) -> None:
    assert nodes.divide(total, resource, parts) == shares


def test_nodes_carry_zone_region_and_labels(tmp_path: Path) -> None:
    made = nodes.documents(read(an_inventory(tmp_path))[1], "v1.36.3")
    labels = [node["metadata"]["labels"] for node in made]
    zones = [one["topology.kubernetes.io/zone"] for one in labels]
    assert zones == ["eu-west-1a", "eu-west-1b", "eu-west-1a"]
    assert {one["topology.kubernetes.io/region"] for one in labels} == {"eu-west-1"}
    assert {one["gpu"] for one in labels} == {"true"}
    assert [node["status"]["allocatable"]["nvidia.com/gpu"] for node in made] == ["3", "3", "2"]
