"""Where an override rule holds, which objects it targets, and what it does to one object."""

from collections.abc import Iterable
from dataclasses import dataclass

from fleet.deliver.bodies import Body, copied, look, text_at
from fleet.deliver.faults import Fault, Faults
from fleet.deliver.images import changed_image, containers_of
from fleet.deliver.manifests import replica_path
from fleet.deliver.patches import PatchError, incomplete, patched
from fleet.deliver.place import Draft, Place
from fleet.deliver.scalers import BOUNDS, scaled_by
from fleet.deliver.variables import substituted, variables_of
from fleet.model.cluster_words import words_hold
from fleet.model.decision import Role
from fleet.model.inventory import Cluster
from fleet.model.override import ImageChange, ObjectRef, OverridePolicy, OverrideRule, Where
from fleet.model.pattern import matches
from fleet.model.source import Path, dotted
from fleet.model.workload import Manifest

IDENTITY = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))


def holds_on(where: Where, cluster: Cluster) -> bool:
    """Whether a rule holds on a cluster, whatever the cluster's role."""
    return (
        _any_matches(where.clusters, cluster.name)
        and _any_matches(where.regions, cluster.spec.region)
        and all(cluster.labels.get(key) == value for key, value in where.match_labels.items())
        and (where.term is None or words_hold(where.term, cluster))
    )


def holds_for(where: Where, role: Role) -> bool:
    """Whether a rule holds for a role."""
    return not where.roles or str(role) in where.roles


def _any_matches(patterns: Iterable[str], text: str) -> bool:
    said = tuple(patterns)
    return not said or any(matches(pattern, text) for pattern in said)


def is_target(target: ObjectRef, manifest: Manifest) -> bool:
    """Whether a rule is about an object; an object without a namespace is in `default`."""
    return (
        target.api_version in {None, manifest.api_version}
        and target.kind in {None, manifest.kind}
        and target.name in {None, manifest.name}
        and target.namespace in {None, manifest.namespace or "default"}
    )


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its place in the policy's list."""

    policy: OverridePolicy
    index: int

    @property
    def body(self) -> OverrideRule:
        """What the rule says."""
        return self.policy.spec.rules[self.index]

    def fault(self, path: Path, sentence: str, hint: str = "") -> Fault:
        """A fault at a field of the rule."""
        full: Path = ("spec", "rules", self.index, *path)
        return Fault(self.policy.origin.at(*full), dotted(full), sentence, hint)


@dataclass(slots=True)
class RuleRun:
    """One rule on one place. `failed` once a fault was noted; `changed` once an object differs."""

    rule: Rule
    place: Place
    faults: Faults
    failed: bool = False
    changed: bool = False

    def run(self, drafts: Iterable[Draft]) -> None:
        """Changes every object that the rule targets, each whole or not at all."""
        for draft in drafts:
            if is_target(self.rule.body.target, draft.manifest):
                self._change(draft)

    def _change(self, draft: Draft) -> None:
        body = copied(draft.body)
        if self.rule.body.image is not None:
            self._change_images(body, self.rule.body.image)
        else:
            after = self._patch(body, draft)
            if after is None:
                return
            body = after
        if body != draft.body and not self._is_forbidden(draft, body):
            draft.body = body
            self.changed = True

    def _change_images(self, body: Body, change: ImageChange) -> None:
        said = change.model_dump(include={"registry", "repository", "tag"}, exclude_none=True)
        values = {key: self._values(value, ("image", key)) for key, value in said.items()}
        whole = change.model_copy(update=values)
        for container in containers_of(body):
            image = text_at(container, "image")
            if image and change.container in {None, container.get("name")}:
                container["image"] = changed_image(image, whole)

    def _patch(self, body: Body, draft: Draft) -> Body | None:
        for number, step in enumerate(self.rule.body.patch):
            at: Path = ("patch", number)
            try:
                lacking = incomplete(step)
                if lacking is not None:
                    raise lacking
                body = patched(body, step, self._values(step.value, (*at, "value")))
            except PatchError as fault:
                self._note((*at, fault.field), f"{fault.sentence} in {draft.label}", fault.hint)
                return None
        return body

    def _values(self, value: object, at: Path) -> object:
        def unknown(path: Path, sentence: str, hint: str) -> None:
            self._note((*at, *path), sentence, hint)

        return substituted(value, variables_of(self.place), unknown)

    def _note(self, path: Path, sentence: str, hint: str = "") -> None:
        self.failed = True
        self.faults.add(self.rule.fault(path, sentence, hint), self.place.cluster.name)

    def _is_forbidden(self, draft: Draft, body: Body) -> bool:
        """Whether the change touches what is not the rule's, which is noted."""
        path: tuple[str, ...]
        for path in IDENTITY:
            if look(body, *path) != look(draft.body, *path):
                self._note((), f"'{'.'.join(path)}' of {draft.label} is not the rule's to change")
                return True
        for path in self._scheduled(draft.manifest):
            if look(body, *path) != look(draft.body, *path):
                field = ".".join(path)
                self._note(
                    (),
                    f"'{field}' of {draft.label} is the scheduler's, not the rule's",
                    "divide replicas in the placement policy",
                )
                return True
        for path in (("metadata", "annotations"), ("metadata", "labels")):
            if not isinstance(look(body, *path) or {}, dict):
                self._note((), f"'{'.'.join(path)}' of {draft.label} is no mapping any more")
                return True
        return False

    def _scheduled(self, manifest: Manifest) -> tuple[tuple[str, ...], ...]:
        """The fields of an object that the scheduler owns."""
        main = self.place.workload.main
        if main is None:
            return ()
        if manifest.key == main:
            path = replica_path(manifest, self.place.workload.settings)
            return (path or ("spec", "replicas"),)
        if scaled_by(self.place.workload).get(main) is manifest:
            group = manifest.api_version.rpartition("/")[0]
            return tuple(("spec", field) for field in BOUNDS[group, manifest.kind])
        return ()
