"""A small project of a test's own: files, stack config, and the engine's commands on it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from devkit import processes
from devkit.home import PROJECT, environment
from tests.harness.world import World

LIMIT_SECONDS = 400
PROGRAM = """\
import pulumi

from fleet.program import main

pulumi.run(main)
"""
ENDPOINT = "fleet:index:Endpoint"
CONFIG = {
    "pulumi:disable-default-providers": ["*"],
    "aws:region": "us-east-1",
    "aws:skipCredentialsValidation": True,
    "aws:skipRequestingAccountId": True,
    "aws:skipMetadataApiCheck": True,
}


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    error: str
    seconds: float

    @property
    def text(self) -> str:
        """Everything that it printed."""
        return self.out + self.error


@dataclass(frozen=True)
class Step:
    """One step of a preview."""

    op: str
    urn: str
    old: dict[str, Any]
    new: dict[str, Any]

    @property
    def name(self) -> str:
        """The resource's name."""
        return self.urn.split("::", 3)[3]


@dataclass
class Project:
    """A project folder with one stack. `name` is the stack, a namespace and a DNS zone's label."""

    root: Path
    world: World
    name: str
    settings: dict[str, Any] = field(default_factory=dict)
    namespaces: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """The devkit's, with the project's own variables; its PATH comes first."""
        everything = environment(self.world.home) | self.variables
        if "PATH" in self.variables:
            first = self.variables["PATH"]
            everything["PATH"] = f"{first}{os.pathsep}{environment(self.world.home)['PATH']}"
        return everything

    @property
    def config_file(self) -> Path:
        """The stack's config."""
        return self.root / f"Pulumi.{self.name}.yaml"

    @property
    def zone(self) -> str:
        """A zone of the test's own."""
        return f"{self.name}.test"

    def begin(self) -> None:
        """Lays the project's files and makes its stack."""
        self.root.mkdir(parents=True)
        (self.root / "__main__.py").write_text(PROGRAM)
        runtime = {"name": "python", "options": {"virtualenv": sys.prefix}}
        project = {"name": "fleet", "runtime": runtime}
        (self.root / "Pulumi.yaml").write_text(yaml.safe_dump(project))
        for folder in ("inventory", "workloads", "policies"):
            (self.root / folder).mkdir()
        self.config()
        self.pulumi("stack", "init", self.name, where=False)
        self.namespaces.append(self.name)

    def write(self, path: str, *documents: Any) -> None:
        """Writes a file of documents."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.safe_dump_all(documents, sort_keys=False))

    def remove(self, path: str) -> None:
        """Removes a file, or a folder with its files."""
        file = self.root / path
        for each in sorted(file.rglob("*"), reverse=True):
            each.unlink()
        if file.is_dir():
            file.rmdir()
        else:
            file.unlink()

    def config(self, **settings: Any) -> None:
        """Changes keys of the namespace `fleet:`; None removes one."""
        self.settings |= settings
        document: dict[str, Any] = {}
        if self.config_file.exists():
            document = yaml.safe_load(self.config_file.read_text()) or {}
        ours = {f"fleet:{key}": each for key, each in self.settings.items() if each is not None}
        document["config"] = CONFIG | ours
        self.config_file.write_text(yaml.safe_dump(document))

    def command(self, *arguments: str, where: bool = True) -> list[str]:
        """A command line of the engine."""
        stack = ["--stack", self.name] if where else []
        return ["pulumi", *arguments, *stack, "--non-interactive", "--color", "never"]

    def pulumi(self, *arguments: str, code: int | None = 0, where: bool = True) -> Done:
        """Runs the engine. `code` is what it has to exit with: None is anything but 0."""
        begun = time.monotonic()
        done = subprocess.run(
            self.command(*arguments, where=where),
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_SECONDS,
        )
        result = Done(done.returncode, done.stdout, done.stderr, time.monotonic() - begun)
        said = f"{' '.join(arguments)} exited {result.code}\n{result.text}"
        assert result.code == code if code is not None else result.code, said
        return result

    def run(self, command: list[str], surroundings: dict[str, str], where: Path = PROJECT) -> Done:
        """Runs any command, by default from where the devkit is."""
        begun = time.monotonic()
        done = subprocess.run(
            command,
            cwd=where,
            env=surroundings,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_SECONDS,
        )
        return Done(done.returncode, done.stdout, done.stderr, time.monotonic() - begun)

    def fleet(self, *words: str, code: int = 0) -> Done:
        """Runs fleet's own command line in the project's folder."""
        surroundings = {**self.environment, "PYTHONPATH": str(PROJECT)}
        result = self.run([sys.executable, "-m", "fleet", *words], surroundings, self.root)
        assert result.code == code, f"fleet {' '.join(words)} exited {result.code}\n{result.text}"
        return result

    def up(self, *arguments: str, code: int | None = 0) -> Done:
        """`pulumi up` without its own preview."""
        return self.pulumi("up", "--yes", "--skip-preview", *arguments, code=code)

    def unchanged(self) -> Done:
        """A preview that has nothing to do."""
        return self.pulumi("preview", "--expect-no-changes")

    def steps(self, *arguments: str) -> list[Step]:
        """What a preview would do; without what stays the same."""
        done = self.pulumi("preview", "--json", *arguments)
        return [
            Step(each["op"], each["urn"], each.get("oldState") or {}, each.get("newState") or {})
            for each in json.loads(done.out)["steps"]
            if each["op"] not in {"same", "read"}
        ]

    def export(self) -> dict[str, Any]:
        """The stack's state."""
        exported: dict[str, Any] = json.loads(self.pulumi("stack", "export").out)
        return exported

    def pending(self) -> list[dict[str, Any]]:
        """The operations of the state that never ended."""
        found: list[dict[str, Any]] = self.export()["deployment"].get("pending_operations") or []
        return found

    def resources(self) -> dict[str, dict[str, Any]]:
        """The state's resources by name, without the stack itself and the providers.

        An endpoint may have the name of its workload: it is `endpoint <name>` here.
        """
        file = self.world.home.state / ".pulumi" / "stacks" / "fleet" / f"{self.name}.json"
        latest = json.loads(file.read_text())["checkpoint"]["latest"] or {}
        found = {}
        for each in latest.get("resources") or []:
            name = each["urn"].split("::", 3)[3]
            if not each["type"].startswith("pulumi:"):
                found[f"endpoint {name}" if each["type"] == ENDPOINT else name] = each
        return found

    def reimport(self) -> None:
        """The engine takes its own state back, as it checks it on import."""
        file = self.root / "state.json"
        file.write_text(self.pulumi("stack", "export").out)
        self.pulumi("stack", "import", "--file", str(file))

    def placement(self, workload: str) -> dict[str, int]:
        """What the stack's output says of a workload."""
        outputs = json.loads(self.pulumi("stack", "output", "--json").out)
        assigned: dict[str, int] = outputs["placements"][workload]["assignments"]
        return assigned

    @contextmanager
    def running(self, *arguments: str) -> Iterator["Running"]:
        """An engine command that runs while the block does; it is awaited at the end."""
        out = self.root / "running.txt"
        with out.open("w") as handle:
            process = subprocess.Popen(
                self.command(*arguments),
                cwd=self.root,
                env=self.environment,
                stdout=handle,
                stderr=handle,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        running = Running(process, out)
        try:
            yield running
        finally:
            if process.poll() is None:
                running.kill()

    def eventually(self, holds: Callable[[], object], what: str, seconds: float = 120) -> None:
        """Waits until something holds."""
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
            time.sleep(0.1)


@dataclass
class Running:
    """An engine command that runs."""

    process: subprocess.Popen[bytes]
    out: Path
    begun: float = field(default_factory=time.monotonic)

    def wait(self, seconds: float = LIMIT_SECONDS) -> Done:
        """Waits for its end."""
        code = self.process.wait(seconds)
        return Done(code, self.out.read_text(), "", time.monotonic() - self.begun)

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def victims(self, word: str) -> list[int]:
        """The processes below the engine whose command line has a word."""
        family = set(_descendants(self.process.pid))
        found = processes.running(lambda words: word in " ".join(words))
        return [each for each in found if each in family]

    def kill(self) -> None:
        """The engine dies on the spot; what it started ends by itself or is ended here."""
        family = _descendants(self.process.pid)
        self.process.kill()
        self.process.wait()
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and any(processes.is_alive(pid) for pid in family):
            time.sleep(0.1)
        processes.end([pid for pid in family if processes.is_alive(pid)], 5)


def measured(what: str) -> None:
    """Tells how long something took, where pytest is asked to show it (-rP)."""
    sys.stdout.write(f"measured: {what}\n")


def _descendants(pid: int) -> list[int]:
    """Every process that one started, and what those started."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents[int(folder.name)] = int(fields[1])
    found: list[int] = []
    fresh = [pid]
    while fresh:
        fresh = [child for child, parent in parents.items() if parent in fresh]
        found += fresh
    return [each for each in found if each != os.getpid()]
