"""What users would meet: entries that answer, checkers that ask them, DNS that follows both."""

from devkit.dataplane.plane import DataPlane

__all__ = ["DataPlane"]
