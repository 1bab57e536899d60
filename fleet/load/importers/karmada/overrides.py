"""Which override policies change an object, and in which order.

Those of the cluster go first, then those of the namespace; of each, the ones that name the object
less closely first, then by name: the closest is last and wins. Source: pkg/util/overridemanager.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from fleet.load.importers.importer import Notes
from fleet.load.importers.karmada.forms import Meta
from fleet.load.importers.karmada.override_forms import Override, Overriders, OverrideRuleForm
from fleet.load.importers.karmada.override_rules import Draft, MadeRule, rules_of
from fleet.load.importers.karmada.placements import EVERY_NAMESPACE
from fleet.load.importers.karmada.selectors import DEFAULT_NAMESPACE, Choice, Index
from fleet.load.importers.places import origin_of
from fleet.load.remains import Remains, remains_of
from fleet.load.source import Document
from fleet.model.document import Metadata
from fleet.model.override import OverridePolicy, OverrideSpec
from fleet.model.source import Path
from fleet.model.workload import Manifest


@dataclass(slots=True, eq=False)
class Source:
    """An override policy; `used` once it met an object."""

    form: Override
    document: Document
    notes: Notes
    used: bool = False

    @property
    def metadata(self) -> Meta:
        """As in the document."""
        return self.form.metadata

    @property
    def name(self) -> str:
        """Its name, unique among those of all namespaces."""
        namespaced = self.form.kind == "OverridePolicy"
        namespace = (self.metadata.namespace or DEFAULT_NAMESPACE) if namespaced else ""
        return f"{namespace or EVERY_NAMESPACE}/{self.metadata.name}"


@dataclass(slots=True)
class Overriding:
    """All override policies."""

    wide: Index[Source] = field(default_factory=lambda: Index(namespaced=False))
    own: Index[Source] = field(default_factory=lambda: Index(namespaced=True))
    sources: list[Source] = field(default_factory=list)
    refused: list[tuple[Remains[Override], Notes]] = field(default_factory=list)

    def add(self, document: Document, notes: Notes) -> None:
        """Takes in an override policy."""
        form = notes.validated(Override, document)
        if form is None:
            remains = remains_of(Override, document)
            notes.take(remains, _check_form)
            self.refused.append((remains, notes))
            return
        _check_form(form, notes)
        source = Source(form, document, notes)
        self.sources.append(source)
        index = self.own if form.kind == "OverridePolicy" else self.wide
        index.add(source, form.spec.resource_selectors)

    def policies_for(self, manifest: Manifest) -> tuple[OverridePolicy, ...]:
        """The overrides of one object, in the order in which they run."""
        chosen = [
            choice.policy
            for index in (self.wide, self.own)
            for choice in sorted(index.choices(manifest), key=_rank)
        ]
        if not chosen:
            return ()
        draft = Draft(manifest)
        policies = []
        for source in chosen:
            source.used = True
            policy = _policy(source, draft)
            if policy is not None:
                policies.append(policy)
        return tuple(policies)

    def try_refused(self, placed: Sequence[Manifest], perhaps: Sequence[Manifest]) -> None:
        """Tries the rules that no object met because something else is refused.

        That may be their own policy, or the one that would place the object (`perhaps`).
        """
        for remains, notes in self.refused:
            notes.take(remains, lambda form, told: _try_rules(form, (*placed, *perhaps), told))
        for manifest in perhaps:
            self.policies_for(manifest)

    def names(self) -> frozenset[str]:
        """`<namespace>/<name>` of each, `*/<name>` of one for all namespaces."""
        return frozenset(each.name for each in self.sources)

    def tell_unused(self) -> None:
        """Notes the policies that met no object."""
        for each in self.sources:
            if not each.used:
                why = "changes nothing with it: no object that a policy places is selected"
                each.notes.ignored(("spec", "resourceSelectors"), why)


def _check_form(form: Override, notes: Notes) -> None:
    body = form.spec
    if body.override_rules and (body.overriders is not None or body.target_cluster is not None):
        sentence = "'overrideRules' excludes 'overriders' and 'targetCluster' beside it"
        notes.fault(("spec", "overrideRules"), sentence, "keep overrideRules")


def _try_rules(form: Override, objects: Sequence[Manifest], notes: Notes) -> None:
    """What the rules find wrong in the objects that they select."""
    source = Source(form, notes.document, notes)
    index = Index[Source](namespaced=form.kind == "OverridePolicy")
    index.add(source, form.spec.resource_selectors)
    for each in objects:
        if index.choices(each):
            _policy(source, Draft(each))


def _rank(choice: Choice[Source]) -> tuple[int, str]:
    return choice.match, choice.policy.metadata.name


def _policy(source: Source, draft: Draft) -> OverridePolicy | None:
    made: list[MadeRule] = []
    for path, rule in _rules(source.form):
        made += rules_of(rule, path, draft, source.notes)
    if not made:
        return None
    links: dict[Path, Path] = {
        ("spec", "rules", index): each.path for index, each in enumerate(made)
    }
    return OverridePolicy.model_construct(
        metadata=Metadata.model_construct(name=source.name),
        spec=OverrideSpec.model_construct(workloads=(), rules=tuple(each.rule for each in made)),
        origin=origin_of(source.document, links),
    )


def _rules(form: Override) -> list[tuple[Path, OverrideRuleForm]]:
    """The rules with their places; the old form is a rule of its own."""
    body = form.spec
    if body.override_rules:
        return [
            (("spec", "overrideRules", index), rule)
            for index, rule in enumerate(body.override_rules)
        ]
    overriders = body.overriders or Overriders()
    rule = OverrideRuleForm(target_cluster=body.target_cluster, overriders=overriders)
    return [(("spec",), rule)]
