"""The codes of all rejections and findings of the scheduler, with the values that each carries.

The sentences are made elsewhere, only when somebody asks; a code and its values are the promise.
Amounts are in base units (cpu in millicores).
"""

# Why a cluster is not feasible: one code per filter.
STATE = "state"
"""values: state, said_by; source: the inventory's state, None when the config said it."""
RESIDENCY = "residency"
"""values: region, allowed (comma separated); source: spec.residency.regions."""
AFFINITY = "affinity"
"""values: terms (how many were tried); source: spec.affinity.required."""
AMOUNT = "amount"
"""values: property, operator, value, amount (none: the cluster does not say it), in millionths;
source: the comparison in the one required term, of which all else holds."""
TAINT = "taint"
"""values: key, value, effect, perhaps said (another product's word for it); source: the taint in
the inventory. One per untolerated taint."""
TOLERATION_OVER = "toleration-over"
"""values: key, value, effect, perhaps said, seconds (tolerated for), added (when the taint came),
over (seconds since it is not tolerated any more); source: the taint in the inventory."""
API = "api"
"""values: api (group, version and kind), object; source: spec.apis of the cluster. One per API that
is not served."""
MAINTENANCE = "maintenance"
"""values: action (avoid or move), start, end, now (times), minutes (until the end, rounded up);
source: the window in the inventory."""
LATENCY = "latency"
"""values: origin, milliseconds, limit, seconds, there; source: spec.latency of the policy. Where
the workload runs (there 1) the fastest sample of so many seconds is above the limit; where it does
not (there 0) the slowest is above the limit less the distance, which is `limit` then."""
CLUSTER_SET = "cluster-set"
"""values: tenant (`namespace x` or `team x`), sets (those that name it, comma separated); source:
the first set. One per tenant of the workload whose sets do not have the cluster."""
PINNED = "pinned"
"""values: clusters (that hold the workload's pinned data); source: spec.data.at of its fleet.yaml,
or spec.data where the last update placed it."""
EXCLUSIVE = "exclusive"
"""values: set; source: its spec.exclusive. The cluster is for the set's tenants only."""
NODES = "nodes"
"""values: needed (replicas that must fit), fits (replicas that single nodes hold), and, where no
node is large enough for one replica, resource, asked, largest (amounts); source: the cluster's
spec.capacity.nodes."""
CAPACITY = "capacity"
"""values: resource, needed, free, replicas (that must fit); source: spec.capacity.allocatable of
the cluster. One per resource that is short."""
NO_DOMAIN = "no-domain"
"""values: by; source: the spread constraint. The cluster has no zone, provider or label."""
TIER_SHORT = "tier-short"
"""values: tier, won, missing (replicas that fit nowhere in it); source: spec.tiers of the cluster's
tier, which was tried and did not win. What it lacked follows as further reasons."""
TIER_LATER = "tier-later"
"""values: tier, won; source: spec.tiers of the cluster's tier, which comes after the one that
won."""
TIER_LEFT = "tier-left"
"""values: tier, won; source: spec.tiers of the cluster's tier, which the workload left earlier: it
goes back only with returnToBetterTier."""
TIER_NONE = "tier-none"
"""values: won; source: spec.tiers. No tier has the cluster."""
NONE_ALLOWED = "none-allowed"
"""values: rule (its position in spec.division.bounds); source: maxReplicas of that rule, which says
0."""
TOGETHER = "together"
"""values: other; source: spec.together of the policy that says so. The other workload is decided,
and not here."""
APART = "apart"
"""values: other; source: spec.apart of the policy that says so. The other workload is here."""

# Why a feasible cluster was not selected.
DOMAIN_LIMIT = "domain-limit"
"""values: by, limit; source: the constraint's maxDomains, or spec.pick."""
WEIGHT_ZERO = "weight-zero"
"""no values; source: spec.division.weights. No rule gives the cluster a weight."""
NO_SHARE = "no-share"
"""values: replicas (of the whole division); source: spec.division. Selected, but no replica was
left for it."""
OVERFLOW = "overflow"
"""no values; source: spec.tiers. What stands before the overflow holds all replicas."""
NOT_NEEDED = "not-needed"
"""no values; source: spec.division. Aggregated: fewer clusters hold all replicas."""
SKEW_LIMIT = "skew-limit"
"""values: by, skew; source: the constraint's maxSkew. The numbers in used domains would differ by
more."""

# Why the whole workload, or a part of it, runs nowhere (also the reason of feasible clusters then).
NO_CLUSTER = "no-cluster"
"""no values; source: the policy. Every cluster is rejected."""
DOMAINS_SHORT = "domains-short"
"""values: by, found, wanted; source: the constraint's minDomains, or spec.pick."""
SPREAD_CONFLICT = "spread-conflict"
"""no values; source: spec.spread. Each constraint can be met alone, not all together; or the
active region lies outside of what they allow. As a finding (value: workload): what runs stays."""
CAPACITY_SHORT = "capacity-short"
"""values: wanted, placed, and region where a region is short; source: the workload, or
spec.division.maxReplicas where every selected cluster runs its most."""
BELOW_MINIMUM = "below-minimum"
"""values: minimum, replicas, and region where a region is short; source:
spec.division.minReplicas. The replicas do not reach the least that a cluster may run."""
ABOVE_MAXIMUM = "above-maximum"
"""values: maximum, replicas; source: spec.division.maxReplicas. Duplicated: a cluster may not run
as many as the workload asks for."""
SKEW_CONFLICT = "skew-conflict"
"""values: by, skew; source: the constraint's maxSkew. Duplicated: with even numbers of clusters
the least of a limit is not reached."""
SKEW_SHORT = "skew-short"
"""values: wanted, placed, by, skew, and region where a region is short; source: the constraint's
maxSkew. There is room, but not within the skew."""
QUOTA = "quota"
"""values: quota, resource, limit, left (before the workload took any), replicas (that this is
enough for); source: spec.limits of the quota."""

# Findings.
ACTIVE_REGION_KEPT = "active-region-kept"
"""values: policy, region, wanted: no cluster for the workload in the wanted region, the next word
counts (the config's region does not suit every policy)."""
ACTIVE_REGION_FALLBACK = "active-region-fallback"
"""values: policy, region, wanted: no region that anybody named has a feasible cluster."""
ACTIVE_REGION_NONE = "active-region-none"
"""values: policy, workload: no region at all has a feasible cluster."""
SPREAD_RELAXED = "spread-relaxed"
"""values: workload, by, found, wanted: what runs stays, though fewer domains are left than the
policy asks for."""
REPEATED_JOBS = "repeated-jobs"
"""values: workload, clusters (how many): a CronJob runs whole on each of them."""
NOWHERE = "nowhere"
"""values: workload; source: the policy. It has no replicas to be short of, and is on no cluster."""
CLUSTERS_SHORT = "clusters-short"
"""values: workload, found, wanted (clusters); source: another product's number of clusters, which
takes fewer where there are fewer."""
LATENCY_UNKNOWN = "latency-unknown"
"""values: policy, origin, clusters: nobody measured, so the limit bars nothing there."""
TOO_MANY_NODES = "too-many-nodes"
"""values: cluster, nodes, limit: more nodes than Kubernetes is tested with."""
TOO_MANY_PODS = "too-many-pods"
"""values: cluster, pods, limit: more pods than Kubernetes is tested with."""
CAPACITY_UNDECLARED = "capacity-undeclared"
"""values: cluster: it declares no allocatable resources, its room counts as unlimited."""
SPREAD_THIN = "spread-thin"
"""values: workload, by, found, wanted; source: the constraint's minDomains, or spec.pick. There are
fewer replicas than domains that the policy wants, or even numbers leave some out."""
SKEW_KEPT = "skew-kept"
"""values: workload, by, skew, most, least: what runs stays, though the numbers in used domains
differ by more than the policy asks for."""
TIERS_SHORT = "tiers-short"
"""values: workload, tier, short, tried (how many tiers): none holds the workload; the one that is
short of the fewest replicas is used."""
APART_KEPT = "apart-kept"
"""values: workload, other, cluster: both run there already, though the policy keeps them apart."""
OVERCOMMITTED = "overcommitted"
"""values: workload, clusters (names with `replicas of room`, comma separated): by Karmada's rules,
which ask for no room where replicas are duplicated or weights are fixed; source: the policy."""
