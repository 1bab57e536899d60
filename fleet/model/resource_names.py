"""Resource names of objects: `<workload>/<cluster>/<kind>/<namespace>/<name>`.

A workload of an imported document has a '/' in its own name (`<namespace>/<name>`), so that a name
is read from its end.
"""

from dataclasses import dataclass

PARTS = 5
"""The least number of parts; one more where the workload's name has two."""

_MOST = PARTS + 1


@dataclass(frozen=True, slots=True)
class ObjectName:
    """A resource name in parts; `key` is `<kind>/<namespace>/<name>`."""

    workload: str
    cluster: str
    key: str

    @property
    def rest(self) -> str:
        """All that comes after the workload."""
        return f"{self.cluster}/{self.key}"


def is_object_name(name: str) -> bool:
    """Whether a name has as many parts as that of an object."""
    return PARTS <= name.count("/") + 1 <= _MOST


def split_name(name: str) -> ObjectName:
    """The parts of an object's resource name.

    >>> split_name("web/eu-1/Service/shop/web")
    ObjectName(workload='web', cluster='eu-1', key='Service/shop/web')
    >>> split_name("shop/web/eu-1/Service/shop/web").workload
    'shop/web'
    """
    workload, cluster, *key = name.rsplit("/", PARTS - 1)
    return ObjectName(workload, cluster, "/".join(key))
