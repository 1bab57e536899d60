"""The file of a prior, as JSON or YAML: the one document in it."""

import json
from collections.abc import Mapping

from fleet.errors import ErrorList, InvalidError, json_fault
from fleet.load.scalars import FLEET
from fleet.load.source import Document, read_documents
from fleet.model.source import Source

HOW = 'write {"workload": {"cluster": replicas}}, or the whole stack output \'placements\''
_COMMAND = "pulumi stack output placements --json"


def sole_document(file: str, text: str) -> Document:
    """The document that the file holds.

    **Errors**: InvalidError where it holds none or several, where its JSON or YAML is broken, and
    where it is what `pulumi stack export` prints.
    """
    errors = ErrorList()
    is_json = text.lstrip().startswith("{")
    readable = text.replace("\t", " ") if is_json else text  # a tab in JSON is only ever a space
    documents = read_documents(file, readable, FLEET, errors).documents
    if errors.errors and is_json:
        _raise_json_fault(file, text)
    errors.raise_if_any()
    if len(documents) != 1:
        found = f"{len(documents)} documents" if documents else "nothing"
        errors.add(Source(file, 1, 1), "", f"the prior holds {found}, one map is wanted", HOW)
    elif _is_state(documents[0].data):
        hint = f"write what is wanted: {_COMMAND} > {file}"
        sentence = "this is a whole state, not the placements in it"
        errors.add(documents[0].origin.start, "", sentence, hint)
    errors.raise_if_any()
    return documents[0]


def _is_state(data: object) -> bool:
    """Whether this is what `pulumi stack export` prints."""
    if not isinstance(data, Mapping) or not isinstance(data.get("deployment"), Mapping):
        return False
    return isinstance(data.get("version"), int)


def _raise_json_fault(file: str, text: str) -> None:
    """JSON that is broken is called JSON; what only breaks YAML's rules is left alone."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidError([json_fault(file, error, _COMMAND)]) from None
    except (ValueError, RecursionError):  # numbers and depths that Python's reader refuses
        return
