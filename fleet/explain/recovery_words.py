"""The sentences of what is told of recovery and data."""

from collections.abc import Mapping
from typing import Final

from fleet.explain.rejection_words import Values, Words
from fleet.explain.shell import line
from fleet.model import finding_codes as codes


def _rpo_missed(values: Values) -> str:
    target = f"more than the {values['rpo']} s that policy '{values['policy']}' allows"
    if "lost" in values:
        return f"a loss may cost {values['lost']} s of what '{values['workload']}' wrote, {target}"
    return (
        f"a loss may cost all that '{values['workload']}' wrote (its data is '{values['kind']}' and"
        f" copied nowhere), {target}"
    )


def _not_replicated(values: Values) -> str:
    target = (
        f", but policy '{values['policy']}' allows {values['rpo']} s" if "rpo" in values else ""
    )
    return (
        f"the data of '{values['workload']}' has no copy on its standby {values['clusters']}: a"
        f" failover there would lose all{target}"
    )


def _recovery(values: Values) -> str:
    allowed = f" of {values['rto']} s" if "rto" in values else ""
    cost = "all its data" if "lost" not in values else f"{values['lost']} s of writes"
    bound = f" of {values['rpo']} s" if "rpo" in values else ""
    return (
        f"'{values['name']}': a loss of {values['domain']} takes {values['total']} s{allowed}"
        f" ({values['steps']}) and costs {cost}{bound}; a switch takes {values['switch']} s"
    )


def _data_step(values: Values) -> str:
    by = f" by the command '{values['promotion']}'" if "promotion" in values else ""
    return (
        f"the data of '{values['workload']}' gets its primary in {values['region']}{by}, once the"
        f" capacity is ready and before traffic moves; it was on {values['previous']}"
    )


def _pinned_moves(values: Values) -> str:
    if "said" in values:
        return (
            f"'{values['workload']}' leaves {values['clusters']}, where its pinned data was; the"
            f" file says that the data is on {values['said']} now - consent if it was copied there"
        )
    after = f"start empty on {values['to']}" if values["to"] else "run nowhere"
    return (
        f"'{values['workload']}' would leave its pinned data on {values['clusters']} and {after}"
        " - to move it, copy the data and say in fleet.yaml where it is: data: {kind: pinned, at:"
        " [CLUSTER]}"
    )


def are_fenced(clusters: str) -> str:
    """Clusters, listed with commas, that are or must be fenced.

    >>> are_fenced("eu-1"), are_fenced("eu-1, eu-2")
    ('eu-1 is fenced', 'eu-1, eu-2 are fenced')
    """
    return f"{clusters} {'are' if ', ' in clusters else 'is'} fenced"


def _fence_first(values: Values) -> str:
    """With a command for each cluster: half of a side that is fenced promotes nothing."""
    clusters = str(values["clusters"]).split(", ")
    one = len(clusters) == 1
    commands = " && ".join(
        line("pulumi", "config", "set", "--path", f"fenced[{place}]", cluster)
        for place, cluster in enumerate(clusters, int(values["index"]))
    )
    return (
        f"the data of '{values['workload']}' gets no primary in {values['region']}, and its names"
        f" stay where they are: {values['clusters']} {'is' if one else 'are'} dead and nobody says"
        f" that {'it is' if one else 'they are'} fenced - cut {'it' if one else 'them'} off from"
        f" clients and storage, then: {commands}"
    )


def _failback_idle(values: Values) -> str:
    if "region" not in values:
        return (
            f"failback names '{values['policy']}', which has no active region to go back to: it"
            " does nothing - take it out"
        )
    return (
        f"failback names '{values['policy']}', which leads to {values['region']} as it should: the"
        " next loss would be followed by a return that nobody asks for - take it out"
    )


def _never_recovers(values: Values) -> str:
    target = (
        f", but policy '{values['policy']}' allows {values['rto']} s" if "rto" in values else ""
    )
    return (
        f"nothing would answer a loss of {values['cluster']}: '{values['workload']}' can run on no"
        f" other cluster that '{values['name']}' could lead to{target}"
    )


RECOVERY_WORDS: Final[Mapping[str, Words]] = {
    codes.NEVER_RECOVERS: _never_recovers,
    codes.RPO_MISSED: _rpo_missed,
    codes.NOT_REPLICATED_THERE: _not_replicated,
    codes.RECOVERY: _recovery,
    codes.DATA_STEP: _data_step,
    codes.PINNED_MOVES: _pinned_moves,
    codes.PINNED_WAITS: (
        "'{workload}' starts nowhere else while its pinned data is on dead {clusters}: it waits for"
        " the return, or for 'decommission'"
    ),
    codes.FAILBACK_WAITS: (
        "'{name}' stays in {region}, where it went when {wanted} was lost; {wanted} is back: to"
        " return, which is a switch of its own: pulumi config set --path 'failback[{index}]'"
        " {policy}"
    ),
    codes.FAILBACK_IDLE: _failback_idle,
    codes.ONE_STANDBY_ANSWERS: (
        "one side writes the data of '{workload}': after a loss Route53 answers '{name}' with"
        " {next} alone; held out until an update leads there: {others}"
    ),
    codes.NEXT_BY_NAME: (
        "after a loss of {active} the next update leads '{name}' to {next}: of {equal}, which"
        " nothing else tells apart, it is the first by name - to choose, prefer one in the"
        " placement policy (affinity.preferred)"
    ),
    codes.SHIFT: (
        "'{name}' leads {percent}% to {region} and {rest}% to {leaving}; both run all replicas"
        " until the shift is 100 or gone"
    ),
    codes.SHIFT_IDLE: (
        "shift.{policy} is {percent}, but the policy leads to {region} alone: it will hold back the"
        " next switch - pulumi config rm --path shift.{policy}"
    ),
    codes.FENCE_FIRST: _fence_first,
    codes.FENCED_IDLE: (
        "fenced names '{word}', which is in use: the next time that it is lost, a database would be"
        " promoted although nobody cut it off - take it out"
    ),
    codes.HANDOVER_FIRST: (
        "demotes '{workload}' on {clusters} first; the next update promotes it in {region} and"
        " moves traffic, once {object} says status.{status} - pulumi refresh, then pulumi up"
    ),
}
