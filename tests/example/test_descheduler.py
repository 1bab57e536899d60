"""The package that someone else wrote is byte for byte as it ships."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parents[2] / "workloads" / "descheduler"
MODULE = "sigs.k8s.io/descheduler@v0.36.0"
MODULE_SUM = "h1:fBemfJD1RhmbsdH94lKwGMOwQcbsrw67A5IK2c2fANA="
FILES = {
    "LICENSE": (
        "LICENSE",
        "b40930bbcf80744c86c46a12bc9da056641d722716c378f5659b9e555ef833e1",
    ),
    "base/configmap.yaml": (
        "kubernetes/base/configmap.yaml",
        "7ebeed18c46e5606e277ad383df4cd2625be5cd96db06555045c83795fc5b8db",
    ),
    "base/rbac.yaml": (
        "kubernetes/base/rbac.yaml",
        "cf00874a8ff4b1ee4cd8d4ba4651e42178d9fb0f89bc0ed2f647efcb5db45eef",
    ),
    "deployment/deployment.yaml": (
        "kubernetes/deployment/deployment.yaml",
        "fdbd5f67e7ba899e6e82b8ecadfac06728d0a0fbd522e3d31ea0642f58173066",
    ),
}


def test_package_holds_only_what_its_authors_ship_and_our_note() -> None:
    files = {str(file.relative_to(HERE)) for file in HERE.rglob("*") if file.is_file()}
    assert files == {*FILES, "README.md"}


@pytest.mark.parametrize("name", sorted(FILES))
def test_file_has_the_hash_of_the_release(name: str) -> None:
    _, expected = FILES[name]
    assert hashlib.sha256((HERE / name).read_bytes()).hexdigest() == expected


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module's folder in the module cache; downloaded where the cache has it not."""
    if shutil.which("go") is None:
        pytest.skip("no Go toolchain here; the hashes above are checked all the same")
    answer = subprocess.run(
        ["go", "mod", "download", "-json", MODULE],
        cwd=tmp_path_factory.mktemp("module"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    found = json.loads(answer.stdout or "{}")
    if answer.returncode != 0:
        pytest.skip(f"the Go module is not to be had: {found.get('Error', answer.stderr)}")
    assert found["Sum"] == MODULE_SUM
    return Path(found["Dir"])


@pytest.mark.parametrize("name", sorted(FILES))
def test_file_is_the_modules_own(module: Path, name: str) -> None:
    upstream, _ = FILES[name]
    assert (HERE / name).read_bytes() == (module / upstream).read_bytes()
