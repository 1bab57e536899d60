"""Whether KubeFleet would place anything on a member cluster.

It asks the cluster's own agent, and only that. How old the last heartbeat is it asks, too; here
that is nobody's to ask, because a file has no clock.

Source: kubefleet, pkg/scheduler/clustereligibilitychecker.
"""

from collections.abc import Iterator

from fleet.load.importers.reading import Part
from fleet.model.source import Path

_AGENT = "MemberAgent"
_HERE = "it is draining here, and what it runs moves away, while there it stays"


def barred(status: Part) -> tuple[Path, str] | None:
    """Why nothing new is placed on a cluster, and the place that says so; None where it may be.

    The sentence goes on after the product's name. The first reason counts, as there.
    """
    agent = next(_of_type(status, "agentStatus", _AGENT), None)
    if agent is None:
        why = "places nothing new on a cluster whose member agent has not reported"
        return status.at("agentStatus"), f"{why}; {_HERE}"
    joined = next(_of_type(agent, "conditions", "Joined"), None)
    if joined is None or joined.data.get("status") != "True":
        place = agent.at("conditions") if joined is None else joined.path
        return place, f"places nothing new on a cluster that has not joined; {_HERE}"
    return _unhealthy(agent)


def _unhealthy(agent: Part) -> tuple[Path, str] | None:
    health = next(_of_type(agent, "conditions", "Healthy"), None)
    if health is None:
        why = "places nothing new on a cluster whose member agent does not say that it is healthy"
        return agent.at("conditions"), f"{why}; {_HERE}"
    if health.data.get("status") != "True":
        why = "places nothing new on a cluster that is not healthy for five minutes"
        return health.path, f"{why}; {_HERE}"
    return None


def _of_type(part: Part, name: str, kind: str) -> Iterator[Part]:
    return (each for each in part.parts(name) if each.data.get("type") == kind)
