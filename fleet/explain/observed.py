"""What a probe saw, in words: a row for each cluster, then who died and who came back."""

from collections.abc import Mapping, Sequence

from fleet.explain.document import Json
from fleet.explain.layout import Block, Mood, Row
from fleet.explain.sentences import counted
from fleet.model.observation import ClusterObservation, LoadBalancer, ObservationSpec
from fleet.model.quantity import spell_quantity

HEADINGS = ("cluster", "answers", "version", "nodes", "cpu free", "memory free")
_SHOWN = ("cpu", "memory")


def observed_blocks(
    seen: Mapping[str, ClusterObservation], unasked: Mapping[str, str], file: str
) -> list[Block]:
    """The table of clusters. `unasked` is why a cluster was not asked."""
    rows = [_row(name, each.spec) for name, each in sorted(seen.items())]
    rows += [
        Row((name, "not asked"), reason, mood=Mood.QUIET)
        for name, reason in sorted(unasked.items())
    ]
    blocks = [Block("observed", (file,), "", tuple(rows), HEADINGS)]
    balancers = [
        _balancer_row(name, one)
        for name, each in sorted(seen.items())
        for one in each.spec.load_balancers
    ]
    if balancers:
        headings = ("cluster", "kind", "object", "workload")
        blocks.append(Block("load balancers", (), "", tuple(balancers), headings))
    return blocks


def turn_sentences(died: Sequence[str], returned: Sequence[str]) -> list[str]:
    """Who counts as down from now on, and who does not any more."""
    return [
        *(f"cluster '{name}' counts as down from now on" for name in died),
        *(f"cluster '{name}' answers again and is used from now on" for name in returned),
    ]


def error_sentence(name: str, spec: ObservationSpec) -> str:
    """Why a cluster gave no new values, and what counts instead."""
    told = f"cluster '{name}': {spec.error}"
    if spec.observed_at is not None:
        return f"{told}; what was seen at {spec.observed_at} still counts"
    return f"{told}; it was never read"


def observed_document(seen: Mapping[str, ClusterObservation]) -> Json:
    """The same as data, by cluster."""
    return {
        name: {
            "reachable": each.spec.reachable,
            "down": each.spec.is_dead,
            "error": each.spec.error,
            "observedAt": each.spec.observed_at,
            "unreachableSince": each.spec.unreachable_since,
            "kubernetesVersion": each.spec.kubernetes_version,
            "nodes": each.spec.nodes,
            "apis": len(each.spec.apis),
            "milliseconds": _latest(each.spec),
        }
        for name, each in seen.items()
    }


def _row(name: str, spec: ObservationSpec) -> Row:
    cells = (
        name,
        _answers(spec),
        spec.kubernetes_version or "-",
        str(spec.nodes or "-"),
        *(_free(spec, resource) for resource in _SHOWN),
    )
    return Row(cells, _told(spec), "", _mood(spec))


def _answers(spec: ObservationSpec) -> str:
    if not spec.reachable:
        return "no"
    if spec.error:
        return "not whole"
    return f"in {_latest(spec)} ms" if spec.latency else "yes"


def _told(spec: ObservationSpec) -> str:
    parts = [spec.error] if spec.error else [counted(len(spec.apis), "kind")]
    if spec.is_dead and spec.reachable:
        parts.append(f"answers since {spec.reachable_since}, down for {spec.hold_seconds} s more")
    elif spec.is_dead:
        parts.append(f"silent since {spec.unreachable_since}: down")
    elif not spec.reachable:
        parts.append(
            f"silent since {spec.unreachable_since}, down after {spec.hold_seconds} s of it"
        )
    if spec.error and spec.observed_at:
        parts.append(f"values of {spec.observed_at}")
    return "; ".join(parts)


def _mood(spec: ObservationSpec) -> Mood:
    if spec.is_dead or not spec.reachable:
        return Mood.BAD
    return Mood.WARNING if spec.error else Mood.PLAIN


def _latest(spec: ObservationSpec) -> int | None:
    """The last measurement of any origin."""
    samples = [each for samples in spec.latency.values() for each in samples]
    return max(samples, key=lambda each: each.at).milliseconds if samples else None


def _free(spec: ObservationSpec, resource: str) -> str:
    """Free without what fleet placed, of all: `20 of 24`."""
    capacity = spec.capacity
    if capacity is None or resource not in capacity.allocatable:
        return "-"
    whole = capacity.allocatable[resource]
    free = max(0, whole - capacity.reserved.get(resource, 0))
    return f"{spell_quantity(resource, free)} of {spell_quantity(resource, whole)}"


def _balancer_row(cluster: str, one: LoadBalancer) -> Row:
    where = ", ".join((*one.addresses, *one.hostnames)) or "no address yet"
    return Row((cluster, one.kind, f"{one.namespace}/{one.name}", one.workload), where)
