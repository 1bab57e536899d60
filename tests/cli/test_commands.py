"""The commands from outside: what they print, where, and with which exit code."""

import json
import os
import pty
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from fleet.cli import main

REPOSITORY = Path(__file__).parent.parent.parent

CLUSTER = """\
apiVersion: fleet/v1
kind: Cluster
metadata: {{name: {name}}}
spec:
  region: {region}
  capacity: {{allocatable: {{cpu: "16", memory: 64Gi, pods: 110}}}}
  connection: {{file: kubeconfig, context: {name}}}
  entry: {{addresses: [192.0.2.1], port: 80}}
"""
WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          image: registry.example/web:1
          resources: {requests: {cpu: 500m, memory: 512Mi}}
"""
POLICY = """\
apiVersion: fleet/v1
kind: PlacementPolicy
metadata: {name: web}
spec:
  workloads: [web]
  division: {mode: weighted, weights: [{replicaWeight: 1, term: {}}]}
"""


@dataclass(frozen=True, slots=True)
class Said:
    """What a command said."""

    code: int
    out: str
    err: str


class Fleet:
    """A project folder, and the command line in it."""

    def __init__(
        self, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        self.root = root
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        self.write("Pulumi.yaml", "name: fleet\nruntime: python\n")
        self.write("inventory/eu-1.yaml", CLUSTER.format(name="eu-1", region="eu-west-1"))
        self.write("inventory/us-1.yaml", CLUSTER.format(name="us-1", region="us-east-1"))
        self.write("workloads/web/web.yaml", WEB)
        self.write("policies/web.yaml", POLICY)
        monkeypatch.chdir(root)

    def write(self, path: str, text: str) -> None:
        """A file of the project."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def __call__(self, *words: str) -> Said:
        """Runs `fleet` in this process."""
        self.monkeypatch.setattr(sys, "argv", ["fleet", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        said = self.capsys.readouterr()
        code = ended.value.code
        return Said(code if isinstance(code, int) else int(bool(code)), said.out, said.err)


@pytest.fixture
def fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fleet:
    """A project of two clusters and one workload."""
    return Fleet(tmp_path, monkeypatch, capsys)


def test_validate_counts_what_it_has_checked(fleet: Fleet) -> None:
    assert fleet("validate") == Said(0, "valid: 2 clusters, 1 workload, 0 public names\n", "")


def test_validate_names_every_fault_once_on_stderr(fleet: Fleet) -> None:
    fleet.write("policies/web.yaml", POLICY.replace("weighted", "wieghted"))
    fleet.write("inventory/us-1.yaml", CLUSTER.format(name="us-1", region="[]"))
    said = fleet("validate")
    assert said.code == 2
    assert said.out == ""
    lines = said.err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["inventory/us-1.yaml", "policies/web.yaml"]
    assert lines == sorted(set(lines))


def test_plan_prints_the_table(fleet: Fleet) -> None:
    said = fleet("plan")
    assert said.code == 0
    assert said.err == ""
    assert said.out.startswith("web   4 of 4 replicas   policies/web.yaml:")
    assert "no prior" in said.out
    assert "\x1b" not in said.out


def test_plan_as_json_is_nothing_but_json(fleet: Fleet) -> None:
    said = fleet("plan", "--output", "json")
    document = json.loads(said.out)
    assert document["workloads"]["web"]["assignments"] == {"eu-1": 2, "us-1": 2}
    assert said.err == ""


def test_plan_as_markdown(fleet: Fleet) -> None:
    assert fleet("plan", "-o", "markdown").out.startswith("**web** 4 of 4 replicas")


EXITS = [
    pytest.param('{"web": {"eu-1": 2, "us-1": 2}}', 0, id="no change"),
    pytest.param('{"web": {"eu-1": 4}}', 1, id="other shares"),
    pytest.param('{"web": {"eu-1": 1, "us-1": 1}}', 1, id="more replicas"),
    pytest.param('{"web": {"eu-1": 2, "us-1": 2}, "old": {"eu-1": 1}}', 1, id="a workload goes"),
    pytest.param("", 2, id="an empty prior is no prior"),
]


@pytest.mark.parametrize(("prior", "code"), EXITS)
def test_plan_exits_by_what_changes(fleet: Fleet, prior: str, code: int) -> None:
    fleet.write("prior.json", prior)
    said = fleet("plan", "--prior", "prior.json", "--exit-code")
    assert said.code == code
    assert fleet("plan", "--prior", "prior.json").code == (2 if code == 2 else 0)


def test_without_a_prior_everything_changes(fleet: Fleet) -> None:
    assert fleet("plan", "--exit-code").code == 1


def test_explain_one_workload(fleet: Fleet) -> None:
    said = fleet("explain", "web", "--cluster", "us-1")
    assert said.code == 0
    assert "us-1   assigned   2 replicas" in said.out
    assert "eu-1" not in said.out


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_explain_in_other_forms(fleet: Fleet, form: str) -> None:
    said = fleet("explain", "web", "--output", form)
    assert said.code == 0
    if form == "json":
        assert set(json.loads(said.out)["workloads"]["web"]["verdicts"]) == {"eu-1", "us-1"}
    else:
        assert said.out.startswith("**web**")


MISTAKES = [
    pytest.param(["explain", "wbe"], "did you mean 'web'?", id="an unknown workload"),
    pytest.param(["explain", "web", "--cluster", "eu1"], "did you mean 'eu-1'?", id="a cluster"),
    pytest.param(["explain"], "Missing argument", id="no workload"),
    pytest.param(["plna"], "No such command", id="an unknown command"),
    pytest.param(["plan", "--ouptut", "json"], "No such option", id="an unknown option"),
    pytest.param(["plan", "--output", "xml"], "'xml' is not one of", id="an unknown form"),
    pytest.param(["plan", "--set", "down"], "--set: 'down' is no KEY=VALUE", id="no assignment"),
    pytest.param(["plan", "--set", "donw=a"], "did you mean 'down'?", id="an unknown key"),
    pytest.param(["plan", "--set", "down=eu1"], "did you mean 'eu-1'?", id="an unknown cluster"),
    pytest.param(["plan", "--now", "noon"], "'noon' is no time", id="no time"),
    pytest.param(["plan", "--prior", "none.json"], "'none.json' does not exist", id="no file"),
    pytest.param(["plan", "--prior", "policies"], "is a folder, a file is wanted", id="a folder"),
    pytest.param(["plan", "--inventory", "none"], "'none' does not exist", id="no inventory"),
    pytest.param(["plan", "--stack", "none"], "has no Pulumi.none.yaml", id="no stack"),
    pytest.param(["plan", "--prior", "bytes.json"], "is no UTF-8", id="no text"),
    pytest.param(
        ["plan", "--inventory", ""], "config fleet:inventory: is empty", id="an empty path"
    ),
]


@pytest.mark.parametrize(("words", "sentence"), MISTAKES)
def test_a_mistake_is_a_sentence_and_exit_2(fleet: Fleet, words: list[str], sentence: str) -> None:
    (fleet.root / "bytes.json").write_bytes(b'{"web": "\xff"}')
    said = fleet(*words)
    assert said.code == 2
    assert said.out == ""
    assert sentence in said.err
    assert "Traceback" not in said.err


def test_a_wrong_value_is_one_line(fleet: Fleet) -> None:
    assert fleet("plan", "-o", "xml").err == (
        "Error: Invalid value for '--output' / '-o': 'xml' is not one of 'text', 'json',"
        " 'markdown'.\n"
    )
    assert fleet("explain").err.startswith("Usage: ")


def test_faults_of_the_config_and_of_the_prior_come_together(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:activeRegoin: eu-west-1\n")
    fleet.write("prior.json", "[]")
    said = fleet("plan", "--prior", "prior.json")
    lines = said.err.splitlines()
    assert lines[0].startswith("Pulumi.dev.yaml:2:3: unknown config key 'fleet:activeRegoin'")
    assert "did you mean 'activeRegion'?" in lines[0]
    assert lines[1].startswith("prior.json:1:1: ")


def test_a_name_that_the_stack_file_says_wrongly_is_at_its_line(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:down: [eu1]\n")
    place = "config fleet:down[0]: there is no cluster or region"
    assert fleet("plan").err.startswith(f"Pulumi.dev.yaml:2:3: {place} 'eu1'")
    assert fleet("plan", "--set", "down[0]=us1").err.startswith(f"{place} 'us1'")


def test_the_config_of_the_stack_counts_and_set_wins(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:drain: [us-1]\n  aws:region: us-east-1\n")

    def assigned(*words: str) -> object:
        return json.loads(fleet("plan", "-o", "json", *words).out)["workloads"]["web"][
            "assignments"
        ]

    assert assigned() == {"eu-1": 4}
    assert assigned("--set", "drain[0]=eu-1") == {"us-1": 4}
    paths = ["--inventory", "inventory", "--workloads", "workloads", "--policies", "policies"]
    assert assigned(*paths) == {"eu-1": 2, "us-1": 2}
    assert assigned(*paths, "--stack", "dev") == {"eu-1": 4}


def test_an_encrypted_key_is_named_and_left_out(fleet: Fleet) -> None:
    fleet.write("Pulumi.dev.yaml", "config:\n  fleet:drain: {secure: v1:abc}\n")
    said = fleet("plan", "-o", "json")
    assert said.code == 0
    assert "Pulumi.dev.yaml:2:3: fleet:drain is encrypted and was left out" in said.err
    assert json.loads(said.out)["workloads"]["web"]["assignments"] == {"eu-1": 2, "us-1": 2}


def test_a_path_of_the_command_line_is_seen_from_the_folder_it_was_typed_in(fleet: Fleet) -> None:
    fleet.write("other/inventory.yaml", CLUSTER.format(name="ap-1", region="ap-south-1"))
    fleet.monkeypatch.chdir(fleet.root / "other")
    said = fleet("plan", "-o", "json", "--inventory", "inventory.yaml")
    assert json.loads(said.out)["workloads"]["web"]["assignments"] == {"ap-1": 4}


def test_several_paths_of_one_kind(fleet: Fleet) -> None:
    words = ["--inventory", "inventory/eu-1.yaml", "--inventory", "inventory/us-1.yaml"]
    assert fleet("validate", *words).out.startswith("valid: 2 clusters")


@pytest.mark.parametrize("words", [["--help"], ["plan", "--help"], ["explain", "--help"]])
def test_help_is_plain_text(fleet: Fleet, words: list[str]) -> None:
    said = fleet(*words)
    assert said.code == 0
    assert "Usage:" in said.out
    assert "\x1b" not in said.out


def run_outside(root: Path, *words: str, **given: object) -> subprocess.CompletedProcess[bytes]:
    """Runs `python -m fleet` in another process."""
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "fleet", *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        timeout=60,
        check=False,
        **given,
    )


def test_a_reader_that_goes_away_is_no_fault(fleet: Fleet) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run_outside(fleet.root, "plan", stdout=writer, stderr=subprocess.PIPE)
    finally:
        os.close(writer)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize("words", [["plan"], ["plan", "-o", "json"], ["validate"]])
def test_an_output_that_is_lost_is_an_error_and_not_a_change(
    fleet: Fleet, words: list[str]
) -> None:
    with Path("/dev/full").open("wb") as full:
        done = run_outside(fleet.root, *words, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"the output cannot be written: no space left on device\n"


def test_a_closed_output_is_an_error(fleet: Fleet) -> None:
    command = f"{sys.executable} -m fleet plan >&-"
    done = subprocess.run(  # noqa: S602 - only a shell can start a process without a stdout
        command,
        shell=True,
        cwd=fleet.root,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == b"the output cannot be written: it is closed\n"


def test_a_fault_of_fleet_itself_is_not_taken_for_changes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise KeyError("oops")

    monkeypatch.setattr("fleet.cli.app", broken)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "KeyError: 'oops'" in capsys.readouterr().err


def test_a_terminal_gets_colours_and_a_pipe_does_not(fleet: Fleet) -> None:
    screen, terminal = pty.openpty()
    try:
        environment = {"TERM": "xterm-256color", "COLUMNS": "100"}
        fleet.monkeypatch.delenv("NO_COLOR", raising=False)
        for name, value in environment.items():
            fleet.monkeypatch.setenv(name, value)
        done = run_outside(fleet.root, "plan", stdout=terminal, stderr=subprocess.PIPE)
        shown = os.read(screen, 65536)
    finally:
        os.close(screen)
        os.close(terminal)
    assert done.returncode == 0
    assert b"\x1b[1mweb" in shown
    assert b"2" in shown
    assert b"no prior" in shown


def test_the_command_line_imports_no_engine() -> None:
    code = (
        "import sys; import fleet.cli;"
        "print(sorted({'pulumi', 'kubernetes', 'grpc', 'boto3', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, check=True, timeout=60
    )
    assert done.stdout.strip() == b"[]"
