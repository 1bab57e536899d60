"""What a pod asks of a node, as Kubernetes' own scheduler counts it.

Containers and sidecars run together; init containers run one after the other before, each beside
the sidecars that started before it; the pod needs the larger of the two, resource by resource.
A limit without a request is a request. Pod-level cpu, memory and huge pages replace the sum.
Source: PodRequests of k8s.io/component-helpers/resource, defaults of core/v1.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

from fleet.load.faults import Faults, entries, items
from fleet.load.wording import described
from fleet.model.base import Resources
from fleet.model.quantity import parse_quantity
from fleet.model.source import Path

Sums = dict[str, Fraction]
_MOST = 2**63 - 1
_POD_LEVEL = frozenset({"cpu", "memory"})
_HUGE_PAGES = "hugepages-"
_ALWAYS = "Always"


def pod_request(spec: Mapping[str, object], path: Path, faults: Faults) -> Sums:
    """What one pod of a pod spec asks for, in cores and base units, not rounded."""
    running: Sums = {}
    for index, container in enumerate(items(spec.get("containers"), (*path, "containers"), faults)):
        _add(running, _container(container, (*path, "containers", index), faults))
    starting: Sums = {}
    sidecars: Sums = {}
    inits = items(spec.get("initContainers"), (*path, "initContainers"), faults)
    for index, container in enumerate(inits):
        asked = _container(container, (*path, "initContainers", index), faults)
        if isinstance(container, dict) and container.get("restartPolicy") == _ALWAYS:
            _add(running, asked)
            _add(sidecars, asked)
            _raise_to(starting, sidecars)
        else:
            _add(asked, sidecars)
            _raise_to(starting, asked)
    _raise_to(running, starting)
    _apply_pod_level(running, spec, path, faults)
    _add(running, _quantities(spec.get("overhead"), (*path, "overhead"), faults))
    return running


def template_request(template: Mapping[str, object], path: Path, faults: Faults) -> Sums:
    """What a replica of a custom resource asks for: a pod spec's, or plain `requests`."""
    if "containers" in template:
        return pod_request(template, path, faults)
    asked = _quantities(template.get("requests"), (*path, "requests"), faults)
    limits = _quantities(template.get("limits"), (*path, "limits"), faults)
    _check_limits(asked, limits, path, faults)
    return {**limits, **asked}


def as_resources(pods: Iterable[tuple[Sums, Fraction]]) -> Resources:
    """The request of a replica: every pod's sums times how many of it a replica brings.

    Cpu in millicores, others in base units, each rounded up; `pods` counts the pods themselves.

    >>> as_resources([({"cpu": Fraction(1, 4)}, Fraction(1)), ({}, Fraction(1, 2))])
    FrozenMap({'cpu': 250, 'pods': 2})
    """
    total: Sums = {}
    for sums, count in pods:
        for name, amount in sums.items():
            total[name] = total.get(name, Fraction(0)) + amount * count
        total["pods"] = total.get("pods", Fraction(0)) + count
    amounts = {
        name: _rounded_up(amount * 1000 if name == "cpu" else amount)
        for name, amount in total.items()
    }
    return Resources({name: amount for name, amount in amounts.items() if amount})


def _rounded_up(amount: Fraction) -> int:
    return min(-(-amount.numerator // amount.denominator), _MOST)


def _container(container: object, path: Path, faults: Faults) -> Sums:
    """A container's requests; where only a limit is said, that is the request."""
    if not isinstance(container, dict):
        return {}
    inside = (*path, "resources")
    resources = entries(container.get("resources"), inside, faults)
    if not resources:
        return {}
    limits = _quantities(resources.get("limits"), (*inside, "limits"), faults)
    asked = _quantities(resources.get("requests"), (*inside, "requests"), faults)
    _check_limits(asked, limits, inside, faults)
    return {**limits, **asked}


def _check_limits(asked: Sums, limits: Sums, path: Path, faults: Faults) -> None:
    for name, amount in asked.items():
        if name in limits and amount > limits[name]:
            where = (*path, "requests", name)
            faults.add(where, "is more than the limit", "raise the limit or ask for less")


def _apply_pod_level(running: Sums, spec: Mapping[str, object], path: Path, faults: Faults) -> None:
    """Requests of the pod as a whole replace the sum of the containers.

    A pod-level limit without a request counts only where no container asks for the resource.
    """
    inside = (*path, "resources")
    resources = entries(spec.get("resources"), inside, faults)
    limits = _quantities(resources.get("limits"), (*inside, "limits"), faults)
    asked = _quantities(resources.get("requests"), (*inside, "requests"), faults)
    _check_limits(asked, limits, inside, faults)
    for name, amount in limits.items():
        if _is_pod_level(name):
            running.setdefault(name, amount)
    running.update({name: amount for name, amount in asked.items() if _is_pod_level(name)})


def _is_pod_level(name: str) -> bool:
    return name in _POD_LEVEL or name.startswith(_HUGE_PAGES)


def _quantities(value: object, path: Path, faults: Faults) -> Sums:
    sums: Sums = {}
    for name, amount in entries(value, path, faults).items():
        if isinstance(amount, bool) or not isinstance(amount, int | float | str):
            wanted = "a quantity, such as 2, 500m, 1.5 or 4Gi"
            faults.wants((*path, name), wanted, amount)
            continue
        try:
            sums[name] = _parsed(str(amount))
        except ValueError as error:
            faults.add((*path, name), str(error))
    return sums


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Fraction:
    amount = parse_quantity(text)
    if amount < 0:
        message = f"{described(text, None)} is negative; a quantity here is 0 or more"
        raise ValueError(message)
    if amount > _MOST:
        message = f"{described(text, None)} is more than 2^63-1"
        raise ValueError(message)
    return amount


def _add(total: Sums, more: Sums) -> None:
    for name, amount in more.items():
        total[name] = total[name] + amount if name in total else amount


def _raise_to(total: Sums, least: Sums) -> None:
    for name, amount in least.items():
        if name not in total or total[name] < amount:
            total[name] = amount
