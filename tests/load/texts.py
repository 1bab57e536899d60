"""Documents of fleet as text: small ones, in which a test changes what it is about."""


def a_cluster(name: str = "x-1", spec: str = "region: eu-west-1", metadata: str = "") -> str:
    """A Cluster."""
    return (
        "apiVersion: fleet/v1\nkind: Cluster\n"
        f"metadata: {{name: {name}{metadata}}}\nspec: {{{spec}}}\n"
    )


def a_policy(spec: str, kind: str = "PlacementPolicy", name: str = "p") -> str:
    """A policy, or any other document with a spec."""
    return f"apiVersion: fleet/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n"
