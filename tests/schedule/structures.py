"""Random fleets for the laws of tiers, even numbers, neighbours, priorities, bounds and quotas."""

from typing import Any

from hypothesis import strategies as st

from fleet.model.base import FrozenMap
from fleet.model.policy import DivisionMode
from fleet.model.prior import Prior, PriorWorkload
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.workload import WorkloadSettings
from tests.builders import a_policy, a_quota, a_snapshot, a_traffic, a_workload, linked
from tests.schedule.fleets import REGIONS, clusters, divisions, priors, terms

TIERS = ("first", "second", "third")


@st.composite
def even_spreads(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Spreads of which some ask for even numbers; a skew by cluster stands last."""
    fields = draw(
        st.lists(
            st.sampled_from(["region", "zone", "provider", "labels.tier"]), unique=True, max_size=2
        )
    )
    if draw(st.booleans()):
        fields.append("cluster")
    made = []
    for by in fields:
        least = draw(st.integers(1, 2))
        most = draw(st.one_of(st.none(), st.integers(least, 3)))
        skew = draw(st.one_of(st.none(), st.integers(1, 3)))
        made.append({"by": by, "min_domains": least, "max_domains": most, "max_skew": skew})
    return made


@st.composite
def tiers(draw: st.DrawFn, *, overflow: bool) -> list[dict[str, Any]]:
    made = []
    for name in TIERS[: draw(st.integers(1, 3))]:
        tier: dict[str, Any] = {
            "name": name,
            "terms": draw(st.lists(terms, min_size=1, max_size=2)),
        }
        if overflow:
            levels = draw(st.lists(st.lists(terms, min_size=1, max_size=1), max_size=2))
            tier["overflow"] = [{"terms": each} for each in levels]
        made.append(tier)
    return made


@st.composite
def items(draw: st.DrawFn, name: str, names: list[str]) -> Linked:
    division = draw(divisions())
    if draw(st.integers(0, 3)) == 0:
        least = draw(st.integers(0, 2))
        most = draw(st.one_of(st.just(0), st.integers(4, 6)))
        division["bounds"] = [{"term": draw(terms), "min_replicas": least, "max_replicas": most}]
        division.pop("max_replicas", None)
    spec: dict[str, Any] = {"division": division, "priority": draw(st.integers(-1, 1))}
    by_room = division["mode"] != "duplicated" and "weights" not in division
    shape = draw(st.sampled_from(["even", "even", "overflow", "tiers", "plain"]))
    if shape == "even":
        spec["spread"] = draw(even_spreads())
    if shape in {"overflow", "tiers"}:
        spec["tiers"] = draw(tiers(overflow=by_room and shape == "overflow"))
        spec["return_to_better_tier"] = draw(st.booleans())
    others = [each for each in names if each != name]
    relation = draw(st.sampled_from([None, None, "together", "apart"]))
    if relation and others:
        spec[relation] = draw(st.lists(st.sampled_from(others), unique=True, min_size=1))
    spec["placement"] = draw(st.sampled_from(["steady"] * 5 + ["fresh"]))
    workload = a_workload(
        name,
        draw(st.integers(0, 14)),
        request=draw(st.sampled_from([{"cpu": 1}, {"cpu": 1}, {"cpu": 2}, {}])),
        per_cluster=draw(st.sampled_from([False] * 7 + [True])),
        settings=WorkloadSettings(
            team=draw(st.sampled_from(["", "red", "blue"])),
            queue=draw(st.sampled_from([None, None, 0, 1])),
        ),
    )
    traffic = []
    if draw(st.integers(0, 4)) == 0:
        traffic.append(a_traffic(name, standby=30, active_region=draw(st.sampled_from(REGIONS))))
    return linked(workload, a_policy(name, **spec), traffic=traffic)


@st.composite
def structured(draw: st.DrawFn, workloads: int = 3) -> Snapshot:
    names = [f"w{number}" for number in range(draw(st.integers(1, workloads)))]
    made = [draw(items(name, names)) for name in names]
    quotas = []
    if draw(st.booleans()):
        quotas.append(a_quota("red", teams=["red"], limits={"cpu": draw(st.integers(0, 12))}))
    if draw(st.integers(0, 3)) == 0:
        quotas.append(a_quota("all", namespaces=["*"], limits={"cpu": draw(st.integers(0, 20))}))
    return a_snapshot(draw(clusters()), made, quotas=quotas)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Snapshot, Prior]:
    """A fleet and a last update that may have been anything."""
    snapshot = draw(structured())
    return snapshot, draw(last_updates(snapshot))


@st.composite
def last_updates(draw: st.DrawFn, snapshot: Snapshot) -> Prior:
    """Any prior, of which workloads remember a tier."""
    prior = draw(priors(snapshot))
    return Prior(
        known=True,
        workloads=FrozenMap(
            {
                name: PriorWorkload(
                    each.replicas, each.roles, tier=draw(st.sampled_from(["", *TIERS, "gone"]))
                )
                for name, each in prior.workloads.items()
            }
        ),
    )


def is_everywhere(item: Linked) -> bool:
    """Whether every selected cluster runs all replicas."""
    mode = item.placement.spec.division.mode
    return item.workload.per_cluster or mode is DivisionMode.DUPLICATED
