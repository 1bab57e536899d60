"""What the name servers answer: the records of a name, chosen by policy and health.

**Source**: Amazon Route 53 Developer Guide, "How Amazon Route 53 chooses records when health
checking is configured", as `fleet.model.answer` has it.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from devkit.dataplane.zone_view import Dump, RecordSet
from fleet.model.answer import LONGEST_CHAIN, Answering
from fleet.model.geography import SOMEBODY, Asker

MOST_VALUES = 8


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

    def choose(self, name: str, kind: str, asker: Asker = SOMEBODY) -> list[Chosen]:
        """Return what is answered for a name and type; aliases are followed.

        **Errors**: UnsupportedError.
        """
        return self._choose(name, kind, asker, 0)

    def _choose(self, name: str, kind: str, asker: Asker, depth: int) -> list[Chosen]:
        found: list[Chosen] = []
        for record in self._pick(self.group(name, kind), kind, asker):
            if not record.alias:
                found.append(Chosen(name, record))
            elif depth < LONGEST_CHAIN:
                inner = self._choose(record.alias, kind, asker, depth + 1)
                found += [Chosen(name, one.record) for one in inner]
        return found

    def _pick(self, group: Sequence[RecordSet], kind: str, asker: Asker) -> Sequence[RecordSet]:
        """Draw from those that come into question; of several values at most eight."""
        if any(record.elsewhere for record in group):
            raise UnsupportedError("routing by nearness and by address is not part of this")
        parts = self._answering(kind).choose(group, asker)
        several = [record for record, _ in parts]
        if several and several[0].multivalue:
            self._dice.shuffle(several)
            return several[:MOST_VALUES]
        return self._dice.choices(several, [float(part) for _, part in parts]) if parts else []

    def _answering(self, kind: str) -> Answering[RecordSet]:
        return Answering(lambda name: self.group(name, kind), self._is_healthy)

    def shares(self, name: str, kind: str, asker: Asker = SOMEBODY) -> dict[str, Fraction]:
        """Return the share of each record that answers in the end, by set identifier."""
        found: dict[str, Fraction] = {}
        for record, part in self._answering(kind).shares(name, asker):
            key = record.set_identifier
            found[key] = found.get(key, Fraction(0)) + part
        return found

    def all_shares(self, asker: Asker = SOMEBODY) -> dict[str, dict[str, str]]:
        """Return the shares of every name that has several records, as `name type`.

        **Shape**: by set identifier: those of the name itself, and those that answer in the end.
        """
        groups: dict[tuple[str, str], list[RecordSet]] = {}
        for records in self._dump.zones.values():
            for record in records:
                if record.set_identifier and not record.elsewhere:
                    groups.setdefault((record.name, record.kind), []).append(record)
        return {
            f"{name} {kind}": {record.set_identifier: "0" for record in group if not record.alias}
            | {one: str(share) for one, share in self.shares(name, kind, asker).items()}
            for (name, kind), group in sorted(groups.items())
        }
