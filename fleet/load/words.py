"""The nearest known word, for a person who mistyped one."""

from collections.abc import Iterable
from difflib import get_close_matches

_LIST_AT_MOST = 8
_SEARCH_ALL = 500
_LENGTHS_APART = 2
_BEGINNING = 4
"""A word of so many letters is the beginning of a longer one by intent."""


class Words:
    """The words that are known in one place, and what to say of an unknown one.

    A word is searched once: the same typo in a thousand files costs one search.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self.known = tuple(sorted(set(known)))
        self._set = frozenset(self.known)
        self._hints: dict[str, str] = {}

    def __contains__(self, word: object) -> bool:
        return word in self._set

    def nearest(self, word: str) -> str | None:
        """The known word that looks most like `word`; first the shortest that only goes on.

        >>> Words(["eu-1", "us-1"]).nearest("eu-11"), Words(["eu-1"]).nearest("zzz")
        ('eu-1', None)
        >>> Words(["action", "durationMinutes"]).nearest("duration")
        'durationMinutes'
        """
        folded = word.lower()
        longer = [each for each in self._candidates(folded) if each.lower().startswith(folded)]
        if len(folded) >= _BEGINNING and longer:
            return min(longer, key=len)
        by_folded = {each.lower(): each for each in reversed(self._candidates(folded))}
        close = get_close_matches(folded, sorted(by_folded), n=1, cutoff=0.6)
        return by_folded[close[0]] if close else None

    def _candidates(self, folded: str) -> tuple[str, ...]:
        """All words, or of very many those that begin alike and are about as long."""
        if len(self.known) <= _SEARCH_ALL:
            return self.known
        return tuple(
            each
            for each in self.known
            if each[:1].lower() == folded[:1] and abs(len(each) - len(folded)) <= _LENGTHS_APART
        )

    def hint(self, word: str) -> str:
        """The cure: the nearest word, or all of them where they are few.

        >>> Words(["weighted", "aggregated"]).hint("wieghted")
        "did you mean 'weighted'?"
        >>> Words(["10", "30"]).hint("5")
        "known are '10', '30'"
        """
        if word not in self._hints:
            self._hints[word] = self._make_hint(word)
        return self._hints[word]

    def _make_hint(self, word: str) -> str:
        near = self.nearest(word)
        if near is not None:
            return f"did you mean '{near}'?"
        if 0 < len(self.known) <= _LIST_AT_MOST:
            return f"known are {quoted(self.known)}"
        return ""


def quoted(words: Iterable[str]) -> str:
    """Words for a sentence.

    >>> quoted(["a", "b"])
    "'a', 'b'"
    """
    return ", ".join(f"'{word}'" for word in words)
