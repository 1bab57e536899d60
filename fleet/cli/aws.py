"""The AWS command line, asked for the one thing that the engine's plugin has no question for.

It lists health checks that have no tag. It is no need of fleet's: where it is not there, or has no
login, recovery says so.
"""

import json
import os
import subprocess
from collections.abc import Sequence
from typing import Any

from fleet.errors import FleetError

LIMIT_SECONDS = 60
_AT_ONCE = 10
"""Resources whose tags are told by one call. Source: Route53 ListTagsForResources."""


class AwsError(FleetError):
    """The AWS command line could not be asked."""


def listed_checks() -> list[dict[str, Any]]:
    """Every health check of the account. **Errors**: AwsError."""
    return _listed("HealthChecks", "list-health-checks")


def tags_of(identifiers: Sequence[str]) -> list[dict[str, Any]]:
    """The tags of health checks. **Errors**: AwsError."""
    found = []
    for start in range(0, len(identifiers), _AT_ONCE):
        words = ("--resource-type", "healthcheck", "--resource-ids")
        some = identifiers[start : start + _AT_ONCE]
        found += _listed("ResourceTagSets", "list-tags-for-resources", *words, *some)
    return found


def _listed(part: str, *words: str) -> list[dict[str, Any]]:
    command = ["aws", "route53", *words, "--output", "json"]
    try:
        done = subprocess.run(  # noqa: S603 - words of ours and identifiers of AWS
            command,
            env={**os.environ, "AWS_PAGER": ""},
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise AwsError("'aws' is not on PATH") from None
    except (OSError, subprocess.TimeoutExpired):
        raise AwsError(f"'aws route53 {words[0]}' did not end within {LIMIT_SECONDS} s") from None
    if done.returncode:
        said = done.stderr.strip() or f"exit {done.returncode}"
        raise AwsError(f"'aws route53 {words[0]}': {said.splitlines()[-1]}")
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)[part]
    except (ValueError, LookupError, TypeError):
        raise AwsError(f"'aws route53 {words[0]}' printed something else than JSON") from None
    return found
