"""Record sets with quiet defaults."""


def a_record(**changed: object) -> dict:
    """A weighted A record of web.example.test; None takes a field away."""
    record = {
        "Name": "web.example.test",
        "Type": "A",
        "SetIdentifier": "eu-1",
        "Weight": 100,
        "TTL": 60,
        "ResourceRecords": [{"Value": "192.0.2.1"}],
        **changed,
    }
    return {name: value for name, value in record.items() if value is not None}


def a_simple(**changed: object) -> dict:
    return a_record(**{"SetIdentifier": None, "Weight": None, **changed})


def values(*items: str) -> list[dict]:
    return [{"Value": item} for item in items]
