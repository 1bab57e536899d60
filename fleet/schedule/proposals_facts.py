"""What makes a cluster feasible, of the rules about times, tenants, APIs, latency and nodes."""

from collections.abc import Iterator

from fleet.model.base import FrozenMap, Resources
from fleet.model.change import APPEND, Change, Edit
from fleet.model.cluster_set import ClusterSet
from fleet.model.decision import Rejection
from fleet.model.inventory import NodeGroup, Taint
from fleet.model.source import Path
from fleet.schedule import remedies
from fleet.schedule.filters import covers, spelled
from fleet.schedule.rules_sets import NAMESPACE, names_tenant, tenants
from fleet.schedule.stance import wanted_replicas
from fleet.schedule.steps import (
    Alternative,
    Case,
    Ladder,
    Number,
    Words,
    capacity_document,
    elsewhere,
    raised,
    replaced,
    term_of,
)
from fleet.schedule.table import PODS

NODES: Path = ("spec", "capacity", "nodes")


def toleration_over(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The toleration that ran out does so no more; a larger number would only put it off."""
    words = {key: rejection.values[key] for key in ("key", "value", "effect", "seconds")}
    taint = Taint.model_validate({key: words[key] for key in ("key", "value", "effect")})
    tolerations = enumerate(case.policy.spec.tolerations)
    position = next(place for place, each in tolerations if covers(each, taint))
    words |= spelled(case.policy.origin, taint.effect)
    path: Path = ("spec", "tolerations", position, "tolerationSeconds")
    yield [replaced(case, remedies.TOLERATE_ON, words, path, None)]


def maintenance(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """Those windows go that are open now."""
    cluster = case.cluster
    gone = case.snapshot.facts.windows[cluster.name].positions
    kept = [each for place, each in enumerate(cluster.spec.maintenance) if place not in gone]
    path = ("spec", "maintenance")
    words = {"cluster": cluster.name, "end": rejection.values["end"], "count": len(gone)}
    edit = Edit("Cluster", cluster.name, path, tuple(kept))
    source = cluster.origin.at(*path, gone[0])
    yield [Change(remedies.END_WINDOWS, FrozenMap[str | int](words), (edit,), source)]


def cluster_set(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The cluster joins a set of the tenant; an exclusive one, that shuts others out, last."""
    names = str(rejection.values["sets"]).split(", ")
    own = [each for each in case.snapshot.facts.sets if each.name in names]
    for each in sorted(own, key=lambda each: each.spec.exclusive):
        words = {"cluster": case.cluster_name, "set": each.name}
        path = ("spec", "clusters")
        yield [_of_set(each, remedies.JOIN_SET, words, (*path, APPEND), term_of(case))]


def exclusive(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The workload becomes a tenant, by its team or by its namespaces; or nobody is shut out."""
    (found,) = (each for each in case.snapshot.facts.sets if each.name == rejection.values["set"])
    who = tenants(case.linked.workload)
    for team in (each for each in who if each[0] != NAMESPACE):
        yield [_let_in(found, *team)]
    spaces = [each for each in who if each[0] == NAMESPACE]
    if spaces:
        yield [_let_in(found, *each) for each in spaces if not names_tenant(found, each)]
    path = ("spec", "exclusive")
    yield [_of_set(found, remedies.OPEN_SET, {"set": found.name}, path, value=False)]


def pinned(case: Case, _rejection: Rejection) -> Iterator[Alternative]:
    """The data is there, and nowhere else."""
    workload = case.linked.workload
    edit = Edit("Workload", workload.name, ("spec", "data", "at"), (case.cluster_name,))
    words = FrozenMap[str | int]({"cluster": case.cluster_name})
    yield [Change(remedies.MOVE_DATA, words, (edit,), workload.data_source("at"))]


def _let_in(found: ClusterSet, kind: str, name: str) -> Change:
    """One more tenant of a set."""
    words = {"set": found.name, "tenant": f"{kind} {name}"}
    return _of_set(found, remedies.LET_IN, words, ("spec", f"{kind}s", APPEND), name)


def _of_set(
    found: ClusterSet, code: str, words: dict[str, str], path: Path, value: object
) -> Change:
    edit = Edit("ClusterSet", found.name, path, value)
    return Change(code, FrozenMap[str | int](words), (edit,), found.origin.at(*path))


def api(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """The cluster says that it serves the API; what was seen there counts first."""
    cluster, name = case.cluster, rejection.values["api"]
    path = ("spec", "apis")
    seen = case.snapshot.facts.observations.get(cluster.name)
    kind, origin = "Cluster", cluster.origin
    if seen is not None and seen.spec.apis:
        kind, origin = "ClusterObservation", seen.origin
    words = elsewhere(origin, path, {"cluster": cluster.name, "api": name})
    edit = Edit(kind, cluster.name, (*path, APPEND), name)
    yield [Change(remedies.SERVE, FrozenMap(words), (edit,), origin.at(*path))]


def latency(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """As much as was measured is allowed; where the workload left, with the distance on top."""
    limit, measured = case.policy.spec.latency, int(rejection.values["milliseconds"])
    assert limit is not None  # noqa: S101 - the reason speaks of it
    most = measured if rejection.values["there"] else measured + limit.distance
    bound = Number(("spec", "latency", "most"), limit.origin, limit.most)
    yield [raised(case, bound, most, most)]


def nodes(case: Case, rejection: Rejection) -> Iterator[Alternative]:
    """As many more nodes as lack; still more where other workloads take them first."""
    yield more_nodes(case, int(rejection.values["needed"]) - int(rejection.values["fits"]))


def more_nodes(case: Case, missing: int) -> Alternative:
    """Nodes for so many replicas more; none where no nodes are listed.

    More of a group that holds a replica, else nodes that each hold one.
    """
    asked = {name: one for name, one in case.linked.workload.request.items() if one}
    others = 2 * sum(max(1, wanted_replicas(each.workload)) for each in case.snapshot.linked)
    groups = case.cluster.spec.capacity.nodes
    holds = [_holds(each, asked) for each in groups]
    if not groups:
        return []
    most = max(holds)
    if not most:
        return [Ladder(lambda count: _appended(case, asked, count), missing, missing + others)]
    place = holds.index(most)
    first = groups[place].count - (-missing // most)
    return [Ladder(lambda count: _counted(case, place, count), first, first + others)]


def _holds(group: NodeGroup, asked: dict[str, int]) -> int:
    """How many replicas one node of a group holds when it is empty."""
    listed = {name: one for name, one in asked.items() if name != PODS or name in group.free}
    return min((group.free.get(name, 0) // one for name, one in listed.items()), default=1)


def _counted(case: Case, place: int, count: int) -> Change:
    """So many nodes of a group."""
    group = case.cluster.spec.capacity.nodes[place]
    return _more_nodes(case, group, group.count, count, ((*NODES, place, "count"), count))


def _appended(case: Case, asked: dict[str, int], count: int) -> Change:
    """One more group, each of whose nodes holds a replica."""
    group = NodeGroup.model_construct(count=count, free=Resources(asked))
    return _more_nodes(case, group, 0, count, ((*NODES, APPEND), group))


def _more_nodes(
    case: Case, group: NodeGroup, was: int, to: int, written: tuple[Path, object]
) -> Change:
    cluster, (path, value) = case.cluster_name, written
    kind, origin = capacity_document(case, "nodes")
    free = {f"free.{name}": amount for name, amount in group.free.items() if name != PODS}
    words: Words = {"cluster": cluster, "was": was, "to": to, **free}
    edit = Edit(kind, cluster, path, value)
    return Change(remedies.ADD_NODES, FrozenMap[str | int](words), (edit,), origin.at(*path))
