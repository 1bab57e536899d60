"""`fleet validate`: is the input right?"""

from fleet.cli.console import say
from fleet.cli.inputs import run
from fleet.cli.options import Inputs
from fleet.explain.sentences import counted


def validate(inputs: Inputs) -> None:
    """Check all files and the config: every fault at file:line:col, exit 2 if there is one."""
    outcome = run(inputs)
    snapshot = outcome.snapshot
    parts = [
        counted(len(snapshot.clusters), "cluster"),
        counted(len(snapshot.linked), "workload"),
        counted(sum(len(each.traffic) for each in snapshot.linked), "public name"),
    ]
    say(f"valid: {', '.join(parts)}\n")
