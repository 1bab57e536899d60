"""The command line's door: no engine, no network, no credentials.

Nothing that a user does wrong ends in a traceback: it is one line per fault on stderr and exit 2.
"""

import sys

from fleet.cli.app import app
from fleet.cli.console import say_error
from fleet.errors import FleetError


def main() -> None:
    """Runs the command line that the process was started with."""
    try:
        app()
    except FleetError as error:
        say_error(str(error))
        sys.exit(2)
