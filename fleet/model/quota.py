"""What teams or namespaces may use of all clusters together."""

from typing import Literal, Self

from pydantic import Field, model_validator

from fleet.model.base import FileValue
from fleet.model.inventory import Amounts, Metadata
from fleet.model.source import Origin


class QuotaSpec(FileValue):
    """The body of a Quota document: all that it names share the limits.

    `teams` and `namespaces` are names or patterns with `*`; a workload's team is what its Workload
    document says, its namespace is that of the object whose replicas are placed.
    """

    teams: tuple[str, ...] = ()
    namespaces: tuple[str, ...] = ()
    limits: Amounts

    @model_validator(mode="after")
    def _says_whom_and_what(self) -> Self:
        if bool(self.teams) == bool(self.namespaces):
            message = "say either 'teams' or 'namespaces', not both and not neither"
            raise ValueError(message)
        if not self.limits:
            message = "'limits' limits nothing; say cpu, memory, pods or another resource"
            raise ValueError(message)
        return self


class Quota(FileValue):
    """A limit on requests, summed over clusters and workloads."""

    api_version: Literal["fleet/v1"] = "fleet/v1"
    kind: Literal["Quota"] = "Quota"
    metadata: Metadata
    spec: QuotaSpec
    origin: Origin = Field(default=Origin("<memory>"), exclude=True, repr=False)

    @property
    def name(self) -> str:
        """The quota's name."""
        return self.metadata.name
