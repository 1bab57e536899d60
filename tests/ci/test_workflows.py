"""The ready-made workflows, by running their steps.

Every `run:` step runs in a shell as a runner does it, in a clone of the example fleet. `fleet` is
the real one, but for `verify`, which needs clusters; `pulumi`, `gh` and `make` are stand-ins that
write down how they were called.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.emit.certificates import Authority
from tests.probe.kit import a_cluster_api, a_kubeconfig

REPOSITORY = Path(__file__).parent.parent.parent
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
SETUP = REPOSITORY / ".github" / "actions" / "setup" / "action.yml"
SECRET = "s3cr3t-of-the-stack"  # noqa: S105 - a pretended one, to be looked for
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
PINNED = re.compile(r"^(\./.*|[\w.-]+/[\w.-]+@v\d+)$")
VALUES = {
    "github.event.pull_request.number": "7",
    "github.event.workflow_run.head_sha": "abc123",
    "github.event.workflow_run.id": "99",
    "github.repository": "somebody/fleet",
    "github.ref_name": "main",
    "github.token": SECRET,
    "vars.FLEET_STACK || 'dev'": "dev",
    "vars.PULUMI_BACKEND_URL": "file:///state",
    "secrets.PULUMI_ACCESS_TOKEN": SECRET,
    "secrets.PULUMI_CONFIG_PASSPHRASE": SECRET,
    "secrets.KUBECONFIG": "",
    "secrets.KUBECONFIG_READ": "",
    "inputs.approve": "",
    "inputs.region": "us-east-1",
}
RECORDER = f"""#!{sys.executable}
import json, os, pathlib, subprocess, sys
here = pathlib.Path(os.environ["STANDINS"])
name, words = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
with (here / "calls").open("a") as calls:
    calls.write(json.dumps([name, *words]) + "\\n")
says = json.loads((here / "says.json").read_text())
line = " ".join([name, *words])
for start, said in says.items():
    if line.startswith(start):
        print(said["out"], end="")
        sys.exit(said["code"])
if words[:2] == ["config", "set"]:
    file = pathlib.Path(f"Pulumi.{{os.environ['STACK']}}.yaml")
    text = file.read_text() if file.exists() else "config:\\n"
    lines = [x for x in text.splitlines() if not x.strip().startswith(f"fleet:{{words[2]}}:")]
    file.write_text("\\n".join([*lines, f"  fleet:{{words[2]}}: {{json.dumps(words[3])}}"]) + "\\n")
if words[:3] == ["stack", "output", "placements"]:
    now = "2030-01-01T00:00:00Z"
    sys.exit(subprocess.run(["fleet", "plan", "--now", now, "-o", "json"]).returncode)
"""
FLEET = f"""#!/usr/bin/env bash
case "$1" in
  verify) exec "$STANDINS/stand-in/verify" "$@" ;;
esac
exec {sys.executable} -m fleet "$@"
"""


def load(path: Path) -> dict[str, Any]:
    """A workflow, all scalars as text: YAML would read `on` as true."""
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 - text only
    assert isinstance(data, dict)
    return data


def steps_of(path: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every step with its job."""
    return [(step, job) for job in load(path)["jobs"].values() for step in job["steps"]]


@dataclass
class Ended:
    """A job that ran: its exit code, everything it said, what its summary shows."""

    code: int
    said: str
    summary: str


@dataclass
class Runner:
    """Runs jobs as a runner of GitHub does, in a clone whose origin is a bare repository."""

    root: Path
    values: dict[str, str] = field(default_factory=lambda: dict(VALUES))
    says: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def work(self) -> Path:
        """The clone."""
        return self.root / "work"

    @property
    def calls(self) -> list[list[str]]:
        """What the stand-ins were called with."""
        file = self.root / "calls"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []

    def called(self, *words: str) -> list[list[str]]:
        """The calls that begin like this."""
        return [each for each in self.calls if each[: len(words)] == list(words)]

    def say(self, start: str, out: str = "", code: int = 0) -> None:
        """What a stand-in says to a call that begins like this."""
        self.says[start] = {"out": out, "code": code}

    def git(self, *words: str) -> str:
        """What git says in the clone."""
        done = subprocess.run(
            ["git", *words],
            cwd=self.work,
            env=self.environment({}),
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    def run(self, workflow: str, job: str) -> Ended:
        """Every step of a job until one fails; `if: always()` is run all the same."""
        document = load(REPOSITORY / ".github" / "workflows" / f"{workflow}.yml")
        (self.root / "says.json").write_text(json.dumps(self.says))
        code, said = 0, ""
        chosen = document["jobs"][job]
        for step in self._flat(chosen["steps"]):
            if code or "run" not in step:
                continue
            env = {**chosen.get("env", {}), **step.get("env", {})}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self.work,
                env=self.environment({key: self.value(each) for key, each in env.items()}),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                timeout=120,
                check=False,
            )
            code, said = done.returncode, said + done.stdout
        summary = self.root / "summary"
        return Ended(code, said, summary.read_text() if summary.exists() else "")

    def _flat(self, steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The steps, with those of our own action in its place."""
        for step in steps:
            if step.get("uses") != "./.github/actions/setup":
                yield step
                continue
            given = step.get("with", {})
            action = load(SETUP)
            known = {key: each.get("default", "") for key, each in action["inputs"].items()}
            said = {f"inputs.{key}": self.value(each) for key, each in (known | given).items()}
            for inner in action["runs"]["steps"]:
                env = {key: _worked_out(each, said) for key, each in inner["env"].items()}
                yield {**inner, "env": env}

    def value(self, text: str) -> str:
        """Text with its expressions worked out; an unknown one is a KeyError."""
        return _worked_out(text, self.values)

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """What a step sees: the runner's files, the stand-ins before everything else."""
        added = self.root / "path"
        paths = added.read_text().split() if added.exists() else []
        return {
            "PATH": os.pathsep.join([str(self.root / "bin"), *paths, os.environ["PATH"]]),
            "HOME": str(self.root),
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONIOENCODING": "utf-8",
            "FLEET_CACHE": "off",
            "STANDINS": str(self.root),
            "RUNNER_TEMP": str(self.root / "temp"),
            "GITHUB_PATH": str(added),
            "GITHUB_STEP_SUMMARY": str(self.root / "summary"),
            "GIT_AUTHOR_NAME": "t",
            "GIT_AUTHOR_EMAIL": "t@example",
            **more,
        }


def _worked_out(text: str, values: Mapping[str, str]) -> str:
    return EXPRESSION.sub(lambda found: values[found[1]], text)


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A clone of the example fleet."""
    made = Runner(tmp_path)
    for name in ("pulumi", "gh", "make"):
        executable(tmp_path / "bin" / name, RECORDER)
    executable(tmp_path / "stand-in" / "verify", RECORDER)
    executable(tmp_path / "bin" / "fleet", FLEET)
    (tmp_path / "temp").mkdir()
    made.work.mkdir()
    for name in ("inventory", "policies", "workloads", "scripts"):
        shutil.copytree(REPOSITORY / name, made.work / name)
    for name in ("Pulumi.yaml", ".gitignore"):
        shutil.copy(REPOSITORY / name, made.work / name)
    (made.work / "Pulumi.dev.yaml").write_text("config:\n  fleet:activeRegion: eu-west-1\n")
    subprocess.run(["git", "init", "-q", "--bare", tmp_path / "origin"], check=True)
    made.git("init", "-q", "-b", "main")
    made.git("-c", "user.name=t", "-c", "user.email=t@example", "add", "-A")
    made.git("-c", "user.name=t", "-c", "user.email=t@example", "commit", "-qm", "example")
    made.git("remote", "add", "origin", str(tmp_path / "origin"))
    made.git("push", "-q", "origin", "main")
    return made


EVERY = [pytest.param(path, id=path.stem) for path in WORKFLOWS]


@pytest.mark.parametrize("path", EVERY)
def test_no_expression_stands_in_a_script(path: Path) -> None:
    scripts = [step["run"] for step, _ in steps_of(path) if "run" in step]
    scripts += [step["run"] for step in load(SETUP)["runs"]["steps"]]
    assert scripts
    assert [each for each in scripts if "${{" in each] == []
    assert "${{" not in "".join(each.read_text() for each in REPOSITORY.glob("scripts/ci/*.sh"))


@pytest.mark.parametrize("path", EVERY)
def test_rights_are_least_and_said_per_job(path: Path) -> None:
    workflow = load(path)
    assert workflow["permissions"] == {}
    assert "pull_request_target" not in workflow["on"]
    for job in workflow["jobs"].values():
        assert job["permissions"]
        assert job["timeout-minutes"].isdigit()
        writes = {key for key, each in job["permissions"].items() if each == "write"}
        assert writes <= {"contents", "pull-requests", "id-token"}


@pytest.mark.parametrize("path", EVERY)
def test_actions_are_pinned_and_runs_do_not_overlap(path: Path) -> None:
    assert load(path)["concurrency"]["group"]
    used = [step["uses"] for step, _ in steps_of(path) if "uses" in step]
    assert [each for each in used if not PINNED.match(each)] == []


def test_updates_share_one_queue_and_are_never_cut() -> None:
    groups = {
        path.stem: load(path)["concurrency"] for path in WORKFLOWS if path.stem in {"up", "switch"}
    }
    assert (
        groups["up"] == groups["switch"] == {"group": "fleet-stack", "cancel-in-progress": "false"}
    )


def test_who_may_not_merge_gets_no_credentials() -> None:
    jobs = load(REPOSITORY / ".github" / "workflows" / "preview.yml")["jobs"]
    assert "secrets." not in yaml.safe_dump(jobs["plan"])
    assert jobs["plan"]["permissions"] == {"contents": "read"}
    same = "github.event.pull_request.head.repo.full_name == github.repository"
    assert jobs["preview"]["if"] == same


def test_only_what_pushes_keeps_its_login() -> None:
    for path in WORKFLOWS:
        for step, job in steps_of(path):
            if step.get("uses", "").startswith("actions/checkout@"):
                kept = step.get("with", {}).get("persist-credentials") != "false"
                assert kept == (job["permissions"].get("contents") == "write"), path.stem


def test_scripts_are_run_by_name_and_exist() -> None:
    for path in WORKFLOWS:
        for step, _ in steps_of(path):
            if "run" in step:
                script = REPOSITORY / shlex.split(step["run"])[0]
                assert os.access(script, os.X_OK), step["run"]


def test_a_pull_request_gets_its_plan(runner: Runner) -> None:
    ended = runner.run("preview", "plan")
    assert ended.code == 0, ended.said
    assert runner.called("make") == [["make", "setup"]]
    assert runner.called("pulumi") == []
    assert "**api**" in (runner.work / "plan.md").read_text()
    assert "**api**" in ended.summary
    assert (runner.work / "pr-number").read_text() == "7\n"


def test_a_wrong_pull_request_fails(runner: Runner) -> None:
    (runner.work / "policies" / "web.yaml").write_text("kind: Nonsense\n")
    ended = runner.run("preview", "plan")
    assert ended.code == 2
    assert "policies/web.yaml:1:1" in ended.said


def commented(runner: Runner, number: str, head: str = "abc123") -> Ended:
    (runner.work / "plan").mkdir(exist_ok=True)
    (runner.work / "plan" / "plan.md").write_text("the table\n")
    (runner.work / "plan" / "pr-number").write_text(number)
    runner.say("gh pr view", head + "\n")
    return runner.run("comment", "comment")


def test_the_plan_is_commented_on_its_own_pull_request(runner: Runner) -> None:
    assert commented(runner, "7\n").code == 0
    (call,) = runner.called("gh", "pr", "comment")
    assert call[3] == "7"
    assert "--edit-last" in call
    body = Path(call[call.index("--body-file") + 1]).read_text()
    assert body == "### fleet plan\n\nthe table\n"


@pytest.mark.parametrize("number", ["7; id", "$(id)", "", "--repo=x", "../7"])
def test_a_number_that_is_none_is_refused(runner: Runner, number: str) -> None:
    assert commented(runner, number).code == 1
    assert runner.called("gh") == []


def test_a_plan_of_another_commit_is_not_commented(runner: Runner) -> None:
    assert commented(runner, "8", head="other").code == 0
    assert runner.called("gh", "pr", "comment") == []


def test_a_trusted_branch_gets_a_preview(runner: Runner) -> None:
    ended = runner.run("preview", "preview")
    assert ended.code == 0, ended.said
    assert runner.called("pulumi", "stack") == [["pulumi", "stack", "select", "dev"]]
    assert runner.called("pulumi", "preview")[0][2:] == ["--diff", "--non-interactive"]
    assert runner.called("pulumi", "up") == []
    assert SECRET not in ended.said


def test_a_failed_preview_fails_the_job(runner: Runner) -> None:
    runner.say("pulumi preview", "error: refused\n", 255)
    assert runner.run("preview", "preview").code == 255


def test_a_merge_is_carried_out_and_verified(runner: Runner) -> None:
    ended = runner.run("up", "up")
    assert ended.code == 0, ended.said
    up = ["pulumi", "up", "--yes", "--skip-preview", "--continue-on-error", "--non-interactive"]
    assert runner.called("pulumi", "up") == [up]
    (verify,) = runner.called("verify")
    prior = Path(verify[verify.index("--prior") + 1])
    assert json.loads(prior.read_text())["digest"]
    assert runner.called("pulumi", "config", "set", "approve") == []
    assert SECRET not in ended.said + ended.summary


def test_consent_is_given_by_its_digest(runner: Runner) -> None:
    runner.values["inputs.approve"] = "e668b4183a53"
    assert runner.run("up", "up").code == 0
    (consent,) = runner.called("pulumi", "config", "set", "approve")
    assert consent[-1] == "e668b4183a53"
    names = [each[1] for each in runner.called("pulumi")]
    assert names.index("up") > names.index("config")


@pytest.mark.parametrize("approve", ["$(touch hit)", "--secret", "yes", "abc123; touch hit"])
def test_consent_that_is_no_digest_is_refused(runner: Runner, approve: str) -> None:
    runner.values["inputs.approve"] = approve
    assert runner.run("up", "up").code == 2
    assert runner.called("pulumi", "up") == []
    assert not (runner.work / "hit").exists()


def test_an_update_that_failed_fails_the_job_before_it_is_verified(runner: Runner) -> None:
    runner.say("pulumi up", "error\n", 255)
    assert runner.run("up", "up").code == 255
    assert runner.called("verify") == []


def test_a_plan_that_did_not_come_true_fails_the_job(runner: Runner) -> None:
    runner.say("verify", "differs\n", 1)
    assert runner.run("up", "up").code == 1


def test_a_switch_is_committed_carried_out_and_verified(runner: Runner) -> None:
    ended = runner.run("switch", "switch")
    assert ended.code == 0, ended.said
    assert "**api.fleet.test**" in ended.summary
    pushed = runner.git("show", "origin/main:Pulumi.dev.yaml")
    assert 'fleet:activeRegion: "us-east-1"' in pushed
    assert "fleet:now" not in pushed
    assert runner.git("log", "-1", "--format=%s", "origin/main") == "activeRegion: us-east-1"
    assert [each[0] for each in runner.calls if each[1:2] == ["up"] or each[0] == "verify"] == [
        "pulumi",
        "verify",
    ]


@pytest.mark.parametrize("region", ["us-eest-1", "$(touch hit)", "--help; touch hit"])
def test_a_switch_to_no_region_changes_nothing(runner: Runner, region: str) -> None:
    runner.values["inputs.region"] = region
    ended = runner.run("switch", "switch")
    assert ended.code == 2
    assert "config fleet:activeRegion" in ended.said
    assert runner.called("pulumi") == []
    assert runner.git("status", "--porcelain") == ""
    assert not (runner.work / "hit").exists()


def test_a_switch_that_is_done_already_is_no_commit(runner: Runner) -> None:
    runner.values["inputs.region"] = "eu-west-1"
    text = 'config:\n  fleet:activeRegion: "eu-west-1"\n'
    (runner.work / "Pulumi.dev.yaml").write_text(text)
    runner.git("-c", "user.name=t", "-c", "user.email=t@example", "commit", "-qam", "same")
    runner.git("push", "-q", "origin", "main")
    assert runner.run("switch", "switch").code == 0
    assert runner.git("log", "-1", "--format=%s", "origin/main") == "same"
    assert runner.called("pulumi", "up")


@dataclass
class Regions:
    """The three clusters of the example on loopback; `dead` ones have nobody on their port."""

    runner: Runner
    urls: dict[str, str]
    authority: Authority

    def lead(self, *dead: str) -> None:
        """Writes the secret kubeconfig."""
        config = yaml.safe_load(a_kubeconfig("http://127.0.0.1:1", None))
        config["clusters"] = [{"name": "dead", "cluster": {"server": "http://127.0.0.1:1"}}]
        config["contexts"] = []
        for name, url in self.urls.items():
            living = yaml.safe_load(a_kubeconfig(url, self.authority))["clusters"][0]["cluster"]
            config["clusters"].append({"name": name, "cluster": living})
            where = "dead" if name in dead else name
            config["contexts"].append({"name": name, "context": {"cluster": where, "user": "me"}})
        self.runner.values["secrets.KUBECONFIG_READ"] = yaml.safe_dump(config)


@pytest.fixture
def regions(runner: Runner, tmp_path: Path) -> Iterator[Regions]:
    authority = Authority()
    with ExitStack() as stack:
        urls = {
            name: stack.enter_context(a_cluster_api(authority, tmp_path)).url
            for name in ("ap-1", "eu-1", "us-1")
        }
        made = Regions(runner, urls, authority)
        made.lead()
        yield made


def observe(runner: Runner, **spec: Any) -> None:
    """The observed file of the default branch says this of us-1."""
    document = {
        "apiVersion": "fleet/v1",
        "kind": "ClusterObservation",
        "metadata": {"name": "us-1"},
        "spec": {"observedAt": "2020-01-01T00:00:00Z", **spec},
    }
    (runner.work / "inventory" / "observed.yaml").write_text(yaml.safe_dump(document))
    runner.git("-c", "user.name=t", "-c", "user.email=t@example", "add", "-A")
    runner.git("-c", "user.name=t", "-c", "user.email=t@example", "commit", "-qm", "observed")


def test_a_quiet_probe_proposes_nothing(runner: Runner, regions: Regions) -> None:
    ended = runner.run("probe", "probe")
    assert ended.code == 0, ended.said
    assert "no cluster died or came back" in ended.said
    assert "v1.36.3" in ended.summary
    assert runner.called("gh") == []
    kubeconfig = runner.work / ".devkit" / "kubeconfig"
    assert kubeconfig.stat().st_mode & 0o777 == 0o600
    assert regions.authority.certificate.decode()[30:90] not in ended.said


def test_a_cluster_that_died_opens_a_change_that_moves_it(runner: Runner, regions: Regions) -> None:
    regions.lead("us-1")
    since = "2020-01-01T00:00:00Z"
    observe(runner, reachable=False, unreachableSince=since, probedAt=since)
    runner.say("gh pr list", "0\n")
    ended = runner.run("probe", "probe")
    assert ended.code == 0, ended.said
    assert "::warning::cluster 'us-1': connection refused" in ended.said
    (opened,) = runner.called("gh", "pr", "create")
    assert opened[opened.index("--head") + 1] == "fleet/observed"
    changed = runner.git("diff", "--name-only", "main", "origin/fleet/observed").splitlines()
    assert changed == ["inventory/observed.yaml"]
    written = runner.git("show", "origin/fleet/observed:inventory/observed.yaml")
    assert "s3cr3t" not in written
    plan = subprocess.run(
        [sys.executable, "-m", "fleet", "plan", "--now", "2999-01-01T00:00:00Z", "-o", "json"],
        cwd=runner.work,
        env=runner.environment({}),
        capture_output=True,
        check=False,
    )
    assert plan.returncode == 0, plan.stderr
    api = json.loads(plan.stdout)["workloads"]["api"]["assignments"]
    assert "us-1" not in {name for name, replicas in api.items() if replicas}


def test_an_open_change_is_renewed(runner: Runner, regions: Regions) -> None:
    regions.lead("us-1")
    since = "2020-01-01T00:00:00Z"
    observe(runner, reachable=False, unreachableSince=since, probedAt=since)
    runner.say("gh pr list", "1\n")
    assert runner.run("probe", "probe").code == 0
    assert runner.called("gh", "pr", "create") == []
    assert runner.git("rev-parse", "origin/fleet/observed")


def test_a_wrong_inventory_fails_the_probe(runner: Runner, regions: Regions) -> None:
    assert regions.urls
    (runner.work / "inventory" / "more.yaml").write_text("kind: Nonsense\n")
    ended = runner.run("probe", "probe")
    assert ended.code == 2
    assert "inventory/more.yaml:1:1" in ended.said


def test_the_drill_is_kept_and_shown_and_a_missed_target_fails_it(runner: Runner) -> None:
    ended = runner.run("drill", "drill")
    assert ended.code == 1, ended.said  # the example fleet has workloads that run in one region
    assert "<failure" in (runner.work / "drill.xml").read_text()
    assert ended.summary == (runner.work / "drill.md").read_text() != ""


def test_every_workflow_has_run_here() -> None:
    source = Path(__file__).read_text()
    for path in WORKFLOWS:
        for job in load(path)["jobs"]:
            assert f'run("{path.stem}", "{job}")' in source
