"""Empties the local Route53; runs in the devkit's environment."""

import boto3


def main() -> None:
    """Deletes every zone with its records, then every health check."""
    route53 = boto3.client("route53", region_name="us-east-1")
    for zone in route53.list_hosted_zones()["HostedZones"]:
        listed = route53.list_resource_record_sets(HostedZoneId=zone["Id"])["ResourceRecordSets"]
        changes = [
            {"Action": "DELETE", "ResourceRecordSet": each}
            for each in listed
            if each["Type"] not in {"NS", "SOA"}
        ]
        if changes:
            route53.change_resource_record_sets(
                HostedZoneId=zone["Id"], ChangeBatch={"Changes": changes}
            )
        route53.delete_hosted_zone(Id=zone["Id"])
    for check in route53.list_health_checks()["HealthChecks"]:
        route53.delete_health_check(HealthCheckId=check["Id"])


if __name__ == "__main__":
    main()
