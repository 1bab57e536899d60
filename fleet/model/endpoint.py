"""A public name as it is carried out: its records, aliases, health checks and levers."""

from dataclasses import dataclass
from enum import StrEnum

from fleet.model.geography import Location
from fleet.model.health import Probe
from fleet.model.prior import PriorObject
from fleet.model.record_names import FLAT
from fleet.model.source import Source
from fleet.model.traffic import Mode, ZoneRef

LEVER = "lever/"
"""How names of checks begin that ask no entry."""


@dataclass(frozen=True, slots=True)
class CheckDelivery:
    """A health check, shared by all records with the same identity (`name` is made of it).

    Three kinds: a probe (exactly one of `address` and `hostname` is set); a calculated one
    (`children` are names of checks, healthy while `threshold` of them are); a routing control's
    ARN. `cluster` is whose entry is asked, or the region of a lever.
    """

    name: str
    cluster: str
    check: Probe | None
    address: str | None = None
    hostname: str | None = None
    port: int = 0
    path: str = ""
    host: str = ""
    children: tuple[str, ...] = ()
    threshold: int = 0
    routing_control: str = ""

    @property
    def is_lever(self) -> bool:
        """Whether it asks no entry, but what an operator pulls."""
        return self.name.startswith(LEVER)


@dataclass(frozen=True, slots=True)
class RecordDelivery:
    """A cluster's weighted record under a name; `previous` None: there was none.

    `held`: it is not answered before a lever lets it go, or another standby. `check_other` is the
    check of the other role, where that is another one: of a standby if the record has a weight,
    else of an active one. It is there all the time, so that whoever moves weights needs no new
    check. `dns_name` empty: it stands at the public name. Records of a higher `stage` come later,
    because they lead to those of a lower one.
    """

    name: str
    cluster: str
    type: str
    targets: tuple[str, ...]
    dns_weight: int
    previous: int | None
    check: str
    held: bool = False
    check_other: str | None = None
    dns_name: str = ""
    stage: int = 0

    @property
    def falls(self) -> bool:
        """Whether it is less heavy than before."""
        return self.previous is not None and self.dns_weight < self.previous

    def check_for(self, dns_weight: int) -> str:
        """The check that goes with a weight."""
        same_role = (dns_weight > 0) == (self.dns_weight > 0)
        return self.check if same_role or self.check_other is None else self.check_other


@dataclass(frozen=True, slots=True)
class AliasDelivery:
    """A record that leads to other records of its zone, and is as healthy as they are.

    At most one of `dns_weight`, `region` (latency) and `location` (geolocation) is set.
    `previous` is the `text` of what was there, None where nothing was.
    """

    name: str
    dns_name: str
    type: str
    set_identifier: str
    target: str
    dns_weight: int | None = None
    region: str = ""
    location: Location | None = None
    previous: str | None = None
    stage: int = 0

    @property
    def text(self) -> str:
        """Where it leads, and how heavy it is: what can change in place.

        >>> AliasDelivery("web/_leaf", "web.test", "A", "_leaf", "_latency.web.test", 100).text
        '_latency.web.test 100'
        """
        return self.target if self.dns_weight is None else f"{self.target} {self.dns_weight}"

    @property
    def falls(self) -> bool:
        """Whether it is less heavy than before."""
        if self.dns_weight is None or self.previous is None:
            return False
        return int(self.previous.rpartition(" ")[2]) > self.dns_weight


class LeverKind(StrEnum):
    """What pulling a lever does: take a region out, let a standby answer, or either by ARC."""

    OUT = "out"
    RELEASE = "release"
    CONTROL = "control"


@dataclass(frozen=True, slots=True)
class LeverDelivery:
    """What an operator can pull for some records of a name: a URL, or a routing control's ARN.

    **Units**: `seconds` until Route53 has seen it; 0 for a routing control, which is told.
    """

    kind: LeverKind
    where: str
    clusters: tuple[str, ...]
    seconds: int


@dataclass(frozen=True, slots=True)
class EndpointDelivery:
    """A public name. **Units**: seconds.

    **Shape**: `records` sorted by cluster, `aliases` by name. `leaving` are records that exist and
    go. `form` is how the records stand: flat, or below the name, by weight, latency or place.
    `waits` are clusters that cannot be answered yet, because nobody knows where they are: what is
    answered today stays until they can. `target` is `<kind>/<namespace>/<name>` of the object whose
    load balancer is answered, empty: the clusters' entries are. `standing` is the hash of how its
    records stand, whatever they weigh: types, addresses, ttl and checks.
    """

    policy: str
    workload: str
    dns_name: str
    zone: ZoneRef
    mode: Mode
    ttl_seconds: int
    records: tuple[RecordDelivery, ...]
    leaving: tuple[PriorObject, ...] = ()
    active_region: str | None = None
    adopt: bool = False
    source: Source | None = None
    levers: tuple[LeverDelivery, ...] = ()
    waits: tuple[str, ...] = ()
    target: str = ""
    form: str = FLAT
    aliases: tuple[AliasDelivery, ...] = ()
    names: tuple[str, ...] = ()
    standing: str = ""

    @property
    def answers_by_asker(self) -> bool:
        """Whether who is answered hangs on who asks: a weight is no share of all traffic then."""
        return self.form in {Mode.LATENCY, Mode.GEOLOCATION}

    @property
    def moves(self) -> bool:
        """Whether traffic that flows today moves: a weight or an alias changes, a record goes."""
        return (
            bool(self.leaving)
            or any(each.previous not in {None, each.dns_weight} for each in self.records)
            or any(each.previous not in {None, each.text} for each in self.aliases)
        )
