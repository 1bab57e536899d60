"""What leaves, what stays as a debt, what is forgotten; and who is who after a renaming."""

from collections.abc import Mapping
from typing import Any

import pytest

from fleet.deliver import deliver
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Role
from fleet.model.inventory import Connection, State
from fleet.model.plan import Change, DeliveryPlan, WorkloadDelivery
from fleet.model.prior import Prior, PriorObject, PriorWorkload
from fleet.model.settings import Settings
from fleet.model.workload import Manifest, Workload, WorkloadSettings
from tests.builders import a_cluster, a_prior, a_snapshot, linked
from tests.deliver.kit import (
    a_deployment,
    a_schedule,
    an_object,
    every_object,
    faults_of,
    findings,
    planned,
    the_prior,
    two_clusters,
    web,
)

BOTH = {"eu-1": 4, "us-1": 2}


def next_plan(
    prior: Prior,
    *workloads: Workload,
    placed: Mapping[str, int] | None = None,
    states: Mapping[str, State] | None = None,
    **words: Any,
) -> DeliveryPlan:
    items = workloads or (web(),)
    snapshot = a_snapshot(two_clusters(), [linked(each) for each in items], states=states)
    schedule = a_schedule({each.name: BOTH if placed is None else placed for each in items})
    return deliver(snapshot, schedule, prior, Settings.model_validate(words))


def the_workload(plan: DeliveryPlan, name: str = "web") -> WorkloadDelivery:
    (found,) = (each for each in plan.workloads if each.workload == name)
    return found


CHANGES = [
    pytest.param(None, Change.GAIN, id="it was not there"),
    pytest.param(3, Change.GAIN, id="more"),
    pytest.param(4, Change.SAME, id="as many"),
    pytest.param(5, Change.SHRINK, id="fewer"),
    pytest.param(0, Change.GAIN, id="it was there without replicas"),
]


@pytest.mark.parametrize(("before", "expected"), CHANGES)
def test_capacity_changes_by_replicas(before: int | None, expected: Change) -> None:
    prior = a_prior({"web": {} if before is None else {"eu-1": before}})
    (delivery,) = the_workload(next_plan(prior, placed={"eu-1": 4})).deliveries
    assert (delivery.previous, delivery.change) == (before, expected)


def test_an_unchanged_run_removes_nothing() -> None:
    first = planned()
    plan = next_plan(the_prior(first))
    workload = the_workload(plan)
    assert workload.leaving == workload.removed == ()
    assert plan.findings == first.findings
    assert plan.digest == first.digest


def test_objects_that_left_the_files_are_removed_where_the_workload_stays() -> None:
    prior = the_prior(planned(web(a_deployment(), an_object("Service"))))
    plan = next_plan(prior)
    removed = [each.name for each in the_workload(plan).removed]
    assert removed == ["web/eu-1/Service/default/web", "web/us-1/Service/default/web"]
    told = [dict(each.values) for each in findings(plan, codes.DELETE)]
    assert told[0] == {
        "workload": "web",
        "cluster": "eu-1",
        "count": 1,
        "objects": "Service/default/web",
    }
    assert len(told) == 2


def test_a_cluster_that_is_left_is_leaving() -> None:
    plan = next_plan(the_prior(planned()), placed={"eu-1": 6})
    (leaving,) = the_workload(plan).leaving
    assert (leaving.cluster, leaving.replicas, leaving.debt) == ("us-1", 2, False)
    assert [each.name for each in leaving.objects] == ["web/us-1/Deployment/default/web"]
    assert len(findings(plan, codes.DELETE)) == 1


def test_a_dead_clusters_objects_are_a_debt_and_get_nothing() -> None:
    plan = next_plan(the_prior(planned()), states={"us-1": State.DOWN})
    workload = the_workload(plan)
    assert [each.cluster for each in workload.deliveries] == ["eu-1"]
    (leaving,) = workload.leaving
    assert leaving.debt
    assert findings(plan, codes.DELETE) == []
    (debt,) = findings(plan, codes.DEBT)
    assert dict(debt.values) == {
        "cluster": "us-1",
        "count": 1,
        "workloads": "web",
        "said_by": "config fleet:down",
    }
    assert not debt.blocks


def test_a_decommissioned_clusters_objects_are_forgotten() -> None:
    kept = next_plan(the_prior(planned()), placed={"eu-1": 6}, states={"us-1": State.DOWN})
    plan = next_plan(
        the_prior(planned()), placed={"eu-1": 6}, states={"us-1": State.DECOMMISSIONED}
    )
    assert the_workload(plan).leaving == ()
    assert len(findings(plan, codes.FORGOTTEN)) == 1
    assert findings(plan, codes.DEBT) == findings(plan, codes.DELETE) == []
    assert plan.digest != kept.digest


def test_a_workload_that_left_the_files_only_leaves() -> None:
    prior = the_prior(next_plan(Prior(), web(), web(a_deployment("api"), name="api")))
    plan = next_plan(prior)
    gone = the_workload(plan, "api")
    assert gone.decision is None
    assert gone.deliveries == ()
    assert [each.cluster for each in gone.leaving] == ["eu-1", "us-1"]
    assert gone.source is None


def test_a_workload_that_left_the_files_keeps_its_debt() -> None:
    prior = the_prior(next_plan(Prior(), web(), web(a_deployment("api"), name="api")))
    plan = next_plan(prior, placed={"eu-1": 6}, states={"us-1": State.DOWN})
    debts = {each.cluster: each.debt for each in the_workload(plan, "api").leaving}
    assert debts == {"eu-1": False, "us-1": True}


def test_a_workload_of_nothing_but_forgotten_objects_is_gone() -> None:
    prior = the_prior(
        next_plan(Prior(), web(), web(a_deployment("api"), name="api"), placed={"us-1": 1})
    )
    plan = next_plan(prior, placed={"eu-1": 6}, states={"us-1": State.DECOMMISSIONED})
    assert [each.workload for each in plan.workloads] == ["web"]


def test_a_prior_that_knows_only_replicas_tells_what_leaves() -> None:
    plan = next_plan(a_prior({"web": BOTH, "api": {"eu-1": 1}}), placed={"eu-1": 6})
    (leaving,) = the_workload(plan).leaving
    assert (leaving.cluster, leaving.objects) == ("us-1", ())
    assert [each.cluster for each in the_workload(plan, "api").leaving] == ["eu-1"]
    assert findings(plan, codes.DELETE) == []


def test_a_prior_of_hashes_knows_the_objects() -> None:
    hashes = {"us-1": FrozenMap({"Deployment/default/web": "1", "odd": "2"})}
    past = PriorWorkload(FrozenMap(BOTH), hashes=FrozenMap(hashes))
    plan = next_plan(Prior(known=True, workloads=FrozenMap({"web": past})), placed={"eu-1": 6})
    (leaving,) = the_workload(plan).leaving
    assert leaving.objects == (PriorObject("web/us-1/Deployment/default/web", ""),)


def renamed(*old: str, name: str = "shop", objects: tuple[Manifest, ...] = ()) -> Workload:
    settings = WorkloadSettings(renamed_from=old)
    return web(*(objects or (a_deployment("web"),)), name=name, settings=settings)


def test_a_renamed_workload_is_the_same_one() -> None:
    plan = next_plan(the_prior(planned()), renamed("web"))
    (workload,) = plan.workloads
    assert workload.workload == "shop"
    assert [each.previous for each in workload.deliveries] == [4, 2]
    assert workload.leaving == workload.removed == ()
    assert workload.renamed_from == ("web",)
    assert [each for each in plan.findings if each.blocks] == []


def test_a_renamed_workload_leaves_and_removes_under_its_old_name() -> None:
    prior = the_prior(planned(web(a_deployment(), an_object("Service"))))
    (workload,) = next_plan(prior, renamed("web"), placed={"eu-1": 6}).workloads
    assert [each.name for each in workload.removed] == ["web/eu-1/Service/default/web"]
    assert {each.name for each in workload.leaving[0].objects} == {
        "web/us-1/Deployment/default/web",
        "web/us-1/Service/default/web",
    }


def test_todays_name_wins_over_a_former_one() -> None:
    roles = {"shop": {"eu-1": Role.ACTIVE}}
    prior = a_prior({"web": {"eu-1": 1}, "shop": {"eu-1": 4}}, roles)
    (workload,) = next_plan(prior, renamed("web"), placed={"eu-1": 4}).workloads
    assert workload.deliveries[0].previous == 4


def test_a_former_name_that_is_a_workload_again_is_its_own() -> None:
    prior = the_prior(planned())
    plan = next_plan(prior, web(), renamed("web", objects=(a_deployment("shop"),)))
    assert the_workload(plan, "web").deliveries[0].previous == 4
    assert the_workload(plan, "shop").deliveries[0].previous is None
    assert the_workload(plan, "shop").renamed_from == ()


def test_the_same_object_in_another_workload_is_refused() -> None:
    snapshot = a_snapshot(two_clusters(), [linked(renamed(name="shop"))])
    (fault,) = faults_of(snapshot, a_schedule({"shop": BOTH}), the_prior(planned()))
    assert fault == (
        "workloads/shop/deployment.yaml:1:1: object 'Deployment/default/web' of workload 'web'"
        " would move to workload 'shop', and die with the old one on clusters 'eu-1', 'us-1' - if"
        " it is the same workload, say 'renamedFrom: [web]' in the fleet.yaml of 'shop'"
    )


def test_an_object_that_another_workload_takes_over_is_refused() -> None:
    prior = the_prior(planned(web(a_deployment(), an_object("Service"))))
    api = web(a_deployment("api"), an_object("Service"), name="api")
    snapshot = a_snapshot(two_clusters(), [linked(web()), linked(api)])
    (fault,) = faults_of(snapshot, a_schedule({"web": BOTH, "api": BOTH}), prior)
    assert "object 'Service/default/web' of workload 'web' would move to workload 'api'" in fault


def test_two_workloads_of_one_former_name_are_refused() -> None:
    items = [linked(renamed("web", name=name)) for name in ("a", "b")]
    faults = faults_of(
        a_snapshot(two_clusters(), items), a_schedule({"a": {"eu-1": 1}, "b": {"us-1": 1}})
    )
    assert faults == [
        (
            "workloads/b/deployment.yaml:1:1: workloads 'a' and 'b' both say 'renamedFrom: [web]'"
            " - a former name leads to one workload"
        )
    ]


def test_an_object_in_two_workloads_is_refused() -> None:
    items = [linked(web()), linked(web(a_deployment("web", namespace="default"), name="api"))]
    faults = faults_of(a_snapshot(two_clusters(), items), a_schedule({"web": BOTH, "api": BOTH}))
    assert faults == [
        (
            "workloads/web/deployment.yaml:1:1: object 'Deployment/default/web' is in workloads"
            " 'api' and 'web' on clusters 'eu-1', 'us-1' - an object has one owner; keep one"
        )
    ]


def test_two_kinds_that_differ_only_by_group_are_refused() -> None:
    gateways = [
        an_object("Gateway", api=api, namespace="default")
        for api in ("networking.istio.io/v1", "gateway.networking.k8s.io/v1")
    ]
    item = linked(web(a_deployment(), *gateways))
    (fault,) = faults_of(a_snapshot(two_clusters(), [item]), a_schedule({"web": BOTH}))
    assert "workload 'web' has two objects 'Gateway/default/web' on clusters" in fault


def test_a_cluster_that_left_the_inventory_is_refused() -> None:
    prior = Prior(
        known=True,
        workloads=a_prior({"web": {"ap-1": 3}}).workloads,
        objects=FrozenMap({"api/ap-1/Pod/default/a": PriorObject("api/ap-1/Pod/default/a", "t")}),
        dns_weights=FrozenMap({"shop": FrozenMap({"sa-1": 1})}),
    )
    snapshot = a_snapshot(two_clusters(), [linked(web())])
    assert faults_of(snapshot, a_schedule({"web": BOTH}), prior) == [
        (
            "cluster 'ap-1' is gone from the inventory but still holds api, web - keep it with"
            " 'state: draining' until it is empty, or with 'state: decommissioned' if it is lost"
        ),
        (
            "cluster 'sa-1' is gone from the inventory but still holds shop - keep it with"
            " 'state: draining' until it is empty, or with 'state: decommissioned' if it is lost"
        ),
    ]


def test_providers_are_for_clusters_in_use() -> None:
    connection = Connection(file="kubeconfig")
    clusters = [
        each.model_copy(update={"spec": each.spec.model_copy(update={"connection": connection})})
        for each in (a_cluster(name) for name in ("a", "b", "c", "d", "e"))
    ]
    states = {"b": State.DOWN, "c": State.DECOMMISSIONED, "d": State.DRAINING}
    snapshot = a_snapshot(clusters, [linked(web())], states=states)
    prior = a_prior({"web": {"b": 1, "c": 1, "d": 1}})
    plan = deliver(snapshot, a_schedule({"web": {"a": 6}}), prior, Settings())
    assert [(each.cluster, each.skip, each.forget) for each in plan.providers] == [
        ("a", False, False),
        ("b", True, False),
        ("c", False, True),
        ("d", False, False),
    ]
    assert findings(plan, codes.NO_CONNECTION) == []


def test_a_cluster_that_cannot_be_reached_is_told() -> None:
    plan = planned()
    assert plan.providers == ()
    (told,) = findings(plan, codes.NO_CONNECTION)
    assert told.values == {"count": 2, "clusters": "eu-1, us-1"}
    assert len(every_object(plan)) == 2
