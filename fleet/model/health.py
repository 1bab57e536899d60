"""Health checks as a person writes them, and the lever: what holds a record out besides them."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from fleet.model.base import FileValue, Flag, FrozenMap, Whole

_PLACE = re.compile(r"\{([^{}]*)\}")
_KNOWN = frozenset({"region", "cluster", "policy"})
_TELLS_APART = frozenset({"region", "cluster"})
_URL = re.compile(r"https?://[A-Za-z0-9._-]+(:[0-9]{1,5})?/[^\s#]*\Z")
MOST_PORT = 65535
MOST_CHILDREN = 250
"""Of 256 that Route53 takes under one calculated check, some are for the lever."""


class Probe(FileValue):
    """One question that Route53 asks an entry. Source: route53 HealthCheckConfig.

    **Units**: seconds. `port`, `path` None are the entry's own; `host` None is the policy's name.
    `inverted`: healthy means unhealthy. `enable_sni` False: the host is not said in TLS.
    """

    type: Literal["HTTP", "HTTPS", "HTTP_STR_MATCH", "HTTPS_STR_MATCH", "TCP"] = "HTTP"
    port: Annotated[Whole, Field(ge=1, le=MOST_PORT)] | None = None
    path: Annotated[str, Field(pattern="^/", max_length=255)] | None = None
    host: str | None = None
    search_string: Annotated[str, Field(min_length=1, max_length=255)] | None = None
    interval_seconds: Literal[10, 30] = 30
    failure_threshold: Annotated[Whole, Field(ge=1, le=10)] = 3
    inverted: Flag = False
    enable_sni: Flag = True

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        if self.type.endswith("_STR_MATCH") == (self.search_string is None):
            message = "'searchString' goes with the _STR_MATCH types, and with them only"
            raise ValueError(message)
        if not self.enable_sni and not self.is_secure:
            message = "'enableSni' goes with the HTTPS types"
            raise ValueError(message)
        return self

    @property
    def is_secure(self) -> bool:
        """Whether it speaks TLS."""
        return self.type.startswith("HTTPS")

    @property
    def seconds(self) -> int:
        """How long Route53 takes to turn it round."""
        return self.interval_seconds * self.failure_threshold


class Calculated(FileValue):
    """Several probes of one entry: healthy while at least `threshold` are; None is all of them."""

    children: Annotated[tuple[Probe, ...], Field(min_length=1, max_length=MOST_CHILDREN)]
    threshold: Annotated[Whole, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _countable(self) -> Self:
        if len(set(self.children)) != len(self.children):
            message = "a child is listed twice; Route53 counts each check once"
            raise ValueError(message)
        if self.needed > len(self.children):
            message = f"the threshold {self.threshold} is more than the {len(self.children)}"
            raise ValueError(f"{message} children: it would never be healthy")
        return self

    @property
    def needed(self) -> int:
        """How many children have to be healthy."""
        return len(self.children) if self.threshold is None else self.threshold


class HealthCheck(Probe):
    """How Route53 asks an entry whether it lives: by one probe, or by several (`calculated`)."""

    calculated: Calculated | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.calculated is not None and self.model_fields_set != {"calculated"}:
            others = sorted(type(self).model_fields[each].alias or each for each in self._besides())
            message = f"'calculated' stands alone, not beside {', '.join(others)}"
            raise ValueError(f"{message}: each child says its own")
        return self

    def _besides(self) -> set[str]:
        return self.model_fields_set - {"calculated"}

    @property
    def probes(self) -> tuple[Probe, ...]:
        """Every question that is asked."""
        return self.calculated.children if self.calculated is not None else (self,)

    @property
    def needed(self) -> int:
        """How many of the probes have to be healthy."""
        return self.calculated.needed if self.calculated is not None else 1

    @property
    def needs_all(self) -> bool:
        """Whether one unhealthy probe is enough to be unhealthy."""
        return self.needed == len(self.probes)

    @property
    def slowest(self) -> Probe:
        """The probe that takes longest to turn; the first of equal ones."""
        return max(self.probes, key=lambda each: each.seconds)


def _lever_url(url: str) -> str:
    """A URL that tells regions or clusters apart, and that a health check can ask."""
    words = set(_PLACE.findall(url))
    unknown = sorted(words - _KNOWN)
    if unknown:
        message = f"'{{{unknown[0]}}}' is not known; {{region}}, {{cluster}} and {{policy}} are"
        raise ValueError(message)
    if not words & _TELLS_APART:
        message = "the URL has no {region} and no {cluster}: it would pull everything at once"
        raise ValueError(message)
    match = _URL.match(_PLACE.sub("x", url))
    if match is None:
        message = "wants http:// or https://, a host and a path, as https://levers.example/{region}"
        raise ValueError(message)
    if match[1] and not 1 <= int(match[1][1:]) <= MOST_PORT:
        message = f"the port {match[1][1:]} is not 1..{MOST_PORT}"
        raise ValueError(message)
    return url


LeverUrl = Annotated[str, AfterValidator(_lever_url)]
_ARN = re.compile(
    r"arn:aws[a-z-]*:route53-recovery-control::[0-9]{12}:controlpanel/[^/]+/routingcontrol/[^/]+\Z"
)


def _routing_control(arn: str) -> str:
    """Source: Application Recovery Controller, resource types and ARNs."""
    if _ARN.match(arn) is None:
        form = "arn:aws:route53-recovery-control::ACCOUNT:controlpanel/ID/routingcontrol/ID"
        message = f"'{arn}' is no ARN of a routing control; wanted is {form}"
        raise ValueError(message)
    return arn


RoutingControl = Annotated[str, AfterValidator(_routing_control)]


class Lever(FileValue):
    """What an operator pulls in the data plane, without an update and without Route53's API.

    While the object at `out` can be read, its region is out; while the one at `release` can be
    read, its standby may be answered. `search_string`: what the object has to hold, too.
    **Shape**: `routing_controls` are ARNs by region; off is out. **Units**: seconds.
    """

    out: LeverUrl | None = None
    release: LeverUrl | None = None
    routing_controls: FrozenMap[RoutingControl] = FrozenMap()
    search_string: Annotated[str, Field(min_length=1, max_length=255)] | None = None
    interval_seconds: Literal[10, 30] = 10
    failure_threshold: Annotated[Whole, Field(ge=1, le=10)] = 3

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.out is None and self.release is None and not self.routing_controls:
            message = "a lever has 'out', 'release' or 'routingControls'"
            raise ValueError(message)
        if self.out is not None and self.out == self.release:
            message = "'out' and 'release' are the same object: it would take out what it releases"
            raise ValueError(message)
        return self

    @property
    def seconds(self) -> int:
        """How long Route53 takes to see that an object came or went."""
        return self.interval_seconds * self.failure_threshold
