"""A workload's objects for one cluster, with that cluster's replicas in them.

- The main object runs what the scheduler assigned: `spec.replicas`, the path that the workload's
  settings declare for a custom resource, for a Job `spec.parallelism`
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

from fleet.deliver.bodies import Body, count_at, look, with_value
from fleet.deliver.place import Draft, Place
from fleet.deliver.scalers import bounded, is_scaler, scaled_by
from fleet.model.decision import Assignment
from fleet.model.workload import REPLICA_FIELDS, Manifest, Workload, WorkloadSettings

NEVER_EMPTY = frozenset({"Job", "DaemonSet", "Pod", "ScaledJob"})
"""Kinds that run something wherever they are."""


def replica_path(manifest: Manifest, settings: WorkloadSettings) -> tuple[str, ...] | None:
    """Where an object says how many: as the settings declare, or as its kind has it."""
    for each in settings.replicas:
        if (each.api_version, each.kind) == (manifest.api_version, manifest.kind):
            return tuple(each.path.split("."))
    field = REPLICA_FIELDS.get(manifest.kind)
    return ("spec", field) if field else None


def is_idle(workload: Workload, assignment: Assignment) -> bool:
    """Whether a cluster is selected without replicas, so that nothing may run there."""
    places_replicas = workload.main is not None and workload.replicas > 0
    return places_replicas and assignment.replicas == 0 and not assignment.maximum


def drafts_of(place: Place) -> list[Draft]:
    """The workload's objects as this cluster gets them, in the order of the files.

    Bodies share with the files' what they do not change, and are never changed in place.
    """
    idle = is_idle(place.workload, place.assignment)
    scaled = scaled_by(place.workload)
    main_scaler = scaled.get(place.workload.main or "")
    drafts = []
    for manifest in place.workload.manifests:
        body = manifest.body
        path = replica_path(manifest, place.workload.settings)
        if idle:
            if manifest.kind in NEVER_EMPTY or is_scaler(manifest):
                continue
            body = emptied(body, path)
        elif manifest.key in scaled:
            body = _without_replicas(body)
        elif manifest.key == place.workload.main:
            body = _assigned(body, place, path)
        elif path is not None:
            body = _in_proportion(body, place, path)
        elif manifest is main_scaler:
            body = bounded(manifest, place.assignment)
        drafts.append(Draft(manifest, body))
    return drafts


def _without_replicas(body: Body) -> Body:
    spec = body.get("spec")
    if not isinstance(spec, dict) or "replicas" not in spec:
        return body
    return {**body, "spec": {key: value for key, value in spec.items() if key != "replicas"}}


def emptied(body: Body, path: tuple[str, ...] | None) -> Body:
    """An object that runs nothing, whatever it ran; `path` is where it says how many."""
    if path is not None:
        return with_value(body, 0, *path)
    suspended: object = True
    is_cron = body.get("kind") == "CronJob"
    return with_value(body, suspended, "spec", "suspend") if is_cron else body


def _assigned(body: Body, place: Place, path: tuple[str, ...] | None) -> Body:
    """The main object's number; a kind that is not known has `spec.replicas` if it has any."""
    if body.get("kind") == "Job":
        body = _share_completions(body, place)
    if path is None and look(body, "spec", "replicas") is None:
        return body
    return with_value(body, place.assignment.replicas, *(path or ("spec", "replicas")))


def _share_completions(body: Body, place: Place) -> Body:
    completions = count_at(body, "spec", "completions", default=0)
    if not completions or look(body, "spec", "completionMode") == "Indexed":
        return body
    return with_value(body, proportion(completions, place), "spec", "completions")


def _in_proportion(body: Body, place: Place, path: tuple[str, ...]) -> Body:
    written = count_at(body, *path, default=1)
    share = proportion(written, place)
    return body if share == written else with_value(body, share, *path)


def proportion(written: int, place: Place) -> int:
    """A cluster's part of a number, rounded up: written x assigned / total of the file.

    Where nothing is divided (the file's total is 0, or nothing is the main object), all of it.
    """
    total = place.workload.replicas
    if place.workload.main is None or total == 0:
        return written
    return -(-written * place.assignment.replicas // total)
