"""`fleet runbook`: what it says, and that every command in it is one that can be run."""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from fleet.cli import main
from fleet.cli.app import app
from fleet.cli.assign import assign
from fleet.load.settings import parse_settings
from tests.cli.test_commands import CLUSTER, POLICY, REPOSITORY, Fleet

PULUMI: dict[tuple[str, ...], tuple[int, frozenset[str]]] = {
    ("stack",): (0, frozenset()),
    ("stack", "select"): (1, frozenset()),
    ("stack", "output"): (1, frozenset({"--json"})),
    ("stack", "export"): (0, frozenset({"--file="})),
    ("stack", "history"): (0, frozenset({"--page-size=", "--page="})),
    ("config", "set"): (2, frozenset({"--path"})),
    ("config", "rm"): (1, frozenset({"--path"})),
    ("preview",): (0, frozenset()),
    ("up",): (0, frozenset({"--yes", "--skip-preview", "--continue-on-error"})),
    ("refresh",): (0, frozenset({"--yes"})),
    ("cancel",): (0, frozenset({"--yes"})),
}
"""How many words a command takes, and its options (with `=`: a value follows).

Source: pulumi/pulumi, pkg/cmd/pulumi: stack, config, preview, up, cancel.
"""
OTHERS = {
    "curl": frozenset({"--silent", "--show-error", "--include", "--max-time=", "--resolve="}),
    "dig": frozenset({"+short"}),
    "git": frozenset({"--all", "--message="}),
    "kubectl": frozenset(
        {
            "--kubeconfig=",
            "--context=",
            "--namespace=",
            "--replicas=",
            "--timeout=",
            "--request-timeout=",
        }
    ),
    "nc": frozenset({"-z", "-w="}),
}
UsageError = typer.BadParameter.__mro__[1]
"""What typer raises for a command line that it does not understand."""
ROOT: Any = typer.main.get_command(app)


def sections(text: str) -> dict[str, list[list[str]]]:
    """The commands of a runbook as words, by the heading that they stand under."""
    found: dict[str, list[list[str]]] = {}
    for part in re.split(r"^(?=#)", text, flags=re.MULTILINE):
        heading = part.partition("\n")[0].lstrip("# ")
        for block in re.findall(r"```sh\n(.*?)```", part, re.DOTALL):
            found.setdefault(heading, []).extend(map(shlex.split, block.splitlines()))
    return found


def commands_of(text: str) -> Iterator[list[str]]:
    """Every command, also those within sentences; without what goes to a file."""
    for words in sections(text).values():
        for each in words:
            yield each[: each.index(">")] if ">" in each else each
    for quoted in re.findall(r"`((?:fleet|pulumi) [^`]+)`", text):
        yield shlex.split(quoted)


def refuse_unknown(words: list[str]) -> None:
    """Fails for a command that does not exist as it is written."""
    if words[0] == "fleet":
        ROOT.commands[words[1]].make_context(words[1], words[2:])
    elif words[0] == "pulumi":
        key = tuple(words[1:3]) if tuple(words[1:3]) in PULUMI else tuple(words[1:2])
        count, options = PULUMI[key]
        assert len(list(plain(words[1 + len(key) :], options))) == count, words
    else:
        assert list(plain(words[1:], OTHERS[words[0]])), words


def plain(words: list[str], options: frozenset[str]) -> Iterator[str]:
    """The words that are no options."""
    rest = iter(words)
    for word in rest:
        if f"{word}=" in options:
            next(rest)
        elif word.startswith(("-", "+")):
            assert word in options or f"{word.partition('=')[0]}=" in options, word
        else:
            yield word


@pytest.fixture
def fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Fleet:
    """Two clusters in two regions, a name with a standby; names that a shell would take apart."""
    made = Fleet(tmp_path, monkeypatch, capsys)
    for number, (name, region) in enumerate((("eu-1", "EU's west"), ("us-1", "us east;1")), 1):
        text = CLUSTER.format(name=name, region=f'"{region}"')
        made.write(f"inventory/{name}.yaml", text.replace("192.0.2.1", f"192.0.2.{number}"))
    made.write("policies/web.yaml", POLICY + TRAFFIC)
    return made


TRAFFIC = """\
---
apiVersion: fleet/v1
kind: TrafficPolicy
metadata: {name: web.v2, annotations: {owner: "the shop, 555-1", escalation: the CTO}}
spec:
  workload: web
  name: www.fleet.test
  zone: {name: fleet.test}
  activeRegion: "EU's west"
  ttlSeconds: 20
  healthCheck: {type: HTTP, path: "/ok?a=1&b=2"}
"""


def the_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """The runbook of the example fleet."""
    files = [("--inventory", "inventory"), ("--workloads", "workloads"), ("--policies", "policies")]
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setattr(
        sys, "argv", ["fleet", "runbook", *(word for option in files for word in option)]
    )
    with pytest.raises(SystemExit):
        main()
    return capsys.readouterr().out


def test_every_command_of_the_example_exists(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = the_example(monkeypatch, capsys)
    found = list(commands_of(text))
    assert {words[0] for words in found} == {"fleet", "pulumi", "curl", "dig", "git", "kubectl"}
    for words in found:
        refuse_unknown(words)
    regions = ("eu-west-1", "ap-southeast-1", "eu-west-1", "us-east-1")
    names = ("api", "www", "www", "www")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [
        f"{name}.fleet.test: {region} is lost" for name, region in zip(names, regions, strict=True)
    ]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["fleet", "plan", "--priors", "x"], id="an option of fleet"),
        pytest.param(["fleet", "conjure"], id="a command of fleet"),
        pytest.param(["pulumi", "up", "--force"], id="an option of pulumi"),
        pytest.param(["pulumi", "config", "set", "down"], id="a value that lacks"),
        pytest.param(["wget", "x"], id="another program"),
    ],
)
def test_a_command_that_does_not_exist_is_seen(words: list[str]) -> None:
    with pytest.raises((AssertionError, KeyError, UsageError)):
        refuse_unknown(words)


def test_odd_names_reach_the_commands_whole(fleet: Fleet) -> None:
    text = fleet("runbook").out
    for words in commands_of(text):
        refuse_unknown(words)
    found = sections(text)
    assert found["1. Detect"][-1] == ["fleet", "drill", "--scenario", "region:EU's west"]
    assert found["1. Detect"][0][-1] == "http://www.fleet.test:80/ok?a=1&b=2"
    assert ["pulumi", "config", "set", "--path", "failback[0]", "web.v2"] in found["9. Fail back"]
    assert any("http://www.fleet.test:80/ok?a=1&b=2" in words for words in found["7. Verify"])


def play(raw: dict[str, Any], words: list[str]) -> None:
    """What `pulumi config set --path` and `rm --path` do to the config."""
    if words[:3] == ["pulumi", "config", "set"]:
        assign(raw, f"{words[4]}={words[5]}")
    elif words[:3] == ["pulumi", "config", "rm"]:
        key, _, place = words[4].rstrip("]").partition("[")
        del raw[key][int(place)]


@pytest.mark.parametrize("down", [[], ["ap-1"]], ids=["nothing down", "one is down already"])
def test_the_config_commands_declare_the_loss_and_take_it_back(
    fleet: Fleet, down: list[str]
) -> None:
    fleet.write("inventory/ap-1.yaml", CLUSTER.format(name="ap-1", region="ap"))
    fleet.write("inventory/eu-2.yaml", CLUSTER.format(name="eu-2", region='"EU\'s west"'))
    sets = [word for place, name in enumerate(down) for word in ("--set", f"down[{place}]={name}")]
    found = sections(fleet("runbook", *sets).out)
    raw: dict[str, Any] = {"down": list(down)}
    for words in found["4. Capacity"]:
        play(raw, words)
    assert parse_settings(raw).down == (*down, "eu-1", "eu-2")
    asked: list[str] = []
    for words in found["9. Fail back"]:
        play(raw, words)
        asked += parse_settings(raw).failback
    settings = parse_settings(raw)
    assert (settings.down, settings.failback) == (tuple(down), ())
    assert set(asked) == {"web.v2"}


def test_who_decides_is_named_or_said_to_be_unknown(fleet: Fleet) -> None:
    text = fleet("runbook").out
    assert "- Owner: the shop, 555-1.\n- Escalation: the CTO.\n" in text
    fleet.write("policies/web.yaml", POLICY + TRAFFIC.replace(", annotations", ", labels"))
    assert (
        "- Who decides is not declared: annotate the traffic policy 'web.v2'"
        in fleet("runbook").out
    )


def test_only_what_is_asked_for(fleet: Fleet) -> None:
    assert "EU's west is lost" in fleet("runbook", "--region", "EU's west").out
    text = fleet("runbook", "--region", "us east;1").out
    assert "No public name is answered by us east;1 today, so its loss switches nothing." in text
    text = fleet("runbook", "--region", "us east;1", "--name", "www.fleet.test").out
    assert "www.fleet.test is not answered by us east;1 today, so its loss switches nothing" in text
    assert "No public name" not in text
    assert "is lost\n" in fleet("runbook", "--name", "www.fleet.test").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        pytest.param(["--name", "web.fleet.test"], "--name: 'web.fleet.test' is not in the files"),
        pytest.param(["--region", "mars"], "--region: 'mars' is not in the files"),
    ],
)
def test_an_unknown_name_is_a_fault(fleet: Fleet, words: list[str], sentence: str) -> None:
    said = fleet("runbook", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(sentence)
