"""Custom resources whose replicas stand where the workload's settings say."""

from typing import Any

import pytest

from fleet.deliver.bodies import look
from fleet.deliver.manifests import drafts_of
from fleet.deliver.place import Place
from fleet.model.decision import Assignment
from fleet.model.workload import Manifest, Workload, WorkloadSettings
from tests.builders import a_cluster
from tests.deliver.kit import a_deployment, an_object, web
from tests.deliver.test_overrides import policy, refused, rule

API = "cache.example.org/v1"
PATH = ("spec", "shards", "count")
SETTINGS = WorkloadSettings.model_validate(
    {"replicas": [{"api_version": API, "kind": "Cache", "path": ".".join(PATH)}]}
)


def a_cache(api: str = API, count: int = 6) -> Manifest:
    return an_object("Cache", "web", api=api, spec={"shards": {"count": count, "size": 1}})


def drafted(workload: Workload, replicas: int) -> dict[str, Any]:
    place = Place(workload, a_cluster(), Assignment("eu-1", replicas))
    return {each.manifest.key: each.body for each in drafts_of(place)}


RUN = [
    pytest.param([a_cache()], 4, 4, id="the main object runs what was assigned"),
    pytest.param([a_cache()], 0, 0, id="and nothing where nothing runs"),
    pytest.param([a_deployment(), a_cache(count=3)], 4, 2, id="a companion its proportion"),
    pytest.param([a_deployment(), a_cache(count=3)], 0, 0, id="a companion nothing"),
    pytest.param([a_cache("other.org/v1")], 4, 6, id="another API is as it is written"),
]


@pytest.mark.parametrize(("objects", "assigned", "expected"), RUN)
def test_a_declared_path_gets_the_number(
    objects: list[Manifest], assigned: int, expected: int
) -> None:
    workload = web(*objects, settings=SETTINGS)
    body = drafted(workload, assigned)["Cache//web"]
    assert look(body, *PATH) == expected
    assert look(body, "spec", "shards", "size") == 1
    assert look(objects[-1].body, *PATH) in {3, 6}


def test_a_declared_path_is_the_schedulers_not_a_rules() -> None:
    bad = rule(
        {"op": "replace", "path": "/spec/shards/count", "value": 9}, target={"kind": "Cache"}
    )
    (fault,) = refused(policy(bad), workload=web(a_cache(), settings=SETTINGS))
    assert "'spec.shards.count' of Cache 'web' is the scheduler's" in fault
