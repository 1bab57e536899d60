"""The engine's commands, run on the project's stack for `fleet recover`.

Nothing here holds credentials: the engine and the program have their own.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from fleet.errors import FleetError
from fleet.recover.look import VARIABLE

LIMIT_SECONDS = 600


class EngineError(FleetError):
    """The engine did not do what it was asked."""


@dataclass(frozen=True, slots=True)
class Lock:
    """The lock of an update in a file backend, and whether its process still runs here."""

    text: str
    is_alive: bool


@dataclass(frozen=True, slots=True)
class Engine:
    """`pulumi` on one stack of one project."""

    root: Path
    stack: str | None

    def run(self, *words: str, variables: Mapping[str, str] | None = None) -> str:
        """What a command prints. **Errors**: EngineError with what it said."""
        done = self._ask(*words, variables=variables)
        if done.returncode:
            said = (done.stderr or done.stdout).strip()
            raise EngineError(f"'pulumi {' '.join(words[:2])}' failed:\n{said}")
        return done.stdout

    def look(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The program's answers to questions. **Errors**: EngineError where it gave none."""
        with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
            path = Path(folder) / "questions.json"
            path.write_text(json.dumps(asked))
            done = self._ask("preview", variables={VARIABLE: str(path)})
            answers = path.with_name(f"{path.name}.answers")
            if not answers.exists():
                said = (done.stdout + done.stderr).strip()
                raise EngineError(f"the clusters and Route53 could not be asked:\n{said}")
            found: dict[str, Any] = json.loads(answers.read_text())
            return found

    def locks(self, owner: str) -> tuple[Lock, ...] | None:
        """The locks of the stack (`project/stack`); None where the backend is no folder."""
        said = self.run("whoami", "--verbose", "--json", variables={})
        url = urlsplit(str(json.loads(said).get("url") or ""))
        if url.scheme != "file":
            return None
        root = Path(unquote(f"{url.netloc}{url.path}")).expanduser()
        folder = root / ".pulumi" / "locks" / "organization" / owner
        return tuple(_lock(file) for file in sorted(folder.glob("*.json")))

    def _ask(
        self, *words: str, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        where = [] if self.stack is None or words[0] == "whoami" else ["--stack", self.stack]
        command = ["pulumi", *words, *where, "--non-interactive", "--color", "never"]
        try:
            return subprocess.run(  # noqa: S603 - the engine, with words of ours
                command,
                cwd=self.root,
                env={**os.environ, **(variables or {})},
                capture_output=True,
                text=True,
                check=False,
                timeout=LIMIT_SECONDS,
                stdin=subprocess.DEVNULL,
            )
        except FileNotFoundError:
            raise EngineError("'pulumi' is not on PATH") from None
        except subprocess.TimeoutExpired:
            waited = f"did not end within {LIMIT_SECONDS} s"
            raise EngineError(f"'pulumi {' '.join(words[:2])}' {waited}") from None


def _lock(file: Path) -> Lock:
    said = json.loads(file.read_text())
    pid, host = int(said.get("pid") or 0), str(said.get("hostname"))
    who = f"{said.get('username')}@{host}, process {pid}, since {said.get('timestamp')}"
    return Lock(who, host == os.uname().nodename and pid > 0 and Path(f"/proc/{pid}").exists())
