"""Documents with faults: the names in what could be read of them exist, too."""

from collections.abc import Callable
from dataclasses import replace

from pydantic import BaseModel

from fleet.errors import ErrorList
from fleet.load.link_capacity import check_reserved
from fleet.load.link_entries import check_entries
from fleet.load.link_facts import check_names, check_scorers
from fleet.load.link_policies import check_override, check_placement, check_set
from fleet.load.link_quotas import check_tenants
from fleet.load.link_structure import check_alone
from fleet.load.link_traffic import check_names_of
from fleet.load.names import Names
from fleet.load.parse import Declared
from fleet.load.windows import check_windows
from fleet.load.workloads import Workloads
from fleet.model.cluster_set import ClusterSet
from fleet.model.inventory import Cluster
from fleet.model.observation import ClusterObservation, ExternalScores
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.quota import Quota
from fleet.model.traffic import TrafficPolicy


def check_remains(declared: Declared, workloads: Workloads, names: Names) -> None:
    """Faults of documents that have others already."""
    for each in declared.remains:
        names.errors.errors += each.faults(_checker(declared, workloads, names))


def _checker(
    declared: Declared, workloads: Workloads, names: Names
) -> Callable[[BaseModel, ErrorList], None]:
    def check(value: BaseModel, errors: ErrorList) -> None:
        known = replace(names, errors=errors)
        match value:
            case Cluster():
                check_reserved([value], errors)
                check_entries([value], errors)
                check_windows([value], errors)
            case PlacementPolicy():
                check_placement(value, known)
                check_alone(value, known)
                check_scorers([value], declared, known)
            case OverridePolicy():
                check_override(value, known)
            case TrafficPolicy():
                check_names_of(value, known)
            case ClusterObservation() | ExternalScores():
                check_names(value, known)
            case ClusterSet() | Quota():
                _check_tenants(value, workloads, known)
            case _:
                pass

    return check


def _check_tenants(value: ClusterSet | Quota, workloads: Workloads, names: Names) -> None:
    if isinstance(value, ClusterSet):
        check_set(value, names)
    check_tenants([value], workloads, names.errors)
