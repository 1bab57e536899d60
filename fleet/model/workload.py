"""Workloads: named sets of Kubernetes objects that are placed together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from fleet.model.base import FileValue, Flag, FrozenMap, Resources, Whole
from fleet.model.data import NO_DATA, Data
from fleet.model.document import FileDocument
from fleet.model.source import Origin, Source

DOTTED_PATTERN = r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$"
REPLICA_FIELDS = {
    "Deployment": "replicas",
    "StatefulSet": "replicas",
    "ReplicaSet": "replicas",
    "ReplicationController": "replicas",
    "Job": "parallelism",
}
"""The field of `spec` that says how many, by kind."""


class NamespaceChoice(FileValue):
    """Namespaces that fleet may create; they are never deleted unless the config names them."""

    create: tuple[str, ...] = ()


class ReplicasPath(FileValue):
    """Where a custom resource has its replicas, and where the resources of one of them stand.

    Paths are field names joined by dots (`spec.workers.count`); `request_path` leads to a pod
    spec, or to a map with `requests`. Without it a replica asks for one pod.
    """

    api_version: Annotated[str, Field(min_length=1)]
    kind: Annotated[str, Field(min_length=1)]
    path: Annotated[str, Field(pattern=DOTTED_PATTERN)]
    request_path: Annotated[str, Field(pattern=DOTTED_PATTERN)] | None = None


class WorkloadSettings(FileValue):
    """The body of a Workload document (`fleet.yaml` in the workload's folder), all optional.

    **Units**: seconds. `adopt` takes over objects that exist and are not fleet's.
    `substitute` replaces `${cluster.…}` in the manifests too, not only in overrides. `team` is who
    owns it, for quotas and cluster sets. `queue` is its turn among workloads of equal priority,
    before those without one; `ties` the direction of the cluster names that ends equal claims.
    `replicas` says where custom resources have theirs, `data` what is lost with a cluster.
    """

    renamed_from: tuple[str, ...] = ()
    adopt: Flag = False
    namespaces: NamespaceChoice = NamespaceChoice()
    wait_seconds: Annotated[Whole, Field(ge=1, le=3600)] = 300
    substitute: Flag = False
    team: str = ""
    queue: Annotated[Whole, Field(ge=0)] | None = None
    ties: Literal["ascending", "descending"] = "ascending"
    replicas: tuple[ReplicasPath, ...] = ()
    data: Data = NO_DATA


class WorkloadDocument(FileDocument):
    """A Workload document."""

    kind: Literal["Workload"] = "Workload"
    spec: WorkloadSettings = WorkloadSettings()


@dataclass(frozen=True, slots=True)
class Manifest:
    """One Kubernetes object as the file has it; `body` is never changed in place.

    `namespace` is empty where the file names none (a cluster-scoped object, or `default`).
    A manifest that `later` made asks `unread` for its body when somebody wants it, once.
    """

    api_version: str
    kind: str
    namespace: str
    name: str
    body: dict[str, Any] = field(repr=False, hash=False)
    origin: Origin = field(repr=False, compare=False, hash=False)
    unread: "Callable[[], dict[str, Any]] | None" = field(
        default=None, repr=False, compare=False, hash=False
    )

    @classmethod
    def later(
        cls,
        identity: tuple[str, str, str, str],
        origin: Origin,
        unread: Callable[[], dict[str, Any]],
    ) -> "Manifest":
        """A manifest whose body is made when it is asked for.

        `identity` is apiVersion, kind, namespace and name.
        """
        manifest = object.__new__(cls)
        for give, value in zip(_GIVE, (*identity, origin, unread), strict=True):
            give(manifest, value)
        return manifest

    if not TYPE_CHECKING:

        def __getattr__(self, name):  # noqa: ANN001, ANN204 - hidden from the type checker
            """The body, where it was not made yet."""
            if name != "body":
                raise AttributeError(name)
            unread = self.unread
            if unread is not None:
                object.__setattr__(self, "body", unread())
                object.__setattr__(self, "unread", None)
            return object.__getattribute__(self, "body")

    @property
    def key(self) -> str:
        """`<kind>/<namespace>/<name>`, as in resource names; the namespace may be empty."""
        return f"{self.kind}/{self.namespace}/{self.name}"

    @property
    def source(self) -> Source:
        """Where the object's document begins."""
        return self.origin.start


_GIVE = tuple(
    getattr(Manifest, name).__set__
    for name in ("api_version", "kind", "namespace", "name", "origin", "unread")
)
"""A frozen value's own slots: a fleet has tens of thousands of manifests, and this is quick."""


@dataclass(frozen=True, slots=True)
class Autoscaled:
    """Who owns the replicas of the main object: an HPA's or ScaledObject's bounds."""

    owner: str
    minimum: int
    maximum: int


@dataclass(frozen=True, slots=True)
class Workload:
    """A named set of objects, with what the scheduler needs to know of them.

    **Shape**: `manifests` in the order of files and documents. `main` is the key of the object
    whose replicas are placed (None: nothing has replicas, the objects go where the policy says).
    **Units**: `replicas` is the total that the file asks for (a DaemonSet counts 1 per cluster,
    a Job its parallelism); `request` per replica, cpu in millicores, others in base units,
    always with pods = 1 where there are pods.
    `data_places` are the places of the fields below `spec.data`, the whole one under "".
    """

    name: str
    manifests: tuple[Manifest, ...] = field(repr=False)
    main: str | None
    replicas: int
    request: Resources
    per_cluster: bool = False
    autoscaled: Autoscaled | None = None
    settings: WorkloadSettings = WorkloadSettings()
    source: Source = Source("<memory>", 1, 1)
    data_places: FrozenMap[Source] = FrozenMap()

    def data_source(self, field: str = "") -> Source:
        """Where the files say something of the data, or where they begin."""
        return self.data_places.get(field, self.data_places.get("", self.source))

    @property
    def namespace(self) -> str:
        """Where the main object lives, `default` where it does not say; empty without one."""
        return (self.main.split("/")[1] or "default") if self.main else ""

    @property
    def replicas_source(self) -> Source:
        """Where the files say how many replicas there are."""
        owner = self.autoscaled.owner if self.autoscaled else self.main
        field = "minReplicas" if self.autoscaled else "replicas"
        places = (each.origin.at("spec", field) for each in self.manifests if each.key == owner)
        return next(places, self.source)
