"""A value that an option does not take is one sentence, without the usage above it."""

from typing import Any

import typer
from typer.core import TyperGroup

_NOISE = "Value error, "
"""What the library that checks values puts before the sentence."""


class Commands(TyperGroup):
    """The commands; of a wrong value only the sentence is shown, which names option and value."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - the types of the context are private
        """Runs the command that was asked for. **Errors**: typer.BadParameter."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            # A missing argument is one, too: there the usage helps.
            if type(error) is typer.BadParameter:
                error.message = error.message.removeprefix(_NOISE)
                error.ctx = None
            raise
