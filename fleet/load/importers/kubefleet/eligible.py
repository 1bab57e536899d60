"""Whether KubeFleet would place anything new on a member cluster.

It asks the cluster's own agent, and only that. How old the last heartbeat is it asks, too; here
that is nobody's to ask, because a file has no clock.

Source: kubefleet, pkg/scheduler/clustereligibilitychecker.
"""

from collections.abc import Iterator

from fleet.load.importers.reading import Part
from fleet.model.source import Path

_KEY = "kubernetes-fleet.io/not-eligible"
_AGENT = "MemberAgent"
_ASKED = (("Joined", "not-joined"), ("Healthy", "not-healthy"))


def barred(status: Part) -> tuple[Path, str] | None:
    """Where the status says that nothing new is placed on the cluster, and why, in a word.

    **Shape**: None where it may be: all is well, or nobody says anything, as in a repository,
    which keeps what was asked for and not what was reported. The first reason counts, as there.
    """
    if not status.data:
        return None
    agent = next(_of_type(status, "agentStatus", _AGENT), None)
    if agent is None:
        return status.at("agentStatus"), "no-agent"
    for kind, value in _ASKED:
        said = next(_of_type(agent, "conditions", kind), None)
        if said is None or said.data.get("status") != "True":
            return (agent.at("conditions") if said is None else said.path), value
    return None


def no_schedule(why: str) -> dict[str, str]:
    """The taint that does the same: nothing new, and what is there stays."""
    return {"key": _KEY, "value": why, "effect": "NoSchedule"}


def _of_type(part: Part, name: str, kind: str) -> Iterator[Part]:
    return (each for each in part.parts(name) if each.data.get("type") == kind)
