"""Which Service answers, and with how many endpoints."""

import pytest

from devkit.dataplane.ingress import Answer, Objects, answer, route
from tests.dataplane.kit import WEB, a_slice, an_ingress, objects


def test_a_ready_endpoint_makes_it_200() -> None:
    assert answer(objects(an_ingress(), ready=2), WEB, "/") == Answer(200, "default/web", 2)


def test_no_ready_endpoint_makes_it_503() -> None:
    assert answer(objects(an_ingress(), ready=0), WEB, "/") == Answer(503, "default/web", 0)


def test_a_missing_service_makes_it_503() -> None:
    found = answer(objects(an_ingress(service="gone")), WEB, "/")
    assert found == Answer(503, "default/gone", 0)


def test_no_ingress_makes_it_404() -> None:
    assert answer(objects(an_ingress()), "other.test", "/") == Answer(404)


def test_a_port_in_the_host_header_is_left_out() -> None:
    assert answer(objects(an_ingress()), f"{WEB.upper()}:8080", "/").status == 200


def test_endpoints_that_are_not_ready_do_not_count() -> None:
    cluster = Objects((an_ingress(),), frozenset({"default/web"}), (a_slice(1, unready=3),))
    assert answer(cluster, WEB, "/").ready == 1


def test_the_same_pod_in_two_slices_counts_once() -> None:
    cluster = Objects((an_ingress(),), frozenset({"default/web"}), (a_slice(2), a_slice(2)))
    assert answer(cluster, WEB, "/").ready == 2


def test_a_slice_of_another_service_does_not_count() -> None:
    cluster = Objects((an_ingress(),), frozenset({"default/web"}), (a_slice(2, service="api"),))
    assert answer(cluster, WEB, "/").status == 503


@pytest.mark.parametrize(
    ("ingresses", "host", "path", "service"),
    [
        pytest.param([an_ingress("")], "any.test", "/", "web", id="no host matches any"),
        pytest.param(
            [an_ingress("", service="any"), an_ingress(WEB)],
            WEB,
            "/",
            "web",
            id="a host comes first",
        ),
        pytest.param(
            [an_ingress("*.example.test", service="wild"), an_ingress(WEB)],
            WEB,
            "/",
            "web",
            id="the host itself before a wildcard",
        ),
        pytest.param(
            [an_ingress("*.example.test", service="wild"), an_ingress("", service="any")],
            WEB,
            "/",
            "wild",
            id="a wildcard before any",
        ),
        pytest.param(
            [an_ingress("*.example.test")],
            "a.b.example.test",
            "/",
            "",
            id="a wildcard is one label",
        ),
        pytest.param(
            [an_ingress(path="/"), an_ingress(path="/api", service="api")],
            WEB,
            "/api/v1?x=1",
            "api",
            id="the longest prefix",
        ),
        pytest.param(
            [an_ingress(path="/api", service="api")], WEB, "/apis", "", id="prefixes end at a slash"
        ),
        pytest.param(
            [an_ingress(path="/api", service="p"), an_ingress(path="/api", kind="Exact")],
            WEB,
            "/api",
            "web",
            id="an exact path before a prefix",
        ),
        pytest.param(
            [an_ingress(path="/api", kind="Exact")], WEB, "/api/v1", "", id="an exact path is exact"
        ),
    ],
)
def test_the_best_rule_decides(
    ingresses: list[dict[str, object]], host: str, path: str, service: str
) -> None:
    for order in (ingresses, ingresses[::-1]):
        found = route(Objects(tuple(order)), host, path)
        assert found == (f"default/{service}" if service else "")


def test_a_default_backend_takes_what_no_rule_wants() -> None:
    default = {"service": {"name": "last"}}
    ingress = {"metadata": {"namespace": "x", "name": "d"}, "spec": {"defaultBackend": default}}
    assert route(Objects((ingress, an_ingress())), "other.test", "/") == "x/last"
    assert route(Objects((ingress, an_ingress())), WEB, "/") == "default/web"
