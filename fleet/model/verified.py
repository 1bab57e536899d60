"""What was found when somebody looked whether a plan has come true."""

from dataclasses import dataclass
from enum import StrEnum


class Aspect(StrEnum):
    """Where it was looked at."""

    PLAN = "plan"
    NAME = "name"
    ENTRY = "entry"
    REPLICAS = "replicas"


@dataclass(frozen=True, slots=True, order=True)
class Verified:
    """One comparison: `subject` is a public name, an entry or an object; both sides in words."""

    aspect: Aspect
    subject: str
    cluster: str
    wanted: str
    seen: str
    agrees: bool
