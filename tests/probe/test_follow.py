"""What the observed file says after one probe and after many."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fleet.load.spell import spelled as as_file
from fleet.model.base import Resources
from fleet.model.inventory import Capacity
from fleet.model.moment import spelled
from fleet.model.observation import ClusterObservation
from fleet.probe.follow import follow
from fleet.probe.values import Answer, Reach, Seen

NOON = 1_900_000_000
SEEN = Seen(
    milliseconds=12,
    kubernetes_version="v1.36.3",
    nodes=3,
    capacity=Capacity.model_construct(
        allocatable=Resources({"cpu": 8000}), reserved=Resources(), nodes=()
    ),
    apis=("apps/v1/Deployment",),
    load_balancers=(),
)
WHOLE = Answer(Reach.ANSWERS, SEEN)
SILENT = Answer(Reach.SILENT, error="connection refused")
HALF = Answer(Reach.ANSWERS, error="the list of /api/v1/pods expired while it was read (410)")
OURS = Answer(Reach.UNKNOWN, error="the kubeconfig cannot be used: it is no map")
ANSWERS = {"ok": WHOLE, "no": SILENT, "half": HALF, "ours": OURS}

Log = list[ClusterObservation]


def after(*probes: tuple[int, str], others: Answer = WHOLE) -> Log:
    """The observations of eu-1 after probes at so many seconds; us-1 answers `others`."""
    seen: dict[str, ClusterObservation] = {}
    log: Log = []
    for second, answer in probes:
        answers = {"eu-1": ANSWERS[answer], "us-1": others}
        seen = follow(seen, answers, NOON + second, "here")
        log.append(seen["eu-1"])
    return log


def at(second: int) -> str:
    return spelled(NOON + second)


def dead(log: Sequence[ClusterObservation]) -> list[bool]:
    return [each.spec.is_dead for each in log]


def test_a_whole_answer_is_written_with_its_time() -> None:
    (seen,) = after((0, "ok"))
    assert as_file(seen)["spec"] == {
        "observedAt": at(0),
        "latency": {"here": [{"at": at(0), "milliseconds": 12}]},
        "capacity": {"allocatable": {"cpu": "8"}},
        "kubernetesVersion": "v1.36.3",
        "nodes": 3,
        "apis": ["apps/v1/Deployment"],
    }


@pytest.mark.parametrize("answer", ["no", "half", "ours"])
def test_a_failed_probe_leaves_what_was_seen_with_its_time(answer: str) -> None:
    before, now = (each.spec for each in after((0, "ok"), (60, answer)))
    assert (now.observed_at, now.error) == (at(0), ANSWERS[answer].error)
    assert now.capacity == before.capacity
    assert now.apis == before.apis
    assert now.latency == before.latency
    assert now.reachable is (answer != "no")
    assert not now.is_dead


def test_a_whole_answer_ends_the_error() -> None:
    *_, last = after((0, "ok"), (60, "half"), (120, "no"), (180, "ok"))
    assert (last.spec.error, last.spec.unreachable_since, last.spec.reachable) == ("", None, True)
    assert last.spec.observed_at == at(180)


def test_silence_counts_from_its_first_probe() -> None:
    log = after((0, "ok"), (60, "no"), (359, "no"), (360, "no"))
    assert dead(log) == [False, False, False, True]
    assert {each.spec.unreachable_since for each in log[1:]} == {at(60)}


def test_one_failed_probe_after_a_long_pause_is_no_death() -> None:
    assert dead(after((0, "ok"), (90_000, "no"))) == [False, False]


def test_an_answer_in_between_begins_anew() -> None:
    assert dead(after((0, "no"), (200, "ok"), (250, "no"), (400, "no"), (550, "no"))) == [
        False,
        False,
        False,
        False,
        True,
    ]


def test_half_an_answer_is_an_answer() -> None:
    assert not any(dead(after((0, "no"), (200, "half"), (400, "no"))))


def test_a_fault_of_ours_neither_kills_nor_saves() -> None:
    log = after((0, "no"), (400, "ours"), (500, "no"))
    assert dead(log) == [False, False, True]
    assert log[1].spec.unreachable_since == at(0)
    assert log[1].spec.probed_at == at(0)


def test_a_return_counts_when_it_has_lasted() -> None:
    log = after((0, "no"), (300, "no"), (400, "ok"), (699, "half"), (700, "ok"), (701, "no"))
    assert dead(log) == [False, True, True, True, False, False]
    assert log[2].spec.reachable_since == at(400)
    assert log[4].spec.unreachable_since is None
    assert log[4].spec.reachable_since is None


def test_a_return_that_does_not_last_is_none() -> None:
    log = after((0, "no"), (300, "no"), (400, "ok"), (500, "no"), (600, "ok"), (800, "ok"))
    assert dead(log) == [False, True, True, True, True, True]
    assert log[3].spec.unreachable_since == at(0)


def test_who_is_cut_off_kills_nobody() -> None:
    log = after((0, "ok"), (60, "no"), (600, "no"), others=SILENT)
    assert not any(dead(log))
    assert log[-1].spec.reachable
    assert log[-1].spec.error.endswith("no cluster answered: the fault may be on this side")


def test_a_cut_in_a_long_silence_goes_on_from_where_it_was() -> None:
    seen = {"eu-1": after((0, "ok"), (60, "no"))[-1]}
    seen = follow(seen, {"eu-1": SILENT}, NOON + 900, "here")
    assert (seen["eu-1"].spec.unreachable_since, seen["eu-1"].spec.is_dead) == (at(60), False)


def test_limits_that_a_person_wrote_are_kept() -> None:
    (seen,) = after((0, "ok"))
    spec = seen.spec.model_copy(update={"hold_seconds": 30, "stale_after_seconds": 7})
    before = {"eu-1": seen.model_copy(update={"spec": spec})}
    answers = {"eu-1": SILENT, "us-1": WHOLE}
    for second in (60, 90):
        before = follow(before, answers, NOON + second, "here")
    assert before["eu-1"].spec.is_dead
    assert before["eu-1"].spec.stale_after_seconds == 7


def test_a_cluster_that_was_never_read_has_no_values() -> None:
    (seen,) = after((0, "no"))
    assert as_file(seen)["spec"] == {
        "probedAt": at(0),
        "reachable": False,
        "error": "connection refused",
        "unreachableSince": at(0),
    }


def test_samples_of_an_hour_are_kept_with_the_one_before() -> None:
    log = after(*((second, "ok") for second in range(0, 9000, 1500)))
    samples = log[-1].spec.latency["here"]
    assert [each.at for each in samples] == [at(3000), at(4500), at(6000), at(7500)]


def test_samples_of_others_are_kept() -> None:
    (seen,) = after((0, "ok"))
    there = follow({"eu-1": seen}, {"eu-1": WHOLE}, NOON + 9000, "there")["eu-1"]
    assert sorted(there.spec.latency) == ["here", "there"]


def test_a_cluster_without_nodes_has_no_number_of_them() -> None:
    answer = Answer(Reach.ANSWERS, replace(SEEN, nodes=0))
    seen = follow({}, {"eu-1": answer}, NOON, "here")
    assert seen["eu-1"].spec.nodes is None
