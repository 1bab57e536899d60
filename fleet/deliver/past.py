"""The records of a policy that exist: what the plan's are compared with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fleet.model.base import FrozenMap
from fleet.model.prior import Prior, PriorObject
from fleet.model.record_names import FLAT, LEAF, form_of, record_name, split_record_name

RECORD_TOKEN = "aws:route53/record:Record"  # noqa: S105 - a Pulumi type, no password


@dataclass(frozen=True, slots=True)
class Past:
    """What there is under a policy.

    `form` None: its name leads nowhere yet. **Shape**: all by resource name; `records` are all of
    them, `weights` those of clusters, `aliases` the texts of the others.
    """

    form: str | None = None
    records: FrozenMap[PriorObject] = FrozenMap()
    weights: FrozenMap[int] = FrozenMap()
    aliases: FrozenMap[str] = FrozenMap()

    def leaving(self, kept: Iterable[str]) -> tuple[PriorObject, ...]:
        """The records that exist and go, sorted by name."""
        staying = set(kept)
        return tuple(each for name, each in self.records.items() if name not in staying)


def past_of(prior: Prior, policy: str) -> Past:
    """The past of a policy: from the state's records, or from what a file says of weights."""
    aliases = prior.aliases.get(policy, FrozenMap[str]())
    form = _form(prior, policy, aliases)
    names = {name: each for name, each in prior.records.items() if _policy(name) == policy}
    there = {split_record_name(name).cluster for name in names}
    weights = prior.dns_weights.get(policy, FrozenMap[int]())
    told = [record_name(policy, each, form or FLAT) for each in weights if each not in there]
    records = {name: PriorObject(name, RECORD_TOKEN) for name in (*told, *aliases)} | names
    return Past(
        form=form,
        records=FrozenMap(records),
        weights=FrozenMap(
            {
                name: _weight(each, weights)
                for name, each in records.items()
                if split_record_name(name).cluster
            }
        ),
        aliases=aliases,
    )


def past_names(prior: Prior) -> Iterable[str]:
    """Every record of the prior, whatever its policy."""
    policies = {*prior.dns_weights, *prior.aliases, *(_policy(name) for name in prior.records)}
    return (name for policy in sorted(policies) for name in past_of(prior, policy).records)


def _policy(name: str) -> str:
    return split_record_name(name).policy


def _form(prior: Prior, policy: str, aliases: Mapping[str, str]) -> str | None:
    """Where the public name leads: by its own alias, or by the clusters' records at it."""
    top = aliases.get(record_name(policy, LEAF))
    if top is not None:
        return form_of(top)
    parts = [split_record_name(name) for name in prior.records if _policy(name) == policy]
    flat = any(each.cluster and each.form == FLAT for each in parts)
    return FLAT if flat or (not parts and policy in prior.dns_weights) else None


def _weight(record: PriorObject, told: Mapping[str, int]) -> int:
    """A record's weight: as the state has it, else as the file says of its cluster."""
    routing = record.body.get("weightedRoutingPolicies")
    if routing:
        return int(routing[0].get("weight", 0))
    return told.get(split_record_name(record.name).cluster, 0)
