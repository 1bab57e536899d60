"""Override policies over all workloads and clusters, and which of their rules are idle.

Policies run in the snapshot's order, rules in order of their list. Whether a rule is idle is
judged over the whole inventory and not only where the workload runs today: a rule for a region
must not turn into an error in the hour in which that region is lost.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fleet.deliver.faults import Fault, Faults
from fleet.deliver.images import containers_of
from fleet.deliver.manifests import drafts_of
from fleet.deliver.nearest import did_you_mean
from fleet.deliver.place import Draft, Place
from fleet.deliver.rules import Rule, RuleRun, holds_for, holds_on, is_target
from fleet.model.decision import Assignment, Role
from fleet.model.inventory import Cluster
from fleet.model.snapshot import Linked, Snapshot
from fleet.model.traffic import Mode
from fleet.model.workload import Manifest

RuleKey = tuple[str, int]


def rules_of(linked: Linked) -> Iterator[Rule]:
    """The rules of a workload in the order in which they run."""
    for policy in linked.overrides:
        for index in range(len(policy.spec.rules)):
            yield Rule(policy, index)


@dataclass(slots=True)
class Overrides:
    """Runs rules, and remembers what they did. **Shape**: rules by policy and index."""

    snapshot: Snapshot
    faults: Faults
    effective: set[RuleKey] = field(default_factory=set)
    faulty: set[RuleKey] = field(default_factory=set)

    def apply(self, linked: Linked, place: Place, drafts: list[Draft]) -> None:
        """Changes the drafts of one place by every rule that holds there."""
        for rule in rules_of(linked):
            where = rule.body.where
            if holds_on(where, place.cluster) and holds_for(where, place.assignment.role):
                run = RuleRun(rule, place, self.faults)
                run.run(drafts)
                if run.changed:
                    self.effective.add(_key(rule))
                if run.failed:
                    self.faulty.add(_key(rule))

    def judge(self) -> None:
        """Notes every rule that cannot do anything, once all places have been run."""
        rules: dict[RuleKey, Rule] = {}
        owners: dict[RuleKey, list[Linked]] = {}
        for linked in self.snapshot.linked:
            for rule in rules_of(linked):
                rules[_key(rule)] = rule
                owners.setdefault(_key(rule), []).append(linked)
        for key, rule in rules.items():
            if not rule.body.optional and key not in self.effective | self.faulty:
                fault = self._idle(rule, owners[key])
                if fault is not None:
                    self.faults.add(fault)

    def _idle(self, rule: Rule, owners: list[Linked]) -> Fault | None:
        """Why a rule that has changed nothing so far never can; None where it could."""
        return (
            self._holds_nowhere(rule, owners)
            or _targets_nothing(rule, owners)
            or _names_no_container(rule, owners)
            or self._changes_nothing(rule, owners)
        )

    def _holds_nowhere(self, rule: Rule, owners: list[Linked]) -> Fault | None:
        where, clusters = rule.body.where, self.snapshot.clusters
        if any(holds_on(where, each) for each in clusters):
            if any(holds_for(where, role) for each in owners for role in possible_roles(each)):
                return None
            sentence = f"no workload of the policy has a cluster with role '{where.roles[0]}'"
            return rule.fault(("where", "roles"), sentence)
        known = {"clusters": [each.name for each in clusters]}
        known["regions"] = [each.spec.region for each in clusters]
        hint = ""
        for said, words in (("clusters", where.clusters), ("regions", where.regions)):
            strange = [word for word in words if word not in known[said]]
            if strange and not hint:
                hint = f"'{strange[0]}' is unknown; {did_you_mean(strange[0], known[said])}"
        return rule.fault(("where",), "the rule holds on no cluster of the inventory", hint)

    def _changes_nothing(self, rule: Rule, owners: list[Linked]) -> Fault | None:
        """Tries the clusters where the workloads are not, before it calls a rule idle."""
        trial = Overrides(self.snapshot, Faults())
        for linked in owners:
            for place in _elsewhere(linked, self.snapshot.clusters, rule):
                trial.apply(linked, place, drafts_of(place))
                if _key(rule) in trial.effective | trial.faulty:
                    return None
        what = "image" if rule.body.image is not None else "patch"
        return rule.fault((what,), "the rule changes nothing on any cluster where it holds")


def _key(rule: Rule) -> RuleKey:
    return rule.policy.name, rule.index


def possible_roles(linked: Linked) -> tuple[Role, ...]:
    """The roles that a cluster can have for a workload: standbys come from a traffic policy."""
    if any(each.spec.mode is Mode.ACTIVE_STANDBY for each in linked.traffic):
        return (Role.ACTIVE, Role.STANDBY)
    return (Role.ACTIVE,)


def _elsewhere(linked: Linked, clusters: Iterable[Cluster], rule: Rule) -> Iterator[Place]:
    """Every place where a rule could hold, with as many replicas as the file asks for."""
    workload = linked.workload
    for cluster in clusters:
        for role in possible_roles(linked):
            if holds_on(rule.body.where, cluster) and holds_for(rule.body.where, role):
                yield Place(workload, cluster, Assignment(cluster.name, workload.replicas, role))


def _targets(rule: Rule, owners: Iterable[Linked]) -> list[Manifest]:
    return [
        manifest
        for linked in owners
        for manifest in linked.workload.manifests
        if is_target(rule.body.target, manifest)
    ]


def _targets_nothing(rule: Rule, owners: list[Linked]) -> Fault | None:
    if _targets(rule, owners):
        return None
    target, hint = rule.body.target, ""
    everything = [each for linked in owners for each in linked.workload.manifests]
    for said, known in (
        (target.kind, [each.kind for each in everything]),
        (target.name, [each.name for each in everything]),
        (target.api_version, [each.api_version for each in everything]),
        (target.namespace, [each.namespace or "default" for each in everything]),
    ):
        if said is not None and said not in known and not hint:
            hint = f"'{said}' is in none; {did_you_mean(said, known)}"
    names = ", ".join(f"'{each.workload.name}'" for each in owners)
    return rule.fault(("target",), f"no object of {names} is targeted", hint)


def _names_no_container(rule: Rule, owners: list[Linked]) -> Fault | None:
    image = rule.body.image
    if image is None:
        return None
    targets = _targets(rule, owners)
    names = [str(one.get("name")) for each in targets for one in containers_of(each.body)]
    if not names:
        return rule.fault(("image",), "the objects that the rule targets have no containers")
    if image.container is None or image.container in names:
        return None
    sentence = f"no container '{image.container}' in the objects that the rule targets"
    return rule.fault(("image", "container"), sentence, did_you_mean(image.container, names))
