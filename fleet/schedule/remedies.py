"""The codes of all changes that flip a verdict, with the values that each carries.

What a machine carries out are the edits of the change; the values are for the sentence. Amounts
are in base units (cpu in millicores). `field` is as the file spells it: where another product's
document has none of that name, fleet's; some changes carry it only for such documents.
"""

DECLARE_ACTIVE = "declare-active"
"""values: cluster, was; at spec.state of the cluster."""
LEAVE_CONFIG = "leave-config"
"""values: cluster, key; the config's list names the cluster no more."""
ALLOW_REGION = "allow-region"
"""values: region; at spec.residency.regions."""
ADD_LABEL = "add-label"
"""values: cluster, key, value (none: any will do); at metadata.labels of the cluster, which has no
such label."""
ADD_TERM = "add-term"
"""values: cluster, perhaps field; at spec.affinity.required: one more term, that names the
cluster."""
COMPARE = "compare"
"""values: property, operator, was, to (millionths); at value, and perhaps operator, of a comparison
in the only term of spec.affinity.required."""
REQUIRE = "require"
"""values: cluster, field; at spec.affinity.required, or at the terms of the tier that is used: one
term, that names the cluster alone."""
TOLERATE = "tolerate"
"""values: key, value, effect, perhaps said (another product's word for it); at spec.tolerations."""
ADD_CAPACITY = "add-capacity"
"""values: cluster, resource, was, to, perhaps field (where another product's document says besides
what is free); at spec.capacity.allocatable of the cluster."""
ADD_DOMAIN = "add-domain"
"""values: cluster, by, value; the cluster says its zone, provider or label."""
RAISE = "raise"
"""values: field, was, to; a number in the policy."""
LOWER = "lower"
"""values: field, was, to; a number in the policy."""
ADD_WEIGHT = "add-weight"
"""values: cluster, weight, perhaps field; at spec.division.weights: one more rule."""
ADD_REPLICAS = "add-replicas"
"""values: was, to; of the workload, or an autoscaler's minimum."""
DIVIDE = "divide"
"""values: was, to, perhaps field; at spec.division.mode."""

# Of the rules about times, tenants, APIs and nodes.
TOLERATE_ON = "tolerate-on"
"""values: key, value, effect, perhaps said, seconds; at tolerationSeconds of the toleration, which
goes."""
END_WINDOWS = "end-windows"
"""values: cluster, end (a time), count; at spec.maintenance, less the open windows."""
JOIN_SET = "join-set"
"""values: cluster, set; at spec.clusters of the cluster set: one more term, that names the
cluster."""
LET_IN = "let-in"
"""values: set, tenant; at spec.namespaces or spec.teams of the cluster set."""
OPEN_SET = "open-set"
"""values: set; at spec.exclusive of the cluster set."""
SERVE = "serve"
"""values: cluster, api, perhaps field; at spec.apis of the cluster."""
ADD_NODES = "add-nodes"
"""values: cluster, was, to, free.<resource> (of a node); at spec.capacity.nodes of the cluster or
of its observation: one more group of nodes, or more nodes of a group."""

MOVE_DATA = "move-data"
"""values: cluster; at spec.data.at of the workload: the data is on that cluster and no other."""

# Of tiers, neighbours and quotas.
ADD_TO_TIER = "add-to-tier"
"""values: cluster, tier, perhaps field; at the tier's terms: one more term, that names the
cluster."""
RETURN = "return"
"""values: tier; at spec.returnToBetterTier."""
PART = "part"
"""values: field (spec.together or spec.apart), policy, was, to (names, comma separated)."""
RAISE_QUOTA = "raise-quota"
"""values: quota, resource, was, to; at spec.limits of the quota."""
