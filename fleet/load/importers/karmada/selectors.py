"""Which objects a Karmada policy selects, and how closely it names them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Generic, Protocol, TypeVar

from fleet.load.importers.karmada.forms import LabelSelector, Meta, Requirement, ResourceSelector
from fleet.model.workload import Manifest

_CLUSTER_SCOPED = frozenset(
    {
        "APIService",
        "ClusterRole",
        "ClusterRoleBinding",
        "CSIDriver",
        "CSINode",
        "CustomResourceDefinition",
        "FlowSchema",
        "IngressClass",
        "MutatingWebhookConfiguration",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PriorityClass",
        "PriorityLevelConfiguration",
        "RuntimeClass",
        "StorageClass",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "VolumeAttachment",
    }
)
DEFAULT_NAMESPACE = "default"


class Match(IntEnum):
    """How closely a selector names an object; a closer one wins."""

    NONE = 0
    EVERYTHING = 1
    KIND = 2
    LABELS = 3
    NAME = 4


class Selecting(Protocol):
    """A document with selectors."""

    @property
    def metadata(self) -> Meta:
        """Its name and namespace."""


T = TypeVar("T", bound=Selecting)


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """A policy that selects an object, and how closely."""

    policy: T
    match: Match


def namespace_of(manifest: Manifest) -> str:
    """The namespace of an object; empty for kinds that live in none."""
    return "" if manifest.kind in _CLUSTER_SCOPED else manifest.namespace or DEFAULT_NAMESPACE


def match_of(selector: ResourceSelector, manifest: Manifest) -> Match:
    """How closely a selector means an object whose kind and namespace are right.

    With a name its labels do not count. Source: pkg/util/selector.go.
    """
    if selector.name:
        return Match.NAME if selector.name == manifest.name else Match.NONE
    if selector.label_selector is None:
        return Match.KIND
    labels = (manifest.body.get("metadata") or {}).get("labels") or {}
    return Match.LABELS if labels_match(selector.label_selector, labels) else Match.NONE


def labels_match(selector: LabelSelector, labels: Mapping[str, object]) -> bool:
    """Whether labels are what a selector wants; absence satisfies NotIn and DoesNotExist."""
    if any(labels.get(key) != value for key, value in selector.match_labels.items()):
        return False
    return all(_holds(each, labels) for each in selector.match_expressions)


def _holds(each: Requirement, labels: Mapping[str, object]) -> bool:
    there = each.key in labels
    inside = there and labels[each.key] in each.values
    match each.operator:
        case "In":
            return inside
        case "NotIn":
            return not inside
        case "Exists":
            return there
        case "DoesNotExist":
            return not there


_Key = tuple[str, str, str | None]


@dataclass(slots=True)
class Index(Generic[T]):
    """The selectors of many policies, found by the object's kind, namespace and name.

    **Shape**: by (apiVersion, kind, name or None for selectors without one). `namespaced` policies
    speak of their own namespace only. `everything` are policies without selectors.
    """

    namespaced: bool
    entries: dict[_Key, list[tuple[T, ResourceSelector]]] = field(default_factory=dict)
    everything: list[T] = field(default_factory=list)

    def add(self, policy: T, selectors: Sequence[ResourceSelector]) -> None:
        """Takes in a policy; without selectors it means every object."""
        if not selectors:
            self.everything.append(policy)
        for each in selectors:
            key = (each.api_version, each.kind, each.name or None)
            self.entries.setdefault(key, []).append((policy, each))

    def choices(self, manifest: Manifest) -> list[Choice[T]]:
        """Every policy that selects an object, once, by its closest selector."""
        best: dict[int, Choice[T]] = {}
        for policy, match in self._found(manifest):
            known = best.get(id(policy))
            if known is None or known.match < match:
                best[id(policy)] = Choice(policy, match)
        return list(best.values())

    def _found(self, manifest: Manifest) -> Iterable[tuple[T, Match]]:
        namespace = namespace_of(manifest)
        for name in (manifest.name, None):
            key = (manifest.api_version, manifest.kind, name)
            for policy, selector in self.entries.get(key, ()):
                if self._speaks(policy, selector, namespace):
                    match = match_of(selector, manifest)
                    if match is not Match.NONE:
                        yield policy, match
        for policy in self.everything:
            if not self.namespaced or _home(policy) == namespace:
                yield policy, Match.EVERYTHING

    def _speaks(self, policy: T, selector: ResourceSelector, namespace: str) -> bool:
        """Whether the namespace is right; a namespaced policy never leaves its own."""
        if self.namespaced:
            home = _home(policy)
            return home == namespace and (selector.namespace or home) == home
        return not selector.namespace or selector.namespace == namespace


def _home(policy: Selecting) -> str:
    return policy.metadata.namespace or DEFAULT_NAMESPACE
