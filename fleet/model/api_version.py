"""The parts of an apiVersion. Source: meta/v1 TypeMeta."""


def group_of(api_version: str) -> str:
    """The API group of an apiVersion.

    >>> group_of("apps/v1"), group_of("v1")
    ('apps', '')
    """
    return api_version.partition("/")[0] if "/" in api_version else ""
