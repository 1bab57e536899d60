"""What the name servers answer: the records of a name, chosen by policy and health.

**Source**: Amazon Route 53 Developer Guide, "How Amazon Route 53 chooses records when health
checking is configured". The weighted choice is `fleet.model.answer`.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from devkit.dataplane.zone_view import Dump, RecordSet
from fleet.model.answer import AnswerRecord, shares

MOST_VALUES = 8
LONGEST_CHAIN = 8


class UnsupportedError(Exception):
    """A routing policy that this answerer does not know."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One record set that goes into an answer, under the name that was asked for."""

    name: str
    record: RecordSet


class Answers:
    """Answers from one dump and the health of its checks."""

    def __init__(self, dump: Dump, is_healthy: Callable[[str], bool], dice: random.Random) -> None:
        self._dump = dump
        self._is_healthy = is_healthy
        self._dice = dice

    def zone_of(self, name: str) -> str | None:
        """Return the most specific hosted zone of a name; None where there is none."""
        zones = [zone for zone in self._dump.zones if name == zone or name.endswith(f".{zone}")]
        return max(zones, key=len, default=None)

    def exists(self, name: str) -> bool:
        """Say whether a name has record sets of any type, or stands above one that has."""
        zone = self.zone_of(name)
        records = self._dump.zones.get(zone or "", ())
        return bool(self._named(name)) or any(one.name.endswith(f".{name}") for one in records)

    def group(self, name: str, kind: str) -> list[RecordSet]:
        """Return the record sets of a name and type; a wildcard's where the name has none."""
        return [record for record in self._named(name) if record.kind == kind]

    def _named(self, name: str) -> list[RecordSet]:
        records = self._dump.zones.get(self.zone_of(name) or "", ())
        exact = [record for record in records if record.name == name]
        if exact:
            return exact
        parent = name
        while "." in parent:
            parent = parent.partition(".")[2]
            found = [record for record in records if record.name == f"*.{parent}"]
            if found or any(record.name == parent for record in records):
                return found
        return []

    def choose(self, name: str, kind: str, depth: int = 0) -> list[Chosen]:
        """Return what is answered for a name and type; aliases are followed.

        **Errors**: UnsupportedError.
        """
        group = self.group(name, kind)
        picked = self._pick(group) if group else []
        found: list[Chosen] = []
        for record in picked:
            if record.alias and depth < LONGEST_CHAIN:
                inner = self.choose(record.alias, kind, depth + 1)
                found += [Chosen(name, one.record) for one in inner]
            elif not record.alias:
                found.append(Chosen(name, record))
        return found

    def _pick(self, group: Sequence[RecordSet]) -> Sequence[RecordSet]:
        if any(record.elsewhere for record in group):
            raise UnsupportedError("latency and location routing are not part of this answerer")
        if any(record.weight is not None for record in group):
            return [self._draw(group, self.shares(group))]
        healthy = [record for record in group if self.is_live(record)]
        if any(record.failover for record in group):
            return self._failover(group, healthy)
        if any(record.multivalue for record in group):
            several = list(healthy or group)
            self._dice.shuffle(several)
            return several[:MOST_VALUES]
        return group

    @staticmethod
    def _failover(group: Sequence[RecordSet], healthy: Sequence[RecordSet]) -> Sequence[RecordSet]:
        """Primary while it is healthy or nothing is; else secondary."""
        order = sorted(healthy or group, key=lambda record: record.failover)
        return order[:1]

    def shares(self, group: Sequence[RecordSet]) -> dict[str, Fraction]:
        """Return each weighted record's share of the answers, by set identifier."""
        records = [
            AnswerRecord(one.set_identifier, one.weight or 0, one.set_identifier, one.values)
            for one in group
        ]
        return shares(records, {one.set_identifier for one in group if not self.is_live(one)})

    def _draw(self, group: Sequence[RecordSet], parts: dict[str, Fraction]) -> RecordSet:
        weights = [float(parts[record.set_identifier]) for record in group]
        return self._dice.choices(group, weights)[0]

    def is_live(self, record: RecordSet, depth: int = 0) -> bool:
        """Say whether a record is taken for healthy: by its check, and its alias target's."""
        if record.health_check and not self._is_healthy(record.health_check):
            return False
        if record.alias and record.evaluate_target_health and depth < LONGEST_CHAIN:
            targets = self.group(record.alias, record.kind)
            return not targets or any(self.is_live(target, depth + 1) for target in targets)
        return True

    def all_shares(self) -> dict[str, dict[str, str]]:
        """Return the shares of every weighted name, as `name type` and then by set identifier."""
        names = sorted(
            {
                (record.name, record.kind)
                for records in self._dump.zones.values()
                for record in records
                if record.weight is not None
            }
        )
        return {
            f"{name} {kind}": {
                one: str(share) for one, share in self.shares(self.group(name, kind)).items()
            }
            for name, kind in names
        }
