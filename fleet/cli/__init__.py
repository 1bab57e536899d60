"""The command line's door: no engine, no network, no credentials.

Nothing that a user does wrong ends in a traceback: it is one line per fault on stderr and exit 2.
"""

import gc
import sys
import traceback

from fleet.cli.app import app
from fleet.cli.console import say_error
from fleet.errors import FleetError

REFUSED = 2


def main() -> None:
    """Runs the command line that the process was started with.

    A fault of fleet itself exits like a refusal: Python's own 1 would say "there are changes".
    """
    # A short life that only builds: looking for garbage costs a tenth of it and finds none.
    gc.disable()
    try:
        app()
    except FleetError as error:
        say_error(str(error))
        sys.exit(REFUSED)
    except Exception:  # noqa: BLE001 - the last door; the whole traceback is shown
        say_error(f"{traceback.format_exc()}this is a fault of fleet itself, not of your files")
        sys.exit(REFUSED)
