"""Everything is served on loopback, whatever the inventory says."""

from devkit.dataplane.places import Places, lay_out
from tests.dataplane.kit import a_cluster

OWN = "127.92.4"


def test_a_loopback_address_is_served_as_it_is() -> None:
    (place,) = lay_out([a_cluster("eu-1", "127.0.10.1")], "/home", first_port=1024)
    assert (place.target, place.address, place.served_port) == ("127.0.10.1", "127.0.10.1", 8080)


def test_an_address_of_the_world_gets_a_loopback_place() -> None:
    clusters = [a_cluster("eu-1", "192.0.2.1", "192.0.2.2"), a_cluster("us-1", "2001:db8::1")]
    places = lay_out(clusters, "/home")
    assert [place.address for place in places] == [f"{OWN}.1", f"{OWN}.2", f"{OWN}.3"]
    assert [place.cluster for place in places] == ["eu-1", "eu-1", "us-1"]


def test_a_host_name_gets_a_loopback_place() -> None:
    (place,) = lay_out([a_cluster("eu-1", hostname="EU-1.entry.test.")], "/home", first_port=1024)
    assert (place.target, place.address) == ("eu-1.entry.test", f"{OWN}.1")


def test_a_port_that_only_root_may_open_is_served_higher() -> None:
    (place,) = lay_out([a_cluster("eu-1", "127.0.10.1", port=443)], "/home", first_port=1024)
    assert (place.port, place.served_port) == (443, 8443)
    (place,) = lay_out([a_cluster("eu-1", "127.0.10.1", port=443)], "/home", first_port=1)
    assert place.served_port == 443


def test_a_target_is_found_where_it_is_served() -> None:
    places = Places(lay_out([a_cluster("eu-1", "192.0.2.1", port=443)], "/home", first_port=1024))
    assert places.resolve("192.0.2.1", 443) == (f"{OWN}.1", 8443)
    assert places.resolve("192.0.2.1", 9000) == (f"{OWN}.1", 9000)
    assert places.resolve("127.0.0.1", 80) == ("127.0.0.1", 80)
    assert places.resolve("192.0.2.9", 80) is None
    assert places.resolve("www.example.org", 80) is None


def test_a_cluster_without_an_entry_has_no_place() -> None:
    assert lay_out([a_cluster("eu-1")], "/home", first_port=1024) == []


def test_two_homes_do_not_meet() -> None:
    clusters = [a_cluster("eu-1", "192.0.2.1")]
    (one,), (other,) = lay_out(clusters, "/home/a"), lay_out(clusters, "/home/b")
    assert one.address != other.address
    assert lay_out(clusters, "/home/a") == [one]
