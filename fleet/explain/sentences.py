"""Codes and values -> sentences: the one place where a reason gets its words.

A template names the values of its code. What it cannot say (a code of somebody's own plugin, a
value that is missing) is shown as it is, so that nothing is ever silent.
"""

from collections.abc import Mapping

from fleet.explain.finding_words import FINDINGS
from fleet.explain.rejection_words import REJECTIONS, SCHEDULE_FINDINGS, Values, Words
from fleet.model.decision import Finding, Rejection, Score, Verdict


def rejection_sentence(rejection: Rejection) -> str:
    """Why not, in words."""
    return worded(REJECTIONS, rejection.code, rejection.values)


def finding_sentence(finding: Finding) -> str:
    """What there is to tell, in words."""
    return worded({**SCHEDULE_FINDINGS, **FINDINGS}, finding.code, finding.values)


def worded(words: Mapping[str, Words], code: str, values: Values) -> str:
    """The sentence of a code, or the code with its values where there is none."""
    known = words.get(code)
    if known is not None:
        try:
            return known.format_map(_Counted(values)) if isinstance(known, str) else known(values)
        except (KeyError, IndexError, ValueError):
            pass
    listed = ", ".join(f"{key} {value}" for key, value in sorted(values.items()))
    spoken = code.replace("_", " ").replace("-", " ")
    return f"{spoken} ({listed})" if listed else spoken


class _Counted(dict[str, str | int]):
    """Values, and plural endings: `{s_of_left}` is `s` unless `left` is 1."""

    def __missing__(self, key: str) -> str:
        name = key.removeprefix("s_of_")
        if name == key:
            raise KeyError(key)
        return "" if self[name] == 1 else "s"


def scores_text(verdict: Verdict) -> str:
    """Score parts that count as a sum, weights applied: `affinity 60 + already there 25 = 85`."""
    if not verdict.scores:
        return ""
    parts = [
        f"{scorer_name(each)} {each.value * each.scorer_weight}"
        for each in verdict.scores
        if each.value
    ]
    return f"{' + '.join(parts) or 'score'} = {verdict.total}"


def score_text(score: Score) -> str:
    """One part in full: `affinity 60 x 3`."""
    if score.scorer_weight == 1:
        return f"{scorer_name(score)} {score.value}"
    return f"{scorer_name(score)} {score.value} x {score.scorer_weight}"


def scorer_name(score: Score) -> str:
    """A scorer's name as words."""
    return score.scorer.replace("_", " ").replace("-", " ")


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "cluster"), counted(3, "cluster")
    ('1 cluster', '3 clusters')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def verb(number: int, one: str = "is", several: str = "are") -> str:
    """The form that goes with a number.

    >>> verb(1), verb(2), verb(1, "takes", "take")
    ('is', 'are', 'takes')
    """
    return one if number == 1 else several
