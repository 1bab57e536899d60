"""CEL expressions of a Placement, as far as they compare labels and cluster claims with texts.

A comparison with a label that is not there is an error in CEL, and an error selects nothing: `==`
and `in` are In, `!=` is NotIn together with Exists.
"""

import re

from fleet.load.importers.ocm.clusters import CLAIM
from fleet.load.importers.selectors import Requirement

_TEXT = r"\"[^\"\\]*\"|'[^'\\]*'"
_LABELS = r"managedCluster\.metadata\.labels"
_LABEL = rf"{_LABELS}\s*\[\s*(?P<key>{_TEXT})\s*\]"
_LIST = rf"\[\s*(?P<list>(?:{_TEXT})(?:\s*,\s*(?:{_TEXT}))*)\s*\]"
_FORMS = (
    re.compile(rf"{_LABEL}\s*(?P<sign>==|!=)\s*(?P<value>{_TEXT})\Z"),
    re.compile(rf"{_LABEL}\s*in\s*{_LIST}\Z"),
    re.compile(rf"(?P<key>{_TEXT})\s*in\s*{_LABELS}\Z"),
    re.compile(rf"!\s*\(\s*(?P<absent>{_TEXT})\s*in\s*{_LABELS}\s*\)\Z"),
    re.compile(
        r"managedCluster\.status\.clusterClaims\.exists\(\s*(?P<it>\w+)\s*,"
        rf"\s*(?P=it)\.name\s*==\s*(?P<claim>{_TEXT})\s*&&"
        rf"\s*(?P=it)\.value\s*==\s*(?P<value>{_TEXT})\s*\)\Z"
    ),
)
_EACH = re.compile(_TEXT)
_QUOTED = re.compile(rf"{_TEXT}|&&|[()]")


def requirements_of(expression: str) -> tuple[Requirement, ...] | None:
    """What an expression asks of the labels of a cluster; None where it asks something else.

    >>> label = 'managedCluster.metadata.labels["env"]'
    >>> [each.native for each in requirements_of(f"{label} == 'prod' && {label} != 'dev'")]
    ... # doctest: +NORMALIZE_WHITESPACE
    [{'key': 'env', 'operator': 'In', 'values': ['prod']},
     {'key': 'env', 'operator': 'Exists'},
     {'key': 'env', 'operator': 'NotIn', 'values': ['dev']}]
    >>> requirements_of(f"{label}.startsWith('p')") is None
    True
    """
    found: list[Requirement] = []
    for part in _conjuncts(expression):
        match = next((match for form in _FORMS if (match := form.match(part))), None)
        if match is None:
            return None
        found += _requirements(match.groupdict())
    return tuple(found)


def _conjuncts(expression: str) -> list[str]:
    """The parts between `&&` outside of brackets and quotes."""
    parts, depth, start = [], 0, 0
    for token in _QUOTED.finditer(expression):
        if token[0] in "()":
            depth += 1 if token[0] == "(" else -1
        elif token[0] == "&&" and depth == 0:
            parts.append(expression[start : token.start()].strip())
            start = token.end()
    return [*parts, expression[start:].strip()]


def _requirements(found: dict[str, str | None]) -> list[Requirement]:
    absent, claim, key = found.get("absent"), found.get("claim"), found.get("key")
    if absent is not None:
        return [Requirement(absent[1:-1], "DoesNotExist")]
    value = (found.get("value") or "''")[1:-1]
    if claim is not None:
        return [Requirement(CLAIM + claim[1:-1], "In", (value,))]
    name, listed, sign = (key or "''")[1:-1], found.get("list"), found.get("sign")
    if listed is not None:
        return [Requirement(name, "In", tuple(each[1:-1] for each in _EACH.findall(listed)))]
    if sign is None:
        return [Requirement(name, "Exists")]
    if sign == "==":
        return [Requirement(name, "In", (value,))]
    return [Requirement(name, "Exists"), Requirement(name, "NotIn", (value,))]
