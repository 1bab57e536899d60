"""Traffic policies -> weighted records and health checks.

One record per cluster, with the cluster's name as set identifier; how they stand under the name
says deliver/shape. A weight changes in place; the routing policy never does. A cluster without
replicas has no record, except as the standby of a policy whose standby is 0, or a parked one of
weight 0 where it had one.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from fleet.deliver.checks import Asked, monthly_price, plain_findings, record_checks
from fleet.deliver.faults import Fault, Faults
from fleet.deliver.levers import is_held, lever_checks, lever_faults, levers_of, unknown_regions
from fleet.deliver.past import past_of
from fleet.deliver.records import group_faults
from fleet.deliver.recovery import recovery_findings
from fleet.deliver.shape import Member, left_regions, shape_of
from fleet.deliver.shape_faults import shape_faults
from fleet.deliver.shape_findings import shape_findings
from fleet.deliver.successor import line_findings, line_of
from fleet.deliver.targets import locate
from fleet.deliver.timeline import timeline_findings
from fleet.deliver.unled import unled_findings
from fleet.deliver.weighing import Weighing, finding_of
from fleet.deliver.weights import WHOLE, Target
from fleet.model import finding_codes as codes
from fleet.model.base import FrozenMap
from fleet.model.decision import Decision, Finding, Role, Schedule
from fleet.model.drill_targets import USUAL_TARGETS, DrillTargets
from fleet.model.endpoint import CheckDelivery, EndpointDelivery, RecordDelivery
from fleet.model.outage import Led
from fleet.model.plan import ClusterDelivery
from fleet.model.prior import Prior
from fleet.model.snapshot import Snapshot
from fleet.model.source import dotted
from fleet.model.traffic import Mode, TrafficPolicy
from fleet.model.workload import Workload


@dataclass(slots=True)
class Names:
    """All names of a run.

    **Shape**: deliveries by workload; `held` are workloads; `following` is the standby region that
    is answered first, by workload, empty where there is no choice.

    The names of what is `held` lead where they led: its data cannot follow. `drill` is what
    recovery is measured by.
    """

    snapshot: Snapshot
    schedule: Schedule
    prior: Prior
    deliveries: Mapping[str, tuple[ClusterDelivery, ...]]
    faults: Faults
    held: frozenset[str] = frozenset()
    drill: DrillTargets = USUAL_TARGETS
    endpoints: list[EndpointDelivery] = field(default_factory=list)
    checks: dict[str, CheckDelivery] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    following: dict[str, str] = field(default_factory=dict)
    waits: tuple[str, ...] = ()
    target: str = ""

    def direct(self) -> None:
        """Makes every endpoint, its checks and what is to be said of it."""
        for linked in self.snapshot.linked:
            for policy in linked.traffic:
                found = self.deliveries.get(linked.workload.name, ())
                located = locate(policy, linked.workload, self.snapshot, found, self.prior)
                self.findings += located.findings
                if located.fault is not None:
                    self.faults.add(located.fault)
                    continue
                seen = replace(
                    self, snapshot=located.snapshot, waits=located.waits, target=located.key
                )
                seen._direct(policy, linked.workload)  # noqa: SLF001 - the same, for one policy
        self.endpoints.sort(key=lambda each: each.policy)
        if self.checks:
            self.findings.append(
                Finding(
                    codes.HEALTH_CHECKS,
                    FrozenMap(
                        {"count": len(self.checks), "price": monthly_price(self.checks.values())}
                    ),
                )
            )

    def _direct(self, policy: TrafficPolicy, workload: Workload) -> None:
        targets = self._targets(policy, workload)
        weighing = Weighing(
            self.snapshot, self.schedule, self.prior, self.waits, self.faults, self.findings
        )
        kept = weighing.until_located(policy, self.deliveries.get(workload.name, ()))
        held = weighing.held(policy) if workload.name in self.held else {}
        weights = weighing.led(policy, targets, held) if kept is None else kept
        asked = self._asked(policy, weights)
        faults = [
            *group_faults(policy, asked),
            *shape_faults(policy, asked),
            *lever_faults(policy, asked),
            *unknown_regions(policy, self.snapshot.clusters),
        ]
        for fault in faults:
            self.faults.add(fault)
        if faults:
            return
        names = {each.cluster for each in targets if weights.get(each.cluster) == 0}
        standing = [each for each in asked if each.cluster.name in names]
        active = self.schedule.active.get(policy.name)
        line = line_of(workload, active, standing, held=bool(held))
        barred = line.barred | left_regions(policy.spec, asked, weights)
        members = [self._member(each, weights[each.cluster.name], barred) for each in asked]
        past = past_of(self.prior, policy.name)
        shape = shape_of(policy, members, past)
        self._refuse_other_group(policy, shape.records)
        staying = {each.name for each in shape.records} | {each.name for each in shape.aliases}
        endpoint = EndpointDelivery(
            policy=policy.name,
            workload=workload.name,
            dns_name=policy.spec.name,
            zone=policy.spec.zone,
            mode=policy.spec.mode,
            ttl_seconds=policy.spec.ttl_seconds,
            records=shape.records,
            leaving=past.leaving(staying),
            active_region=weighing.active_region(policy),
            adopt=policy.spec.adopt,
            source=policy.origin.start,
            levers=levers_of(asked, shape.records),
            waits=() if kept is None else self.waits,
            target=self.target,
            form=shape.form,
            aliases=shape.aliases,
            names=policy.spec.names,
        )
        self.endpoints.append(endpoint)
        self.findings += (
            *plain_findings(policy, asked),
            *unled_findings(
                policy, endpoint, FrozenMap({each.cluster: each.region for each in targets})
            ),
            *shape_findings(policy, endpoint, past),
            *line_findings(policy, line, active),
        )
        self.following.setdefault(workload.name, line.next)
        if not endpoint.records and not self.waits:
            self.findings.append(finding_of(codes.NO_RECORDS, policy))
        counted = {each.cluster: each.replicas for each in targets} if workload.main else {}
        self.findings += timeline_findings(policy, endpoint, FrozenMap(counted), self._regions())
        self.findings += self._recovery(policy, workload, endpoint)

    def _recovery(
        self, policy: TrafficPolicy, workload: Workload, endpoint: EndpointDelivery
    ) -> Iterable[Finding]:
        led = Led(endpoint, policy.spec, workload, self._decision(workload.name), self._regions())
        return recovery_findings(policy, led, self.snapshot, self.drill)

    def _regions(self) -> FrozenMap[str]:
        return FrozenMap({each.name: each.spec.region for each in self.snapshot.clusters})

    def _decision(self, workload: str) -> Decision:
        found = (each for each in self.schedule.decisions if each.workload == workload)
        return next(found, Decision(workload, ()))

    def _asked(self, policy: TrafficPolicy, weights: Iterable[str]) -> list[Asked]:
        """The entries of these clusters, sorted by name; one without has no record."""
        clusters = {each.name: each for each in self.snapshot.clusters}
        return [
            Asked(policy, clusters[name], entry)
            for name in sorted(weights)
            if (entry := clusters[name].spec.entry) is not None
        ]

    def _refuse_other_group(
        self, policy: TrafficPolicy, records: tuple[RecordDelivery, ...]
    ) -> None:
        """A live group keeps its TTL and type: Route53 wants one each, and records go one by one.

        Source: Route53 ResourceRecordSet, TTL of weighted resource record sets.
        """
        known = self.prior.records
        live = [(known[each.name].body, each) for each in records if each.name in known]
        ttl, spec = policy.spec.ttl_seconds, policy.spec
        for place, name, word, pairs in (
            ("ttlSeconds", "ttl", "TTL", [(body, ttl) for body, _ in live]),
            ("name", "type", "type", [(body, each.type) for body, each in live]),
        ):
            was = {str(body[name]): now for body, now in pairs if body.get(name) not in {None, now}}
            if len(live) > 1 and was:
                path = ("spec", place)
                self.faults.add(
                    Fault(
                        policy.origin.at(*path),
                        dotted(path),
                        f"'{spec.name}' has {len(live)} live records whose {word} is"
                        f" {' and '.join(sorted(was))}; it cannot become"
                        f" {next(iter(was.values()))} record by record",
                        "Route53 wants one in a weighted group; keep it, or take another name",
                    )
                )

    def _targets(self, policy: TrafficPolicy, workload: Workload) -> tuple[Target, ...]:
        """Every cluster that traffic can reach, and how much it counts there."""
        clusters = {each.name: each for each in self.snapshot.clusters}
        waits_empty = policy.spec.mode is Mode.ACTIVE_STANDBY and policy.spec.standby == 0
        return tuple(
            Target(
                each.cluster,
                clusters[each.cluster].spec.region,
                1 if workload.main is None else each.replicas,
            )
            for each in self.deliveries.get(workload.name, ())
            if clusters[each.cluster].spec.entry is not None
            and (
                each.replicas > 0
                or workload.main is None
                or (waits_empty and each.role is Role.STANDBY)
            )
        )

    def _member(self, asked: Asked, weight: int, barred: Collection[str]) -> Member:
        """A record; `barred` are regions that no lever holds, and that may not answer."""
        held = is_held(asked.policy, asked.cluster, weight)
        out = weight == 0 and asked.cluster.spec.region in barred
        check = self._check(asked, weight, barred=out)
        other = self._check(asked, 0 if weight else WHOLE)
        return Member(
            asked,
            weight,
            check,
            held=held or out,
            check_other=None if other == check else other,
        )

    def _check(self, asked: Asked, weight: int, *, barred: bool = False) -> str:
        """Notes the checks of a record of such a weight; the name of its own."""
        checks = record_checks(asked, lever_checks(asked, weight), barred=barred)
        for each in checks:
            self.checks.setdefault(each.name, each)
        return checks[-1].name
