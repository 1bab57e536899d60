"""Karmada's scheduler core as a plain model: exhaustive, slow, and independent of fleet.

It reads Karmada's documents as YAML gives them and shares no code with `fleet`. It is written from
the description of the core (commit f8fdd02), one function per step, and is what generated fleets
are compared with.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Document = Mapping[str, Any]
NOBODY = "nobody"
MOST = 2**31 - 1
PODS_OF_A_NODE = 110
SUFFIXES: dict[str, Fraction | int] = {
    "m": Fraction(1, 1000),
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
}
SUFFIXES |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
GRADES = [(0, 0), (1, 4), (2, 16), (4, 32), (8, 64), (16, 128), (32, 256), (64, 512), (128, 1024)]


class RefusedError(Exception):
    """The scheduler's error: nothing is placed."""


def quantity(text: str | float) -> Fraction:
    """A Kubernetes quantity, exact."""
    said = str(text)
    for suffix in sorted(SUFFIXES, key=len, reverse=True):
        if said.endswith(suffix):
            return Fraction(said.removesuffix(suffix)) * SUFFIXES[suffix]
    return Fraction(said)


def base(resource: str, amount: Fraction) -> int:
    """Cpu in thousandths, others in whole units, rounded up."""
    whole = amount * 1000 if resource == "cpu" else amount
    return -(-whole.numerator // whole.denominator)


def fnv1a(text: str) -> int:
    """The 32-bit FNV-1a hash."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 % 2**32
    return value


@dataclass
class Cluster:
    """A cluster, and what was promised there since the files were written."""

    document: Document
    assumed: list[tuple[dict[str, int], int]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """As in the document."""
        return str(self.document["metadata"]["name"])

    @property
    def labels(self) -> dict[str, str]:
        """None are an empty map."""
        return self.document["metadata"].get("labels") or {}

    @property
    def spec(self) -> Document:
        """None is an empty one."""
        return self.document.get("spec") or {}

    def values(self, key: str) -> list[str]:
        """What the cluster says of a field; an empty text is nothing."""
        if key == "zone":
            return list(self.spec.get("zones") or [])
        return [self.spec[key]] if self.spec.get(key) else []


@dataclass
class Binding:
    """One workload as the scheduler sees it."""

    name: str
    uid: str
    replicas: int
    request: dict[str, int]
    placement: Document
    prior: dict[str, int]

    @property
    def descending(self) -> bool:
        """Whether ties go to the last name."""
        return bool(self.uid) and fnv1a(self.uid) % 2 == 1

    @property
    def strategy(self) -> str:
        """`duplicated`, `static`, `dynamic` or `aggregated`."""
        said = self.placement.get("replicaScheduling")
        if said is None or said.get("replicaSchedulingType") == "Duplicated":
            return "duplicated"
        if said.get("replicaDivisionPreference") == "Aggregated":
            return "aggregated"
        dynamic = (said.get("weightPreference") or {}).get("dynamicWeight")
        return "dynamic" if dynamic else "static"


# Filter


def requirement(expression: Document, has: Sequence[str]) -> bool:
    """One expression over what there is."""
    values = expression.get("values") or []
    shared = any(each in values for each in has)
    return {
        "In": shared,
        "NotIn": not shared,
        "Exists": bool(has),
        "DoesNotExist": not has,
    }[expression["operator"]]


def labels_match(selector: Document, labels: Mapping[str, str]) -> bool:
    """Whether labels are what a selector wants."""
    if any(labels.get(key) != value for key, value in (selector.get("matchLabels") or {}).items()):
        return False
    return all(
        requirement(each, [labels[each["key"]]] if each["key"] in labels else [])
        for each in selector.get("matchExpressions") or []
    )


def affinity_matches(affinity: Document | None, cluster: Cluster) -> bool:
    """Whether a clusterAffinity selects a cluster."""
    said = affinity or {}
    if cluster.name in (said.get("exclude") or []):
        return False
    if not labels_match(said.get("labelSelector") or {}, cluster.labels):
        return False
    for each in (said.get("fieldSelector") or {}).get("matchExpressions") or []:
        if each["key"] not in {"provider", "region", "zone"}:
            return False
        if not requirement(each, cluster.values(each["key"])):
            return False
    names = said.get("clusterNames") or []
    return not names or cluster.name in names


def tolerates(toleration: Document, taint: Document) -> bool:
    if toleration.get("effect") and toleration["effect"] != taint["effect"]:
        return False
    if toleration.get("key") and toleration["key"] != taint["key"]:
        return False
    if toleration.get("operator", "Equal") == "Exists":
        return True
    return bool(toleration.get("value", "") == taint.get("value", ""))


def serves(cluster: Cluster) -> bool:
    listed = (cluster.document.get("status") or {}).get("apiEnablements") or []
    return any(
        group["groupVersion"] == "apps/v1"
        and any(each["kind"] == "Deployment" for each in group["resources"])
        for group in listed
    )


def feasible(binding: Binding, cluster: Cluster) -> bool:
    placement = binding.placement
    if not affinity_matches(placement.get("clusterAffinity"), cluster):
        return False
    if cluster.name not in binding.prior:
        tolerations = placement.get("clusterTolerations") or []
        for taint in cluster.spec.get("taints") or []:
            bars = taint["effect"] in {"NoSchedule", "NoExecute"}
            if bars and not any(tolerates(each, taint) for each in tolerations):
                return False
        if not serves(cluster):
            return False
    return all(
        cluster.values(each["spreadByField"])
        for each in placement.get("spreadConstraints") or []
        if each["spreadByField"] in {"provider", "region", "zone"}
    )


# Estimate


def summary(cluster: Cluster) -> Document | None:
    return (cluster.document.get("status") or {}).get("resourceSummary")


def free(cluster: Cluster, resource: str) -> int | None:
    """What is left of a resource, less what was promised; None where it is not listed."""
    said = summary(cluster) or {}
    if resource not in (said.get("allocatable") or {}):
        return None
    left = quantity(said["allocatable"][resource])
    for part in ("allocated", "allocating"):
        left -= quantity((said.get(part) or {}).get(resource, 0))
    promised = sum(count * asked.get(resource, 0) for asked, count in cluster.assumed)
    return base(resource, left) - promised


def by_sums(cluster: Cluster, request: Mapping[str, int]) -> int:
    fits = [MOST]
    for resource, amount in request.items():
        left = free(cluster, resource)
        fits.append(0 if left is None else left // amount)
    return max(0, min(fits))


def by_models(cluster: Cluster, request: Mapping[str, int]) -> int:
    """First fit over empty nodes of each grade's least, after what was promised."""
    models = cluster.spec.get("resourceModels")
    if models:
        grades = {
            each["grade"]: {r["name"]: base(r["name"], quantity(r["min"])) for r in each["ranges"]}
            for each in models
        }
    else:
        grades = {
            number: {"cpu": cpu * 1000, "memory": memory * 2**30}
            for number, (cpu, memory) in enumerate(GRADES)
        }
    if any(resource not in least for least in grades.values() for resource in request):
        return by_sums(cluster, request)
    said = summary(cluster) or {}
    nodes = [
        {**grades[each["grade"]], "pods": PODS_OF_A_NODE}
        for each in said["allocatableModelings"]
        for _ in range(each["count"])
    ]
    for asked, count in cluster.assumed:
        for _ in range(count):
            put_one(nodes, {**asked, "pods": 1})
    wanted = {**request, "pods": 1}
    return sum(min(node[name] // amount for name, amount in wanted.items()) for node in nodes)


def put_one(nodes: list[dict[str, int]], request: Mapping[str, int]) -> bool:
    for node in nodes:
        if all(node.get(resource, 0) >= amount for resource, amount in request.items()):
            for resource, amount in request.items():
                node[resource] -= amount
            return True
    return False


def estimate(binding: Binding, cluster: Cluster) -> int:
    """How many more replicas a cluster holds."""
    if binding.replicas == 0:
        return MOST
    if summary(cluster) is None:
        return 0
    pods = max(0, free(cluster, "pods") or 0)
    if not pods or not binding.request:
        return pods
    modelled = (summary(cluster) or {}).get("allocatableModelings")
    fits = (by_models if modelled else by_sums)(cluster, binding.request)
    found = min(pods, fits, MOST)
    return binding.replicas if found == MOST else found


# Select


@dataclass
class Candidate:
    """A feasible cluster with its figures."""

    cluster: Cluster
    score: int
    allocatable: int
    assigned: int

    @property
    def name(self) -> str:
        """The cluster's."""
        return self.cluster.name

    @property
    def available(self) -> int:
        """Room, with what runs there."""
        return self.allocatable + self.assigned

    @property
    def rank(self) -> tuple[int, int, str]:
        """The order of candidates."""
        return -self.score, -self.available, self.name


def select(binding: Binding, candidates: list[Candidate]) -> list[Candidate]:
    constraints = {
        each["spreadByField"]: (each.get("minGroups", 1), each.get("maxGroups", 0))
        for each in binding.placement.get("spreadConstraints") or []
    }
    ordered = sorted(candidates, key=lambda each: each.rank)
    if not constraints or binding.strategy == "static":
        return ordered
    if "region" in constraints:
        return by_region(binding, ordered, constraints)
    return by_cluster(binding, ordered, *constraints["cluster"])


def by_cluster(
    binding: Binding, ordered: list[Candidate], least: int, most: int
) -> list[Candidate]:
    if len(ordered) < least:
        raise RefusedError("fewer clusters than minGroups")
    chosen, rest = ordered[:most], ordered[most:]
    if binding.strategy == "duplicated":
        return chosen
    for position in range(len(chosen) - 1, -1, -1):
        if sum(each.available for each in chosen) >= binding.replicas:
            break
        if not rest:
            continue
        best = max(rest, key=lambda each: each.available)
        if best.available > chosen[position].available:
            place = rest.index(best)
            chosen[position], rest[place] = best, chosen[position]
    if sum(each.available for each in chosen) < binding.replicas:
        raise RefusedError("no enough resource")
    return chosen


@dataclass
class Region:
    """A region as a group: how many clusters, and what it is worth."""

    name: str
    clusters: list[Candidate]
    score: int

    @property
    def value(self) -> int:
        """How many clusters."""
        return len(self.clusters)


def region_score(
    binding: Binding, clusters: list[Candidate], region_least: int, cluster_least: int
) -> int:
    if binding.strategy == "duplicated":
        valid = [each for each in clusters if each.available >= binding.replicas]
        if not valid:
            return 0
        return 1000 * len(valid) + sum(each.score for each in valid) // len(valid)
    target = -(-binding.replicas // region_least)
    total = score = 0
    for count, each in enumerate(clusters, 1):
        total += each.available
        score += each.score
        if count >= max(cluster_least, region_least) and total >= target:
            return target * 1000 + score // count
    return min(total, target) * 1000 + score // len(clusters)


def paths(groups: list[Region], least: int, most: int, target: int) -> Iterator[list[Region]]:
    """Every accepted set, in the order in which a depth-first walk finds it."""

    def walk(start: int, path: list[Region]) -> Iterator[list[Region]]:
        if least <= len(path) <= most and sum(each.value for each in path) >= target:
            yield path
            return
        if len(path) >= most:
            return
        for position in range(start, len(groups)):
            yield from walk(position + 1, [*path, groups[position]])

    yield from walk(0, [])


def best_regions(groups: list[Region], least: int, most: int, target: int) -> list[Region]:
    ordered = sorted(groups, key=lambda each: (each.value, -each.score, each.name))
    found = [
        sorted(path, key=lambda each: (-each.score, each.name))
        for path in paths(ordered, least, most, target)
    ]
    if not found:
        return []
    ranked = sorted(
        found,
        key=lambda path: (-sum(e.score for e in path), -sum(e.value for e in path)),
    )
    best = ranked[0]
    for path in ranked[1:]:
        if len(path) < len(best) and best[: len(path)] == path:
            best = path
    return best


def by_region(
    binding: Binding, ordered: list[Candidate], constraints: Mapping[str, tuple[int, int]]
) -> list[Candidate]:
    region_least, region_most = constraints["region"]
    cluster_least, cluster_most = constraints["cluster"]
    names = sorted({each.cluster.spec["region"] for each in ordered})
    if len(names) < region_least:
        raise RefusedError("fewer regions than minGroups")
    groups = []
    for name in names:
        inside = [each for each in ordered if each.cluster.spec["region"] == name]
        score = region_score(binding, inside, region_least, cluster_least)
        groups.append(Region(name, inside, score))
    regions = best_regions(groups, region_least, region_most, cluster_least)
    if not regions:
        raise RefusedError("no set of regions")
    chosen = [each.clusters[0] for each in regions]
    others = [each for region in regions for each in region.clusters[1:]]
    room = min(sum(each.value for each in regions), cluster_most) - len(chosen)
    return chosen + sorted(others, key=lambda each: each.rank)[: max(0, room)]


# Divide


def webster(
    votes: Mapping[str, int], seats: int, *, descending: bool, held: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Sainte-Laguë, one seat after the other."""
    given = {name: (held or {}).get(name, 0) for name in votes}
    order = sorted(votes, reverse=descending)
    if not any(votes.values()):
        return given
    for _ in range(seats):
        best = max(Fraction(votes[name], 2 * given[name] + 1) for name in order)
        tied = [n for n in order if Fraction(votes[n], 2 * given[n] + 1) == best]
        given[min(tied, key=lambda name: given[name])] += 1
    return given


def static_weights(binding: Binding, chosen: Iterable[Candidate]) -> dict[str, int]:
    said = (binding.placement.get("replicaScheduling") or {}).get("weightPreference") or {}
    rules = said.get("staticWeightList") or []
    weights = {}
    for each in chosen:
        matching = [
            rule["weight"]
            for rule in rules
            if affinity_matches(rule["targetCluster"], each.cluster)
        ]
        weights[each.name] = max(matching, default=0)
    if not any(weights.values()):
        return dict.fromkeys(weights, 1)
    return {name: weight for name, weight in weights.items() if weight}


def divide(binding: Binding, chosen: list[Candidate]) -> dict[str, int]:
    if not chosen:
        raise RefusedError("no clusters available")
    direction = binding.descending
    if binding.strategy == "duplicated":
        return {each.name: binding.replicas for each in chosen}
    if binding.strategy == "static":
        weights = static_weights(binding, chosen)
        return webster(weights, binding.replicas, descending=direction)
    held = {each.name: each.assigned for each in chosen if each.assigned}
    assigned = sum(held.values())
    if assigned == binding.replicas:
        return held
    if assigned > binding.replicas:
        votes = sorted(held.items())
        seats, kept = binding.replicas, {}
    else:
        votes = [(each.name, each.allocatable) for each in chosen]
        seats, kept = binding.replicas - assigned, held
    if sum(amount for _, amount in votes) < seats:
        raise RefusedError("Unschedulable")
    if binding.strategy == "aggregated":
        votes = shortest(votes, seats, held)
    given = webster(dict(votes), seats, descending=direction)
    return {name: given.get(name, 0) + kept.get(name, 0) for name in sorted({*given, *kept})}


def shortest(
    votes: list[tuple[str, int]], seats: int, held: Mapping[str, int]
) -> list[tuple[str, int]]:
    """The shortest beginning that holds enough: most first, those that run something before."""
    ordered = sorted(votes, key=lambda each: -each[1])
    ordered = [e for e in ordered if e[0] in held] + [e for e in ordered if e[0] not in held]
    taken, total = [], 0
    for each in ordered:
        if total >= seats:
            break
        taken.append(each)
        total += each[1]
    return taken


def is_open(binding: Binding, chosen: Sequence[Candidate]) -> bool:
    """Whether Karmada's own order of equal figures is not to be known for this workload.

    Two ways: more than 12 clusters are sorted by an unstable sort; or the workload shrinks, and
    the order is that of a list of former targets, of which a map by name keeps nothing.
    """
    if binding.strategy != "aggregated":
        return False
    held = [each.assigned for each in chosen if each.assigned]
    if sum(held) > binding.replicas:
        return len(set(held)) < len(held)
    figures = [each.allocatable for each in chosen]
    return len(figures) > 12 and len(set(figures)) < len(figures)


# All of it


def chosen_for(binding: Binding, clusters: Iterable[Cluster]) -> list[Candidate]:
    candidates = [
        Candidate(
            each,
            100 if each.name in binding.prior else 0,
            estimate(binding, each),
            binding.prior.get(each.name, 0),
        )
        for each in clusters
        if feasible(binding, each)
    ]
    if not candidates:
        raise RefusedError(NOBODY)
    return select(binding, candidates)


def charge(binding: Binding, given: Mapping[str, int], clusters: Iterable[Cluster]) -> None:
    """What the next workloads do not find any more: all replicas, also those that ran before."""
    for each in clusters:
        if given.get(each.name):
            each.assumed.append(({**binding.request, "pods": 1}, given[each.name]))


def bindings_of(
    workloads: Iterable[Document], policies: Iterable[Document], prior: Mapping[str, Any]
) -> list[Binding]:
    """Each Deployment with the policy that names it."""
    placements = {
        (each["metadata"]["namespace"], selector["name"]): each["spec"].get("placement") or {}
        for each in policies
        for selector in each["spec"]["resourceSelectors"]
    }
    found = []
    for each in workloads:
        metadata = each["metadata"]
        name = f"{metadata['namespace']}/{metadata['name']}"
        request: dict[str, Fraction] = {}
        for container in each["spec"]["template"]["spec"]["containers"]:
            asked = (container.get("resources") or {}).get("requests") or {}
            for resource, amount in asked.items():
                request[resource] = request.get(resource, Fraction(0)) + quantity(amount)
        found.append(
            Binding(
                name=name,
                uid=str(metadata.get("uid", "")),
                replicas=each["spec"].get("replicas", 1),
                request={
                    resource: base(resource, amount)
                    for resource, amount in request.items()
                    if amount
                },
                placement=placements[metadata["namespace"], metadata["name"]],
                prior=dict(prior.get(name) or {}),
            )
        )
    return found
