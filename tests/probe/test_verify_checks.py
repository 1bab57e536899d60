"""`fleet verify` asks what Route53 asks an entry, also behind calculated checks and levers."""

from typing import Any

from fleet.model.inventory import Entry
from fleet.model.verified import Aspect, Verified
from fleet.probe.verify import Asking, look
from tests.builders import a_cluster, a_traffic
from tests.deliver.test_dns import EU, a_snapshot_of, directed
from tests.harness.lever import LeverHost, lever_host


def entries(host: LeverHost, **words: Any) -> list[Verified]:
    """What is found of one cluster's entry, which is the host."""
    port = int(host.url.rpartition(":")[2])
    cluster = a_cluster("eu-1", entry=Entry(addresses=("127.0.0.1",), port=port))
    snapshot = a_snapshot_of(a_traffic(**EU, **words), clusters=[cluster])
    plan = directed(snapshot, {"eu-1": 2})
    found = look(Asking(plan=plan, accesses={}, resolver=None, asks=1))
    return [each for each in found if each.aspect is Aspect.ENTRY]


def test_the_children_of_a_check_are_asked_and_no_lever() -> None:
    with lever_host() as host:
        host.put("/ready")
        children = [{"path": "/ready"}, {"path": "/closed", "inverted": True}, {"path": "/gone"}]
        found = entries(
            host,
            health_check={"calculated": {"children": children}},
            lever={"out": "https://levers.example/{region}"},
        )
        agrees = {each.subject.split()[1].rpartition("/")[2]: each.agrees for each in found}
        assert agrees == {"ready": True, "closed": True, "gone": False}
