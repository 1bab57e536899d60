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

RECORD_FIRST = "record-first"
"""A record that leads to clusters goes in the same update as what runs there: that stays until the
next one. Values: `workload`, `clusters`, `ttl` (seconds)."""

DEBT = "debt"
"""Objects stay on a dead cluster until it returns. Values: `cluster`, `count`, `workloads`,
`said_by`."""

FORGOTTEN = "forgotten"
"""Objects on a decommissioned cluster are dropped from the state. Values: `cluster`, `count`,
`workloads`, `said_by`."""

OBSERVATION_STALE = "observation-stale"
"""What was seen of a cluster is older than it may be; it still counts. Values in seconds: `age`,
`allowed`; and `cluster`."""

PROBE_FAILED = "probe-failed"
"""The last probe of a cluster gave no new values. Values: `cluster`, `error`; `seen` (the time of
the values that still count, absent where there are none); `since` and `hold` (seconds) where it is
silent and not yet taken for dead."""

SCORES_EXPIRED = "scores-expired"
"""External scores are past their time and count 0. Values: `name`, `clusters`."""

LAST_RECORD = "last-record"
"""A name that leads to living targets would lead to none. Values: `policy`, `clusters`, and
`name` where it is known. Blocks."""

ONE_STANDBY_ANSWERS = "one-standby-answers"
"""Of several standby regions of replicated data one alone is answered after a loss. Values: `name`,
`workload`, `next` (that one), `others` (held out)."""

NEXT_BY_NAME = "next-by-name"
"""Which standby region becomes active after a loss, nothing but its name decides. Values: `name`,
`workload`, `active`, `next`, `equal` (regions)."""

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
"""An unplanned loss takes longer than the declared target. Values in seconds: `total`, `rto`, and
`steps` (text); `policy`, and `domain` that is lost. Blocks, and a preview fails, unless a cluster
is out of use."""

NEVER_RECOVERS = "never-recovers"
"""A name with a target or with data can be answered by nothing but what its loss takes. Values:
`policy`, `name`, `workload`, `cluster` (one, or all of a region), and `rto` in seconds where there
is a target. Blocks where there is one, and a preview fails, unless a cluster is out of use."""

RPO_MISSED = "rpo-missed"
"""An unplanned loss may cost more than the declared target. Values: `policy`, `workload`, `rpo` in
seconds, and `kind` of data; `lost` in seconds where it has a bound. Blocks; a preview fails."""

NOT_REPLICATED_THERE = "not-replicated-there"
"""Standbys where the data has no copy. Values: `policy`, `workload`, `clusters`, and `rpo` in
seconds where there is a target. Blocks where there is one, and a preview fails, unless a cluster
is out of use."""

RECOVERY = "recovery"
"""What a loss and a switch take. Values: `name`, `domain` that is lost; in seconds `total`, `steps`
(text), `switch`, `lost` (absent: without a bound), and the targets `rto` and `rpo` where there are
any."""

DATA_STEP = "data-step"
"""The data gets another primary, between capacity and weights. Values: `workload`, `region`,
`previous` (clusters), and `promotion` (a registered command) where there is one."""

FENCE_FIRST = "fence-first"
"""The data gets no other primary, because the old one is dead and may still write. Values:
`workload`, `region`, `clusters` (not fenced), `index` (of the next word of `fenced` in the
config). An update does everything else and fails."""

FENCED_IDLE = "fenced-idle"
"""The config's `fenced` names a cluster or region that is in use. Values: `word`."""

HANDOVER_FIRST = "handover-first"
"""A planned switch waits until the old primary is demoted. Values: `workload`, `region`,
`clusters` (demoted), `object`, `status` (where the token will stand)."""

SHIFT = "shift"
"""A switch goes over several updates. Values: `name`, `region` with `percent` of the traffic,
`leaving` with the `rest`."""

SHIFT_IDLE = "shift-idle"
"""The config shifts a policy that leads to one region already. Values: `policy`, `region`,
`percent`."""

FAILBACK_WAITS = "failback-waits"
"""A name was driven from its region, which is back; it stays until somebody asks. Values: `name`,
`policy`, `region` (where it is), `wanted`, `index` (of the next word of `failback` in the
config)."""

FAILBACK_IDLE = "failback-idle"
"""The config's `failback` names a policy that led where it should before, or that has no active
region. Values: `policy`, and `region` where it has one."""

PINNED_MOVES = "pinned-moves"
"""A workload would leave its pinned data. Values: `workload`, `clusters` (that it leaves), `to`
(where it starts; empty: nowhere), and `said` where the file says that the data is there now.
Blocks, whatever the budget allows."""

PINNED_WAITS = "pinned-waits"
"""A workload's pinned data is on dead clusters: it starts nowhere else. Values: `workload`,
`clusters`."""

FAILOVER_CAPACITY = "failover-capacity"
"""A failover would land on less than what answers today. Values: `policy`, `workload`, `landing`
(replicas of the standbys that nothing holds; of the largest region where all are held), `wanted`
(replicas of the active region)."""

FAILBACK_AUTOMATIC = "failback-automatic"
"""Route53 goes back by itself when the check turns green. Values: `policy`, `name`."""

MANUAL_NOT_HELD = "manual-not-held"
"""A policy says `failover: manual`, but its standby runs replicas behind a healthy record of weight
0, which Route53 answers by itself when the active side is unhealthy. Values: `policy`, `name`."""

TARGET_UNKNOWN = "target-unknown"
"""A workload runs where nobody has seen its load balancer yet: no record leads there. Values:
`policy`, `name`, `target` (kind/namespace/name), `clusters`."""

TARGET_WAITS = "target-waits"
"""Because of that, weights and the old side stay as they are in this update. Values: `policy`,
`name`, `clusters`."""

TARGET_KEPT = "target-kept"
"""A load balancer is gone from an object's status; the record keeps what it had. Values: `policy`,
`name`, `target`, `cluster`, `values`."""

FORM_CHANGES = "form-changes"
"""The records of a live name stand in another way than before. Values: `policy`, `name`, and in
words `was` and `now`."""

CHECK_CANNOT_REACH = "check-cannot-reach"
"""Route53's checkers are on the internet, and an entry's address is not. Values: `policy`, `name`,
`clusters`."""

CHECK_NEVER_GREEN = "check-never-green"
"""An entry's hostname is one that nobody on the internet resolves or reaches. Values: `policy`,
`name`, `clusters`, `hosts`."""

BLIND_CHECK = "blind-check"
"""A health check opens a TCP connection only, which an entry accepts while the service behind it
crashes. Values: `policy`, `name`."""

PLAIN_ON_TLS = "plain-on-tls"
"""A health check speaks plain HTTP to port 443, where a server of TLS answers 400 at best. Values:
`policy`, `name`, `clusters`."""

NOT_LED_TO = "not-led-to"
"""Clusters run the workload and have a record, and the file leads nobody there. Values: `policy`,
`name`, `workload`, `clusters`, `field` (that leaves them out)."""

REGION_LEFT = "region-left"
"""A name by latency leads nobody to clusters that have a record: a check that is never healthy
keeps them out. Values: `policy`, `name`, `clusters`."""

HEALTH_CHECKS = "health-checks"
"""What the names rely on. Values: `count` of health checks, `price` per month in US dollars (text,
list price outside AWS)."""

NOT_SURVIVED = "not-survived"
"""A policy demands that the loss of any one domain is survived, and it would not be. Values:
`workload`, `by` (cluster, region, provider), `short` and `wanted` (replicas without a place after
it); `domain` (the worst one) and `others` (how many more would not be survived), neither where the
workload runs nowhere today; `fence` (clusters) where nothing is short, but the data has no primary
before somebody has fenced them. Blocks, unless it waits for a fence alone, or a cluster is down
that the workload could use."""

IMPORT_IGNORED = "import-ignored"
"""A field of another product's document that the product itself ignores, or does not implement.
Values: `product`, `field` (dotted), `why` (goes on after the product's name)."""

IMPORT_DIFFERS = "import-differs"
"""A field of another product's document that means something else here. Values: `product`,
`field` (dotted), `why` (goes on after the product's name), `knob` (what does it here)."""

PROVIDER_REGION = "provider-region"
"""The AWS provider logs in through a region whose loss it may have to answer. Values: `region`,
`how` (active or left), `policies`."""
