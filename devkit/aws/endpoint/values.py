"""Which values a record of each type may have."""

import ipaddress
import re

from devkit.aws.data import Table, tables, text

HOST = re.compile(r"^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_-]{1,63}\.?$")
QUOTED = re.compile(r'^\s*"([^"\\]|\\.)*"(\s+"([^"\\]|\\.)*")*\s*$')
LONGEST_NAME = 255


def faults_of(record: Table) -> list[str]:
    """Return a sentence for each value that Route53 would not store."""
    values = [text(value, "Value") for value in tables(record, "ResourceRecords")]
    kind = text(record, "Type")
    problems = [_problem(kind, value) for value in values]
    found = [
        f"Invalid Resource Record: 'FATAL problem: {problem} encountered with '{value}''"
        for value, problem in zip(values, problems, strict=True)
        if problem
    ]
    found += [
        f"Duplicate Resource Record: '{value}'"
        for value in sorted({value for value in values if values.count(value) > 1})
    ]
    if kind == "CNAME" and len(values) > 1:
        found.append("Invalid Resource Record: 'CNAMERRSet must have exactly one value'")
    return found


def _problem(kind: str, value: str) -> str:
    """Return Route53's word for what is wrong with a value; empty where nothing is."""
    if kind == "A" and not _is_address(value, 4):
        return "ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address)"
    if kind == "AAAA" and not _is_address(value, 6):
        return "AAAARRDATAIllegalIPv6Address (Value is not a valid IPv6 address)"
    if kind in ("CNAME", "NS", "PTR") and not is_host(value):
        return "DomainLabelIllegal (Value is not a valid domain name)"
    if kind in ("TXT", "SPF") and not QUOTED.match(value):
        return "InvalidCharacterString (Value should be enclosed in quotation marks)"
    return ""


def _is_address(value: str, version: int) -> bool:
    try:
        return ipaddress.ip_address(value).version == version
    except ValueError:
        return False


def is_host(value: str) -> bool:
    """Say whether this can be a host name.

    >>> is_host("a.example.org"), is_host("-bad-.example..org")
    (True, False)
    """
    return len(value) <= LONGEST_NAME and bool(HOST.match(value.lower()))
