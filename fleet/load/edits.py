"""Edits of a question: made to what was read, before names resolve, as if the files said so.

A fault names the option of `fleet what-if` that it comes from.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from fleet.errors import ErrorList
from fleet.load.faults import Faults
from fleet.load.marks import Marks, PositionedText
from fleet.load.objects import Checked
from fleet.load.parse import Declared
from fleet.load.replicas import load_of
from fleet.load.scalars import KUBERNETES
from fleet.load.source import Document
from fleet.load.words import Words
from fleet.load.workloads import Workloads
from fleet.model.edits import CapacityEdit, Edits, LabelEdit, ReplicasEdit, TaintEdit
from fleet.model.inventory import Cluster, Taint
from fleet.model.workload import REPLICA_FIELDS, Manifest, Workload


def edit(edits: Edits, declared: Declared, workloads: Workloads, errors: ErrorList) -> None:
    """Changes what was read."""
    editor = _Editor(declared, workloads, errors)
    for taint in edits.taints:
        editor.change("--taint", taint.cluster, partial(editor.taint, asked=taint))
    for label in edits.labels:
        editor.change("--label", label.cluster, partial(editor.label, asked=label))
    for amount in edits.capacities:
        editor.change("--capacity", amount.cluster, partial(editor.capacity, asked=amount))
    for replicas in edits.replicas:
        editor.replicas(replicas)
    for cluster in edits.removed:
        editor.remove(cluster)


@dataclass(frozen=True, slots=True)
class _Editor:
    """Finds what an edit names, and notes what it cannot find."""

    declared: Declared
    workloads: Workloads
    errors: ErrorList

    def change(self, option: str, name: str, made: Callable[[Cluster], Cluster]) -> None:
        """Replaces a cluster by another with the same name."""
        place = self._place(option, name)
        if place is not None:
            self.declared.clusters[place] = made(self.declared.clusters[place])

    def remove(self, name: str) -> None:
        """Takes a cluster out of the inventory."""
        place = self._place("--remove", name)
        if place is not None:
            del self.declared.clusters[place]

    def taint(self, cluster: Cluster, asked: TaintEdit) -> Cluster:
        """The cluster with the taint, or without it; as kubectl, one of each key and effect."""
        others = tuple(each for each in cluster.spec.taints if not _is_meant(each, asked))
        if asked.gone and len(others) == len(cluster.spec.taints):
            effect = f":{asked.effect}" if asked.effect else ""
            sentence = f"cluster '{cluster.name}' has no taint '{asked.key}{effect}'"
            keys = Words(each.key for each in cluster.spec.taints)
            self.errors.add(None, "--taint", sentence, keys.hint(asked.key))
        if not asked.gone and asked.effect is not None:
            others += (Taint(key=asked.key, value=asked.value, effect=asked.effect),)
        return _with_spec(cluster, "taints", others)

    def label(self, cluster: Cluster, asked: LabelEdit) -> Cluster:
        """The cluster with the label, or without it."""
        labels = dict(cluster.labels)
        if asked.value is not None:
            labels[asked.key] = asked.value
        elif labels.pop(asked.key, None) is None:
            sentence = f"cluster '{cluster.name}' has no label '{asked.key}'"
            self.errors.add(None, "--label", sentence, Words(labels).hint(asked.key))
        metadata = cluster.metadata.model_copy(update={"labels": type(cluster.labels)(labels)})
        return cluster.model_copy(update={"metadata": metadata})

    def capacity(self, cluster: Cluster, asked: CapacityEdit) -> Cluster:
        """The cluster with other amounts, of resources that mean something in this fleet."""
        known = Words(self._resources())
        for resource in asked.amounts:
            if resource not in known:
                sentence = f"no cluster has '{resource}', and no workload asks for it"
                self.errors.add(None, "--capacity", sentence, known.hint(resource))
        return _allocates(cluster, asked)

    def _resources(self) -> set[str]:
        """What any cluster has, and what any workload asks for."""
        found: set[str] = set()
        for cluster in self.declared.clusters:
            found.update(cluster.spec.capacity.allocatable)
        for workload in self.workloads.found:
            found.update(workload.request)
        return found

    def replicas(self, asked: ReplicasEdit) -> None:
        """A workload whose file asks for another number."""
        found = self.workloads.found
        names = [each.name for each in found]
        if asked.workload not in names:
            sentence = f"there is no workload '{asked.workload}'"
            self.errors.add(None, "--replicas", sentence, Words(names).hint(asked.workload))
            return
        place = names.index(asked.workload)
        if found[place].main is None or found[place].per_cluster:
            sentence = f"workload '{asked.workload}' has no number of replicas to change"
            self.errors.add(None, "--replicas", sentence)
            return
        changed = _asks_for(found[place], asked.replicas)
        if changed.replicas != asked.replicas:
            runs = f"would run {changed.replicas} of {changed.main} all the same"
            self.errors.add(None, "--replicas", f"workload '{asked.workload}' {runs}")
        found[place] = changed

    def _place(self, option: str, name: str) -> int | None:
        names = [each.name for each in self.declared.clusters]
        if name in names:
            return names.index(name)
        self.errors.add(None, option, f"there is no cluster '{name}'", Words(names).hint(name))
        return None


def _is_meant(taint: Taint, asked: TaintEdit) -> bool:
    return taint.key == asked.key and asked.effect in {None, taint.effect}


def _allocates(cluster: Cluster, asked: CapacityEdit) -> Cluster:
    capacity = cluster.spec.capacity
    amounts = type(asked.amounts)({**capacity.allocatable, **asked.amounts})
    return _with_spec(cluster, "capacity", capacity.model_copy(update={"allocatable": amounts}))


def _with_spec(cluster: Cluster, field: str, value: object) -> Cluster:
    return cluster.model_copy(update={"spec": cluster.spec.model_copy(update={field: value})})


def _asks_for(workload: Workload, replicas: int) -> Workload:
    """The workload as if its main object's file said so; an autoscaler's minimum is the number."""
    scaler = workload.autoscaled
    if scaler is not None:
        bounds = replace(scaler, minimum=replicas, maximum=max(replicas, scaler.maximum))
        return replace(workload, replicas=replicas, autoscaled=bounds)
    main = next(each for each in workload.manifests if each.key == workload.main)
    if main.kind not in REPLICA_FIELDS:
        return replace(workload, replicas=replicas)
    spec = {**main.body["spec"], REPLICA_FIELDS[main.kind]: replicas}
    changed = replace(main, body={**main.body, "spec": spec})
    manifests = tuple(changed if each is main else each for each in workload.manifests)
    load = load_of([_checked(each) for each in manifests])
    return replace(
        workload,
        manifests=manifests,
        main=load.main,
        replicas=load.replicas,
        request=load.request,
    )


def _checked(manifest: Manifest) -> Checked:
    """A manifest that was checked when it was read: it has no faults any more."""
    nowhere = Marks(PositionedText("", KUBERNETES), 0, 0)
    return Checked(manifest, Faults(Document(manifest.body, manifest.origin, nowhere), ErrorList()))
