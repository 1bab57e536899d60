"""The steps of a runbook about data: whose writers to stop, and what becomes of the data."""

from collections.abc import Callable, Iterable, Iterator

from fleet.explain import asking
from fleet.explain.drill_words import check_sentence, data_time_text
from fleet.explain.runbook_case import Case, Said
from fleet.explain.sentences import verb
from fleet.explain.shell import line
from fleet.model import drill_codes as codes
from fleet.model.data import DataKind
from fleet.model.exercise import Check, Item
from fleet.model.timeline import StepKind


def fence(case: Case) -> Said:
    """Stop writers on the old side, where another one is to write."""
    held = _held(case)
    if held:
        return _fence_first(case, held)
    promoted = _promoted(case)
    if not promoted:
        return [
            "No database has its primary there that another copy replaces: nothing to fence."
        ], []
    names = ", ".join(f"`{each}`" for each in promoted)
    clusters = fenced_clusters(case)
    lost = f"The primary of {names} was on {', '.join(clusters)}"
    stop = "Stop its writers where they can be reached, before a copy takes writes."
    cut = "Where they cannot, cut them off from clients and storage"
    word = "`fenced` is your word that they write nowhere any more"
    without = "Without it the update promotes no copy, and the names stay."
    sentences = [f"{lost}. {stop}", f"{cut}: {word}. {without}", *_goes_on(case, promoted)]
    said = [
        line("pulumi", "config", "set", "--path", f"fenced[{place}]", cluster)
        for place, cluster in enumerate(clusters, case.first_fenced)
    ]
    return sentences, [*stopped_writers(case), *said]


def _goes_on(case: Case, promoted: Iterable[str]) -> Iterator[str]:
    """What may write on after all replicas are gone."""
    left = [each for one in promoted for each in asking.not_scaled(case.outcome, one)]
    if left:
        names = ", ".join(f"`{each}`" for each in left)
        yield f"The commands below do not stop {names}: stop these in a way of their own."


def stopped_writers(case: Case) -> list[str]:
    """The commands that stop the old writers, where kubectl reaches them and can."""
    return [
        each
        for workload in (() if _held(case) else _promoted(case))
        for each in asking.stop_writers(case.outcome, workload, case.ran(workload))
    ]


def _held(case: Case) -> dict[str, tuple[str, ...]]:
    """Workloads that wait for a fence already, with the dead clusters that have their primary."""
    return {
        each.workload: each.step.unfenced
        for each in case.outcome.plan.workloads
        if each.step is not None and each.step.unfenced
    }


def _fence_first(case: Case, held: dict[str, tuple[str, ...]]) -> Said:
    """The fence that an earlier loss still waits for: nothing was promoted since."""
    clusters = sorted({each for unfenced in held.values() for each in unfenced})
    names, where = ", ".join(f"`{each}`" for each in sorted(held)), ", ".join(clusters)
    waits = verb(len(held), "waits", "wait")
    since = (
        f"{names} {waits} since an earlier loss: the primary was on {where}, and nobody says that"
    )
    rule = "Cut it off from clients and storage first: until then no update promotes anything"
    sentences = [
        f"{since} it is cut off. No copy was promoted since.",
        f"{rule}, and the names stay. Run this book again afterwards.",
    ]
    return sentences, [
        line("pulumi", "config", "set", "--path", f"fenced[{place}]", cluster)
        for place, cluster in enumerate(clusters, len(case.outcome.settings.fenced))
    ]


def fenced_clusters(case: Case) -> list[str]:
    """The clusters that have to be fenced: those that ran what is promoted elsewhere."""
    ran = {cluster for workload in _promoted(case) for cluster in case.ran(workload)}
    return [each for each in case.clusters if each in ran]


def _promoted(case: Case) -> list[str]:
    """The workloads whose primary is lost, and is replaced by a copy."""
    return [
        name
        for name, start in case.exercise.starts.items()
        if StepKind.DATA in start.kinds and _database(case, name).code != codes.NO_COPY
    ]


def _database(case: Case, workload: str) -> Check:
    found = (each for each in case.exercise.checks if each.subject == workload)
    return next(each for each in found if each.item is Item.DATABASE)


def data(case: Case) -> Said:
    """What becomes of the data of everything that was hit."""
    checks = [
        each
        for each in case.exercise.checks
        if each.item is Item.DATABASE and each.code != codes.NO_DATA
    ]
    sentences = [text for each in checks for text in _WORDS[each.code](case, each)]
    if any(each.code == codes.VOLUMES for each in checks):
        sentences.append(
            "Before you restore anything elsewhere, see to it that the old copy cannot come back"
            " and write: nobody can merge two."
        )
    return sentences or ["Nothing that is lost holds data: nothing to promote or restore."], []


def _promotes(case: Case, check: Check) -> Iterator[str]:
    linked = {each.workload.name: each.workload for each in case.outcome.snapshot.linked}
    promotion = linked[check.subject].settings.data.promotion
    by = f" by the command '{promotion}'" if promotion else ""
    yield (
        f"`{check.subject}`: once capacity is ready and before traffic moves, the update promotes"
        f" another copy{by}. It takes writes {data_time_text(check.values)}."
    )


def _keeps(case: Case, check: Check) -> Iterator[str]:
    """Data that is copied nowhere: it is waited for, or restored by hand."""
    name, kind = check.subject, check.values["kind"]
    where = ", ".join(case.ran(name)) or str(check.values["clusters"])
    if kind == DataKind.PINNED:
        yield (
            f"`{name}`: {check_sentence(check)}. Nothing of it moves by itself, and it starts"
            f" nowhere else: wait until {where} {verb(len(case.ran(name)))} back."
        )
        yield (
            "If you cannot wait: restore or copy the data to another cluster by hand, say in the"
            f" fleet.yaml of `{name}` where it is now (`data: {{kind: pinned, at: [CLUSTER]}}`),"
            " and run the update of step 6: it starts there."
        )
        return
    yield (
        f"`{name}`: {check_sentence(check)}. What the update starts elsewhere starts without it:"
        " restore it there by hand, or wait."
    )


def _tells(_: Case, check: Check) -> Iterator[str]:
    yield f"`{check.subject}`: {check_sentence(check)}."


def _waits(_: Case, check: Check) -> Iterator[str]:
    yield (
        f"`{check.subject}`: {check_sentence(check)}. No update brings it back: wait, or restore it"
        " by hand from a backup."
    )


_WORDS: dict[str, Callable[[Case, Check], Iterator[str]]] = {
    codes.DATA_TIME: _promotes,
    codes.VOLUMES: _keeps,
    codes.PRIMARY_LIVES: _tells,
    codes.NO_PROMOTION: _tells,
    codes.NO_COPY: _waits,
    codes.NO_PLACE: _waits,
}
