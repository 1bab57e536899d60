"""The ways to the clusters, for the commands that ask them."""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from fleet.emit.access import ClusterAccess
from fleet.errors import ErrorList, json_fault
from fleet.model.inventory import Cluster, State
from fleet.model.snapshot import ClusterState


def accesses_of(
    clusters: Iterable[Cluster],
    states: Mapping[str, ClusterState],
    root: Path,
    kubeconfigs: str | None,
) -> tuple[list[ClusterAccess], dict[str, str]]:
    """A way to each cluster that can be asked, and why the others are not.

    **Errors**: InvalidError where a kubeconfig is missing, or the file of them is wrong.
    """
    secrets = _secrets(kubeconfigs)
    errors = ErrorList()
    accesses, unasked = [], {}
    for cluster in clusters:
        connection, state = cluster.spec.connection, states[cluster.name]
        if state.state is State.DECOMMISSIONED:
            unasked[cluster.name] = f"decommissioned, says {state.said_by}"
        elif connection is None:
            unasked[cluster.name] = "the inventory does not say how to connect"
        elif connection.secret is not None and connection.secret not in secrets:
            place = cluster.origin.at("spec", "connection", "secret")
            sentence = f"there is no kubeconfig '{connection.secret}'"
            hint = "pulumi config get kubeconfigs prints them: say --kubeconfigs FILE"
            errors.add(place, "spec.connection.secret", sentence, hint)
        else:
            text = secrets[connection.secret] if connection.secret is not None else None
            accesses.append(ClusterAccess(cluster.name, connection, root, text))
    errors.raise_if_any()
    return accesses, unasked


def _secrets(path: str | None) -> dict[str, str]:
    """The kubeconfigs of --kubeconfigs. **Errors**: InvalidError, without any of their text."""
    if path is None:
        return {}
    errors, shown = ErrorList(), "stdin" if path == "-" else path
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        value = json.loads(text)
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
        errors.add(None, "--kubeconfigs", f"'{shown}' cannot be read: {why}")
    except json.JSONDecodeError as error:
        fault = json_fault(shown, error, "pulumi config get kubeconfigs")
        hint = fault.hint if path != "-" else "did the command before it fail?"
        errors.add(fault.source, "--kubeconfigs", fault.sentence, hint)
    except (ValueError, RecursionError):
        errors.add(None, "--kubeconfigs", f"'{shown}' is no JSON")
    else:
        if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
            return {str(key): str(each) for key, each in value.items()}
        what = "is no map of name to kubeconfig text"
        errors.add(None, "--kubeconfigs", f"'{shown}' {what}")
    errors.raise_if_any()
    return {}
