"""`fleet recover` and `fleet break-glass` from outside; the engine only notes its calls."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_commands import Fleet
from tests.recover.states import a_check, a_record, a_resource, an_export, live_record
from tests.recover.test_break_glass import lay

ENGINE = f"""\
#!{sys.executable}
import json, os, pathlib, sys

home = pathlib.Path(os.environ["ENGINE_HOME"])
words = sys.argv[1:]
with (home / "calls").open("a") as calls:
    calls.write(" ".join(word for word in words if word[:1] != "/") + "\\n")
if words[0] == "whoami":
    print(json.dumps({{"url": (home / "url").read_text()}}))
elif words[:2] == ["stack", "export"]:
    sys.stdout.write((home / "state").read_text())
elif words[:2] == ["stack", "import"]:
    (home / "state").write_text(pathlib.Path(words[words.index("--file") + 1]).read_text())
elif words[0] == "preview" and (home / "answers").exists():
    questions = pathlib.Path(os.environ["FLEET_LOOK"])
    answers = (home / "answers").read_text()
    questions.with_name(questions.name + ".answers").write_text(answers)
elif words[0] == "preview":
    sys.exit("error: no such program")
elif words[0] == "cancel":
    for lock in home.glob(".pulumi/locks/organization/fleet/dev/*.json"):
        lock.unlink()
"""
NOTHING: dict[str, Any] = {"objects": {}, "records": {}, "zones": {}, "checks": [], "unread": {}}


class Engine:
    """A folder with the state, and what the engine was asked."""

    def __init__(self, home: Path) -> None:
        self.home = home
        home.mkdir()
        program = home / "pulumi"
        program.write_text(ENGINE)
        program.chmod(0o755)
        (home / "url").write_text(f"file://{home}")

    def holds(self, export: dict[str, Any], **answers: Any) -> None:
        """The state, and what the program answers."""
        (self.home / "state").write_text(json.dumps(export))
        (self.home / "answers").write_text(json.dumps(NOTHING | answers))

    def lock(self, pid: int) -> None:
        """A lock of a process of this machine."""
        folder = self.home / ".pulumi" / "locks" / "organization" / "fleet" / "dev"
        folder.mkdir(parents=True)
        said = {"pid": pid, "username": "me", "hostname": os.uname().nodename, "timestamp": "now"}
        (folder / "a.json").write_text(json.dumps(said))

    def did(self) -> list[str]:
        """Every call that is more than a look."""
        calls = (self.home / "calls").read_text().splitlines()
        words = [line.partition(" --non-interactive")[0] for line in calls]
        return [each for each in words if each.split()[0] not in {"whoami", "preview"}]


@pytest.fixture
def fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fleet:
    (tmp_path / "project").mkdir()
    return Fleet(tmp_path / "project", monkeypatch, capsys)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    one = Engine(tmp_path / "engine")
    monkeypatch.setenv("PATH", str(one.home), prepend=os.pathsep)
    monkeypatch.setenv("ENGINE_HOME", str(one.home))
    return one


CUT = an_export(a_record("eu-1", 0, id="a"), updating=[a_record("eu-1", 100, id="a")])


def test_a_state_that_was_not_cut(fleet: Fleet, engine: Engine) -> None:
    engine.holds(an_export(a_record(id="a")), records={"Z1": [live_record()]})
    said = fleet("recover")
    assert (said.code, said.out, said.err) == (0, "nothing to recover\n", "")
    assert engine.did() == ["stack export"]


def test_leaked_checks_alone_change_nothing(fleet: Fleet, engine: Engine) -> None:
    arn = "arn:aws:route53:::healthcheck/c9"
    checks = [{"resourceArn": arn, "tags": {}}]
    engine.holds(an_export(a_record(id="a")), records={"Z1": [live_record()]}, checks=checks)
    said = fleet("recover")
    assert said.code == 0
    assert said.out.startswith("nothing to recover\n  health check c9 is this stack's by its tag")


def test_without_yes_nothing_is_done(fleet: Fleet, engine: Engine) -> None:
    engine.holds(CUT, records={"Z1": [live_record()]})
    said = fleet("recover")
    assert said.code == 1
    assert "Record web/eu-1 was being changed: read it back\n" in said.out
    assert said.out.endswith("nothing was done: say --yes to do it\n")
    assert engine.did() == ["stack export"]


def test_with_yes_the_state_is_edited_and_read_back(fleet: Fleet, engine: Engine) -> None:
    engine.holds(CUT, records={"Z1": [live_record()]})
    engine.lock(2**22 + 1)
    said = fleet("recover", "--yes", "--stack", "dev")
    assert (said.code, said.err) == (0, "")
    assert "pulumi cancel: takes away the lock of me@" in said.out
    export, cancel, again, imported, refresh = engine.did()
    assert (export, again) == ("stack export --stack dev", "stack export --stack dev")
    assert cancel == "cancel --yes --stack dev"
    assert imported.startswith("stack import --file")
    target = a_record("eu-1")["urn"]
    words = f"--yes --skip-preview --skip-pending-creates --target {target} --stack dev"
    assert refresh == f"refresh {words}"
    state = json.loads((engine.home / "state").read_text())
    assert state["deployment"]["pending_operations"] == []
    assert fleet("recover").out == (
        "an update of this stack was cut; this is what will be done\n"
        "  Record web/eu-1 weighs 100 in Route53 and 0 in the state: read it back\n"
        "nothing was done: say --yes to do it\n"
    )


def test_what_cannot_be_read_is_kept_and_said(fleet: Fleet, engine: Engine) -> None:
    cut = an_export(creating=[a_record("eu-1", 100)])
    engine.holds(cut, unread={"Z1": "Route53: 503"})
    said = fleet("recover", "--yes")
    assert said.code == 2
    assert said.err.splitlines() == [
        "cannot be read: Z1: Route53: 503",
        "not everything could be read: run 'fleet recover' again when it answers",
    ]
    state = json.loads((engine.home / "state").read_text())
    assert state["deployment"] == cut["deployment"]


def test_an_update_that_still_runs_is_left_alone(fleet: Fleet, engine: Engine) -> None:
    engine.holds(CUT)
    engine.lock(os.getpid())
    said = fleet("recover", "--yes")
    assert said.code == 2
    assert said.err.startswith("an update of this stack still runs (me@")
    assert engine.did() == ["stack export"]


def test_a_lock_alone_is_taken_away(fleet: Fleet, engine: Engine) -> None:
    engine.holds(an_export())
    engine.lock(2**22 + 1)
    assert fleet("recover", "--yes").code == 0
    assert "cancel --yes" in engine.did()
    (engine.home / "url").write_text("s3://bucket")
    assert fleet("recover", "--yes").out == "nothing to recover\n"


def test_what_goes_wrong_is_one_sentence(fleet: Fleet, engine: Engine) -> None:
    engine.holds(CUT)
    (engine.home / "answers").unlink()
    said = fleet("recover")
    assert said.code == 2
    assert said.err == "the clusters and Route53 could not be asked:\nerror: no such program\n"
    (engine.home / "pulumi").unlink()
    fleet.monkeypatch.setenv("PATH", str(engine.home))
    assert fleet("recover").err == "'pulumi' is not on PATH\n"


def test_break_glass_is_written_from_a_state(fleet: Fleet) -> None:
    lay(fleet.root)
    outputs = {"zoneId": "Z1", "healthCheckId": "c1"}
    records = [a_record(each, id=each, outputs=outputs) for each in ("eu-1", "us-1")]
    fleet.write("state.json", json.dumps(an_export(*records)))
    said = fleet("break-glass", "--state", "state.json", "--to", "out")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0] == "out/README.md"
    assert {each.name for each in (fleet.root / "out").iterdir()} == {
        Path(line).name for line in said.out.splitlines()
    }


def test_break_glass_says_what_is_wrong(fleet: Fleet) -> None:
    assert fleet("break-glass", "--state", "no.json").err == (
        "--state: 'no.json' cannot be read: no such file or directory\n"
    )
    fleet.write("state.json", json.dumps(an_export(ground=())))
    assert "the stack has no resources yet" in fleet("break-glass", "--state", "state.json").err
    fleet.write("state.json", '{"version": 3, "deployment": {"resources": [')
    said = fleet("break-glass", "--state", "state.json")
    assert said.code == 2
    assert said.err == (
        "state.json:1:45: the JSON ends here, in the middle - write the file anew: pulumi stack"
        " export > state.json\n"
    )
    stack = a_resource("pulumi:pulumi:Stack", "fleet-dev", outputs={"placements": {"web": 1}})
    fleet.write("state.json", json.dumps(an_export(stack)))
    assert fleet("break-glass", "--state", "state.json").err == (
        "the state 'state.json' cannot be read: prior.web: '1' stands where a map is wanted\n"
    )
    (fleet.root / "folder").mkdir()
    assert fleet("break-glass", "--state", "folder").err == (
        "--state: 'folder' cannot be read: is a directory\n"
    )
    fleet.write("state.json", json.dumps(an_export()))
    said = fleet("break-glass", "--state", "state.json")
    assert (said.code, said.out[:10]) == (0, "no name of")


LISTED = f"""\
#!{sys.executable}
import json, sys

config = {{"Type": "HTTP", "Port": 80, "RequestInterval": 30, "FailureThreshold": 3}}
if sys.argv[2] == "list-health-checks":
    checks = [{{"Id": each, "HealthCheckConfig": config}} for each in ("c1", "c2")]
    print(json.dumps({{"HealthChecks": checks}}))
else:
    sets = [{{"ResourceId": "c1", "Tags": []}}, {{"ResourceId": "c2", "Tags": [{{"Key": "a"}}]}}]
    print(json.dumps({{"ResourceTagSets": sets}}))
"""


def test_a_check_that_was_never_tagged_is_told(fleet: Fleet, engine: Engine) -> None:
    program = engine.home / "aws"
    program.write_text(LISTED)
    program.chmod(0o755)
    engine.holds(an_export(creating=[a_check()]))
    said = fleet("recover", "--yes")
    assert (said.code, said.err) == (0, "")
    cleared, told = said.out.splitlines()[1:3]
    assert cleared.endswith("does not exist with the tag fleet=fleet/dev: clear the operation")
    assert told.startswith("  health check c1 has no tag and asks exactly what 'check/eu-1' asks")
    assert told.endswith("delete-health-check --health-check-id c1")
    assert "c2" not in said.out
    program.write_text("#!/bin/sh\necho no login >&2\nexit 1\n")
    engine.holds(an_export(creating=[a_check()]))
    assert "nobody could look ('aws route53 list-health-checks': no login)" in fleet("recover").out
    engine.holds(an_export(a_check(id="c0")))
    assert fleet("recover").out == "nothing to recover\n"
