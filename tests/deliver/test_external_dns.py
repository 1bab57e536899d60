"""One owner per name: what external-dns would take from an object."""

from typing import Any

import pytest

from fleet.model.workload import Manifest
from tests.builders import a_snapshot, a_traffic, linked
from tests.deliver.kit import a_deployment, a_schedule, an_object, faults_of, two_clusters, web

PREFIX = "external-dns.alpha.kubernetes.io/"
HOST = {"rules": [{"host": "web.fleet.test"}, {}]}


def annotated(kind: str = "Service", spec: Any = None, **annotations: str) -> Manifest:
    said = {PREFIX + key.replace("_", "-"): value for key, value in annotations.items()}
    return an_object(kind, metadata={"annotations": said}, spec=spec or {})


OBJECTS = [
    pytest.param(annotated(hostname="web.fleet.test"), True, id="the name"),
    pytest.param(annotated(hostname="a.test, WEB.fleet.test."), True, id="one of several"),
    pytest.param(annotated(internal_hostname="web.fleet.test"), True, id="an internal name"),
    pytest.param(annotated(hostname="other.fleet.test"), False, id="another name"),
    pytest.param(
        annotated(hostname="web.fleet.test", controller="x"), False, id="not external-dns"
    ),
    pytest.param(annotated("Ingress", HOST, ttl="60"), True, id="an Ingress that it reads"),
    pytest.param(
        annotated("HTTPRoute", {"hostnames": ["web.fleet.test"]}, ttl="60"), True, id="a route"
    ),
    pytest.param(
        annotated("Ingress", HOST, ttl="60", ingress_hostname_source="annotation-only"),
        False,
        id="an Ingress whose hosts it does not read",
    ),
    pytest.param(an_object("Ingress", spec=HOST), False, id="an Ingress without annotations"),
    pytest.param(
        an_object("Ingress", spec=HOST, metadata={"annotations": {"a": "b"}}),
        False,
        id="an Ingress with others' annotations",
    ),
]


@pytest.mark.parametrize(("manifest", "is_refused"), OBJECTS)
def test_a_managed_name_has_one_owner(manifest: Manifest, is_refused: bool) -> None:  # noqa: FBT001 - a table's column
    item = linked(web(a_deployment(), manifest), traffic=[a_traffic(active_region="eu-west-1")])
    schedule = a_schedule({"web": {"eu-1": 4, "us-1": 2}}, active={"web": "eu-west-1"})
    faults = faults_of(a_snapshot(two_clusters(), [item]), schedule)
    assert len(faults) == int(is_refused)
    for fault in faults:
        assert fault.startswith(f"workloads/web/{manifest.kind}.yaml:1:1: ")
        assert "which traffic policy 'web' owns" in fault
