"""The stack's file is found and read as the engine would, without the engine."""

from pathlib import Path

import pytest

from fleet.cli.stack import project_folder, read_stack
from fleet.errors import InvalidError


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"Pulumi.{name}.yaml").write_text(text, encoding="utf-8")


CONFIG = "config:\n  aws:region: us-east-1\n  fleet:down: [eu-1]\n  fleet:activeRegion: {}\n"


def test_the_only_stack_is_read(tmp_path: Path) -> None:
    write(tmp_path, live=CONFIG.format("eu-west-1"))
    assert read_stack(tmp_path, None).readable == {"down": ["eu-1"], "activeRegion": "eu-west-1"}


def test_of_several_stacks_dev_is_read(tmp_path: Path) -> None:
    write(tmp_path, live=CONFIG.format("a"), dev=CONFIG.format("b"))
    assert read_stack(tmp_path, None).readable["activeRegion"] == "b"


@pytest.mark.parametrize("name", ["live", "org/fleet/live"])
def test_a_stack_is_read_by_its_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, live=CONFIG.format("a"), dev=CONFIG.format("b"))
    assert read_stack(tmp_path, name).readable["activeRegion"] == "a"


@pytest.mark.parametrize("text", ["", "encryptionsalt: v1:abc\n", "config: {}\n", "config:\n"])
def test_a_stack_without_config_has_none(tmp_path: Path, text: str) -> None:
    write(tmp_path, dev=text)
    assert read_stack(tmp_path, None).readable == {}


def test_without_a_stack_there_is_no_config(tmp_path: Path) -> None:
    assert read_stack(tmp_path, None).readable == {}


def test_a_key_has_its_place(tmp_path: Path) -> None:
    write(tmp_path, dev=CONFIG.format("b"))
    stack = read_stack(tmp_path, None)
    assert str(stack.at("activeRegion")) == "Pulumi.dev.yaml:4:3"
    assert stack.at("drain") is None


def test_an_encrypted_value_is_left_out_and_an_unknown_key_is_not(tmp_path: Path) -> None:
    encrypted = "{secure: v1:abc}"
    keys = ("activeRegion", "kubeconfigs", "activeRegoin")
    lines = [f"  fleet:{key}: {encrypted}\n" for key in keys]
    write(tmp_path, dev="config:\n" + "".join(lines))
    stack = read_stack(tmp_path, None)
    assert stack.encrypted == ("activeRegion",)
    assert set(stack.readable) == {"kubeconfigs", "activeRegoin"}


def test_the_project_says_what_the_stack_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text(
        "name: fleet\nconfig:\n"
        "  fleet:activeRegion: {type: string, default: eu-west-1}\n"
        "  fleet:drain: [us-1]\n"
        "  fleet:approve: {type: string}\n"
        "  now: {default: '2030-01-31T12:00:00Z'}\n"
        "  fleet:capacity: {value: independent}\n"
        "  aws:region: us-east-1\n",
        encoding="utf-8",
    )
    write(tmp_path, dev="config:\n  fleet:drain: [eu-1]\n")
    stack = read_stack(tmp_path, None)
    wanted = {
        "activeRegion": "eu-west-1",
        "drain": ["eu-1"],
        "capacity": "independent",
        "now": "2030-01-31T12:00:00Z",
    }
    assert stack.readable == wanted
    assert str(stack.at("activeRegion")) == "Pulumi.yaml:3:3"
    assert str(stack.at("drain")) == "Pulumi.dev.yaml:2:3"


def test_the_namespace_is_the_projects_name(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: shop\nruntime: python\n", encoding="utf-8")
    write(tmp_path, dev="config:\n  shop:down: [eu-1]\n  fleet:drain: [us-1]\n")
    assert read_stack(tmp_path, None).readable == {"down": ["eu-1"]}


FAULTS = [
    pytest.param({"live": "", "test": ""}, None, "has the stacks live, test - say --stack", id="2"),
    pytest.param({"live": ""}, "lvie", "no Pulumi.lvie.yaml - did you mean 'live'?", id="typo"),
    pytest.param({}, "live", "has no Pulumi.live.yaml - the project has no stack", id="none"),
    pytest.param({"dev": "config: [1]\n"}, None, "Pulumi.dev.yaml:1:1: config: the config", id="l"),
    pytest.param(
        {"dev": "config: {\n"}, None, "Pulumi.dev.yaml:2:1: the YAML is broken", id="half"
    ),
    pytest.param({"dev": "[]\n"}, None, "Pulumi.dev.yaml:1:1: ", id="no map"),
]


@pytest.mark.parametrize(("files", "stack", "sentence"), FAULTS)
def test_a_fault_of_the_stack(
    tmp_path: Path, files: dict[str, str], stack: str | None, sentence: str
) -> None:
    write(tmp_path, **files)
    with pytest.raises(InvalidError) as caught:
        read_stack(tmp_path, stack)
    assert sentence in str(caught.value)


def test_the_project_is_looked_for_upwards(tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text("name: fleet\n", encoding="utf-8")
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert project_folder(below) == tmp_path


def test_without_a_project_the_folder_itself_counts(tmp_path: Path) -> None:
    assert project_folder(tmp_path) == tmp_path
