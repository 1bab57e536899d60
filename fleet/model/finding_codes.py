"""Every code of a Finding, with the values it carries; fleet.explain words them.

Values named in the plural are one text, joined by `, `. All counts are whole numbers.
"""

NO_ENTRY = "no-entry"
"""A cluster that could get traffic has no entry. Values: `cluster`, `policy`."""

NO_CONNECTION = "no-connection"
"""Clusters have assignments, but nothing says how to reach them; at the first one. Values: `count`,
`clusters`."""

SHORTFALL = "shortfall"
"""Replicas fit nowhere. Values: `workload`, `placed`, `wanted`, and `before` where the prior
counts (replicas placed by the last update on clusters that are still to be used). Blocks when
fewer are placed than before."""

MOVEMENT_BUDGET = "movement-budget"
"""An update would move or remove more than the budget allows. Values: `limit` (the config key
below movementBudget), `counted`, `allowed`, `what` (who is affected). Blocks."""

REPLACEMENT = "replacement"
"""A live object would be deleted and created anew. Values: `object` (kind/namespace/name),
`workload`, `cluster`, `field`. Blocks."""

DELETE = "delete"
"""Objects go from a cluster. Values: `workload`, `cluster`, `count`, `objects`."""

DELETE_RECORD = "delete-record"
"""A record goes. Values: `policy`, `cluster`."""

DEBT = "debt"
"""Objects stay on a dead cluster until it returns. Values: `cluster`, `count`, `workloads`,
`said_by`."""

FORGOTTEN = "forgotten"
"""Objects on a decommissioned cluster are dropped from the state. Values: `cluster`, `count`,
`workloads`, `said_by`."""

OBSERVATION_STALE = "observation-stale"
"""What was seen of a cluster is older than it may be; it still counts. Values in seconds: `age`,
`allowed`; and `cluster`."""

SCORES_EXPIRED = "scores-expired"
"""External scores are past their time and count 0. Values: `name`, `clusters`."""

LAST_RECORD = "last-record"
"""A name that leads to living targets would lead to none. Values: `policy`, `clusters`, and
`name` where it is known. Blocks."""

NO_RECORDS = "no-records"
"""A name has no record, because the workload runs nowhere that has an entry. Values: `policy`,
`name`."""

RECORD_KEPT = "record-kept"
"""Every target of a name is down and nothing takes over; the records stay. Values: `policy`,
`name`, `clusters`."""

WEIGHTS_BY_REPLICAS = "weights-by-replicas"
"""Every cluster that 'dnsWeights' gives a weight is out of use; the others are weighed by their
replicas. Values: `policy`, `name`."""

RTO_MISSED = "rto-missed"
"""An unplanned loss takes longer than the declared target. Values in seconds: `detection`, `ttl`,
`total`, `rto`; and `policy`. Blocks."""

FAILOVER_CAPACITY = "failover-capacity"
"""What a failover would land on. Values: `policy`, `workload`, `landing` (replicas of the
standbys), `wanted` (replicas of the active region)."""

FAILBACK_AUTOMATIC = "failback-automatic"
"""Route53 goes back by itself when the check turns green. Values: `policy`, `name`."""

MANUAL_NOT_HELD = "manual-not-held"
"""A policy says `failover: manual`, but its standby runs replicas behind a healthy record of weight
0, which Route53 answers by itself when the active side is unhealthy. Values: `policy`, `name`."""

BLIND_CHECK = "blind-check"
"""A health check opens a TCP connection only, which an entry accepts while the service behind it
crashes. Values: `policy`, `name`."""

HEALTH_CHECKS = "health-checks"
"""What the names rely on. Values: `count` of health checks, `price` per month in US dollars (text,
list price outside AWS)."""

NOT_SURVIVED = "not-survived"
"""A policy demands that the loss of any one domain is survived, and it would not be. Values:
`workload`, `by` (cluster, region, provider), `short` and `wanted` (replicas without a place after
it); `domain` (the worst one) and `others` (how many more would not be survived), neither where the
workload runs nowhere today. Blocks, unless a cluster is down that the workload could use."""

IMPORT_IGNORED = "import-ignored"
"""A field of another product's document that the product itself ignores, or does not implement.
Values: `product`, `field` (dotted), `why` (goes on after the product's name)."""

IMPORT_DIFFERS = "import-differs"
"""A field of another product's document that means something else here. Values: `product`,
`field` (dotted), `why` (goes on after the product's name), `knob` (what does it here)."""
