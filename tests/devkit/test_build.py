"""Programs are compiled once, whole, and with a clear word when that is not possible."""

import subprocess
import sys
import threading
from importlib import metadata
from pathlib import Path

import pytest

from devkit import build
from devkit.build import cached, compile_product
from devkit.errors import DevkitError
from devkit.home import PROJECT
from devkit.products import ETCD, KUBERNETES, KUBERNETES_PLUGIN, KWOK, PULUMI, Product

GO = """\
#!/bin/sh
if [ "$1" = version ]; then echo go version go1.99.0 linux/amd64; exit 0; fi
echo "go $*" >> "$TRACE"
sleep {seconds}
while [ $# -gt 0 ]; do
  if [ "$1" = -o ]; then out="$2"; fi
  shift
done
{work}
"""
WRITE_ONE = 'printf program > "$out"; chmod +x "$out"'
WRITE_TWO = 'for n in kwok kwokctl; do printf program > "$out$n"; chmod +x "$out$n"; done'


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a cache of its own, and the file in which the stand-in for Go writes its calls."""
    file = tmp_path / "trace"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TRACE", str(file))
    monkeypatch.setenv("PATH", f"{tmp_path / 'go'}:/usr/bin:/bin")
    return file


def a_go(trace: Path, work: str, seconds: float = 0) -> None:
    folder = trace.parent / "go"
    folder.mkdir(exist_ok=True)
    program = folder / "go"
    program.write_text(GO.format(work=work, seconds=seconds))
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("product", "work"),
    [
        pytest.param(ETCD, WRITE_ONE, id="one program"),
        pytest.param(KWOK, WRITE_TWO, id="two programs"),
    ],
)
def test_a_compiled_product_is_cached_by_version(product: Product, work: str, trace: Path) -> None:
    a_go(trace, work)
    said: list[str] = []
    found = compile_product(product, said.append)
    folder = trace.parent / "cache" / "fleet" / "devkit" / f"{product.name}-{product.version}"
    assert found == {one.name: folder / one.name for one in product.programs}
    assert cached(product) == found
    assert said[0].startswith(f"compiling {product.name} {product.version}, about")
    assert said[-1].startswith(f"compiled {product.name} {product.version} in")
    compile_product(product, said.append)
    assert len(trace.read_text().splitlines()) == 1


def test_the_version_goes_in(trace: Path) -> None:
    a_go(trace, WRITE_TWO)
    compile_product(KWOK, lambda _text: None)
    assert "-X sigs.k8s.io/kwok/pkg/consts.Version=0.8.0" in trace.read_text()


def test_a_long_compilation_says_that_it_goes_on(
    trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PROGRESS_SECONDS", 0.2)
    a_go(trace, WRITE_ONE, seconds=0.7)
    said: list[str] = []
    compile_product(ETCD, said.append)
    assert sum("still compiling etcd" in text for text in said) >= 2


def test_two_at_once_compile_once(trace: Path) -> None:
    a_go(trace, WRITE_ONE, seconds=0.5)
    said: list[str] = []
    threads = [threading.Thread(target=compile_product, args=(ETCD, said.append)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(trace.read_text().splitlines()) == 1
    assert any("another process compiles it" in text for text in said)


def test_a_failed_compilation_shows_the_last_lines_and_leaves_nothing(trace: Path) -> None:
    a_go(trace, "echo package is broken >&2; exit 1")
    with pytest.raises(DevkitError, match=r"(?s)etcd 3\.6\.16 does not compile.*package is broken"):
        compile_product(ETCD, lambda _text: None)
    assert cached(ETCD) == {}
    assert not list((trace.parent / "cache" / "fleet" / "devkit").glob("*.unfinished"))


def test_a_half_compiled_product_is_not_used(trace: Path) -> None:
    a_go(trace, WRITE_TWO)
    compile_product(KWOK, lambda _text: None)
    cached(KWOK)["kwokctl"].unlink()
    assert cached(KWOK) == {}


def test_without_go_the_error_says_what_to_do(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(trace.parent / "empty"))
    with pytest.raises(DevkitError) as refused:
        compile_product(ETCD, lambda _text: None)
    assert "etcd: not on PATH, and there is no Go to compile it - install Go 1." in str(
        refused.value
    )
    assert "or put etcd 3.6.0 or newer on PATH" in str(refused.value)


def test_every_tools_module_requires_the_version_that_is_said() -> None:
    for product in (KWOK, ETCD, KUBERNETES, PULUMI):
        text = (PROJECT / "devkit" / "tools" / product.module / "go.mod").read_text()
        assert f"v{product.version}" in text, product.name


def test_the_plugin_is_of_the_sdks_version() -> None:
    assert KUBERNETES_PLUGIN.version == metadata.version("pulumi-kubernetes")


@pytest.mark.engine
def test_a_second_engine_takes_less_than_a_second(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "devkit", "engine", "--home", str(tmp_path)]
    subprocess.run(command, cwd=PROJECT, check=True)
    answer = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    seconds = float(answer.stdout.splitlines()[-1].split("(")[1].split()[0])
    assert seconds < 1
