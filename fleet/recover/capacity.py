"""The kubectl lines of a break-glass script: what raises capacity, and waits for it.

Nothing is ever lowered, that is the next update's work: every number is asked for before it is set.
Replicas that an autoscaler owns are left to it: its bounds are raised instead, since it would undo
a number that is written past it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fleet.model.inventory import Connection
from fleet.model.plan import ClusterDelivery, Outcome, PlannedObject

WAIT = (
    "ready() { # ready NUMBER kubectl ... get OBJECT: waits until so many are, for 300 s at most",
    "  wanted=$1; shift; tries=60",
    """  until [ "0$("$@" --output 'jsonpath={.status.readyReplicas}')" -ge "$wanted" ]; do""",
    "    tries=$((tries - 1))",
    """    [ "$tries" -gt 0 ] || { echo "after 300 s not $wanted ready: $*" >&2; exit 1; }""",
    "    sleep 5",
    "  done",
    "}",
)
"""How a script waits.

`rollout status` ends before an autoscaler has done anything, knows no ReplicaSet and no StatefulSet
with OnDelete, and waits for more than is asked where somebody has raised it further.
"""

_SCALED = frozenset({"Deployment", "StatefulSet", "ReplicaSet"})
_BOUNDS = {
    "HorizontalPodAutoscaler": ("minReplicas", "maxReplicas", 1),
    "ScaledObject": ("minReplicaCount", "maxReplicaCount", 0),
}
"""The fields of an autoscaler's bounds, and its least where it says none. As in deliver/scalers."""


@dataclass(frozen=True, slots=True)
class _Side:
    """A workload on one cluster as it is to be, and as it is: `today` None is not there at all.

    `back`: what answers now is raised to what it has now, whatever a switch would change.
    """

    workload: str
    then: ClusterDelivery
    today: ClusterDelivery | None
    login: str
    back: bool

    def before(self, key: str) -> PlannedObject | None:
        """The object as it is there today."""
        here = self.today.objects if self.today is not None else ()
        return next((each for each in here if each.key == key), None)


def raising(now: Outcome, then: Outcome, *, back: bool) -> Iterator[str]:
    """The lines of a switch: whatever it raises. The way back (`back`): what answers now."""
    today = {
        (each.workload, one.cluster): one for each in now.plan.workloads for one in each.deliveries
    }
    connections = {each.name: each.spec.connection for each in now.snapshot.clusters}
    answering = {
        (endpoint.workload, record.cluster)
        for endpoint in now.plan.endpoints
        for record in endpoint.records
        if record.dns_weight
    }
    for workload in then.plan.workloads:
        for each in workload.deliveries:
            where, connection = (workload.workload, each.cluster), connections.get(each.cluster)
            if connection is not None and (where in answering or not back):
                login = _login(each.cluster, connection)
                yield from _lines(_Side(workload.workload, each, today.get(where), login, back))


def _lines(side: _Side) -> Iterator[str]:
    scalers = _scalers(side.then)
    found: list[str] = []
    for each in side.then.objects:
        scaler = scalers.get(each.key)
        if scaler is not None:
            found += _bounded(side, each, scaler)
        elif _kind(each) in _SCALED:
            found += _scaled(side, each)
    before = side.today.replicas if side.today is not None else 0
    if not found and side.then.replicas > before:
        found.append(
            f"# {side.workload} on {side.then.cluster}: {before} -> {side.then.replicas} replicas,"
            " which 'kubectl scale' cannot do: raise it by hand"
        )
    yield from found


def _scalers(delivery: ClusterDelivery) -> dict[str, PlannedObject]:
    """The autoscaler of each object that has one, by the key of that object."""
    found = {}
    for each in delivery.objects:
        kind, namespace, _ = each.key.split("/")
        if kind in _BOUNDS:
            target = (each.body.get("spec") or {}).get("scaleTargetRef") or {}
            found[f"{target.get('kind', 'Deployment')}/{namespace}/{target.get('name')}"] = each
    return found


def _scaled(side: _Side, each: PlannedObject) -> Iterator[str]:
    """An object whose replicas the files own."""
    before, wanted = side.before(each.key), _number(each, "replicas", 1)
    if before is None:
        yield _absent(side, each, wanted)
    elif side.back or wanted > _number(before, "replicas", 1):
        yield from _scale(side, each, wanted)


def _bounded(side: _Side, each: PlannedObject, scaler: PlannedObject) -> Iterator[str]:
    """An object whose replicas an autoscaler owns; without it on the cluster, nothing owns them."""
    bounds, there = _bounds(scaler), side.before(scaler.key)
    wanted = min(bounds.values())
    if side.before(each.key) is None:
        yield _absent(side, each, wanted)
    elif there is None:
        yield f"# the autoscaler of {_called(each)} comes to {each.cluster} with the next update"
        yield from _scale(side, each, wanted)
    else:
        was = _bounds(there)
        if side.back or any(count > was[name] for name, count in bounds.items()):
            for name, count in bounds.items():
                yield from _at_least(side, scaler, name, count)
            if _kind(each) in _SCALED:
                yield _ready(side, each, wanted)


def _bounds(scaler: PlannedObject) -> dict[str, int]:
    """By field, the higher one first: an API server takes no minimum above the maximum."""
    low, high, least = _BOUNDS[_kind(scaler)]
    minimum = _number(scaler, low, least)
    return {high: max(minimum, _number(scaler, high, 1)), low: minimum}


def _scale(side: _Side, each: PlannedObject, wanted: int) -> Iterator[str]:
    call, target = _call(side, each), _called(each)
    yield _unless(f"{call} get {target}", "replicas", wanted)
    yield f"  || {call} scale {target} --replicas {wanted}"
    yield _ready(side, each, wanted)


def _ready(side: _Side, each: PlannedObject, wanted: int) -> str:
    return f"ready {wanted} {_call(side, each)} get {_called(each)}"


def _at_least(side: _Side, scaler: PlannedObject, field: str, wanted: int) -> Iterator[str]:
    call, target = _call(side, scaler), _called(scaler)
    yield _unless(f"{call} get {target}", field, wanted)
    patch = f'{{"spec": {{"{field}": {wanted}}}}}'
    yield f"  || {call} patch {target} --type merge --patch '{patch}'"


def _unless(get: str, field: str, wanted: int) -> str:
    """What has more keeps it; a field that is not written is 0."""
    return f"[ \"0$({get} --output 'jsonpath={{.spec.{field}}}')\" -ge {wanted} ] \\"


def _absent(side: _Side, each: PlannedObject, wanted: int) -> str:
    return f"# {_called(each)} is not on {side.then.cluster}: kubectl cannot raise it to {wanted}"


def _kind(each: PlannedObject) -> str:
    return each.key.partition("/")[0]


def _called(each: PlannedObject) -> str:
    kind, _, name = each.key.split("/", 2)
    return f"{kind.lower()}/{name}"


def _call(side: _Side, each: PlannedObject) -> str:
    """Bounded: a cluster that swallows packets would hold up the traffic for minutes."""
    namespace = each.key.split("/")[1] or "default"
    return f"kubectl {side.login} --request-timeout 20s --namespace {namespace}"


def _number(planned: PlannedObject, field: str, unsaid: int) -> int:
    """A number of an object's spec; `unsaid` is what Kubernetes takes without a word about it."""
    spec: Mapping[str, object] = planned.body.get("spec") or {}
    value = spec.get(field, unsaid)
    return int(value) if isinstance(value, int | float) else unsaid


def _login(cluster: str, connection: Connection) -> str:
    """Which kubeconfig; one that is a secret of the stack is the operator's to bring."""
    context = f" --context {connection.context}" if connection.context else ""
    if connection.file is None:
        variable = f"KUBECONFIG_{cluster.upper().replace('-', '_').replace('.', '_')}"
        return f'--kubeconfig "${{{variable}:?path of the kubeconfig of {cluster}}}"{context}'
    path = connection.file
    quoted = f'"$HOME/{path[2:]}"' if path.startswith("~/") else f'"{path}"'
    return f"--kubeconfig {quoted}{context}"
