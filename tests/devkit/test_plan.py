"""What `up` writes down: ports that do not collide, and a plan that reads back."""

import socket
from dataclasses import astuple
from pathlib import Path

import pytest

from devkit import plan, ports
from devkit.dev_cluster import DevCluster, Entry
from devkit.errors import DevkitError
from devkit.home import ROUTE53_VARIABLE, Home, variables
from devkit.ledger import FILE, open_ledger
from devkit.plan import Plan, PlannedCluster


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the claims of ports a file of their own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def a_home(folder: Path, name: str = "home") -> Home:
    home = Home(folder / name)
    home.make()
    return home


def test_a_plan_reads_back(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    cluster = DevCluster(
        name="eu-1",
        region="eu-west-1",
        zones=("eu-west-1a",),
        connection_file=tmp_path / "kubeconfig",
        entry=Entry(addresses=("127.0.10.1",), port=8080),
    )
    written = Plan((PlannedCluster(cluster, 21000, 21001),), 4580, 5380)
    plan.write(home, written)
    assert plan.read(home) == written
    assert variables(home)[ROUTE53_VARIABLE] == "http://127.0.0.1:4580"


def test_without_a_plan_there_is_no_route53(tmp_path: Path) -> None:
    assert plan.read(a_home(tmp_path)) is None
    assert ROUTE53_VARIABLE not in variables(a_home(tmp_path))


def test_a_home_keeps_its_ports(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    first = open_ledger(home, ["eu-1", "us-1"]).of("us-1")
    again = open_ledger(home, ["us-1", "ap-1"])
    assert again.of("us-1") == first
    assert (home.root / FILE).exists()


def test_no_port_is_given_twice(tmp_path: Path) -> None:
    homes = [a_home(tmp_path, name) for name in ("one", "two", "three")]
    names = ["a", "b", "c"]
    given = [
        port
        for home in homes
        for name in names
        for port in astuple(open_ledger(home, names).of(name))
    ]
    assert len(given) == len(set(given)) == 3 * 3 * 7


def test_a_block_with_a_taken_port_is_passed_over(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    first = ports.claim(home.root)
    home.bin.rename(tmp_path / "bin")
    other = a_home(tmp_path, "other")
    with socket.socket() as taken:
        (tmp_path / "cache" / "fleet" / "devkit" / "ports.json").unlink()
        taken.bind(("127.0.0.1", first + 5))
        taken.listen()
        assert ports.claim(home.root) != first
    assert ports.claim(other.root) != ports.claim(home.root)


def test_a_claim_ends_with_its_home(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    before = ports.claim(home.root)
    other = a_home(tmp_path, "other")
    ports.claim(other.root)
    assert ports.claim(home.root) == before


def test_too_many_clusters_are_refused(tmp_path: Path) -> None:
    names = [f"c-{number}" for number in range(ports.MAX_CLUSTERS + 1)]
    with pytest.raises(DevkitError, match="at most 13 clusters"):
        open_ledger(a_home(tmp_path), names)
