"""The commands in the order of --help."""

import typer

from fleet.cli.break_glass import break_glass
from fleet.cli.drill import rehearse
from fleet.cli.explain import explain
from fleet.cli.import_ import import_
from fleet.cli.mistakes import Commands
from fleet.cli.options import with_inputs
from fleet.cli.plan import plan
from fleet.cli.probe import probe
from fleet.cli.recover import recover
from fleet.cli.runbook import runbook
from fleet.cli.survive import survive
from fleet.cli.validate import validate
from fleet.cli.verify import verify
from fleet.cli.what_if import what_if

app = typer.Typer(
    name="fleet",
    cls=Commands,
    help="Places Kubernetes workloads on many clusters: checks, plans and explains, offline. Only"
    " probe, verify, recover and a live drill ask the network.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (validate, plan, explain, what_if, survive, probe, verify):
    app.command()(with_inputs(command))
app.command(name="drill")(with_inputs(rehearse))
app.command()(with_inputs(runbook))
app.command(name="import")(import_)
app.command()(recover)
app.command(name="break-glass")(with_inputs(break_glass))
