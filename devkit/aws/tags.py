"""Tags of zones and health checks."""

from devkit.aws.client import Client
from devkit.aws.data import Data, Table, table, tables, text


def all_tags(client: Client, inputs: Table) -> Table:
    """Return a resource's tags together with the provider's default ones."""
    own: Table = {**client.settings.tags}
    return {**own, **table(inputs, "tags")}


def write_tags(client: Client, kind: str, identifier: str, old: Table, new: Table) -> None:
    """Make the tags of a resource what they should be."""
    added = [{"Key": key, "Value": value} for key, value in new.items() if old.get(key) != value]
    removed = [key for key in old if key not in new]
    arguments: dict[str, object] = {"ResourceType": kind, "ResourceId": identifier}
    if added:
        arguments["AddTags"] = added
    if removed:
        arguments["RemoveTagKeys"] = removed
    if added or removed:
        client.call("ChangeTagsForResource", **arguments)


def read_tags(client: Client, kind: str, identifier: str) -> dict[str, Data]:
    """Return the tags of a resource."""
    answer = client.call("ListTagsForResource", ResourceType=kind, ResourceId=identifier)
    found = tables(table(answer, "ResourceTagSet"), "Tags")
    return {text(tag, "Key"): text(tag, "Value") for tag in found}


def own_tags(client: Client, every: Table) -> Table:
    """Return the tags without those that the provider's defaults put there."""
    return {key: value for key, value in every.items() if client.settings.tags.get(key) != value}
