"""One cluster, read in whole: is it ready, what has it, what serves it."""

import time
from statistics import median_low

from fleet.emit.access import ForbiddenError, StatusError, UnreachableError
from fleet.emit.kubeconfig import KubeconfigError
from fleet.errors import FleetError
from fleet.probe.apis import served
from fleet.probe.balancers import balancers
from fleet.probe.capacity import capacity_of, usable
from fleet.probe.owners import Owners
from fleet.probe.reader import Reader
from fleet.probe.values import Answer, HalfError, Reach, Seen

_ASKED = 3
_BROKEN = 500
_SHAPE_ERRORS = (AttributeError, KeyError, TypeError, ValueError)
_WAY = "certificate"


def look(reader: Reader) -> Answer:
    """Everything that a probe wants to know, or why it does not; never raises a FleetError."""
    try:
        reach = _reach(reader)
        if reach is not None:
            return reach
        reader.answered = True
        return Answer(Reach.ANSWERS, _seen(reader))
    except FleetError as error:
        return Answer(Reach.ANSWERS if reader.answered else Reach.UNKNOWN, error=str(error))
    except _SHAPE_ERRORS:
        sentence = "its API server answers something else than Kubernetes does"
        return Answer(Reach.ANSWERS if reader.answered else Reach.UNKNOWN, error=sentence)


def _reach(reader: Reader) -> Answer | None:
    """None when the API server says that it is ready."""
    try:
        body = reader.access.text("/readyz")
    except (ForbiddenError, StatusError) as error:
        return _refused(error)
    except UnreachableError as error:
        # A certificate of somebody else: the way there is wrong, which says nothing of the cluster.
        reach = Reach.UNKNOWN if _WAY in str(error) else Reach.SILENT
        return Answer(reach, error=str(error))
    except KubeconfigError as error:
        return Answer(Reach.UNKNOWN, error=str(error).partition(": ")[2])
    if body is None or not body.strip().startswith(b"ok"):
        return Answer(Reach.UNKNOWN, error="what answers /readyz is no API server")
    return None


def _refused(error: ForbiddenError | StatusError) -> Answer:
    """A server that is broken is silent; one that wants another login lives."""
    if isinstance(error, StatusError) and error.status >= _BROKEN:
        return Answer(Reach.SILENT, error=_not_ready(error))
    return Answer(Reach.ANSWERS, error=str(error))


def _not_ready(error: StatusError) -> str:
    """The checks that fail, as /readyz lists them: `[-]etcd failed: reason withheld`."""
    lines = error.body.decode(errors="replace").splitlines()
    failed = [line[3:].split()[0] for line in lines if line.startswith("[-]") and line[3:].split()]
    if not failed:
        return str(error)
    return f"its API server is not ready: {', '.join(sorted(failed))}"


def _seen(reader: Reader) -> Seen:
    version, times = "", []
    for _ in range(_ASKED):
        begun = time.monotonic()
        version = str(reader.read("/version").get("gitVersion") or "")
        times.append(round((time.monotonic() - begun) * 1000))
    if not version:
        raise HalfError("its API server does not say its version")
    apis = served(reader)
    nodes = usable(reader.items("/api/v1/nodes"))
    owners = Owners(reader)
    owners.read()
    return Seen(
        milliseconds=median_low(times),
        kubernetes_version=version,
        nodes=len(nodes),
        capacity=capacity_of(nodes, reader.items("/api/v1/pods"), owners.is_ours),
        apis=apis,
        load_balancers=balancers(reader, apis),
    )
