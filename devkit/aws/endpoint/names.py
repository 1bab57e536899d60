"""DNS names and record keys as Route53 keeps them."""

from devkit.aws.data import Table, text

Key = tuple[str, str, str]

POLICIES = {
    "Weight": "weighted",
    "Region": "latency",
    "Failover": "failover",
    "GeoLocation": "geolocation",
    "MultiValueAnswer": "multivalue",
    "CidrRoutingConfig": "cidr",
    "GeoProximityLocation": "geoproximity",
}


def canonical(name: str) -> str:
    r"""Return a name in lower case with its last dot, the asterisk plain.

    >>> canonical("WWW.Example.org"), canonical("\\052.example.org.")
    ('www.example.org.', '*.example.org.')
    """
    plain = name.lower().replace("\\052", "*")
    return plain if plain.endswith(".") else f"{plain}."


def shown(name: str) -> str:
    """Return a canonical name as Route53 lists it: the asterisk escaped."""
    return name.replace("*", "\\052")


def reversed_labels(name: str) -> tuple[str, ...]:
    """Return what Route53 sorts names by.

    >>> reversed_labels("www.example.org.")
    ('org', 'example', 'www')
    """
    return tuple(reversed(name.rstrip(".").split(".")))


def key_of(record: Table) -> Key:
    """Return what is unique in a zone: (canonical name, type, set identifier or '')."""
    return (canonical(text(record, "Name")), text(record, "Type"), text(record, "SetIdentifier"))


def sort_key(record: Table) -> tuple[tuple[str, ...], str, str]:
    """Return the order in which Route53 lists record sets."""
    name, kind, identifier = key_of(record)
    return (reversed_labels(name), kind, identifier)


def policies_of(record: Table) -> list[str]:
    """Return the routing policies that a record set names, in Route53's order."""
    return [
        word
        for field, word in POLICIES.items()
        if record.get(field) is not None and record[field] is not False
    ]


def described(key: Key) -> str:
    """Return how Route53 names a record set in a sentence."""
    name, kind, identifier = key
    tail = f", set identifier='{identifier}'" if identifier else ""
    return f"[name='{name}', type='{kind}'{tail}]"
