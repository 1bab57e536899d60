"""Which policy places which object: what makes the workloads `<namespace>/<name>`.

Source: pkg/detector/compare.go.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fleet.load.importers.importer import Claim, Notes
from fleet.load.importers.karmada.forms import Meta, Propagation
from fleet.load.importers.karmada.selectors import DEFAULT_NAMESPACE, Choice, Index, namespace_of
from fleet.load.replicas import has_pods
from fleet.model.api_version import group_of
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.workload import Manifest

CLUSTER_SCOPED = "cluster-scoped"
_OFFSET, _PRIME, _BITS = 0x811C9DC5, 0x01000193, 2**32

Overrides = Callable[[Manifest], tuple[OverridePolicy, ...]]


@dataclass(slots=True, eq=False)
class Entry:
    """A policy that may place objects; `names` are the workloads that it got."""

    form: Propagation
    notes: Notes
    policy: PlacementPolicy
    names: list[str] = field(default_factory=list)

    @property
    def metadata(self) -> Meta:
        """As in the document."""
        return self.form.metadata


def claims_of(
    entries: Sequence[Entry], objects: Sequence[Manifest], overrides: Overrides
) -> list[Claim]:
    """Every object that a policy selects, as a workload of its own, in file order."""
    own, wide = Index[Entry](namespaced=True), Index[Entry](namespaced=False)
    for each in entries:
        index = own if each.form.kind == "PropagationPolicy" else wide
        index.add(each, each.form.spec.resource_selectors)
    placed: list[tuple[int, Manifest, Entry]] = []
    for place, manifest in enumerate(objects):
        entry = _chosen(own, manifest) or _chosen(wide, manifest)
        if entry is not None:
            placed.append((place, manifest, entry))
    names = _names([manifest for _, manifest, _ in placed])
    for _, manifest, entry in placed:
        entry.names.append(names[id(manifest)])
    for each in entries:
        spec = each.policy.spec.model_copy(update={"workloads": tuple(each.names)})
        each.policy = each.policy.model_copy(update={"spec": spec})
    return [
        _claim(names[id(manifest)], (place, manifest), entry, overrides)
        for place, manifest, entry in placed
    ]


def is_selected(manifest: Manifest, forms: Sequence[Propagation]) -> bool:
    """Whether any of the policies speaks of an object."""
    for each in forms:
        index = Index[Propagation](namespaced=each.kind == "PropagationPolicy")
        index.add(each, each.spec.resource_selectors)
        if index.choices(manifest):
            return True
    return False


def _claim(name: str, placed: tuple[int, Manifest], entry: Entry, overrides: Overrides) -> Claim:
    place, manifest = placed
    namespace = namespace_of(manifest)
    return Claim(
        name=name,
        objects=(manifest,),
        placement=entry.policy,
        overrides=overrides(manifest),
        queue=place,
        ties="descending" if _is_odd(manifest) else "ascending",
        adopt=entry.form.spec.conflict_resolution == "Overwrite",
        per_cluster=False if manifest.kind == "Pod" else None,
        namespaces=(namespace,) if namespace not in {"", DEFAULT_NAMESPACE} else (),
    )


def _chosen(index: Index[Entry], manifest: Manifest) -> Entry | None:
    """The policy that gets an object: highest priority, then closest, then by name."""
    choices = index.choices(manifest)
    return min(choices, key=_rank).policy if choices else None


def _rank(choice: Choice[Entry]) -> tuple[int, int, str]:
    entry = choice.policy
    return -entry.form.spec.priority, -choice.match, entry.metadata.name


def _names(objects: Sequence[Manifest]) -> dict[int, str]:
    """A name for each object: `<namespace>/<name>`, with the kind behind it where it is taken.

    Of several objects with one name those with pods go first, then the first in the files.
    """
    names: dict[int, str] = {}
    taken: set[str] = set()
    for each in sorted(objects, key=lambda manifest: not has_pods(manifest)):
        name = f"{namespace_of(each) or CLUSTER_SCOPED}/{each.name}"
        for word in (each.kind.lower(), group_of(each.api_version) or "core"):
            name = f"{name}-{word}" if name in taken else name
        taken.add(name)
        names[id(each)] = name
    return names


def _is_odd(manifest: Manifest) -> bool:
    """Whether Karmada breaks ties of this object from the last name to the first."""
    uid = (manifest.body.get("metadata") or {}).get("uid")
    return bool(uid) and fnv1a(str(uid)) % 2 == 1


def fnv1a(text: str) -> int:
    """The 32-bit FNV-1a hash.

    >>> fnv1a("d43fdeeb-d750-4e2b-bee3-64eb94534f4c") % 2, fnv1a("") == 0x811C9DC5
    (1, True)
    """
    value = _OFFSET
    for byte in text.encode():
        value = (value ^ byte) * _PRIME % _BITS
    return value
