"""Which health checks are unhealthy, as Route53 takes them.

Source: Amazon Route 53 Developer Guide, "How Amazon Route 53 determines whether a health check is
healthy": a calculated check counts its healthy children; an inverted one is turned round. (A
disabled one would be healthy; fleet disables none.)
"""

from collections.abc import Collection, Iterable

from fleet.model.endpoint import CheckDelivery


def unhealthy_checks(checks: Iterable[CheckDelivery], failing: Collection[str]) -> frozenset[str]:
    """The names of all checks that are unhealthy while those probes find nothing good.

    **Shape**: `failing` are names of probes (before they are inverted) and of routing controls
    that are off. What is returned is what `fleet.model.answer.shares` wants.
    """
    known = list(checks)
    unhealthy = {
        each.name
        for each in known
        if not each.children and (each.name in failing) != _is_inverted(each)
    }
    unhealthy |= {
        each.name
        for each in known
        if each.children and len({*each.children} - unhealthy) < each.threshold
    }
    return frozenset(unhealthy)


def entry_probes(checks: Iterable[CheckDelivery], name: str) -> tuple[CheckDelivery, ...]:
    """What is asked of an entry behind a record's check; levers are none of it.

    **Shape**: in the order of the plan.
    """
    known = {each.name: each for each in checks}
    names = {name, *known[name].children} if name in known else set()
    return tuple(
        each for each in known.values() if each.name in names and each.check and not each.is_lever
    )


def is_good(check: CheckDelivery, fault: str) -> bool:
    """Whether a probe is healthy that found this fault, or none (empty)."""
    return (not fault) != _is_inverted(check)


def _is_inverted(check: CheckDelivery) -> bool:
    return check.check is not None and check.check.inverted
