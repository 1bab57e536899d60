"""The live drill: a real cluster dies under a running stack, and what a user saw is measured.

The stack's own config is put back and the cluster revived whatever happens. A stack that reaches
anything which this devkit did not start is refused before anything is touched.
"""

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devkit import control
from devkit import plan as plans
from devkit.dataplane.watch import read_samples, watching
from devkit.errors import DevkitError
from devkit.home import Home, environment
from devkit.plan import Plan
from devkit.proxy import How
from devkit.recorder import Look, first, named, recording
from devkit.timings import OK, SLACK_SECONDS, Predicted, Seen, limit, predicted, seen

Say = Callable[[str], None]
PATIENCE_SECONDS = 60
STEADY_SECONDS = 1
PROVIDER = "pulumi:providers:kubernetes"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which cluster dies, how, under which stack, and whose name is watched.

    **Units**: `late` are seconds by which health checks report late: a fault put in on purpose.
    """

    home: Home
    project: Path
    stack: str
    name: str
    cluster: str
    how: How
    late: float = 0.0

    @property
    def config(self) -> Path:
        """The stack's config."""
        return self.project / f"Pulumi.{self.stack}.yaml"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the measured timeline. `measured` None: it never came. **Units**: seconds."""

    name: str
    predicted: float | None
    measured: float | None
    passed: bool
    note: str = ""


def rehearse(asked: Asked, say: Say) -> list[Step]:
    """Kills, watches, repairs, revives and fails back.

    **Errors**: DevkitError where the stack is not this devkit's or the name is not ready for it.
    """
    plan = _refuse(asked)
    promised = _promised(asked)
    before = named(asked.home, asked.name)
    out = asked.home.root / "drill.jsonl"
    with (
        _put_back(asked),
        _late(asked),
        recording(asked.home, asked.name) as looks,
        watching(asked.name, asked.home.root, out, "--as-resolver"),
    ):
        time.sleep(STEADY_SECONDS)
        say(f"{asked.cluster} dies ({asked.how})")
        died = time.time()
        control.ask(asked.home, command="kill", cluster=asked.cluster, how=str(asked.how))
        _await_answers(asked, out, died, promised.total)
        say("answers are good again; the update repairs")
        _declare_down(asked, plan, before)
        repaired, repair = _up(asked)
        say(f"{asked.cluster} returns; the update fails back")
        control.ask(asked.home, command="revive", cluster=asked.cluster)
        _put_config_back(asked)
        returned = time.time()
        failed_back, failback = _up(asked)
        time.sleep(promised.ttl + STEADY_SECONDS)
    samples = read_samples(out)
    out.unlink()
    loss = seen([each for each in samples if each.time < returned], died)
    back = seen(samples, returned)
    return [
        _steady(loss),
        _detection(asked, looks, died, promised),
        _dead_answers(loss, promised),
        Step("repairing update", None, repaired, repair == 0, _exit(repair)),
        _capacity(looks, returned, before),
        Step("failing back", None, failed_back, failback == 0, _exit(failback)),
        _failback(asked, back, before),
    ]


def markdown(asked: Asked, steps: Sequence[Step]) -> str:
    """The measured timeline beside the predicted one."""
    verdict = "PASS" if all(each.passed for each in steps) else "FAIL"
    lines = [
        f"## Live drill of '{asked.name}': {asked.cluster} died ({asked.how}) - {verdict}",
        "",
        "| step | predicted, at most | measured | |",
        "|---|---|---|---|",
    ]
    for each in steps:
        said = f"{'PASS' if each.passed else 'FAIL'}{f': {each.note}' if each.note else ''}"
        lines.append(
            f"| {each.name} | {_seconds(each.predicted)} | {_seconds(each.measured)} | {said} |"
        )
    return "\n".join(lines)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} s"


def _exit(code: int) -> str:
    return f"exit {code}" if code else ""


def _refuse(asked: Asked) -> Plan:
    """The devkit's plan, where the stack reaches nothing else.

    **Errors**: DevkitError naming what is not the devkit's.
    """
    plan = plans.read(asked.home)
    if plan is None or control.try_ask(asked.home, command="status") is None:
        raise DevkitError(f"no devkit is up in {asked.home.root} - a drill kills only its clusters")
    if not asked.config.exists():
        raise DevkitError(f"{asked.config.name} does not exist in {asked.project}")
    contexts = {each.cluster.context: each.cluster.name for each in plan.clusters}
    if asked.cluster not in contexts.values():
        known = ", ".join(sorted(contexts.values()))
        raise DevkitError(f"the devkit did not start '{asked.cluster}' - it started {known}")
    for urn, inputs in _providers(asked):
        file = inputs.get("kubeconfig")
        path = (asked.project / file).expanduser() if isinstance(file, str) else None
        is_ours = path is not None and path.resolve() == asked.home.kubeconfig.resolve()
        if not is_ours or inputs.get("context") not in contexts:
            name = urn.rpartition("::")[2]
            raise DevkitError(
                f"stack '{asked.stack}' reaches cluster '{name}', which this devkit did not start"
                " - a live drill touches nothing else"
            )
    return plan


def _providers(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    done = _pulumi(asked, "stack", "export")
    if done.returncode:
        raise DevkitError(f"stack '{asked.stack}' cannot be read: {done.stderr.strip()}")
    resources = (json.loads(done.stdout).get("deployment") or {}).get("resources") or []
    found = [(each["urn"], each["inputs"]) for each in resources if each["type"] == PROVIDER]
    if not found:
        raise DevkitError(f"stack '{asked.stack}' has no cluster yet - run 'pulumi up' first")
    yield from found


def _promised(asked: Asked) -> Predicted:
    """What the records and checks of the name promise. **Errors**: DevkitError."""
    records = named(asked.home, asked.name)
    if asked.cluster not in records:
        has = ", ".join(sorted(records)) or "none"
        raise DevkitError(f"'{asked.name}' has no record of '{asked.cluster}' - it has {has}")
    ready = [name for name, each in records.items() if each["healthy"] and each["ready"]]
    if not [name for name in ready if name != asked.cluster]:
        raise DevkitError(f"nobody else could answer '{asked.name}' - a drill would only break it")
    record = records[asked.cluster]
    checks = control.ask(asked.home, command="status")["plane"]["checks"]
    check = checks.get(record["check"])
    if check is None:
        raise DevkitError(f"the record of '{asked.cluster}' has no health check")
    return predicted(check["interval"], check["threshold"], record["ttl"], check["type"])


@contextmanager
def _put_back(asked: Asked) -> Iterator[None]:
    """The stack's config and the cluster are as before, whatever happens in between."""
    kept = _kept_config(asked)
    shutil.copy(asked.config, kept)
    try:
        yield
    finally:
        _put_config_back(asked)
        kept.unlink()
        with suppress(DevkitError):
            control.ask(asked.home, command="revive", cluster=asked.cluster)


def _kept_config(asked: Asked) -> Path:
    return asked.home.root / f"drill-{asked.config.name}"


def _put_config_back(asked: Asked) -> None:
    shutil.copy(_kept_config(asked), asked.config)


@contextmanager
def _late(asked: Asked) -> Iterator[None]:
    control.ask(asked.home, command="late", seconds=asked.late)
    try:
        yield
    finally:
        with suppress(DevkitError):
            control.ask(asked.home, command="late", seconds=0)


def _await_answers(asked: Asked, out: Path, died: float, promised: float) -> None:
    """Waits until the loss is over for a user, or is longer than anybody would wait."""
    deadline = time.time() + promised + asked.late + PATIENCE_SECONDS
    while time.time() < deadline:
        later = [each for each in read_samples(out) if each.time > died]
        answered = [each for each in later if each.status == OK and each.cluster != asked.cluster]
        settled = time.time() > died + promised + asked.late
        if settled and answered and later[-1].status == OK:
            return
        time.sleep(STEADY_SECONDS / 2)


def _declare_down(asked: Asked, plan: Plan, before: dict[str, dict[str, Any]]) -> None:
    """What an operator does: the cluster is down, and another region answers if it has to."""
    commands: list[tuple[str, ...]] = [("config", "set", "--path", "fleet:down[0]", asked.cluster)]
    answering = [name for name, each in before.items() if each["weight"]]
    if answering == [asked.cluster]:
        others = [name for name in before if name != asked.cluster]
        best = max(others, key=lambda name: before[name]["ready"])
        region = next(e.cluster.region for e in plan.clusters if e.cluster.name == best)
        commands.append(("config", "set", "activeRegion", region))
    for command in commands:
        done = _pulumi(asked, *command)
        if done.returncode:
            raise DevkitError(f"'pulumi {' '.join(command)}' failed: {done.stderr.strip()}")


def _up(asked: Asked) -> tuple[float, int]:
    """An update; how many seconds it took, and its exit code."""
    begun = time.monotonic()
    done = _pulumi(asked, "up", "--yes", "--skip-preview")
    return time.monotonic() - begun, done.returncode


def _pulumi(asked: Asked, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["pulumi", *arguments, "--stack", asked.stack, "--non-interactive", "--color", "never"],
        cwd=asked.project,
        env=environment(asked.home),
        capture_output=True,
        text=True,
        check=False,
    )


def _steady(loss: Seen) -> Step:
    bad = len(loss.early)
    return Step("steady before", None, None, not bad, f"{bad} bad answers" if bad else "")


def _detection(asked: Asked, looks: list[Look], died: float, promised: Predicted) -> Step:
    found = first(looks, died, lambda each: not each.healthy.get(asked.cluster, True))
    passed = found is not None and found <= promised.detection + SLACK_SECONDS
    return Step("detection", promised.detection, found, passed)


def _dead_answers(loss: Seen, promised: Predicted) -> Step:
    passed = loss.last_dead <= limit(promised)
    note = f"{loss.dead_answers} dead answers, then by {', '.join(loss.answered_by) or 'nobody'}"
    return Step("last dead answer", promised.total, loss.last_dead, passed, note)


def _capacity(looks: list[Look], returned: float, before: dict[str, dict[str, Any]]) -> Step:
    """Whether the repaired side runs as much as the side that answered before."""
    wanted = sum(each["ready"] for each in before.values() if each["weight"])
    last = [each for each in looks if each.time < returned][-1]
    found = sum(last.ready[name] for name, weight in last.weights.items() if weight)
    return Step("capacity", None, None, found >= wanted, f"{found} ready of {wanted} behind it")


def _failback(asked: Asked, back: Seen, before: dict[str, dict[str, Any]]) -> Step:
    """Whether everything is as before, and nobody noticed the way back."""
    now = named(asked.home, asked.name)
    same = {name: each["weight"] for name, each in now.items()} == {
        name: each["weight"] for name, each in before.items()
    }
    note = f"{back.dead_answers} dead answers" + ("" if same else "; the weights are not as before")
    return Step(
        "answers on the way back", 0.0, back.last_dead, same and not back.dead_answers, note
    )
