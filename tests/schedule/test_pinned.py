"""Pinned data: where it is, a workload may run; what would change that."""

from fleet.explain.change_words import change_sentence, edit_document
from fleet.model.base import FrozenMap
from fleet.model.data import Data
from fleet.model.decision import Outcome
from fleet.model.snapshot import Linked
from fleet.model.workload import WorkloadSettings
from fleet.schedule import reasons, schedule
from tests.builders import a_cluster, a_policy, a_prior, a_snapshot, a_workload, linked, settings
from tests.schedule.applying import applied
from tests.schedule.asking import decide, replicas

CLUSTERS = [a_cluster("eu-1"), a_cluster("us-1", "us-east-1")]


def pinned(*at: str) -> Linked:
    data = Data.model_validate({"kind": "pinned", "at": list(at)})
    return linked(a_workload("db", settings=WorkloadSettings(data=data)), a_policy("db", pick=1))


def test_it_runs_where_its_data_is() -> None:
    made = decide(CLUSTERS, pinned("us-1", "gone"))
    assert replicas(made, "db") == {"us-1": 1}
    verdict = made.decisions[0].verdicts["eu-1"]
    assert verdict.outcome is Outcome.INFEASIBLE
    (why,) = verdict.rejections
    assert (why.code, why.values) == (reasons.PINNED, FrozenMap({"clusters": "us-1, gone"}))
    assert replicas(decide(CLUSTERS, pinned()), "db") == {"eu-1": 1}


def test_the_nearest_change_is_to_move_the_data() -> None:
    snapshot = a_snapshot(CLUSTERS, [pinned("us-1")])
    made = schedule(snapshot, a_prior(), settings())
    (change,) = made.changes["db"]["eu-1"]
    assert change_sentence(change) == "copy the data there, and say so: data.at is [eu-1]"
    assert edit_document(change.edits[0]) == {
        "document": {"kind": "Workload", "name": "db"},
        "op": "add",
        "path": "/spec/data/at",
        "value": ["eu-1"],
    }
    again = schedule(applied(snapshot, [change]), a_prior(), settings())
    assert replicas(again, "db") == {"eu-1": 1}
