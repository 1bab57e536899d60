"""The sentences of what is told of recovery and data."""

from collections.abc import Mapping
from typing import Final

from fleet.explain.rejection_words import Values, Words
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
        f"'{values['name']}': a loss takes {values['total']} s{allowed} ({values['steps']}) and"
        f" costs {cost}{bound}; a switch takes {values['switch']} s"
    )


RECOVERY_WORDS: Final[Mapping[str, Words]] = {
    codes.RPO_MISSED: _rpo_missed,
    codes.NOT_REPLICATED_THERE: _not_replicated,
    codes.RECOVERY: _recovery,
}
