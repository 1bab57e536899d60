"""The documents: commands print what is shown, links lead somewhere, keys and fields are all there.

A block of a page that is checked stands under a comment: `<!-- output -->` is everything that the
command prints, `<!-- output: api, findings -->` the paragraphs with one of these among their first
two words (what is left out is `…`), and `exit 2` after a semicolon is its exit code.
`pytest tests/docs --update-golden` writes the blocks anew; they are reviewed like code.
"""

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from fleet.model.affinity import ClusterTerm
from fleet.model.base import FileValue
from fleet.model.cluster_set import ClusterSet
from fleet.model.document import Metadata
from fleet.model.drill_targets import DrillTargets
from fleet.model.inventory import Cluster
from fleet.model.observation import ClusterObservation, ExternalScores
from fleet.model.override import OverridePolicy
from fleet.model.policy import PlacementPolicy
from fleet.model.quota import Quota
from fleet.model.settings import Settings
from fleet.model.traffic import TrafficPolicy
from fleet.model.workload import WorkloadDocument

REPOSITORY = Path(__file__).parent.parent.parent
README = REPOSITORY / "README.md"
OPERATIONS = REPOSITORY / "docs" / "operations.md"
DRILLS = REPOSITORY / "docs" / "drills.md"
FORMAT = REPOSITORY / "docs" / "format.md"
DOCUMENTS = [README, REPOSITORY / "CHANGELOG.md", *sorted((REPOSITORY / "docs").rglob("*.md"))]
LEFT_OUT = "…"
CHECKED = re.compile(
    r"<!-- output(?:: (?P<shown>[^;\n]+?))?(?:; exit (?P<code>\d))? -->\n"
    r"```text\n\$ (?P<command>fleet .*)\n(?P<text>(?:.*\n)*?)```\n"
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
KINDS: dict[str, type[FileValue]] = {
    "Cluster": Cluster,
    "Workload": WorkloadDocument,
    "PlacementPolicy": PlacementPolicy,
    "OverridePolicy": OverridePolicy,
    "Quota": Quota,
    "TrafficPolicy": TrafficPolicy,
    "ClusterObservation": ClusterObservation,
    "ClusterSet": ClusterSet,
    "ExternalScores": ExternalScores,
}


@dataclass(frozen=True)
class Block:
    """A command of the README and what is shown of its output."""

    command: str
    shown: tuple[str, ...]
    code: int
    text: str
    span: tuple[int, int]


def checked_blocks(document: Path) -> list[Block]:
    """A page's blocks under an output comment."""
    return [
        Block(
            command=found["command"],
            shown=tuple((found["shown"] or "").replace(",", " ").split()),
            code=int(found["code"] or 0),
            text=found["text"],
            span=found.span("text"),
        )
        for found in CHECKED.finditer(document.read_text(encoding="utf-8"))
    ]


def excerpt(output: str, shown: tuple[str, ...]) -> str:
    """The paragraphs that the words name; everything without words."""
    paragraphs = output.rstrip("\n").split("\n\n")
    kept: list[str] = []
    for each in paragraphs:
        if not shown or set(each.split()[:2]) & set(shown):
            kept.append(each)
        elif kept[-1:] != [LEFT_OUT]:
            kept.append(LEFT_OUT)
    return "\n\n".join(kept) + "\n"


def test_an_excerpt_marks_what_it_leaves_out() -> None:
    output = "a 1\n x\n\nb 2\n\nc 3\n\n4 d\n"
    assert excerpt(output, ()) == output
    assert excerpt(output, ("a", "d")) == "a 1\n x\n\n…\n\n4 d\n"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example fleet alone: a stack's config that somebody tries things with plays no part."""
    root = tmp_path_factory.mktemp("example")
    for name in ("inventory", "workloads", "policies"):
        shutil.copytree(REPOSITORY / name, root / name)
    return root


@pytest.mark.parametrize(
    ("document", "least"),
    [
        pytest.param(README, 5, id="README"),
        pytest.param(OPERATIONS, 2, id="operations"),
        pytest.param(DRILLS, 3, id="drills"),
    ],
)
def test_commands_print_what_the_page_shows(
    example: Path, document: Path, least: int, *, update_golden: bool
) -> None:
    text = document.read_text(encoding="utf-8")
    blocks = checked_blocks(document)
    assert len(blocks) == text.count("<!-- output")
    assert len(blocks) >= least
    for block in reversed(blocks):
        done = subprocess.run(
            [sys.executable, "-m", "fleet", *shlex.split(block.command)[1:]],
            cwd=example,
            env={"PYTHONPATH": str(REPOSITORY), "PYTHONIOENCODING": "utf-8"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        said = excerpt(done.stdout, block.shown)
        assert done.returncode == block.code, f"{block.command}\n{done.stdout}"
        if update_golden:
            start, end = block.span
            text = text[:start] + said + text[end:]
        else:
            assert block.text == said, block.command
    if update_golden:
        document.write_text(text, encoding="utf-8")


def anchors(document: Path) -> set[str]:
    """What a link may name behind `#`: the headings, as GitHub spells them."""
    found = set()
    for line in without_code(document).splitlines():
        if line.startswith("#"):
            heading = line.lstrip("#").strip().lower()
            found.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return found


def without_code(document: Path) -> str:
    """A document without its fenced blocks."""
    return re.sub(
        r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda each: each.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    broken = []
    for target in LINK.findall(without_code(document)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = (document.parent / path).resolve() if path else document
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


def yaml_examples(document: Path) -> list[dict[str, Any]]:
    """Every YAML document of a page's fenced blocks."""
    blocks = re.findall(
        r"^```yaml\n(.*?)^```$", document.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return [each for block in blocks for each in yaml.safe_load_all(block)]


@pytest.mark.parametrize("name", ["drills.md", "format.md", "operations.md"])
def test_every_example_is_a_document_that_fleet_takes(name: str) -> None:
    examples = yaml_examples(REPOSITORY / "docs" / name)
    assert examples
    for example in examples:
        KINDS[example["kind"]].model_validate(example, by_alias=True, by_name=False)


def fields_below(value: object) -> set[str]:
    """The names of all fields of a value, and of the values in it, as files spell them."""
    if isinstance(value, type) and issubclass(value, FileValue):
        found = set()
        for name, field in value.model_fields.items():
            if not field.exclude:
                found |= {field.alias or name} | fields_below(field.annotation)
        return found
    return {each for inner in get_args(value) for each in fields_below(inner)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_format_shows_every_field(kind: str) -> None:
    section = FORMAT.read_text("utf-8").split(f"\n## {kind}\n")[1].split("\n## ")[0]
    fields = fields_below(KINDS[kind]) - fields_below(Metadata)
    if kind == "ClusterSet":  # its terms are those of a PlacementPolicy
        fields -= fields_below(ClusterTerm) - {"clusters"}
    assert {each for each in fields if not re.search(rf"\b{each}\b", section)} == set()


def test_the_readme_names_every_config_key() -> None:
    section = README.read_text("utf-8").split("\n## Config\n")[1].split("\n## ")[0]
    named = set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE))
    assert named == {field.alias for field in Settings.model_fields.values()} | {"kubeconfigs"}


def test_the_drills_name_every_key_of_the_config() -> None:
    section = DRILLS.read_text("utf-8").split("\n## Limits and assumptions\n")[1].split("\n## ")[0]
    named = dict(re.findall(r"^\| `(\w+)` \| (\w+)", section, re.MULTILINE))
    defaults = DrillTargets().model_dump(by_alias=True)
    assert named == {key: "none" if each is None else str(each) for key, each in defaults.items()}
