"""Which clusters a tenant may use."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fleet.model.affinity import ClusterTerm
from fleet.model.base import FileValue, Flag
from fleet.model.document import FileDocument


class ClusterSetSpec(FileValue):
    """The body of a ClusterSet: clusters that match one of the terms, for its tenants.

    A namespace or a team that a set names may only use clusters of the sets that name it; an
    `exclusive` set keeps everybody else out. `namespaces` and `teams` are names or patterns with
    `*`. Source: Open Cluster Management's ManagedClusterSetBinding.
    """

    clusters: Annotated[tuple[ClusterTerm, ...], Field(min_length=1)]
    namespaces: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    exclusive: Flag = False

    @model_validator(mode="after")
    def _has_tenants(self) -> Self:
        if not self.namespaces and not self.teams:
            message = "say 'namespaces' or 'teams': a set without tenants is for nobody"
            raise ValueError(message)
        return self


class ClusterSet(FileDocument):
    """Clusters that namespaces or teams may use."""

    kind: Literal["ClusterSet"] = "ClusterSet"
    spec: ClusterSetSpec
