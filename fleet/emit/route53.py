"""Health checks and weighted records: new answers first, then the old ones go down."""

import asyncio
from dataclasses import dataclass, field

import pulumi
import pulumi_aws as aws

from fleet.emit.components import EndpointComponent
from fleet.emit.run import Run
from fleet.model.plan import CheckDelivery, EndpointDelivery, RecordDelivery
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
            if zone.name not in self._zones and self._is_known(endpoint):
                self._zones[zone.name] = self._zone(zone)
        for check in self.run.outcome.plan.checks:
            self._checks[check.name] = self._check(check)

    def _is_known(self, endpoint: EndpointDelivery) -> bool:
        """Whether the zone has an identifier: none where nobody could be asked for it."""
        return endpoint.policy not in self.unasked or endpoint.zone.name in self.zone_ids

    def _zone(self, zone: ZoneRef) -> pulumi.Input[str]:
        if zone.id is not None:
            return zone.id
        if zone.create:
            # Others may have put records into it: it goes only by a person's hand.
            opts = pulumi.ResourceOptions(provider=self.provider, retain_on_delete=True)
            created = aws.route53.Zone(
                zone.name, name=zone.name, tags={"fleet": _owner()}, opts=opts
            )
            return created.zone_id
        if zone.name in self.zone_ids:
            return self.zone_ids[zone.name]
        found = aws.route53.get_zone_output(
            name=zone.name, opts=pulumi.InvokeOutputOptions(provider=self.provider)
        )
        return found.zone_id

    def _check(self, check: CheckDelivery) -> aws.route53.HealthCheck:
        asked = check.check
        is_tcp = asked.type == "TCP"
        return aws.route53.HealthCheck(
            check.name,
            type=asked.type,
            ip_address=check.address,
            fqdn=None if is_tcp and check.address else check.hostname or check.host,
            port=check.port,
            resource_path=None if is_tcp else check.path,
            search_string=asked.search_string,
            request_interval=asked.interval_seconds,
            failure_threshold=asked.failure_threshold,
            tags={"Name": check.name, "fleet": _owner()},
            opts=pulumi.ResourceOptions(provider=self.provider),
        )

    async def direct(self, endpoint: EndpointDelivery, *, hold: bool) -> bool:
        """Sets the weights of a name; with `hold` they stay as they were.

        Returns whether Route53 took everything. Weights rise before others fall: in between the
        name leads to both sides, never to none.
        """
        component = EndpointComponent(endpoint)
        asked = endpoint.policy not in self.unasked
        hold = hold or not asked
        rising, falling = [], []
        for record in endpoint.records:
            if record.previous is None or record.dns_weight >= record.previous:
                rising.append(record)
            else:
                falling.append(record)
        taken = await self._set(endpoint, component, rising, hold=hold)
        taken = await self._set(endpoint, component, falling, hold=hold or not taken) and taken
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
                self._keep(prior, component)
        component.register_outputs({})
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
            zone = self._zones.get(endpoint.zone.name)
            zone_id = await pulumi.Output.from_input(zone).future() if zone is not None else None
            for record in endpoint.records:
                check = self._checks.get(record.check)
                check_id = await check.id.future() if check is not None else None
                if zone_id and check_id:
                    found[record.name] = Identity(zone_id, check_id)
        return found

    async def _set(
        self,
        endpoint: EndpointDelivery,
        component: EndpointComponent,
        records: list[RecordDelivery],
        *,
        hold: bool,
    ) -> bool:
        registered = [
            self._record(endpoint, component, record, hold=hold)
            for record in records
            if not (hold and record.previous is None)
        ]
        if self.run.preview:
            return True
        known = await asyncio.gather(*(each.fqdn.is_known() for each in registered))
        return all(known)

    def _keep(self, prior: PriorObject, component: EndpointComponent) -> None:
        """Registers a record that goes as the state has it: it goes in a later update."""
        aws.route53.Record(
            prior.name,
            zone_id=str(prior.body.get("zoneId")),
            name=str(prior.body.get("name")),
            type=str(prior.body.get("type")),
            opts=pulumi.ResourceOptions(
                parent=component, provider=self.provider, ignore_changes=["*"]
            ),
        )

    def _record(
        self,
        endpoint: EndpointDelivery,
        component: EndpointComponent,
        record: RecordDelivery,
        *,
        hold: bool,
    ) -> aws.route53.Record:
        weight = record.previous if hold and record.previous is not None else record.dns_weight
        return aws.route53.Record(
            record.name,
            zone_id=self._zones[endpoint.zone.name],
            name=endpoint.dns_name,
            type=record.type,
            ttl=endpoint.ttl_seconds,
            records=list(record.targets),
            set_identifier=record.cluster,
            weighted_routing_policies=[aws.route53.RecordWeightedRoutingPolicyArgs(weight=weight)],
            health_check_id=self._checks[record.check].id,
            opts=pulumi.ResourceOptions(
                parent=component,
                provider=self.provider,
                import_=self.imports.get(record.name),
            ),
        )


def _owner() -> str:
    """How this stack signs what it creates in Route53."""
    return f"{pulumi.get_project()}/{pulumi.get_stack()}"
