"""A planned switch of a database whose demotion says a token: it takes two updates.

The first one demotes the old primary and moves nothing else. The second one promotes the other side
with the token that the demoted object says by then, and moves the traffic. The token is a status:
it is read from the state, where a refresh puts it, never from the cluster.

Source: CloudNativePG, "Replica clusters", demotion and promotion tokens.
"""

from dataclasses import replace

from fleet.deliver.bodies import look
from fleet.deliver.data_sides import primaries
from fleet.deliver.history import History, Past, history_of
from fleet.deliver.leading import is_usable
from fleet.model.base import FrozenMap
from fleet.model.decision import Active
from fleet.model.inventory import GONE
from fleet.model.prior import Prior
from fleet.model.resource_names import split_name
from fleet.model.snapshot import Handing, Linked, Snapshot

HELD = "held until the primary is demoted"


def with_handovers(snapshot: Snapshot, prior: Prior) -> Snapshot:
    """The snapshot with every handover that is under way; what waits keeps its active region."""
    if all(each.workload.settings.data.handover is None for each in snapshot.linked):
        return snapshot
    history = history_of(snapshot, prior)
    handovers: dict[str, Handing] = {}
    wanted = dict(snapshot.wanted)
    for linked in snapshot.linked:
        handing = _handing(snapshot, linked, history)
        if handing is None:
            continue
        handovers[linked.workload.name] = handing
        if not handing.token:
            region = _region(snapshot, primaries(history.of(linked.workload.name))[0])
            stays = (Active(region, HELD),)
            wanted |= {each.name: stays for each in linked.traffic if each.name in wanted}
    if not handovers:
        return snapshot
    return replace(snapshot, handovers=FrozenMap(handovers), wanted=FrozenMap(wanted))


def _handing(snapshot: Snapshot, linked: Linked, history: History) -> Handing | None:
    """None where the primary stays, is dead, needs no token, or has nowhere to go."""
    past = history.of(linked.workload.name)
    before = primaries(past)
    wishes = [snapshot.wanted.get(each.name, ()) for each in linked.traffic]
    region = next((words[0].region for words in wishes if words), None)
    regions = {_region(snapshot, each) for each in before}
    if linked.workload.settings.data.handover is None or region is None or region in regions:
        return None
    if not before or any(_is_gone(snapshot, each) for each in before):
        return None
    if not is_usable(snapshot, region):
        return None
    token = _token(linked, past, before)
    if past.data.get("to") != region:
        return Handing(region, stale=token)
    stale = past.data.get("stale", "")
    return Handing(region, "" if token == stale else token, stale)


def _region(snapshot: Snapshot, cluster: str) -> str:
    found = (each.spec.region for each in snapshot.clusters if each.name == cluster)
    return next(found, "")


def _is_gone(snapshot: Snapshot, cluster: str) -> bool:
    said = snapshot.states.get(cluster)
    return said is None or said.state in GONE


def _token(linked: Linked, past: Past, before: tuple[str, ...]) -> str:
    """What the primary's object says in the state; empty where it says nothing."""
    handover = linked.workload.settings.data.handover
    path = handover.status.split(".") if handover else []
    for cluster in before:
        for each in past.objects.get(cluster, ()):
            parts = split_name(each.name).key.split("/")
            if handover is not None and f"{parts[0]}/{parts[-1]}" == handover.object:
                said = look(each.body, "status", *path)
                return said if isinstance(said, str) else ""
    return ""
