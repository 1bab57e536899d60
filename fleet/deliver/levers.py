"""The lever: checks on objects that an operator puts or removes, beside the check of the entry.

A check that cannot read its object must not change what is answered today:

- `out` is inverted: the object is there, the region is out. Where it cannot be read, be it absent
  or its host dead, nothing is taken out. Otherwise a dead host would take every region out.
- `release` is not: the object is there, the standby may be answered. Where it cannot be read the
  standby stays held, which is what `failover: manual` promises.

Disabling a check is no lever: Route53 takes a disabled check for healthy.
"""

from collections.abc import Iterable, Iterator, Sequence
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from fleet.deliver.bodies import hash_of
from fleet.deliver.checks import SHORT, Asked, kind_of
from fleet.deliver.faults import Fault
from fleet.deliver.nearest import did_you_mean
from fleet.model.endpoint import LEVER, CheckDelivery, LeverDelivery, LeverKind, RecordDelivery
from fleet.model.health import Lever, Probe
from fleet.model.inventory import Cluster
from fleet.model.source import Path, dotted
from fleet.model.traffic import TrafficPolicy

LEVER_PATH = ("spec", "lever")
MOST_PATH = 255


def is_held(policy: TrafficPolicy, cluster: Cluster, dns_weight: int) -> bool:
    """Whether a lever has to let a record go before it is answered."""
    lever = policy.spec.lever
    if lever is None or not policy.spec.waits_for_release or dns_weight > 0:
        return False
    return lever.release is not None or cluster.spec.region in lever.routing_controls


def lever_checks(asked: Asked, dns_weight: int) -> tuple[CheckDelivery, ...]:
    """The checks that the levers of a record add to the entry's own."""
    lever = asked.policy.spec.lever
    if lever is None:
        return ()
    return tuple(_checks(lever, asked, dns_weight))


def _checks(lever: Lever, asked: Asked, dns_weight: int) -> Iterator[CheckDelivery]:
    region = asked.cluster.spec.region
    if lever.out is not None:
        yield _object_check(lever, _url(lever.out, asked), region, inverted=True)
    if lever.release is not None and is_held(asked.policy, asked.cluster, dns_weight):
        yield _object_check(lever, _url(lever.release, asked), region, inverted=False)
    control = lever.routing_controls.get(region)
    if control is not None:
        name = f"{LEVER}{region}/{hash_of(control)[:SHORT]}"
        yield CheckDelivery(name=name, cluster=region, check=None, routing_control=control)


def _url(pattern: str, asked: Asked) -> str:
    words = {
        "region": asked.cluster.spec.region,
        "cluster": asked.cluster.name,
        "policy": asked.policy.name,
    }
    url = pattern
    for name, value in words.items():
        url = url.replace(f"{{{name}}}", quote(value, safe=""))
    return url


def _object_check(lever: Lever, url: str, region: str, *, inverted: bool) -> CheckDelivery:
    parts = urlsplit(url)
    host = parts.hostname or ""
    is_secure = parts.scheme == "https"
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    probe = Probe.model_validate(
        {
            "type": ("HTTPS" if is_secure else "HTTP")
            + ("_STR_MATCH" if lever.search_string is not None else ""),
            "searchString": lever.search_string,
            "intervalSeconds": lever.interval_seconds,
            "failureThreshold": lever.failure_threshold,
            "inverted": inverted,
        }
    )
    address = host if _is_address(host) else None
    port = parts.port or (443 if is_secure else 80)
    return CheckDelivery(
        name=f"{LEVER}{region}/{hash_of([host, port, path, *kind_of(probe)])[:SHORT]}",
        cluster=region,
        check=probe,
        address=address,
        hostname=None if address else host,
        port=port,
        path=path,
        host=host,
    )


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def levers_of(
    asked: Iterable[Asked], records: Iterable[RecordDelivery]
) -> tuple[LeverDelivery, ...]:
    """Everything that can be pulled for a name, and which records it is for."""
    held = {each.cluster: each.held for each in records}
    found: dict[tuple[LeverKind, str, int], list[str]] = {}
    for each in asked:
        for kind, where, seconds in _pulls(each, held=held[each.cluster.name]):
            found.setdefault((kind, where, seconds), []).append(each.cluster.name)
    return tuple(
        LeverDelivery(kind, where, tuple(clusters), seconds)
        for (kind, where, seconds), clusters in sorted(found.items())
    )


def _pulls(asked: Asked, *, held: bool) -> Iterator[tuple[LeverKind, str, int]]:
    lever = asked.policy.spec.lever
    if lever is None:
        return
    if lever.out is not None:
        yield LeverKind.OUT, _url(lever.out, asked), lever.seconds
    if lever.release is not None and held:
        yield LeverKind.RELEASE, _url(lever.release, asked), lever.seconds
    control = lever.routing_controls.get(asked.cluster.spec.region)
    if control is not None:
        yield LeverKind.CONTROL, control, 0


def lever_faults(policy: TrafficPolicy, asked: Iterable[Asked]) -> Iterator[Fault]:
    """Why a lever cannot be pulled, or would hang on what it steers."""
    lever = policy.spec.lever
    if lever is None:
        return
    everybody = list(asked)
    for field, pattern in (("out", lever.out), ("release", lever.release)):
        if pattern is not None:
            yield from _url_faults(policy, field, {_url(pattern, each) for each in everybody})
            yield from _circles(policy, field, pattern, everybody)


def _url_faults(policy: TrafficPolicy, field: str, urls: Iterable[str]) -> Iterator[Fault]:
    for url in sorted(urls):
        parts = urlsplit(url)
        length = len(parts.path) + (len(parts.query) + 1 if parts.query else 0)
        if length > MOST_PATH:
            sentence = f"the path of '{url[:60]}...' has {length} characters; Route53 takes"
            yield _fault(policy, (*LEVER_PATH, field), f"{sentence} {MOST_PATH}")
            return


def _circles(
    policy: TrafficPolicy, field: str, pattern: str, asked: Sequence[Asked]
) -> Iterator[Fault]:
    own = {*policy.spec.all_names}
    for each in asked:
        own |= {(each.entry.hostname or "").lower(), *each.entry.addresses}
    for each in asked:
        host = urlsplit(_url(pattern, each)).hostname
        if host in own:
            sentence = f"'{host}' is what the lever steers: it could not be pulled when it is dead"
            hint = "use a host outside of the workload's regions"
            yield _fault(policy, (*LEVER_PATH, field), sentence, hint)
            return


def unknown_regions(policy: TrafficPolicy, clusters: Iterable[Cluster]) -> Iterator[Fault]:
    """Routing controls of regions that the inventory does not have."""
    known = {each.spec.region for each in clusters}
    for region in policy.spec.lever.routing_controls if policy.spec.lever else ():
        if region not in known:
            path = (*LEVER_PATH, "routingControls", region)
            sentence = f"'{region}' is no region of the inventory"
            yield _fault(policy, path, sentence, did_you_mean(region, known))


def _fault(policy: TrafficPolicy, path: Path, sentence: str, hint: str = "") -> Fault:
    return Fault(policy.origin.at(*path), dotted(path), sentence, hint)
