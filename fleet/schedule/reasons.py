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
TAINT = "taint"
"""values: key, value, effect; source: the taint in the inventory. One per untolerated taint."""
API = "api"
"""values: api (group, version and kind), object; source: spec.apis of the cluster. One per API that
is not served."""
CAPACITY = "capacity"
"""values: resource, needed, free, replicas (that must fit); source: spec.capacity.allocatable of
the cluster. One per resource that is short."""
NO_DOMAIN = "no-domain"
"""values: by; source: the spread constraint. The cluster has no zone, provider or label."""

# Why a feasible cluster was not selected.
DOMAIN_LIMIT = "domain-limit"
"""values: by, limit; source: the constraint's maxDomains, or spec.pick."""
WEIGHT_ZERO = "weight-zero"
"""no values; source: spec.division.weights. No rule gives the cluster a weight."""
NO_SHARE = "no-share"
"""values: replicas (of the whole division); source: spec.division. Selected, but no replica was
left for it."""
NOT_NEEDED = "not-needed"
"""no values; source: spec.division. Aggregated: fewer clusters hold all replicas."""

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
CAPACITY_UNDECLARED = "capacity-undeclared"
"""values: cluster: it declares no allocatable resources, its room counts as unlimited."""
