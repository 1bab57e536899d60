"""What a workload's data is, where it lives and how it follows: said in its fleet.yaml."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from fleet.model.base import FieldError, FileValue, Whole

OBJECT_PATTERN = r"^[A-Za-z0-9]+/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$"


class DataKind(StrEnum):
    """What is lost with the side that holds it."""

    NONE = "none"
    CACHE = "cache"
    OBJECT_STORAGE = "object-storage"
    REPLICATED = "replicated"
    PINNED = "pinned"


class Replication(FileValue):
    """How the data reaches other clusters.

    **Shape**: `to` are clusters and regions that hold a copy, whichever of them is the primary.
    **Units**: seconds; `lag_seconds` is the most that an asynchronous copy is behind.
    """

    how: Literal["sync", "async"]
    to: Annotated[tuple[str, ...], Field(min_length=1)]
    lag_seconds: Annotated[Whole, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _lag(self) -> Self:
        said = "lag_seconds" in self.model_fields_set
        if (self.how == "async") != said:
            message = "'lagSeconds' goes with 'how: async', and with it only"
            raise FieldError(message, "lagSeconds" if said else "how")
        return self


class Handover(FileValue):
    """Where the object that is demoted says the token with which the other side is promoted.

    `object` is kind/name, `status` the field below `status` that holds the token.
    """

    object: Annotated[str, Field(pattern=OBJECT_PATTERN)]
    status: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$")]


class Data(FileValue):
    """A workload's data.

    `at` are the clusters that hold pinned data (empty: where it was placed first). `promotion` is
    the name of a command that `__main__.py` registers. **Units**: `promote_seconds` is how long
    the other side takes to become the primary.
    """

    kind: DataKind = DataKind.NONE
    replication: Replication | None = None
    at: tuple[str, ...] = ()
    promotion: Annotated[str, Field(min_length=1)] | None = None
    promote_seconds: Annotated[Whole, Field(ge=0)] = 0
    handover: Handover | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        replicated = self.kind is DataKind.REPLICATED
        if replicated and self.replication is None:
            message = "kind 'replicated' says how: replication: {how: sync, to: [a region]}"
            raise FieldError(message, "kind")
        if self.replication and self.kind not in {DataKind.REPLICATED, DataKind.OBJECT_STORAGE}:
            message = "'replication' goes with the kinds 'replicated' and 'object-storage'"
            raise FieldError(message, "replication")
        if self.at and self.kind is not DataKind.PINNED:
            message = "'at' goes with kind 'pinned'"
            raise FieldError(message, "at")
        promotes = {
            "promotion": self.promotion,
            "promoteSeconds": self.promote_seconds,
            "handover": self.handover,
        }
        wrong = next((field for field, said in promotes.items() if said), None)
        if not replicated and wrong is not None:
            message = "'promotion', 'promoteSeconds' and 'handover' go with kind 'replicated'"
            raise FieldError(message, wrong)
        return self

    @property
    def is_pinned(self) -> bool:
        """Whether the data stays where it is."""
        return self.kind is DataKind.PINNED

    @property
    def lost_seconds(self) -> int | None:
        """The writes that the loss of the active side costs, in seconds; None: no bound.

        >>> Data().lost_seconds, Data(kind=DataKind.PINNED).lost_seconds
        (0, None)
        """
        if self.kind in {DataKind.NONE, DataKind.CACHE}:
            return 0
        return self.replication.lag_seconds if self.replication else None


NO_DATA = Data()
