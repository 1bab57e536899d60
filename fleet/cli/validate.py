"""`fleet validate`: is the input right?"""

from fleet.cli.console import say
from fleet.cli.inputs import run
from fleet.cli.options import Inputs
from fleet.explain.findings import all_findings
from fleet.explain.sentences import counted


def validate(inputs: Inputs) -> None:
    """Check all files and the config.

    Every fault is one line, file:line:col, on stderr; the exit is then 2.
    """
    outcome = run(inputs)
    snapshot = outcome.snapshot
    parts = [
        counted(len(snapshot.clusters), "cluster"),
        counted(len(snapshot.linked), "workload"),
        counted(sum(len(each.traffic) for each in snapshot.linked), "public name"),
    ]
    findings = len(all_findings(outcome))
    more = f"; {counted(findings, 'finding')}: fleet plan" if findings else ""
    say(f"valid: {', '.join(parts)}{more}\n")
