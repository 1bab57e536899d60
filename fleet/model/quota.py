"""What teams or namespaces may use of all clusters together."""

from typing import Literal, Self

from pydantic import model_validator

from fleet.model.base import FileValue
from fleet.model.document import FileDocument
from fleet.model.inventory import Amounts


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


class Quota(FileDocument):
    """A limit on requests, summed over clusters and workloads."""

    kind: Literal["Quota"] = "Quota"
    spec: QuotaSpec
