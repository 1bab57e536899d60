"""The sentences of tiers, even numbers, neighbours and quotas, by their code."""

from collections.abc import Callable, Mapping
from typing import Final

from fleet.model.quantity import spell_quantity

Values = Mapping[str, str | int]
Words = str | Callable[[Values], str]


def _by(values: Values) -> str:
    """What numbers are counted by: `labels.rack` is `label 'rack'`."""
    text = str(values["by"])
    return f"label '{text.removeprefix('labels.')}'" if text.startswith("labels.") else text


def _skew_limit(values: Values) -> str:
    return f"numbers by {_by(values)} would differ by more than {values['skew']}"


def _skew_conflict(values: Values) -> str:
    return (
        f"the spread cannot be met with numbers by {_by(values)} that differ by at most"
        f" {values['skew']}"
    )


def _skew_short(values: Values) -> str:
    where = f" in region {values['region']}" if values.get("region") else ""
    return (
        f"room for {values['placed']} of {values['wanted']} replicas{where}, where numbers by"
        f" {_by(values)} may differ by {values['skew']}"
    )


def _skew_kept(values: Values) -> str:
    return (
        f"'{values['workload']}' stays uneven: {values['most']} and {values['least']} by"
        f" {_by(values)}, though the policy allows a difference of {values['skew']}"
    )


def _spread_thin(values: Values) -> str:
    return (
        f"'{values['workload']}' runs on {values['found']} of the {values['wanted']} domains by"
        f" {_by(values)} that its policy wants"
    )


def _tier_short(values: Values) -> str:
    missing = values["missing"]
    lack = f"is {missing} replica{'' if missing == 1 else 's'} short" if missing else "does not fit"
    return f"tier '{values['tier']}' {lack}; '{values['won']}' is used"


def _quota(values: Values) -> str:
    resource = str(values["resource"])
    left, limit = (amount_text(resource, values[name]) for name in ("left", "limit"))
    count = values["replicas"]
    enough = f"enough for {count} replica{'' if count == 1 else 's'}"
    return f"quota '{values['quota']}' has {resource} {left} of {limit} left, {enough}"


def amount_text(resource: str, amount: str | int) -> str:
    """An amount in base units as a person writes it; a text stays as it is."""
    return spell_quantity(resource, amount) if isinstance(amount, int) else amount


STRUCTURE_REJECTIONS: Final[Mapping[str, Words]] = {
    "tier-short": _tier_short,
    "tier-later": "tier '{tier}' comes after '{won}', which is used",
    "tier-left": (
        "tier '{tier}' was left for '{won}' earlier - 'returnToBetterTier: true' would go back"
    ),
    "tier-none": "is in no tier; '{won}' is used",
    "none-allowed": "the policy's bounds allow it no replica",
    "together": "'{other}' is not here",
    "apart": "'{other}' is here, and kept apart",
    "skew-limit": _skew_limit,
    "skew-conflict": _skew_conflict,
    "skew-short": _skew_short,
    "quota": _quota,
}

STRUCTURE_FINDINGS: Final[Mapping[str, Words]] = {
    "overcommitted": (
        "'{workload}' gets more replicas than there is room for, as rules 'karmada' allow:"
        " {clusters}"
    ),
    "spread-thin": _spread_thin,
    "skew-kept": _skew_kept,
    "tiers-short": (
        "none of {tried} tier{s_of_tried} holds all of '{workload}': '{tier}' is used, {short}"
        " replica{s_of_short} short"
    ),
    "apart-kept": (
        "'{workload}' stays on '{cluster}', where '{other}' is, though they are kept apart"
    ),
}
