"""What a person wrote about differences between clusters: OverridePolicy."""

from typing import Annotated, Literal, Self

from pydantic import Field, JsonValue, model_validator

from fleet.model.affinity import ClusterWords
from fleet.model.base import NOT_EMPTY, FileValue, Flag, Labels, Names
from fleet.model.document import FileDocument


class Where(FileValue):
    """Where an override holds; all of what is said must hold, nothing said is everywhere.

    `term` says it with everything that an affinity has but amounts.
    """

    clusters: Annotated[tuple[str, ...], NOT_EMPTY] = ()
    regions: Annotated[tuple[str, ...], NOT_EMPTY] = ()
    match_labels: Labels = Labels()
    term: ClusterWords | None = None
    roles: tuple[Literal["active", "standby"], ...] = ()


class ObjectRef(FileValue):
    """Which objects of the workload; a part that is not said matches any."""

    api_version: str | None = None
    kind: str | None = None
    name: str | None = None
    namespace: str | None = None


class ImageChange(FileValue):
    """Changes the parts that are said of a container image; `container` None is every container."""

    container: str | None = None
    registry: str | None = None
    repository: str | None = None
    tag: str | None = None
    digest: Annotated[str, Field(pattern=r"^[a-z0-9]+:[0-9a-f]{32,}$")] | None = None


class PatchStep(FileValue):
    """One operation of a JSON patch. Source: RFC 6902."""

    op: Literal["add", "remove", "replace", "move", "copy", "test"]
    path: Annotated[str, Field(pattern=r"^(/|$)")]
    value: JsonValue = None
    source_path: Annotated[str | None, Field(alias="from")] = None


class OverrideRule(FileValue):
    """One change to the objects that `target` names, on the clusters that `where` names.

    A rule that can change nothing anywhere is a fault, unless it is `optional`.
    """

    where: Where = Where()
    target: ObjectRef = ObjectRef()
    optional: Flag = False
    image: ImageChange | None = None
    patch: tuple[PatchStep, ...] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if (self.image is None) == (not self.patch):
            message = "say either 'image' or 'patch', not both and not neither"
            raise ValueError(message)
        return self


class OverrideSpec(FileValue):
    """The body of an OverridePolicy; rules run in the order of the list."""

    workloads: Names
    rules: Annotated[tuple[OverrideRule, ...], Field(min_length=1)]


class OverridePolicy(FileDocument):
    """What differs between clusters. Several policies on a workload run in order of their names.

    `${cluster.name}`, `${cluster.region}`, `${cluster.provider}`, `${cluster.labels.<key>}`,
    `${role}` and `${workload}` in a value are replaced.
    """

    kind: Literal["OverridePolicy"] = "OverridePolicy"
    spec: OverrideSpec
