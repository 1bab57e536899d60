"""What all documents of fleet's own share: apiVersion, kind, name, labels, and where they stand."""

from typing import Annotated, Literal

from pydantic import Field

from fleet.model.base import FileValue, Labels
from fleet.model.source import Origin

NAME_PATTERN = r"^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$"
Name = Annotated[str, Field(pattern=NAME_PATTERN)]


class Metadata(FileValue):
    """A document's name and labels."""

    name: Name
    labels: Labels = Labels()
    annotations: Labels = Labels()


class FileDocument(FileValue):
    """A document of a file, whose kind and `spec` are its own."""

    api_version: Literal["fleet/v1"] = "fleet/v1"
    kind: str
    metadata: Metadata
    origin: Origin = Field(default=Origin("<memory>"), exclude=True, repr=False)

    @property
    def name(self) -> str:
        """Its name, unique among the documents of its kind."""
        return self.metadata.name
