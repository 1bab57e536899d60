"""How the records of one policy stand: flat at the name itself, or as a tree of aliases.

Flat: one weighted record per cluster at the public name. As a tree, from the name down:

    <name>                    `_leaf`, weighted: an alias of the leaf below
    _<form>.<name>            an alias per region (or place), by weight, latency or geolocation
    _spare._geolocation.<name>  an alias per region, by weight: for who finds nobody otherwise
    <region>._<form>.<name>   one weighted record per cluster

All records at the public name are weighted, always: a change of form adds or takes away one of
them, or flips its alias, and the type of a live name never changes. Source: docs/decisions/003.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fleet.deliver.checks import Asked
from fleet.deliver.past import Past
from fleet.deliver.records import record_types, targets_of
from fleet.deliver.weights import WHOLE, Target, by_replicas
from fleet.model.endpoint import AliasDelivery, RecordDelivery
from fleet.model.geography import EVERYWHERE, Location
from fleet.model.record_names import ALSO, FLAT, LEAF, SPARE, leaf_name, record_name
from fleet.model.traffic import BY_WEIGHT, Mode, TrafficPolicy, TrafficSpec

IN_GROUPS, IN_SPARE, IN_LEAF, AT_NAME, AT_NAMES = range(5)
"""The stages: what is led to comes before what leads to it."""


@dataclass(frozen=True, slots=True)
class Member:
    """A cluster under a name: its weight among all of them, whatever the form.

    `held` and `check_other` as in RecordDelivery.
    """

    asked: Asked
    dns_weight: int
    check: str
    held: bool = False
    check_other: str | None = None

    @property
    def cluster(self) -> str:
        """The cluster's name."""
        return self.asked.cluster.name


@dataclass(frozen=True, slots=True)
class Shape:
    """The records of one policy."""

    form: str
    records: tuple[RecordDelivery, ...] = ()
    aliases: tuple[AliasDelivery, ...] = ()


def form_for(spec: TrafficSpec) -> str:
    """The form that a policy asks for."""
    if not spec.is_nested:
        return FLAT
    return Mode.WEIGHTED.value if spec.mode in BY_WEIGHT else spec.mode.value


def side_of(spec: TrafficSpec, cluster: str, region: str) -> str:
    """The group of a cluster: its region, or what the policy's mode has instead."""
    if cluster in spec.geolocation:
        return cluster
    return spec.latency_regions.get(region, region)


def left_regions(
    spec: TrafficSpec, asked: Sequence[Asked], weights: Mapping[str, int]
) -> frozenset[str]:
    """The regions that a name by latency leads nobody to, while it leads to others."""
    if spec.mode is not Mode.LATENCY:
        return frozenset()
    sides: dict[str, set[str]] = {}
    led: set[str] = set()
    for each in asked:
        cluster = each.cluster
        side = side_of(spec, cluster.name, cluster.spec.region)
        sides.setdefault(side, set()).add(cluster.spec.region)
        led |= {side} if weights[cluster.name] else set()
    return frozenset().union(*(sides[side] for side in sides.keys() - led)) if led else frozenset()


def shape_of(policy: TrafficPolicy, members: Sequence[Member], past: Past) -> Shape:
    """The records of a policy; none where nobody is a member."""
    form = form_for(policy.spec)
    if not members:
        return Shape(form)
    return _Builder(policy, form, members, past).shape()


@dataclass(frozen=True, slots=True)
class _Builder:
    policy: TrafficPolicy
    form: str
    members: Sequence[Member]
    past: Past

    def shape(self) -> Shape:
        """Records by cluster, aliases by name."""
        kinds = record_types(self.members[0].asked.entry)
        suffixes = {kind: "" if kind == kinds[0] else kind for kind in kinds}
        spec = self.policy.spec
        records = [
            record
            for kind, suffix in suffixes.items()
            for record in (self._groups(kind, suffix) if self.form else self._flat(kind, suffix))
        ]
        aliases = [
            alias
            for kind, suffix in suffixes.items()
            for alias in (
                *(self._tree(kind, suffix) if self.form else ()),
                *(self._other(kind, suffix, each, spec.name) for each in spec.names),
            )
        ]
        return Shape(
            self.form,
            tuple(sorted(records, key=lambda each: (each.cluster, each.name))),
            tuple(sorted(aliases, key=lambda each: each.name)),
        )

    def _flat(self, kind: str, suffix: str) -> Iterable[RecordDelivery]:
        for each in self.members:
            name = record_name(self.policy.name, each.cluster, suffix)
            yield self._record(each, kind, name)

    def _groups(self, kind: str, suffix: str) -> Iterable[RecordDelivery]:
        for side, members in self._sides().items():
            for each in members:
                name = record_name(self.policy.name, each.cluster, self.form, suffix)
                yield self._record(each, kind, name, self._group(side))

    def _record(self, member: Member, kind: str, name: str, group: str = "") -> RecordDelivery:
        return RecordDelivery(
            name=name,
            cluster=member.cluster,
            type=kind,
            targets=targets_of(member.asked.entry, kind),
            dns_weight=member.dns_weight,
            previous=self.past.weights.get(name),
            check=member.check,
            held=member.held,
            check_other=member.check_other,
            dns_name=group,
            stage=IN_GROUPS if group else AT_NAME,
        )

    def _tree(self, kind: str, suffix: str) -> Iterable[AliasDelivery]:
        name, leaf = self.policy.spec.name, leaf_name(self.policy.spec.name, self.form)
        yield self._alias(kind, (LEAF, suffix), AT_NAME, name, leaf, dns_weight=WHOLE)
        leaves = list(self._leaf_aliases(kind, suffix))
        yield from leaves
        if any(each.target == self._spare for each in leaves):
            yield from self._spares(kind, suffix)

    def _leaf_aliases(self, kind: str, suffix: str) -> Iterable[AliasDelivery]:
        leaf = leaf_name(self.policy.spec.name, self.form)
        for said in self._branches():
            parts = (f"_{self.form}", said.identifier, suffix)
            name = record_name(self.policy.name, *parts)
            if not said.is_live and name not in self.past.aliases:
                continue
            yield AliasDelivery(
                name,
                leaf,
                kind,
                said.identifier,
                said.target,
                said.dns_weight,
                said.region,
                said.location,
                self.past.aliases.get(name),
                IN_LEAF,
            )

    def _branches(self) -> Iterable["_Branch"]:
        """What the leaf tells apart. One that leads nowhere of its own is kept where it was.

        By latency it leads to its own group still, which is never healthy (`left_regions`): Route53
        then takes the next nearest region, which nobody but it has measured.
        """
        live = self._live()
        if self.form == Mode.WEIGHTED:
            heavy = _scaled(live)
            for side in self._sides():
                yield _Branch(side, self._group(side), dns_weight=heavy.get(side, 0))
        elif self.form == Mode.LATENCY:
            for side in self._sides():
                yield _Branch(side, self._group(side), side in live, region=side)
        else:
            owners = _owners(self.policy.spec)
            for place, side in owners.items():
                is_live = side in live or place == EVERYWHERE
                target = self._home(place, owners, live)
                yield _Branch(place.code, target, is_live, location=place)

    def _home(
        self, place: Location, owners: Mapping[Location, str], live: Mapping[str, int]
    ) -> str:
        """The group that answers a place: its own, or that of the next wider one that has one."""
        for each in (place, *place.wider):
            if each != EVERYWHERE and owners.get(each) in live:
                return self._group(owners[each])
        return self._spare

    def _spares(self, kind: str, suffix: str) -> Iterable[AliasDelivery]:
        """The group of all sides: the default one first, or all of them by their weight."""
        live = self._live()
        chosen = _owners(self.policy.spec).get(EVERYWHERE)
        heavy = {chosen: WHOLE} if chosen is not None and chosen in live else _scaled(live)
        for side in self._sides():
            parts, target = (SPARE, self.form, side, suffix), self._group(side)
            weight = heavy.get(side, 0)
            name = record_name(self.policy.name, *parts)
            yield AliasDelivery(
                name,
                self._spare,
                kind,
                side,
                target,
                weight,
                previous=self.past.aliases.get(name),
                stage=IN_SPARE,
            )

    def _other(self, kind: str, suffix: str, other: str, name: str) -> AliasDelivery:
        return self._alias(kind, (ALSO, other, suffix), AT_NAMES, other, name, dns_weight=WHOLE)

    def _alias(  # noqa: PLR0913 - one argument per field that differs
        self,
        kind: str,
        parts: tuple[str, ...],
        stage: int,
        dns_name: str,
        target: str,
        *,
        dns_weight: int,
    ) -> AliasDelivery:
        name = record_name(self.policy.name, *parts)
        previous = self.past.aliases.get(name)
        return AliasDelivery(
            name, dns_name, kind, LEAF, target, dns_weight, previous=previous, stage=stage
        )

    @property
    def _spare(self) -> str:
        return f"{SPARE}.{leaf_name(self.policy.spec.name, self.form)}"

    def _group(self, side: str) -> str:
        return group_name(self.policy.spec, side)

    def _sides(self) -> dict[str, list[Member]]:
        found: dict[str, list[Member]] = {}
        for each in self.members:
            cluster = each.asked.cluster
            side = side_of(self.policy.spec, cluster.name, cluster.spec.region)
            found.setdefault(side, []).append(each)
        return {side: found[side] for side in sorted(found)}

    def _live(self) -> dict[str, int]:
        """The sides that are to be answered, with the sum of their weights."""
        sums = {
            side: sum(each.dns_weight for each in members)
            for side, members in self._sides().items()
        }
        return {side: weight for side, weight in sums.items() if weight}


@dataclass(frozen=True, slots=True)
class _Branch:
    """An alias of the leaf, before it has a type."""

    identifier: str
    target: str
    is_live: bool = True
    dns_weight: int | None = None
    region: str = ""
    location: Location | None = None


def group_name(spec: TrafficSpec, side: str) -> str:
    """The name of a side's group of clusters."""
    return f"{side}.{leaf_name(spec.name, form_for(spec))}"


def _owners(spec: TrafficSpec) -> dict[Location, str]:
    """The side of each place, the widest places first."""
    return {place: side for side, each in spec.geolocation.items() for place in each.locations}


def _scaled(sums: Mapping[str, int]) -> dict[str, int]:
    """Sums of weights as weights; in proportion where they exceed 255."""
    return by_replicas(tuple(Target(side, side, weight) for side, weight in sums.items()))
