"""KubeFed's KubeFedCluster."""

from collections.abc import Iterable

from fleet.load.importers.native import (
    cluster_of,
    clusters_of,
    made_cluster,
    not_true,
    note_connection,
    note_unwell,
    put_region,
    put_zones,
)
from fleet.load.importers.reading import Foreign
from fleet.model.inventory import Cluster


def kubefed_clusters(documents: Iterable[Foreign]) -> list[Cluster]:
    """The clusters, without those whose documents have faults."""
    return clusters_of(documents, _cluster)


def _cluster(each: Foreign, *, first: bool) -> Cluster | None:
    native = cluster_of(each)
    spec = each.body.within("spec")
    spec.skip("caBundle", "disabledTLSValidations", "proxyURL")
    spec.skip("secretRef")
    if spec.has("apiEndpoint") and first:
        note_connection(each.notes, spec.at("apiEndpoint"), "reaches it by an endpoint and a token")
    spec.close("the spec of a KubeFedCluster")
    status = each.body.within("status")
    for part in not_true(status, "Ready"):
        why = "schedules nothing on a cluster that is not ready; fleet goes by its state"
        note_unwell(each.notes, part.path, why, each.name)
    put_region(native, status.text("region"), status.at("region"), ", or status.region")
    put_zones(native, status.texts("zones"), status.at("zones"))
    status.close("the status of a KubeFedCluster")
    each.body.close("a KubeFedCluster")
    return made_cluster(native)
