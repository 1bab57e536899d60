"""A drill as JUnit XML: a suite for each emergency, a case for each item of the checklist.

Source: the schema of Jenkins' xUnit plugin (junit-10.xsd), which the large CI systems read.
"""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fleet.explain.drill_words import check_sentence, emergency_key
from fleet.explain.placement import spell
from fleet.model.exercise import Check, Emergency, Exercises, Result

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot carry, not even escaped."""


def drill_junit(drill: Exercises) -> str:
    """The whole drill as one XML text.

    Items that nobody can check from files are skipped cases, and so is an emergency that kills
    only clusters where nothing runs.
    """
    root = Element("testsuites", name="fleet drill")
    for each in drill.played:
        _suite(root, each.emergency, each.checks)
    for emergency in drill.quiet:
        suite = Element("testsuite", name=_legal(emergency_key(emergency)))
        case = SubElement(suite, "testcase", classname=suite.get("name", ""), name="quiet")
        SubElement(case, "skipped", message="nothing runs there")
        root.append(_counted(suite))
    _counted(root)
    del root.attrib["skipped"]
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(root: Element, emergency: Emergency, checks: Iterable[Check]) -> None:
    suite = SubElement(root, "testsuite", name=_legal(emergency_key(emergency)))
    for check in checks:
        subject = _legal(f"{emergency_key(emergency)} {check.subject}")
        case = SubElement(suite, "testcase", classname=subject, name=str(check.item))
        sentence = _legal(check_sentence(check))
        if check.result is Result.UNKNOWN:
            SubElement(case, "skipped", message=sentence)
        elif check.result is Result.FAIL:
            failure = SubElement(case, "failure", message=sentence, type=check.code)
            failure.text = _legal(": ".join(filter(None, (spell(check.source), sentence))))
        else:
            SubElement(case, "system-out").text = sentence
    _counted(suite)


def _counted(element: Element) -> Element:
    """The element with the numbers of what is below it."""
    element.set("tests", str(len(list(element.iter("testcase")))))
    element.set("failures", str(len(list(element.iter("failure")))))
    element.set("errors", "0")
    element.set("skipped", str(len(list(element.iter("skipped")))))
    return element


def _legal(text: str) -> str:
    return _ILLEGAL.sub("?", text)
