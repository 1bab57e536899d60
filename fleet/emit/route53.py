"""Health checks and weighted records: new answers first, then the old ones go down."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from fleet.emit.aliases import routing_of
from fleet.emit.components import EndpointComponent
from fleet.emit.run import Run
from fleet.model.endpoint import AliasDelivery, CheckDelivery, EndpointDelivery, RecordDelivery
from fleet.model.health import Probe
from fleet.model.prior import PriorObject
from fleet.model.traffic import ZoneRef
from fleet.recover.break_glass import Identity


@dataclass(slots=True)
class Traffic:
    """Everything about names in one run; zones and checks are shared by all endpoints."""

    run: Run
    provider: pulumi.ProviderResource | None
    imports: dict[str, str] = field(default_factory=dict)
    zone_ids: dict[str, str] = field(default_factory=dict)
    reached: dict[str, bool] = field(default_factory=dict)
    unasked: dict[str, str] = field(default_factory=dict)
    _zones: dict[str, pulumi.Input[str]] = field(default_factory=dict)
    _checks: dict[str, aws.route53.HealthCheck] = field(default_factory=dict)

    def prepare(self) -> None:
        """Registers zones and health checks: a check has data before any weight moves."""
        for endpoint in self.run.outcome.plan.endpoints:
            zone = endpoint.zone
            if zone.key not in self._zones and self._is_known(endpoint):
                self._zones[zone.key] = self._zone(zone)
        for check in sorted(self.run.outcome.plan.checks, key=lambda each: bool(each.children)):
            self._checks[check.name] = self._check(check)

    def _is_known(self, endpoint: EndpointDelivery) -> bool:
        """Whether the zone has an identifier: none where nobody could be asked for it."""
        return endpoint.policy not in self.unasked or endpoint.zone.key in self.zone_ids

    def _zone(self, zone: ZoneRef) -> pulumi.Input[str]:
        if zone.id is not None:
            return zone.id
        if zone.create:
            # Others may have put records into it: it goes only by a person's hand.
            opts = pulumi.ResourceOptions(provider=self.provider, retain_on_delete=True)
            vpcs = [
                aws.route53.ZoneVpcArgs(vpc_id=each.id, vpc_region=each.region)
                for each in zone.vpcs
            ]
            created = aws.route53.Zone(
                zone.key, name=zone.name, vpcs=vpcs or None, tags={"fleet": _owner()}, opts=opts
            )
            return created.zone_id
        if zone.key in self.zone_ids:
            return self.zone_ids[zone.key]
        found = aws.route53.get_zone_output(
            name=zone.name,
            private_zone=True if zone.private else None,
            opts=pulumi.InvokeOutputOptions(provider=self.provider),
        )
        return found.zone_id

    def _check(self, check: CheckDelivery) -> aws.route53.HealthCheck:
        return aws.route53.HealthCheck(
            check.name,
            args=_probe(check, check.check) if check.check else _counted(check, self._checks),
            opts=pulumi.ResourceOptions(provider=self.provider),
        )

    async def direct(self, endpoint: EndpointDelivery, *, hold: bool) -> bool:
        """Sets the weights of a name; with `hold` they stay as they were.

        Returns whether Route53 took everything. Weights rise before others fall: in between the
        name leads to both sides, never to none.
        """
        naming = _Naming(self, endpoint, EndpointComponent(endpoint))
        asked = endpoint.policy not in self.unasked
        hold = hold or not asked
        taken = True
        for batch in in_order(endpoint):
            taken = await naming.set(batch, hold=hold or not taken) and taken
        taken = taken and asked
        if not taken:
            self.run.failures.append(
                f"{endpoint.policy}: "
                + (
                    self.unasked.get(endpoint.policy)
                    or f"Route53 did not take every record of '{endpoint.dns_name}'"
                )
                + " - the old side stays as it was; the next update goes on"
            )
        if hold or not taken:
            for prior in endpoint.leaving:
                naming.keep(prior)
        naming.component.register_outputs({})
        self.reached[endpoint.policy] = taken and not hold
        return taken

    async def check_ids(self) -> dict[str, str]:
        """What AWS calls each health check, by its name; without those that it did not create."""
        found = {name: await check.id.future() for name, check in self._checks.items()}
        return {name: identifier for name, identifier in found.items() if identifier}

    async def identities(self) -> dict[str, Identity]:
        """What AWS calls the zone and the check of each record, as far as this up has learnt it."""
        found = {}
        for endpoint in self.run.outcome.plan.endpoints:
            zone = self._zones.get(endpoint.zone.key)
            zone_id = await pulumi.Output.from_input(zone).future() if zone is not None else None
            for record in endpoint.records:
                check = self._checks.get(record.check)
                check_id = await check.id.future() if check is not None else None
                if zone_id and check_id:
                    found[record.name] = Identity(zone_id, check_id)
        return found

    def zone_id(self, endpoint: EndpointDelivery) -> pulumi.Input[str]:
        """The zone of a name."""
        return self._zones[endpoint.zone.key]

    def check_id(self, check: str) -> pulumi.Output[str]:
        """The identifier of a check."""
        return self._checks[check].id


Planned = RecordDelivery | AliasDelivery


def in_order(endpoint: EndpointDelivery) -> list[list[Planned]]:
    """The records of a name as they are set, batch after batch.

    What is led to comes before what leads to it, and everything that rises before what falls.
    """
    rising: dict[int, list[Planned]] = {}
    falling: dict[int, list[Planned]] = {}
    everything: list[Planned] = [*endpoint.records, *endpoint.aliases]
    for each in everything:
        (falling if each.falls else rising).setdefault(each.stage, []).append(each)
    up = [rising[stage] for stage in sorted(rising)]
    return up + [falling[stage] for stage in sorted(falling, reverse=True)]


@dataclass(slots=True)
class _Naming:
    """Registers the records of one name. **Shape**: `placed` by the name at which they stand."""

    traffic: Traffic
    endpoint: EndpointDelivery
    component: EndpointComponent
    placed: dict[str, list[aws.route53.Record]] = field(default_factory=dict)

    async def set(self, batch: list[Planned], *, hold: bool) -> bool:
        """Sets records that may be set at once; with `hold` they stay as they were."""
        registered = [
            self._alias(each, hold=hold)
            if isinstance(each, AliasDelivery)
            else self._record(each, hold=hold)
            for each in batch
            if not (hold and each.previous is None)
        ]
        if self.traffic.run.preview:
            return True
        known = await asyncio.gather(*(each.fqdn.is_known() for each in registered))
        return all(known)

    def keep(self, prior: PriorObject) -> aws.route53.Record:
        """Registers a record as the state has it: it changes or goes in a later update."""
        return aws.route53.Record(
            prior.name,
            zone_id=str(prior.body.get("zoneId")),
            name=str(prior.body.get("name")),
            type=str(prior.body.get("type")),
            opts=pulumi.ResourceOptions(
                parent=self.component, provider=self.traffic.provider, ignore_changes=["*"]
            ),
        )

    def _record(self, record: RecordDelivery, *, hold: bool) -> aws.route53.Record:
        endpoint = self.endpoint
        weight = record.previous if hold and record.previous is not None else record.dns_weight
        resource = aws.route53.Record(
            record.name,
            zone_id=self.traffic.zone_id(endpoint),
            name=record.dns_name or endpoint.dns_name,
            type=record.type,
            ttl=endpoint.ttl_seconds,
            records=list(record.targets),
            set_identifier=record.cluster,
            weighted_routing_policies=[aws.route53.RecordWeightedRoutingPolicyArgs(weight=weight)],
            health_check_id=self.traffic.check_id(record.check_for(weight)),
            opts=self._options(record.name, ()),
        )
        self.placed.setdefault(record.dns_name or endpoint.dns_name, []).append(resource)
        return resource

    def _alias(self, alias: AliasDelivery, *, hold: bool) -> aws.route53.Record:
        prior = self.traffic.run.state.prior.records.get(alias.name)
        if hold and prior is not None:
            return self.keep(prior)
        target = aws.route53.RecordAliasArgs(
            name=alias.target,
            zone_id=self.traffic.zone_id(self.endpoint),
            evaluate_target_health=True,
        )
        resource = aws.route53.Record(
            alias.name,
            zone_id=self.traffic.zone_id(self.endpoint),
            name=alias.dns_name,
            type=alias.type,
            set_identifier=alias.set_identifier,
            aliases=[target],
            **routing_of(alias),
            opts=self._options(alias.name, self.placed.get(alias.target, ())),
        )
        self.placed.setdefault(alias.dns_name, []).append(resource)
        return resource

    def _options(self, name: str, after: Sequence[aws.route53.Record]) -> pulumi.ResourceOptions:
        """An alias goes before what it leads to goes: it depends on that."""
        return pulumi.ResourceOptions(
            parent=self.component,
            provider=self.traffic.provider,
            import_=self.traffic.imports.get(name),
            depends_on=list(after) or None,
        )


def _tags(check: CheckDelivery) -> dict[str, str]:
    return {"Name": check.name, "fleet": _owner()}


def _counted(
    check: CheckDelivery, known: Mapping[str, aws.route53.HealthCheck]
) -> aws.route53.HealthCheckArgs:
    """A check that asks nothing itself: it counts others, or follows a routing control."""
    if check.routing_control:
        return aws.route53.HealthCheckArgs(
            type="RECOVERY_CONTROL", routing_control_arn=check.routing_control, tags=_tags(check)
        )
    return aws.route53.HealthCheckArgs(
        type="CALCULATED",
        child_healthchecks=[known[each].id for each in check.children],
        child_health_threshold=check.threshold,
        tags=_tags(check),
    )


def _probe(check: CheckDelivery, asked: Probe) -> aws.route53.HealthCheckArgs:
    is_tcp = asked.type == "TCP"
    return aws.route53.HealthCheckArgs(
        type=asked.type,
        ip_address=check.address,
        fqdn=None if is_tcp and check.address else check.hostname or check.host,
        port=check.port,
        resource_path=None if is_tcp else check.path,
        search_string=asked.search_string,
        request_interval=asked.interval_seconds,
        failure_threshold=asked.failure_threshold,
        invert_healthcheck=True if asked.inverted else None,
        enable_sni=asked.enable_sni if asked.is_secure else None,
        tags=_tags(check),
    )


def _owner() -> str:
    """How this stack signs what it creates in Route53."""
    return f"{pulumi.get_project()}/{pulumi.get_stack()}"
