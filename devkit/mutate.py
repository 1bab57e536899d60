"""`make mutate`: which small mistakes in the division and the selection would no test notice.

mutmut writes one mutant after the other into a copy of the project (`mutants/`) and runs the tests
that pyproject.toml names, always with the same examples. What is left is printed, and has to be
read: many survivors are no mistakes at all, such as `strict=False` where lengths never differ.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

COPY = Path("mutants")
LEAST = 90
"""Percent of the mutants that tests must kill."""
_ALL = 100


def main() -> int:
    """Mutates, and answers 0 where enough was killed."""
    shutil.rmtree(COPY, ignore_errors=True)
    ran = _mutmut("run", "--max-children", "2")
    if ran:
        return ran
    _mutmut("results")
    _mutmut("export-cicd-stats")
    stats = json.loads((COPY / "mutmut-cicd-stats.json").read_text())
    print(sentence(stats))
    return 0 if suffices(stats) else 1


def _mutmut(*words: str) -> int:
    environment = {**os.environ, "CI": "true"}  # the profile whose examples are always the same
    command = [sys.executable, "-m", "mutmut", *words]
    return subprocess.run(command, check=False, env=environment).returncode


def suffices(stats: Mapping[str, int]) -> bool:
    """Whether so many were killed as must be; one that ran into the time limit counts as killed."""
    return bool(stats["total"]) and _killed(stats) * _ALL >= LEAST * stats["total"]


def sentence(stats: Mapping[str, int]) -> str:
    """The figures in words.

    >>> sentence({"killed": 90, "timeout": 1, "total": 100})
    'killed 91 of 100 mutants (91.0%, at least 90%)'
    """
    killed, total = _killed(stats), stats["total"]
    percent = killed * _ALL / total if total else 0
    return f"killed {killed} of {total} mutants ({percent:.1f}%, at least {LEAST}%)"


def _killed(stats: Mapping[str, int]) -> int:
    return stats["killed"] + stats["timeout"]


if __name__ == "__main__":
    sys.exit(main())
