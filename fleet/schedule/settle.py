"""A plan that the next one leaves as it is, also where nodes are packed.

What was carried out is known by cluster, not by node, so the next run may pack it in another way
and find room that this one did not, or lack some. Where clusters list nodes, a run is therefore
decided again as if it had been carried out, until that changes nothing. Guarded by
test_nodes_steady.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from fleet.model.base import FrozenMap
from fleet.model.decision import Assignment
from fleet.model.prior import Prior
from fleet.schedule.decide import Decided, decide
from fleet.schedule.run import Run

PASSES = 4
"""How often a run starts again at most, because room that was set aside turned out to be free."""

ROUNDS = 8
"""How often what was decided is decided again at most."""

Begin = Callable[[Prior], Run]
"""A run over the same snapshot that finds another prior."""


def settled(begin: Begin, prior: Prior) -> tuple[Run, list[Decided]]:
    """The run that the next one would repeat, and what it decided, in the order of its turns."""
    run = begin(prior)
    made = _until_nothing_is_missed(run)
    if not run.packs_nodes:
        return run, made
    for _ in range(ROUNDS):
        carried_out = _as_prior(prior, run, made)
        if carried_out == prior:
            break
        following = begin(carried_out)
        again = _until_nothing_is_missed(following)
        if _assigned(again) == _assigned(made):
            break
        run, made, prior = following, again, carried_out
    return run, made


def _until_nothing_is_missed(run: Run) -> list[Decided]:
    """Every workload in its turn, until nobody misses what another one gave up."""
    made = _decide_all(run)
    for _ in range(PASSES):
        if not run.was_missed():
            break
        run.keep_less()
        made = _decide_all(run)
    return made


def _decide_all(run: Run) -> list[Decided]:
    return [decide(run, turn) for turn in range(len(run.linked))]


def _as_prior(prior: Prior, run: Run, made: Sequence[Decided]) -> Prior:
    """What the next run finds; Karmada's rules are asked with the prior that there was."""
    changed = dict(prior.workloads)
    for item, decided in zip(run.linked, made, strict=True):
        before, decision = run.prior_of(item.workload), decided.decision
        roles = FrozenMap({each.cluster: each.role for each in decision.assignments})
        after = replace(before, replicas=decision.replicas, roles=roles, tier=decision.tier)
        if after != before and item.placement.spec.rules != "karmada":
            changed[item.workload.name] = after
    return replace(prior, workloads=FrozenMap(changed))


def _assigned(made: Sequence[Decided]) -> list[tuple[Assignment, ...]]:
    return [tuple(each.decision.assignments) for each in made]
