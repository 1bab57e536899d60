"""The house rules on imports: which room may know which, and who may use whose code.

Layers, low to high: model; errors; the rooms; pipeline and emit; probe; the doors. A room knows the
layers below it, never a sibling. `probe` asks clusters and names, an effect like emission; it uses
emission's ways to log in to a cluster and to tell what is ready, and nothing but a door uses it.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LAYERS = (
    ("model",),
    ("errors",),
    ("load", "schedule", "deliver", "explain", "drill", "report", "recover"),
    ("pipeline", "emit"),
    ("probe",),
    ("program", "cli"),
    ("__main__",),
)
HEIGHT = {room: height for height, rooms in enumerate(LAYERS) for room in rooms}

THIRD_PARTY = {
    "yaml": ("load", "emit/kubeconfig.py"),
    "pydantic": ("model", "load"),
    "pydantic_core": ("model", "load"),
    "numpy": ("schedule",),
    "jsonpatch": ("deliver",),
    "jsonpointer": ("deliver",),
    "pulumi": ("emit", "program.py"),
    "pulumi_aws": ("emit", "program.py"),
    "pulumi_kubernetes": ("emit", "program.py"),
    "kubernetes": ("emit",),
    "dns": ("probe",),
    "urllib3": ("emit/access.py", "emit/kubeconfig.py"),
    "typer": ("cli", "__main__.py"),
    "rich": ("cli", "__main__.py"),
}
"""Where other people's code may be imported: folders and files below `fleet`."""


@dataclass(frozen=True, order=True)
class Import:
    """One imported module, and the line that imports it."""

    importer: str
    line: int
    module: str

    def __str__(self) -> str:
        return f"{self.importer}:{self.line}"


def imports_of(root: Path) -> list[Import]:
    """Every import of the package below `root`, wherever in a file it stands, sorted."""
    found = []
    for path in sorted((root / "fleet").rglob("*.py")):
        importer = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            found += [Import(importer, line, each) for line, each in _modules(node, root)]
    return sorted(found)


def _modules(node: ast.AST, root: Path) -> Iterator[tuple[int, str]]:
    """`from fleet.load import prior` is the module fleet.load.prior where there is one."""
    if isinstance(node, ast.Import):
        yield from ((node.lineno, each.name) for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = "." * node.level + (node.module or "")
        for each in node.names:
            inner = f"{base}.{each.name}"
            yield node.lineno, inner if _file_of(inner, root) else base


def _file_of(module: str, root: Path) -> str | None:
    """The file of one of our modules, as `imports_of` names it."""
    path = root / Path(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if module.partition(".")[0] == "fleet" and candidate.is_file():
            return candidate.relative_to(root).as_posix()
    return None


def room_of(file: str) -> str:
    """The room of a file; the package's own `__init__` is none."""
    return file.split("/")[1].removesuffix(".py")


def faults_of(root: Path) -> list[str]:
    """Every import that the house does not allow, as `file:line: sentence`."""
    faults = []
    for each in imports_of(root):
        sentence = _ours(each, root) if each.module.startswith(("fleet.", ".")) else _theirs(each)
        if sentence:
            faults.append(f"{each}: {sentence}")
    return faults


def _ours(each: Import, root: Path) -> str | None:
    room, file = room_of(each.importer), _file_of(each.module, root)
    if each.module.startswith("."):
        return f"'{each.module}' is relative"
    if file is None:
        return f"there is no module '{each.module}'"
    other = room_of(file)
    unknown = [name for name in (room, other) if name not in HEIGHT]
    if unknown:
        return f"'{unknown[0]}' has no layer"
    if room == other or HEIGHT[other] < HEIGHT[room]:
        return None
    relation = "a sibling" if HEIGHT[other] == HEIGHT[room] else "above it"
    return f"'{room}' imports '{other}', which is {relation}"


def _theirs(each: Import) -> str | None:
    package = each.module.partition(".")[0]
    if package in sys.stdlib_module_names or package == "fleet":
        return None
    places = THIRD_PARTY.get(package)
    if places is None:
        return f"'{package}' is not among the packages that fleet uses"
    below = each.importer.removeprefix("fleet/")
    if any(below == place or below.startswith(f"{place}/") for place in places):
        return None
    return f"'{package}' is for {', '.join(places)} only"


def cycles_of(root: Path) -> list[str]:
    """Import cycles among our modules, each once: `file:line -> file:line -> file`."""
    edges: dict[str, dict[str, Import]] = {}
    for each in imports_of(root):
        file = _file_of(each.module, root)
        if file is not None:
            edges.setdefault(each.importer, {}).setdefault(file, each)
    return [_worded(cycle, edges) for cycle in _cycles(edges)]


def _cycles(edges: Mapping[str, Mapping[str, Import]]) -> Iterator[list[str]]:
    """Depth first; each cycle is found at the import that closes it."""
    done: set[str] = set()

    def visit(file: str, path: list[str]) -> Iterator[list[str]]:
        if file in path:
            yield path[path.index(file) :]
        elif file not in done:
            for other in sorted(edges.get(file, {})):
                yield from visit(other, [*path, file])
            done.add(file)

    for file in sorted(edges):
        yield from visit(file, [])


def _worded(cycle: list[str], edges: Mapping[str, Mapping[str, Import]]) -> str:
    after = [*cycle[1:], cycle[0]]
    steps = [str(edges[file][other]) for file, other in zip(cycle, after, strict=True)]
    return " -> ".join([*steps, cycle[0]])


def test_every_room_knows_only_what_is_below_it() -> None:
    assert faults_of(ROOT) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert cycles_of(ROOT) == []


def test_every_package_of_the_list_is_used() -> None:
    used = {each.module.partition(".")[0] for each in imports_of(ROOT)}
    optional = {"pydantic_core", "jsonpointer", "rich", "pulumi_kubernetes"}
    assert set(THIRD_PARTY) - optional <= used


def test_the_project_s_own_door_imports_little() -> None:
    tree = ast.parse((ROOT / "__main__.py").read_text())
    modules = [module for node in ast.walk(tree) for _, module in _modules(node, ROOT)]
    assert sorted(modules) == ["fleet.program", "pulumi"]


def a_house(root: Path, files: Mapping[str, str]) -> Path:
    """A package with these files, and every room's own `__init__`."""
    for name, text in {"model/__init__.py": "", "load/__init__.py": "", **files}.items():
        path = root / "fleet" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        pytest.param(
            "schedule/a.py",
            "import os\nfrom fleet.load import x\n",
            "fleet/schedule/a.py:2: 'schedule' imports 'load', which is a sibling",
            id="a sibling",
        ),
        pytest.param(
            "model/a.py",
            "import fleet.load\n",
            "fleet/model/a.py:1: 'model' imports 'load', which is above it",
            id="a room above",
        ),
        pytest.param(
            "load/a.py",
            "def late():\n    from fleet.emit.run import Run\n",
            "fleet/load/a.py:2: 'load' imports 'emit', which is above it",
            id="inside a function",
        ),
        pytest.param(
            "load/a.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import fleet.emit.run\n",
            "fleet/load/a.py:3: 'load' imports 'emit', which is above it",
            id="for types only",
        ),
        pytest.param(
            "emit/a.py",
            "import fleet.pipeline\n",
            "fleet/emit/a.py:1: 'emit' imports 'pipeline', which is a sibling",
            id="the pipeline",
        ),
        pytest.param(
            "load/a.py",
            "from . import b\n",
            "fleet/load/a.py:1: '.' is relative",
            id="a relative import",
        ),
        pytest.param(
            "load/a.py",
            "import fleet.gone\n",
            "fleet/load/a.py:1: there is no module 'fleet.gone'",
            id="a module that is not there",
        ),
        pytest.param(
            "attic/a.py",
            "import fleet.model\n",
            "fleet/attic/a.py:1: 'attic' has no layer",
            id="a room that nobody knows",
        ),
        pytest.param(
            "schedule/a.py",
            "import yaml\n",
            "fleet/schedule/a.py:1: 'yaml' is for load, emit/kubeconfig.py only",
            id="a package outside its place",
        ),
        pytest.param(
            "emit/access.py",
            "from yaml.nodes import Node\n",
            "fleet/emit/access.py:1: 'yaml' is for load, emit/kubeconfig.py only",
            id="a package outside its file",
        ),
        pytest.param(
            "load/a.py",
            "import requests.sessions\n",
            "fleet/load/a.py:1: 'requests' is not among the packages that fleet uses",
            id="a package that nobody chose",
        ),
    ],
)
def test_a_wrong_import_is_named_with_its_line(
    tmp_path: Path, name: str, text: str, fault: str
) -> None:
    files = {"emit/run.py": "", "pipeline.py": "", name: text}
    assert faults_of(a_house(tmp_path, files)) == [fault]


def test_right_imports_are_no_faults(tmp_path: Path) -> None:
    files = {
        "model/a.py": "import pydantic\n",
        "errors.py": "from fleet.model.a import x\n",
        "load/a.py": "import os, yaml\nfrom fleet.load import b\nfrom fleet.errors import y\n",
        "load/b.py": "import fleet.model.a\n",
        "emit/a.py": "import pulumi\nimport fleet.load.a\n",
        "program.py": "import pulumi\nimport fleet.emit.a\n",
    }
    house = a_house(tmp_path, files)
    assert faults_of(house) == []
    assert cycles_of(house) == []


def test_a_circle_is_named_with_its_lines(tmp_path: Path) -> None:
    files = {
        "load/a.py": "import os\nfrom fleet.load import b\n",
        "load/b.py": "import fleet.load.c\n",
        "load/c.py": "from fleet.load.a import x\n",
        "load/d.py": "import fleet.load.a\n",
    }
    assert cycles_of(a_house(tmp_path, files)) == [
        "fleet/load/a.py:2 -> fleet/load/b.py:1 -> fleet/load/c.py:1 -> fleet/load/a.py"
    ]
