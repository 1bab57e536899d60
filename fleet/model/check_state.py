"""Which health checks are unhealthy, as Route53 takes them.

Source: Amazon Route 53 Developer Guide, "How Amazon Route 53 determines whether a health check is
healthy": a calculated check counts its healthy children; an inverted one is turned round. (A
disabled one would be healthy; fleet disables none.)
"""

from collections.abc import Collection, Iterable

from fleet.model.plan import CheckDelivery


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


def _is_inverted(check: CheckDelivery) -> bool:
    return check.check is not None and check.check.inverted
