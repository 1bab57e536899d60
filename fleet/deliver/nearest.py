"""The known word that a wrong one was probably meant to be."""

from collections.abc import Iterable
from difflib import get_close_matches

SHOWN = 8


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint: the nearest known word, else what is known.

    >>> did_you_mean("wbe", ["web", "api"]), did_you_mean("x", ["web", "api"])
    ("did you mean 'web'?", "known are 'api', 'web'")
    """
    words = sorted(set(known))
    near = get_close_matches(word, words, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    shown = ", ".join(f"'{each}'" for each in words[:SHOWN])
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return f"known are {shown}{more}" if words else "there are none"
