"""Which object of a workload is divided over clusters, in how many replicas, at what request.

A workload is placed as a whole. Its main object is the one whose replicas the scheduler divides:
an object that an autoscaler owns goes before the others, then more replicas before fewer, then
anything before a Job, then the first in the files. Only where nothing has replicas to divide, a
DaemonSet, a Pod or a CronJob is the main object, once per cluster; a CronJob asks for as many pods
at once as its job runs in parallel. Of a custom resource the workload's settings say where its
replicas stand.

The other objects with pods come along. Their pods are charged to the main object's replicas in
proportion: with 6 replicas of the main object and 3 of another, each of the 6 brings half a pod of
the other. That is exact where a cluster runs all replicas, and too little where a workload with
companions is divided over clusters, because every cluster then runs all of the companions.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from fleet.load.autoscalers import Autoscaler, read_autoscaler
from fleet.load.contents import at
from fleet.load.faults import Faults, whole
from fleet.load.objects import Checked, spoken
from fleet.load.requests import Sums, as_resources, pod_request, template_request
from fleet.model.api_version import group_of
from fleet.model.base import Resources
from fleet.model.source import Path
from fleet.model.workload import Autoscaled, Manifest, ReplicasPath

_TEMPLATE: Path = ("spec", "template", "spec")
_SPECS: dict[tuple[str, str], Path] = {
    ("apps", "Deployment"): _TEMPLATE,
    ("apps", "StatefulSet"): _TEMPLATE,
    ("apps", "ReplicaSet"): _TEMPLATE,
    ("", "ReplicationController"): _TEMPLATE,
    ("batch", "Job"): _TEMPLATE,
    ("apps", "DaemonSet"): _TEMPLATE,
    ("", "Pod"): ("spec",),
    ("batch", "CronJob"): ("spec", "jobTemplate", *_TEMPLATE),
}
_JOBS: dict[str, Path] = {"Job": ("spec",), "CronJob": ("spec", "jobTemplate", "spec")}
_PER_CLUSTER = frozenset({"DaemonSet", "Pod", "CronJob"})
_PASSING = frozenset({"Job", "Pod", "CronJob"})


_Scalers = Mapping[tuple[str, str], Sequence[Autoscaler]]
"""By the kind and the name of what they scale."""


@dataclass(frozen=True, slots=True)
class Load:
    """What the scheduler needs to know of a workload's objects.

    **Units**: cpu in millicores, others in base units, per replica of the main object.
    """

    main: str | None = None
    replicas: int = 0
    request: Resources = Resources()  # noqa: RUF009 - immutable
    per_cluster: bool = False
    autoscaled: Autoscaled | None = None


@dataclass(frozen=True, slots=True)
class _Owner:
    """An object with pods; `size` is how many of them a replica is."""

    manifest: Manifest
    replicas: int
    pod: Sums
    autoscaler: Autoscaler | None = None
    size: int = 1

    @property
    def per_cluster(self) -> bool:
        return self.manifest.kind in _PER_CLUSTER

    @property
    def rank(self) -> tuple[bool, bool, int, bool]:
        """The largest is the main object; of equal ones the first in the files."""
        passing = self.manifest.kind in _PASSING
        return not self.per_cluster, self.autoscaler is not None, self.replicas, not passing


def load_of(objects: Sequence[Checked], declared: Sequence[ReplicasPath] = ()) -> Load:
    """The main object of a workload, its replicas and the request of each."""
    scalers = _autoscalers(objects)
    paths = {(each.api_version, each.kind): each for each in declared}
    found = (_custom(each, paths) or _owner(each, scalers) for each in objects)
    owners = [owner for owner in found if owner is not None]
    if not owners:
        return Load()
    main = max(owners, key=lambda owner: owner.rank)
    shares = (
        (owner.pod, Fraction(owner.size) if owner is main else _share(owner, main))
        for owner in owners
    )
    return Load(
        main=main.manifest.key,
        replicas=main.replicas,
        request=as_resources(shares),
        per_cluster=main.per_cluster,
        autoscaled=main.autoscaler.bounds if main.autoscaler else None,
    )


def has_pods(manifest: Manifest) -> bool:
    """Whether an object makes pods."""
    return (group_of(manifest.api_version), manifest.kind) in _SPECS


def _share(owner: _Owner, main: _Owner) -> Fraction:
    """How many pods of another object each replica of the main object brings along."""
    return Fraction(owner.replicas * owner.size, max(1, main.replicas))


def _autoscalers(objects: Iterable[Checked]) -> _Scalers:
    scalers: dict[tuple[str, str], list[Autoscaler]] = {}
    for each in objects:
        scaler = read_autoscaler(each.manifest, each.faults)
        if scaler is not None:
            scalers.setdefault((scaler.kind, scaler.name), []).append(scaler)
    return scalers


def _owner(checked: Checked, scalers: _Scalers) -> _Owner | None:
    manifest, faults = checked.manifest, checked.faults
    path = _SPECS.get((group_of(manifest.api_version), manifest.kind))
    if path is None:
        return None
    pod = pod_request(at(manifest.body, path, faults), path, faults)
    named = scalers.get((manifest.kind, manifest.name), ())
    mine = [scaler for scaler in named if scaler.scales(manifest)]
    for second in mine[1:]:
        sentence = f"two autoscalers own its replicas, the second is {spoken(second.manifest)}"
        faults.add((), sentence, "keep one of the two")
    autoscaler = mine[0] if mine else None
    replicas = _replicas(manifest, faults)
    size = _size(manifest, faults)
    least = autoscaler.bounds.minimum if autoscaler else replicas
    return _Owner(manifest, least, pod, autoscaler, size)


def _custom(checked: Checked, paths: Mapping[tuple[str, str], ReplicasPath]) -> _Owner | None:
    """An object of a kind whose replicas path is declared."""
    manifest, faults = checked.manifest, checked.faults
    said = paths.get((manifest.api_version, manifest.kind))
    if said is None:
        return None
    path = tuple(said.path.split("."))
    written = at(manifest.body, path[:-1], faults).get(path[-1])
    if written is None:
        faults.missing(path, "spec.replicas of the Workload says that the replicas stand here")
    inside = tuple(said.request_path.split(".")) if said.request_path else None
    template = at(manifest.body, inside, faults) if inside else {}
    pod = template_request(template, inside or (), faults)
    return _Owner(manifest, whole(written, path, faults, 0), pod)


def _replicas(manifest: Manifest, faults: Faults) -> int:
    """The replicas that an object asks for; a Job runs no more pods than it needs to complete."""
    if manifest.kind in _PER_CLUSTER:
        return 1
    if manifest.kind == "Job":
        return _parallel(manifest, faults)
    spec = at(manifest.body, ("spec",), faults)
    return whole(spec.get("replicas"), ("spec", "replicas"), faults, 1)


def _size(manifest: Manifest, faults: Faults) -> int:
    """How many pods of an object a replica is; of a suspended CronJob none."""
    if manifest.kind != "CronJob":
        return 1
    suspended = at(manifest.body, ("spec",), faults).get("suspend") is True
    return 0 if suspended else _parallel(manifest, faults)


def _parallel(manifest: Manifest, faults: Faults) -> int:
    """How many pods a job runs at once."""
    path = _JOBS[manifest.kind]
    spec = at(manifest.body, path, faults)
    parallelism = whole(spec.get("parallelism"), (*path, "parallelism"), faults, 1)
    completions = whole(spec.get("completions"), (*path, "completions"), faults, parallelism)
    return min(parallelism, completions)
