"""How long a loss is felt: what Route53 does by itself, and what waits for an update.

By itself: interval x threshold until the checks fail, the time in which the checkers agree, the
data step, and the TTL until resolvers ask again. Nobody promotes data by itself: where a copy has
to be promoted, somebody decides first. By an update: somebody decides, replicas start
and become ready, data is promoted, a record changes and is in sync, and the TTL. By the lever:
somebody decides, the lever's check sees it, and the TTL.
Source: Route53 health checks, failure threshold; its status INSYNC, usually within 60 seconds.
"""

from fleet.drill.data import DataState
from fleet.model.drill_targets import DrillTargets
from fleet.model.exercise import NameExercise, Step, StepKind, Timeline
from fleet.model.survival import Loss
from fleet.model.timeline import detection_seconds, is_released
from fleet.model.traffic import TrafficSpec
from fleet.model.workload import Workload


def start_seconds(workload: Workload, targets: DrillTargets) -> int:
    """How long replicas take until they are ready: assumed, or at most what an update waits."""
    said = targets.start_seconds
    return workload.settings.wait_seconds if said is None else said


def name_timeline(
    name: NameExercise, spec: TrafficSpec, workload: Workload, data: DataState, words: DrillTargets
) -> Timeline:
    """Until a name that was hit is answered again, by what runs."""
    if not name.hit:
        return Timeline()
    noticed = (
        Step(StepKind.DETECTION, detection_seconds(spec)),
        Step(StepKind.SPREAD, words.spread_seconds),
    )
    promoted, forgotten = _data(data), Step(StepKind.TTL, spec.ttl_seconds)
    if name.by_itself and not data.promotion_seconds:
        return Timeline((*noticed, promoted, forgotten))
    decided = Step(StepKind.DECISION, words.decision_seconds)
    started = Step(StepKind.CAPACITY, start_seconds(workload, words))
    if name.by_itself:
        # The update's data step comes after its capacity, as far as the standby lacks any.
        lacking = (started,) if name.landing < name.wanted else ()
        return Timeline((*noticed, decided, *lacking, promoted, forgotten))
    if spec.lever is not None and is_released(spec, workload.settings.data):
        released = Step(StepKind.RELEASE, spec.lever.seconds)
        return Timeline((*noticed, decided, released, promoted, forgotten))
    updated = (
        decided,
        started,
        promoted,
        Step(StepKind.RECORD, words.record_seconds),
    )
    return Timeline((*noticed, *updated, forgotten), ends=not name.afterwards.nowhere)


def start_timeline(
    loss: Loss, workload: Workload, data: DataState, words: DrillTargets
) -> Timeline:
    """Until everything of a workload runs again, from the alarm; no time where nothing moves."""
    decided = Step(StepKind.DECISION, words.decision_seconds)
    started = Step(StepKind.CAPACITY, start_seconds(workload, words))
    steps = (
        *((decided,) if loss.moves or data.promotion_seconds else ()),
        *((started,) if loss.moves else ()),
        _data(data),
    )
    return Timeline(steps, ends=loss.is_survived)


def _data(data: DataState) -> Step:
    return Step(StepKind.DATA, data.promotion_seconds)
