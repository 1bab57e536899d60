"""Quotas: every team and every namespace in them is somebody's."""

from collections.abc import Sequence

from fleet.errors import ErrorList
from fleet.load.names import Spot
from fleet.load.words import Words
from fleet.load.workloads import Workloads
from fleet.model.cluster_set import ClusterSet
from fleet.model.pattern import is_pattern, matches
from fleet.model.quota import Quota


def check_tenants(
    documents: Sequence[Quota | ClusterSet], workloads: Workloads, errors: ErrorList
) -> None:
    """Faults where a quota or a cluster set names a team or a namespace that no workload has.

    A typo would switch the bound, or the isolation, off.

    Where a workload has faults, nobody knows its team: then nothing is called unknown.
    """
    if not documents or not workloads.whole or len(workloads.found) < len(workloads.names):
        return
    teams = Words(each.settings.team for each in workloads.found if each.settings.team)
    spaces = Words(each.namespace for each in workloads.found if each.namespace)
    for each in documents:
        for field, noun, known, patterns in (
            ("teams", "team", teams, each.spec.teams),
            ("namespaces", "namespace", spaces, each.spec.namespaces),
        ):
            for index, pattern in enumerate(patterns):
                spot = Spot.of(each.origin, "spec", field, index)
                _check(pattern, noun, known, (spot, errors))


def _check(pattern: str, noun: str, known: Words, place: tuple[Spot, ErrorList]) -> None:
    spot, errors = place
    if pattern in known or any(matches(pattern, word) for word in known.known):
        return
    if is_pattern(pattern):
        sentence = f"no workload's {noun} matches '{pattern}'"
    else:
        sentence = f"no workload has the {noun} '{pattern}'"
    spot.fault(errors, sentence, known.hint(pattern))
