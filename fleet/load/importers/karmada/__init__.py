"""Karmada's documents, with Karmada's own decisions."""

from collections.abc import Sequence

from fleet.load.importers.importer import Context, Imported, Importer, Notes
from fleet.load.importers.karmada.checks import check_names, check_overrides, check_placement
from fleet.load.importers.karmada.claims import Entry, claims_of, is_selected
from fleet.load.importers.karmada.cluster_forms import KarmadaCluster
from fleet.load.importers.karmada.clusters import cluster_of, note_reach
from fleet.load.importers.karmada.forms import Propagation
from fleet.load.importers.karmada.overrides import Overriding
from fleet.load.importers.karmada.placements import policy_of
from fleet.load.importers.karmada.priorities import priority_of
from fleet.load.importers.karmada.unknown import without_unknown
from fleet.load.remains import Remains, remains_of
from fleet.load.source import Document
from fleet.load.wording import described
from fleet.load.words import Words

PRODUCT = "Karmada"
_CLUSTER = "Cluster"
_PROPAGATION = frozenset({"PropagationPolicy", "ClusterPropagationPolicy"})
_OVERRIDE = frozenset({"OverridePolicy", "ClusterOverridePolicy"})
_LEFT_OUT = {
    "FederatedResourceQuota": "quotas per team are a native document",
    "ClusterTaintPolicy": "taints are written in the inventory",
}


class _Conversion:
    """One run over Karmada's documents."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.imported = Imported()
        self.entries: list[Entry] = []
        self.notes: list[Notes] = []
        self.remains: list[tuple[Remains[Propagation], Notes]] = []
        self.overriding = Overriding()

    def add(self, document: Document) -> None:
        """Takes in one document."""
        notes = Notes(PRODUCT, document, self.context.errors)
        self.notes.append(notes)
        kind = document.data.get("kind")
        if not isinstance(kind, str):
            notes.fault(("kind",), f"{described(kind, None)} is no kind of {PRODUCT}'s")
        elif kind == _CLUSTER:
            self._cluster(document, notes)
        elif kind in _PROPAGATION:
            self._propagation(document, notes)
        elif kind in _OVERRIDE:
            self.overriding.add(document, notes)
        elif kind in _LEFT_OUT:
            notes.differs(("kind",), f"follows a {kind}, fleet does not", _LEFT_OUT[kind])
        else:
            known = Words([_CLUSTER, *_PROPAGATION, *_OVERRIDE])
            sentence = f"'{kind}' is no document of Karmada's that is known here"
            notes.fault(("kind",), sentence, known.hint(str(kind)))

    def done(self) -> Imported:
        """Everything, once all documents are there."""
        self.imported.workloads = claims_of(
            self.entries, self.context.objects, self.overriding.policies_for
        )
        self._try_refused()
        known = Words({*self.context.clusters, *(each.name for each in self.imported.clusters)})
        overrides = self.overriding.names()
        for entry in self.entries:
            check_names(entry.form, known, entry.notes)
            if not self.overriding.refused:
                check_overrides(entry.form, overrides, entry.notes)
            if not entry.names:
                entry.notes.ignored(("spec", "resourceSelectors"), "finds nothing that it selects")
        for remains, notes in self.remains:
            notes.take(remains, lambda form, told: _check(form, known, told))
        if not any(each.refused for each in self.notes):
            self.overriding.tell_unused()
        for notes in self.notes:
            self.imported.findings += notes.close()
        return self.imported

    def _try_refused(self) -> None:
        """Override rules that met no object because a document is refused."""
        placed = [each for claim in self.imported.workloads for each in claim.objects]
        readings = [each for remains, _ in self.remains for each in remains.readings]
        perhaps = [each for each in self.context.objects if is_selected(each, readings)]
        met = {id(each) for each in placed}
        self.overriding.try_refused(placed, [each for each in perhaps if id(each) not in met])

    def _cluster(self, document: Document, notes: Notes) -> None:
        form = notes.validated(KarmadaCluster, document)
        if form is not None:
            if not self.imported.clusters:
                note_reach(form, notes)
            self.imported.clusters.append(cluster_of(form, document, notes))
            return
        remains = remains_of(KarmadaCluster, document)
        notes.take(remains, _check_cluster)

    def _propagation(self, document: Document, notes: Notes) -> None:
        known = without_unknown(document, notes)
        form = notes.validated(Propagation, known)
        if form is None:
            self.remains.append((remains_of(Propagation, known), notes))
            return
        check_placement(form, notes)
        priority = priority_of(form, self.context.objects, notes)
        self.entries.append(Entry(form, notes, policy_of(form, document, priority)))


def _check_cluster(form: KarmadaCluster, notes: Notes) -> None:
    cluster_of(form, notes.document, notes)


def _check(form: Propagation, known: Words, notes: Notes) -> None:
    check_placement(form, notes)
    check_names(form, known, notes)


def convert(documents: Sequence[Document], context: Context) -> Imported:
    """Karmada's documents as native values."""
    conversion = _Conversion(context)
    for document in documents:
        conversion.add(document)
    return conversion.done()


KARMADA = Importer(
    PRODUCT,
    {
        "cluster.karmada.io": frozenset({_CLUSTER}),
        "policy.karmada.io": _PROPAGATION | _OVERRIDE | frozenset(_LEFT_OUT),
    },
    convert,
)
