"""Whole runs made by hand, for the tests of words."""

from collections.abc import Mapping, Sequence

from fleet.model.base import FrozenMap
from fleet.model.change import Change as Flip
from fleet.model.decision import (
    Active,
    Assignment,
    Decision,
    Finding,
    Rejection,
    Role,
    Schedule,
    Score,
    Verdict,
)
from fleet.model.decision import (
    Outcome as Judged,
)
from fleet.model.endpoint import EndpointDelivery, RecordDelivery
from fleet.model.plan import (
    Change,
    ClusterDelivery,
    DeliveryPlan,
    Leaving,
    Outcome,
    PlannedObject,
    WorkloadDelivery,
)
from fleet.model.prior import Prior, PriorObject
from fleet.model.settings import Settings
from fleet.model.snapshot import Snapshot
from fleet.model.source import Source
from fleet.model.traffic import Mode, ZoneRef
from tests.builders import a_cluster, a_policy, a_snapshot, a_traffic, a_workload, linked

POLICY = Source("policies/web.yaml", 1, 1)
TAINT = Rejection(
    "taint",
    FrozenMap({"key": "maintenance", "value": "true", "effect": "NoSchedule"}),
    Source("inventory/dev.yaml", 31, 9),
)
LIMIT = Rejection(
    "domain-limit", FrozenMap({"by": "region", "limit": 2}), Source("policies/web.yaml", 12, 5)
)
DIGEST = "0123456789abcdef"


def a_verdict(
    cluster: str,
    outcome: Judged = Judged.ASSIGNED,
    replicas: int = 0,
    *reasons: Rejection,
    scores: Sequence[tuple[str, int]] = (),
) -> Verdict:
    """A verdict whose total is the sum of its scores."""
    parts = tuple(Score(name, value, 1) for name, value in scores)
    return Verdict(cluster, outcome, replicas, reasons, parts, sum(v for _, v in scores), 12)


def the_decision() -> Decision:
    """The design's example: two assigned, one barred, one beyond the domain limit."""
    verdicts = (
        a_verdict("ap-1", Judged.INFEASIBLE, 0, TAINT),
        a_verdict("eu-1", scores=(("affinity", 60), ("already_there", 25)), replicas=4),
        a_verdict("sa-1", Judged.FEASIBLE, 0, LIMIT, scores=(("affinity", 40),)),
        a_verdict("us-1", scores=(("affinity", 60),), replicas=2),
    )
    return Decision(
        "web",
        (Assignment("eu-1", 4), Assignment("us-1", 2, Role.STANDBY)),
        verdicts={each.cluster: each for each in verdicts},
        source=POLICY,
    )


def a_delivery(
    cluster: str,
    replicas: int,
    previous: int | None = None,
    role: Role = Role.ACTIVE,
    digest: str = "d1",
) -> ClusterDelivery:
    """A workload `web` with one Deployment on a cluster."""
    thing = PlannedObject(
        f"web/{cluster}/Deployment/shop/web",
        "Deployment/shop/web",
        "kubernetes:apps/v1:Deployment",
        cluster,
        {},
        digest,
    )
    change = Change.SAME if previous == replicas else Change.GAIN
    return ClusterDelivery(cluster, replicas, role, previous, change, (thing,), (), "f1")


def leaving(cluster: str, replicas: int, *, debt: bool = False) -> Leaving:
    """Two objects that leave a cluster, or stay there as a debt."""
    objects = tuple(
        PriorObject(f"web/{cluster}/{kind}/shop/web", f"kubernetes:v1:{kind}")
        for kind in ("Deployment", "Service")
    )
    return Leaving(cluster, replicas, objects, debt)


def an_endpoint(weights: Mapping[str, tuple[int | None, int]]) -> EndpointDelivery:
    """`web.fleet.test` with (previous, new) weights by cluster."""
    return EndpointDelivery(
        "web",
        "web",
        "web.fleet.test",
        ZoneRef(name="fleet.test"),
        Mode.ACTIVE_STANDBY,
        20,
        tuple(
            RecordDelivery(
                f"web.fleet.test/{name}", name, "A", ("192.0.2.1",), new, old, f"check-{name}"
            )
            for name, (old, new) in weights.items()
        ),
        active_region="eu-west-1",
        source=Source("policies/web-traffic.yaml", 1, 1),
    )


def an_outcome(  # noqa: PLR0913 - one keyword per part of a run
    *,
    decisions: Sequence[Decision] | None = None,
    workloads: Sequence[WorkloadDelivery] | None = None,
    endpoints: Sequence[EndpointDelivery] = (),
    findings: Sequence[Finding] = (),
    prior: Prior | None = None,
    settings: Settings | None = None,
    snapshot: Snapshot | None = None,
    changes: Mapping[str, Mapping[str, tuple[Flip, ...]]] | None = None,
) -> Outcome:
    """A run of the design's example, changed by what a test is about."""
    decided = tuple(decisions) if decisions is not None else (the_decision(),)
    deliveries = (
        tuple(workloads)
        if workloads is not None
        else (
            WorkloadDelivery(
                "web",
                the_decision(),
                (a_delivery("eu-1", 4, 1), a_delivery("us-1", 2, 2, Role.STANDBY)),
                source=POLICY,
            ),
        )
    )
    return Outcome(
        settings or Settings(),
        snapshot or the_snapshot(),
        prior or Prior(),
        Schedule(
            decided,
            FrozenMap({"web": Active("eu-west-1", "config fleet:activeRegion")}),
            changes=changes or {},
        ),
        DeliveryPlan((), (), deliveries, (), tuple(endpoints), tuple(findings), DIGEST),
    )


def the_snapshot() -> Snapshot:
    """Four clusters and the workload `web`."""
    regions = {"ap-1": "ap-south-1", "eu-1": "eu-west-1", "sa-1": "sa-east-1", "us-1": "us-east-1"}
    clusters = [a_cluster(name, region, provider="aws") for name, region in regions.items()]
    web = linked(a_workload("web", 6), a_policy("web"), traffic=[a_traffic("web")])
    return a_snapshot(clusters, [web])
