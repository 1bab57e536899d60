"""The sentences of the changes that flip a verdict, by their code; and what a machine reads.

The rooms do not know each other, so the codes stand here as text; tests/explain/test_sentences.py
fails for a code of fleet.schedule.remedies that has no sentence.
"""

from collections.abc import Mapping
from typing import Any, Final

from fleet.explain.inputs import spelled_amounts
from fleet.explain.rejection_words import Values, Words, compared_text, label_of, taint_text
from fleet.explain.sentences import counted, worded
from fleet.model.change import Change, Edit
from fleet.model.inventory import NodeGroup
from fleet.model.quantity import spell_millionths, spell_quantity
from fleet.model.words import in_words

_AMOUNTS = (("spec", "capacity", "allocatable"), ("spec", "limits"))

_FREE = "free."


def change_sentence(change: Change) -> str:
    """What to do, in words."""
    return worded(CHANGES, change.code, change.values)


def cure_sentence(change: Change) -> str:
    """What to do where no cluster is meant yet: its name comes first."""
    cluster = change.values.get("cluster")
    return f"{cluster}: {change_sentence(change)}" if cluster else change_sentence(change)


def flip_sentence(change: Change, cluster: str) -> str:
    """What to do about a cluster's verdict; the name of another cluster comes first."""
    meant = change.values.get("cluster", cluster) == cluster
    return change_sentence(change) if meant else cure_sentence(change)


def edit_document(edit: Edit) -> dict[str, Any]:
    """One edit as a step of a JSON patch on a document of the files. Source: RFC 6902, 6901."""
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in edit.path)
    return {
        "document": {"kind": edit.kind, "name": edit.name},
        "op": "remove" if edit.kind == "Config" or edit.value is None else "add",
        "path": "".join(f"/{step}" for step in steps),
        "value": _as_written(edit),
    }


def _as_written(edit: Edit) -> object:
    """The value as the file has it: amounts are quantities there."""
    if edit.path[:-1] in _AMOUNTS and isinstance(edit.value, int):
        return spell_quantity(str(edit.path[-1]), edit.value)
    if "matchProperties" in edit.path and isinstance(edit.value, int):
        return spell_millionths(edit.value)
    if isinstance(edit.value, NodeGroup):
        return {"count": edit.value.count, "free": spelled_amounts(edit.value.free)}
    return in_words(edit.value)


def _add_capacity(values: Values) -> str:
    resource, was, to = str(values["resource"]), int(values["was"]), int(values["to"])
    name = {"cpu": "CPU"}.get(resource, resource)
    more = spell_quantity(resource, to - was)
    besides = f", and {more} more in {values['field']}" if "field" in values else ""
    return f"needs {more} {name} more: {spell_quantity(resource, to)} allocatable{besides}"


def _add_replicas(values: Values) -> str:
    more = int(values["to"]) - int(values["was"])
    return f"ask for {more} replica{'' if more == 1 else 's'} more: {values['to']}"


def _add_label(values: Values) -> str:
    if "value" not in values:
        return f"label it {values['key']}, whatever the value"
    return f"label it {values['key']}={values['value']}"


def _end_windows(values: Values) -> str:
    if values["count"] == 1:
        what = f"the window that is open until {values['end']}"
    else:
        what = f"the {values['count']} windows that are open"
    return f"take {what} out of spec.maintenance"


def _add_nodes(values: Values) -> str:
    more = int(values["to"]) - int(values["was"])
    free = [
        f"{key.removeprefix(_FREE)} {spell_quantity(key.removeprefix(_FREE), amount)}"
        for key, amount in values.items()
        if key.startswith(_FREE) and isinstance(amount, int)
    ]
    each = f" with {' and '.join(free)} free" if free else ""
    return f"needs {counted(more, 'node')} more{each}"


def _part(values: Values) -> str:
    kept = str(values["to"]).split(", ")
    gone = [f"'{each}'" for each in str(values["was"]).split(", ") if each not in kept]
    return f"take {' and '.join(gone)} out of {values['field']} of policy '{values['policy']}'"


def _either(own: str, elsewhere: str) -> Words:
    """The words for a document of fleet, and for one of another product that has such a field."""
    return lambda values: (elsewhere if "field" in values else own).format_map(values)


def _raise_quota(values: Values) -> str:
    resource = str(values["resource"])
    was, to = (spell_quantity(resource, int(values[name])) for name in ("was", "to"))
    return f"raise {resource} of quota '{values['quota']}' from {was} to {to}"


CHANGES: Final[Mapping[str, Words]] = {
    "declare-active": "declare it active",
    "leave-config": "take it out of config fleet:{key}",
    "allow-region": "allow region {region} in spec.residency.regions",
    "add-label": _add_label,
    "add-term": _either(
        "add a term that names it to spec.affinity.required", "let {field} select it"
    ),
    "compare": lambda values: f"ask for {values['property']} of {compared_text(values, 'to')}",
    "require": "require it alone, in {field}",
    "tolerate": lambda values: f"tolerate {taint_text(values)}",
    "add-capacity": _add_capacity,
    "add-domain": lambda values: f"give it a {label_of(values['by'])} of its own",
    "raise": "raise {field} to {to}",
    "lower": "lower {field} to {to}",
    "add-weight": _either(
        "give it weight {weight} in spec.division.weights", "give it weight {weight} in {field}"
    ),
    "add-replicas": _add_replicas,
    "divide": _either(
        "set spec.division.mode to {to} instead of {was}", "divide by {field} instead of {was}"
    ),
    "tolerate-on": lambda values: f"tolerate {taint_text(values)} without tolerationSeconds",
    "end-windows": _end_windows,
    "join-set": "name it in spec.clusters of cluster set '{set}'",
    "let-in": "name {tenant} in cluster set '{set}'",
    "open-set": "set spec.exclusive of cluster set '{set}' to false",
    "serve": _either(
        "serve {api} there, and list it in spec.apis", "serve {api} there, and list it in {field}"
    ),
    "add-nodes": _add_nodes,
    "move-data": "copy the data there, and say so: data.at is [{cluster}]",
    "add-to-tier": _either("name it in the terms of tier '{tier}'", "let {field} select it"),
    "return": "let it go back to tier '{tier}' with returnToBetterTier",
    "part": _part,
    "raise-quota": _raise_quota,
}
