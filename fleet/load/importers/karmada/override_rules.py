"""Karmada's overriders -> native rules for one object.

What an overrider makes of an object depends on what stands there, so the rules are worked out on
the object as it is written, with what the rules before have done to it. Source:
pkg/util/overridemanager.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from fleet.load.importers.importer import Notes
from fleet.load.importers.karmada.images import changed_part
from fleet.load.importers.karmada.override_forms import (
    FieldOverrider,
    ImageOverrider,
    LabelsOverrider,
    OverrideRuleForm,
    Patch,
    WordsOverrider,
)
from fleet.load.importers.karmada.placements import term_of
from fleet.load.importers.karmada.pointers import escaped, look, patched
from fleet.load.importers.karmada.texts import patched_text
from fleet.model.override import ImageChange, OverrideRule, PatchStep, Where
from fleet.model.source import Path
from fleet.model.workload import Manifest

_IMAGE_KINDS = frozenset({"Pod", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"})
_REPLICAS = "/spec/replicas"


@dataclass(frozen=True, slots=True)
class MadeRule:
    """A native rule, and the overrider that it comes from."""

    rule: OverrideRule
    path: Path


@dataclass(slots=True)
class Draft:
    """An object on its way through the rules; `touched`: which rule changed each field last."""

    manifest: Manifest
    body: dict[str, Any] = field(default_factory=dict)
    touched: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.body = deepcopy(self.manifest.body)

    @property
    def pod(self) -> str:
        """The pointer of the pod spec."""
        return "/spec" if self.manifest.kind == "Pod" else "/spec/template/spec"

    def containers(self) -> list[dict[str, Any]]:
        """The containers, without those of the start."""
        found = look(self.body, f"{self.pod}/containers")
        return found if isinstance(found, list) else []


@dataclass(slots=True)
class _Maker:
    """One rule of a policy on one object."""

    where: Where
    owner: str
    draft: Draft
    notes: Notes
    made: list[MadeRule] = field(default_factory=list)

    def patch(self, path: Path, *steps: Patch) -> None:
        """A rule of patches; the draft changes as the object will."""
        for step in steps:
            self.draft.body = patched(self.draft.body, step)
            self.draft.touched[step.path] = self.owner
        native = tuple(_native(step) for step in steps)
        self._add(OverrideRule(where=self.where, patch=native, optional=True), path)

    def image(self, path: Path, pointer: str, change: ImageChange, after: str) -> None:
        """A rule for one container's image."""
        step = Patch(path=pointer, operator="replace", value=after)
        self.draft.body = patched(self.draft.body, step)
        self.draft.touched[pointer] = self.owner
        self._add(OverrideRule(where=self.where, image=change, optional=True), path)

    def builds_on(self, pointer: str, path: Path) -> None:
        """Says where a value is worked out of one that holds on other clusters only."""
        before = self.draft.touched.get(pointer)
        if before is not None and before != self.owner:
            why = "works on what an earlier rule left on each cluster"
            knob = "here on what that rule leaves where it holds; write the whole value instead"
            self.notes.differs(path, why, knob)

    def _add(self, rule: OverrideRule, path: Path) -> None:
        self.made.append(MadeRule(rule, path))


def rules_of(rule: OverrideRuleForm, base: Path, draft: Draft, notes: Notes) -> list[MadeRule]:
    """The native rules of one Karmada rule, for one object."""
    target = rule.target_cluster
    where = Where() if target is None else Where.model_construct(term=term_of(target))
    maker = _Maker(where, str(notes.document.origin.at(*base)), draft, notes)
    run = rule.overriders
    inside: Path = (*base, "overriders")
    for index, image in enumerate(run.image_overrider):
        _change_images(maker, image, (*inside, "imageOverrider", index))
    for name, listed in (("command", run.command_overrider), ("args", run.args_overrider)):
        for index, words in enumerate(listed):
            _change_words(maker, name, words, (*inside, f"{name}Overrider", index))
    for name, changes in (
        ("labels", run.labels_overrider),
        ("annotations", run.annotations_overrider),
    ):
        for index, change in enumerate(changes):
            _change_labels(maker, name, change, (*inside, f"{name}Overrider", index))
    for index, each in enumerate(run.field_overrider):
        _change_text(maker, each, (*inside, "fieldOverrider", index))
    for index, step in enumerate(run.plaintext):
        _change_plainly(maker, step, (*inside, "plaintext", index))
    return maker.made


def _native(step: Patch) -> PatchStep:
    """A patch step, checked as Karmada's already; a `${` of Karmada's is only text."""
    if step.operator == "remove":
        return PatchStep.model_construct(op="remove", path=step.path)
    return PatchStep.model_construct(op=step.operator, path=step.path, value=_literal(step.value))


def _literal(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, str):
        return value.replace("${", "$${")
    if isinstance(value, Mapping):
        return {key: _literal(each) for key, each in value.items()}
    return [_literal(each) for each in value] if isinstance(value, list) else value


def _change_images(maker: _Maker, image: ImageOverrider, path: Path) -> None:
    draft = maker.draft
    if image.predicate is not None:
        _change_image(maker, image, image.predicate.path, path)
    elif draft.manifest.kind in _IMAGE_KINDS:
        for index in range(len(draft.containers())):
            _change_image(maker, image, f"{draft.pod}/containers/{index}/image", path)
    else:
        why = f"knows no image fields of a {draft.manifest.kind}: without a predicate nothing"
        maker.notes.ignored(path, f"{why} changes")


def _change_image(maker: _Maker, image: ImageOverrider, pointer: str, path: Path) -> None:
    text = look(maker.draft.body, pointer)
    if not isinstance(text, str):
        maker.notes.ignored((*path, "predicate"), f"finds no image at '{pointer}'")
        return
    part = changed_part(text, image)
    if part is None:
        return
    if image.operator == "add":
        maker.builds_on(pointer, path)
    name = _container(maker.draft, pointer)
    if name is None:
        maker.patch(path, Patch(path=pointer, operator="replace", value=part.after))
        return
    said: dict[str, Any] = {"container": name, **part.said}
    maker.image(path, pointer, ImageChange.model_construct(**said), part.after)


def _container(draft: Draft, pointer: str) -> str | None:
    """The name of the container whose image a pointer means."""
    for index, each in enumerate(draft.containers()):
        if pointer == f"{draft.pod}/containers/{index}/image":
            return str(each.get("name"))
    return None


def _change_words(maker: _Maker, name: str, words: WordsOverrider, path: Path) -> None:
    """Adds to the words of a container's command or args, or takes equal ones out."""
    containers = maker.draft.containers()
    found = [i for i, each in enumerate(containers) if each.get("name") == words.container_name]
    if not found:
        why = f"finds no container '{words.container_name}'"
        maker.notes.ignored((*path, "containerName"), why)
        return
    pointer = f"{maker.draft.pod}/containers/{found[0]}/{name}"
    before = look(maker.draft.body, pointer)
    if not words.value or (words.operator == "remove" and not before):
        return
    if words.operator == "add":
        after = [*(before or ()), *words.value]
    else:
        after = [each for each in before if each not in words.value]
    maker.builds_on(pointer, path)
    maker.patch(path, Patch(path=pointer, operator="add", value=after))


def _change_labels(maker: _Maker, name: str, change: LabelsOverrider, path: Path) -> None:
    """Sets labels or annotations; `replace` and `remove` touch only those that are there."""
    base = f"/metadata/{name}"
    there = look(maker.draft.body, base)
    steps = []
    if not isinstance(there, Mapping):
        there = {}
        steps.append(Patch(path=base, operator="add", value={}))
    for key, value in change.value.items():
        if change.operator != "add" and key not in there:
            maker.notes.ignored((*path, "value", key), f"finds no such key among the {name}")
            continue
        pointer = f"{base}/{escaped(key)}"
        steps.append(Patch(path=pointer, operator=change.operator, value=value))
    if any(step.path != base for step in steps):
        maker.patch(path, *steps)


def _change_text(maker: _Maker, each: FieldOverrider, path: Path) -> None:
    """Patches the JSON or YAML inside a text field."""
    text = look(maker.draft.body, each.field_path)
    if not isinstance(text, str):
        maker.notes.fault((*path, "fieldPath"), f"'{each.field_path}' is no text in the object")
        return
    after = patched_text(text, each)
    if after is None:
        maker.notes.fault(path, f"the text at '{each.field_path}' cannot be patched so")
        return
    maker.builds_on(each.field_path, path)
    maker.patch(path, Patch(path=each.field_path, operator="replace", value=after))


def _change_plainly(maker: _Maker, step: Patch, path: Path) -> None:
    if step.path == _REPLICAS:
        why = "sets the replicas after it has divided them"
        maker.notes.differs(path, why, "here the placement policy alone says how many run where")
        return
    maker.patch(path, step)
