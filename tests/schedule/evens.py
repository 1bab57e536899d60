"""Random fleets of few clusters whose policies ask for even numbers."""

from typing import Any

from hypothesis import strategies as st

from fleet.model.inventory import Cluster
from fleet.model.prior import Prior
from fleet.model.snapshot import Linked, Snapshot
from tests.builders import a_cluster, a_policy, a_snapshot, a_workload, linked
from tests.schedule.structures import last_updates

WEIGHTED: tuple[list[str] | None, ...] = (None, None, [], ["c0"], ["c1"])
"""Whose static weights a policy has: nobody's, everybody's, or of one cluster."""


@st.composite
def clusters(draw: st.DrawFn) -> list[Cluster]:
    return [
        a_cluster(
            f"c{number}",
            draw(st.sampled_from(["r1", "r2"])),
            zones=[draw(st.sampled_from("ab"))],
            cpu=draw(st.sampled_from([0, 1, 2, 4, 7, 20])),
            taints=draw(st.sampled_from([[], [], ["x:NoSchedule"]])),
            labels=draw(st.sampled_from([{}, {"tier": "gold"}, {"tier": "iron"}])),
            nodes=draw(st.sampled_from([[], [], [{"count": 2, "free": {"cpu": 3}}]])),
        )
        for number in range(draw(st.integers(2, 3)))
    ]


@st.composite
def items(draw: st.DrawFn, name: str) -> Linked:
    mode = draw(st.sampled_from(["weighted", "aggregated", "duplicated"]))
    division: dict[str, Any] = {"mode": mode}
    whose = draw(st.sampled_from(WEIGHTED))
    if mode == "weighted" and whose is not None:
        weight = draw(st.integers(1, 3))
        division["weights"] = [{"replica_weight": weight, "term": {"clusters": whose}}]
    if draw(st.integers(0, 3)) == 0:
        division["min_replicas"] = draw(st.integers(1, 4))
    least = draw(st.integers(1, 2))
    even: dict[str, Any] = {
        "by": draw(st.sampled_from(["cluster", "cluster", "region", "zone", "labels.tier"])),
        "max_skew": draw(st.integers(1, 2)),
        "min_domains": least,
        "max_domains": draw(st.one_of(st.none(), st.integers(least, 3))),
    }
    pick: dict[str, Any] = {"pick": 2} if even["by"] != "cluster" and draw(st.booleans()) else {}
    workload = a_workload(
        name,
        draw(st.integers(0, 12)),
        request=draw(st.sampled_from([{"cpu": 1}, {"cpu": 1}, {"cpu": 3}, {}])),
        autoscaled=draw(st.sampled_from([None, None, (3, 8)])),
    )
    return linked(workload, a_policy(name, division=division, spread=[even], **pick))


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """A fleet and a last update that may have been anything."""
    names = ["w0", "w1"][: draw(st.integers(1, 2))]
    snapshot = a_snapshot(draw(clusters()), [draw(items(name)) for name in names])
    return snapshot, draw(last_updates(snapshot))
