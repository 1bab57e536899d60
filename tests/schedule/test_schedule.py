"""The room as a whole: purity, determinism, speed."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fleet.model.decision import Schedule
from fleet.schedule import settle
from tests.builders import a_policy, a_traffic, a_workload, clusters_of, linked
from tests.schedule.asking import decide

ROOT = Path(__file__).parents[2]


def a_busy_fleet(size: int = 12) -> Schedule:
    """Every kind of policy, on clusters that run full."""
    regions = {
        f"r{number}": [f"r{number}-{each}" for each in range(size // 4)] for number in range(4)
    }
    items = []
    for number in range(24):
        name = f"w{number:02}"
        division = [
            {},
            {"mode": "weighted"},
            {"mode": "aggregated"},
            {
                "mode": "weighted",
                "weights": [{"replica_weight": 3, "term": {"regions": ["r1", "r2"]}}],
            },
        ][number % 4]
        spread = [[], [{"by": "region", "min_domains": 2, "max_domains": 3}]][number % 2]
        traffic = [a_traffic(name, active_region="r2", standby=50)] if number % 5 == 0 else []
        policy = a_policy(name, division=division, spread=spread)
        items.append(linked(a_workload(name, 2 + number % 7), policy, traffic=traffic))
    prior = {"w05": {"r0-0": 2, "r3-1": 1}, "w23": {"r1-0": 9}}
    clusters = clusters_of(regions, cpu=16, zones=["a"], labels={"env": "prod"})
    return decide(clusters, *items, prior=prior)


def fingerprint() -> str:
    """Decisions, verdicts and findings as one hash."""
    made = a_busy_fleet()
    verdicts = [list(each.verdicts.items()) for each in made.decisions]
    text = repr((made.decisions, made.active, made.findings, verdicts))
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("seed", "zone", "locale"), [("1", "UTC", "C"), ("77", "Asia/Tokyo", "C.UTF-8")]
)
def test_another_process_decides_the_same(seed: str, zone: str, locale: str) -> None:
    code = "from tests.schedule.test_schedule import fingerprint; print(fingerprint())"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == fingerprint()


def test_decisions_are_by_name() -> None:
    names = [each.workload for each in a_busy_fleet().decisions]
    assert names == sorted(names)


def test_a_run_that_may_not_start_again_promises_nothing_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settle, "PASSES", 0)
    taken: dict[str, int] = {}
    for decision in a_busy_fleet().decisions:
        for cluster, count in decision.replicas.items():
            taken[cluster] = taken.get(cluster, 0) + count
    assert max(taken.values()) <= 16


def test_a_thousand_workloads_on_a_hundred_clusters_take_seconds_at_most() -> None:
    """A wide limit that a slow machine keeps, and a decision per cluster and word would not."""
    clusters = clusters_of(
        {f"r{n}": [f"r{n}-{each}" for each in range(10)] for n in range(10)}, cpu=9000
    )
    items = []
    for number in range(1000):
        division = [{"mode": "weighted"}, {"mode": "aggregated"}, {}, {"mode": "weighted"}][
            number % 4
        ]
        spread = [{"by": "region", "min_domains": 2, "max_domains": 4}] if number % 4 == 0 else []
        policy = a_policy(f"w{number:04}", division=division, spread=spread)
        items.append(linked(a_workload(f"w{number:04}", 1 + number % 40), policy))
    start = time.process_time()
    made = decide(clusters, *items)
    assert time.process_time() - start < 5
    assert not any(each.shortfall for each in made.decisions)
