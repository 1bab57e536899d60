"""A workload's objects for one cluster, with that cluster's replicas in them.

- The main object runs what the scheduler assigned: `spec.replicas`, for a Job `spec.parallelism`
  (and its part of `spec.completions`, rounded up, unless they are indexed: every index is needed
  everywhere). A DaemonSet has no number of its own.
- Other objects with replicas keep their proportion to the main one, rounded up: of 6 web and
  3 worker replicas, a cluster with 4 web runs 2 workers.
- Where an autoscaler owns the replicas they are left out; the main object's autoscaler gets the
  cluster's part of the bounds, another object's keeps what its file says.
- On a cluster that is selected without replicas nothing runs: replicas are 0, a CronJob is
  suspended, and a Job, a DaemonSet, a Pod and every autoscaler (which cannot be 0) are left out.
  Everything else is there, so that a failover finds its Service, ConfigMap and Secret.
- A workload without replicas of its own, or whose file asks for 0, is placed as it is written.
"""

from copy import deepcopy

from fleet.deliver.bodies import Body, count_at, look, mapping_at
from fleet.deliver.place import Draft, Place
from fleet.deliver.scalers import is_scaler, scaled_by, set_bounds
from fleet.model.decision import Assignment
from fleet.model.workload import Workload

REPLICA_FIELDS = {
    "Deployment": "replicas",
    "StatefulSet": "replicas",
    "ReplicaSet": "replicas",
    "ReplicationController": "replicas",
    "Job": "parallelism",
}
"""The field of `spec` that says how many, by kind."""

NEVER_EMPTY = frozenset({"Job", "DaemonSet", "Pod", "ScaledJob"})
"""Kinds that run something wherever they are."""


def is_idle(workload: Workload, assignment: Assignment) -> bool:
    """Whether a cluster is selected without replicas, so that nothing may run there."""
    places_replicas = workload.main is not None and workload.replicas > 0
    return places_replicas and assignment.replicas == 0 and not assignment.maximum


def drafts_of(place: Place) -> list[Draft]:
    """Copies of the workload's objects as this cluster gets them, in the order of the files."""
    idle = is_idle(place.workload, place.assignment)
    scaled = scaled_by(place.workload)
    main_scaler = scaled.get(place.workload.main or "")
    drafts = []
    for manifest in place.workload.manifests:
        if idle and (manifest.kind in NEVER_EMPTY or is_scaler(manifest)):
            continue
        body = deepcopy(manifest.body)
        if idle:
            empty(body)
        elif manifest.key in scaled:
            _without_replicas(body)
        elif manifest.key == place.workload.main:
            _assign(body, place)
        elif manifest.kind in REPLICA_FIELDS:
            _keep_proportion(body, place)
        elif manifest is main_scaler:
            set_bounds(body, manifest, place.assignment)
        drafts.append(Draft(manifest, body))
    return drafts


def _without_replicas(body: Body) -> None:
    spec = body.get("spec")
    if isinstance(spec, dict):
        spec.pop("replicas", None)


def empty(body: Body) -> None:
    """Makes an object run nothing, whatever it ran."""
    kind = str(body.get("kind"))
    if kind in REPLICA_FIELDS:
        mapping_at(body, "spec")[REPLICA_FIELDS[kind]] = 0
    elif kind == "CronJob":
        mapping_at(body, "spec")["suspend"] = True


def _assign(body: Body, place: Place) -> None:
    """The main object's number; a kind that is not known has `spec.replicas` if it has any."""
    kind = str(body.get("kind"))
    if kind == "Job":
        _share_completions(body, place)
    known = REPLICA_FIELDS.get(kind)
    if known is not None or look(body, "spec", "replicas") is not None:
        mapping_at(body, "spec")[known or "replicas"] = place.assignment.replicas


def _share_completions(body: Body, place: Place) -> None:
    completions = count_at(body, "spec", "completions", default=0)
    if completions and look(body, "spec", "completionMode") != "Indexed":
        mapping_at(body, "spec")["completions"] = proportion(completions, place)


def _keep_proportion(body: Body, place: Place) -> None:
    field = REPLICA_FIELDS[str(body.get("kind"))]
    written = count_at(body, "spec", field, default=1)
    share = proportion(written, place)
    if share != written:
        mapping_at(body, "spec")[field] = share


def proportion(written: int, place: Place) -> int:
    """A cluster's part of a number, rounded up: written x assigned / total of the file.

    Where nothing is divided (the file's total is 0, or nothing is the main object), all of it.
    """
    total = place.workload.replicas
    if place.workload.main is None or total == 0:
        return written
    return -(-written * place.assignment.replicas // total)
