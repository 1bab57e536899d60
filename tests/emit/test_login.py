"""Programs that log in: what they give is used, and none is waited for for long."""

import json
import os
import stat
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from kubernetes.config.config_exception import ConfigException

from fleet.emit.kubeconfig import KubeconfigError, log_in
from fleet.emit.login import login_of, run_login
from tests.emit.certificates import Authority

VERSION = "client.authentication.k8s.io/v1"


def a_program(folder: Path, body: str, **more: Any) -> dict[str, Any]:
    script = folder / "login.py"
    script.write_text(body)
    return {"apiVersion": VERSION, "command": sys.executable, "args": [str(script)], **more}


def printing(status: object) -> str:
    return f"print({json.dumps(json.dumps({'kind': 'ExecCredential', 'status': status}))})"


def a_kubeconfig(user: dict[str, Any]) -> dict[str, Any]:
    return {
        "clusters": [{"name": "it", "cluster": {"server": "http://127.0.0.1:1"}}],
        "users": [{"name": "me", "user": user}, {"name": "other", "user": {"token": "x"}}],
        "contexts": [
            {"name": "main", "context": {"cluster": "it", "user": "me"}},
            {"name": "plain", "context": {"cluster": "it", "user": "other"}},
        ],
        "current-context": "main",
    }


def bearer(api: Any) -> str | None:
    return api.configuration.get_api_key_with_prefix("BearerToken")  # type: ignore[no-any-return] # the client is untyped


def test_a_token_and_its_end_are_read(tmp_path: Path) -> None:
    status = {"token": "t", "expirationTimestamp": "1970-01-01T00:01:00Z"}
    given = run_login(a_program(tmp_path, printing(status)), None, 10)
    assert (given.user, given.expires) == ({"token": "t"}, 60)


def test_a_certificate_is_used(tmp_path: Path) -> None:
    pair = Authority().issue("me")
    status = {
        "clientCertificateData": pair.certificate.decode(),
        "clientKeyData": pair.key.decode(),
    }
    config = a_kubeconfig({"exec": a_program(tmp_path, printing(status))})
    config["clusters"][0]["cluster"] |= {
        "server": "https://127.0.0.1:1",
        "insecure-skip-tls-verify": True,
    }
    log_in("eu-1", yaml.safe_dump(config), None)


def test_the_program_knows_its_variables_and_its_folder(tmp_path: Path) -> None:
    body = (
        "import json, os, pathlib\n"
        "info = json.loads(os.environ['KUBERNETES_EXEC_INFO'])\n"
        "token = [os.environ['PROFILE'], info['apiVersion'], pathlib.Path().absolute().name]\n"
        "print(json.dumps({'status': {'token': ' '.join(token)}}))"
    )
    program = a_program(tmp_path, body, env=[{"name": "PROFILE", "value": "prod"}])
    given = run_login(program, tmp_path, 10)
    assert given.user["token"] == f"prod {VERSION} {tmp_path.name}"


def test_a_program_beside_the_kubeconfig_is_found(tmp_path: Path) -> None:
    script = tmp_path / "login"
    script.write_text(f"#!{sys.executable}\n{printing({'token': 'near'})}")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    config = a_kubeconfig({"exec": {"apiVersion": VERSION, "command": "./login"}})
    (tmp_path / "config").write_text(yaml.safe_dump(config))
    assert bearer(log_in("eu-1", tmp_path / "config", None)) == "Bearer near"


def test_only_the_user_of_the_context_logs_in(tmp_path: Path) -> None:
    config = a_kubeconfig({"exec": a_program(tmp_path, "raise SystemExit(1)")})
    assert bearer(log_in("eu-1", yaml.safe_dump(config), "plain")) == "Bearer x"


def test_a_token_of_the_file_goes_before_the_program(tmp_path: Path) -> None:
    user = {"token": "written", "exec": a_program(tmp_path, "raise SystemExit(1)")}
    assert login_of(a_kubeconfig(user), None) is None


def test_an_expired_token_is_renewed(tmp_path: Path) -> None:
    count = tmp_path / "count"
    body = (
        f"import json, pathlib\nfile = pathlib.Path({str(count)!r})\n"
        "number = int(file.read_text()) + 1 if file.exists() else 1\n"
        "file.write_text(str(number))\n"
        "end = '2000-01-01T00:00:00Z' if number == 1 else '2999-01-01T00:00:00Z'\n"
        "print(json.dumps({'status': {'token': str(number), 'expirationTimestamp': end}}))"
    )
    config = a_kubeconfig({"exec": a_program(tmp_path, body)})
    api = log_in("eu-1", yaml.safe_dump(config), None)
    assert [bearer(api), bearer(api)] == ["Bearer 2", "Bearer 2"]


def test_a_program_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    body = (
        "import os, pathlib, subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"pathlib.Path({str(pids)!r}).write_text(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(60)"
    )
    begun = time.monotonic()
    with pytest.raises(ConfigException, match=r"did not end within 2 s"):
        run_login(a_program(tmp_path, body), None, 2)
    assert time.monotonic() - begun < 10
    time.sleep(0.2)
    for pid in map(int, pids.read_text().split()):
        assert not _runs(pid)


def _runs(pid: int) -> bool:
    """Whether a process is alive; a zombie of a parent that waits is not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        pytest.param("raise SystemExit(3)", "failed with exit code 3", id="fails"),
        pytest.param("print('s3cr3t')", "printed no ExecCredential", id="no JSON"),
        pytest.param(printing({}), "printed no ExecCredential", id="no token"),
        pytest.param("print('[1]')", "printed no ExecCredential", id="a list"),
        pytest.param(
            printing({"token": "s3cr3t", "expirationTimestamp": "soon"}),
            "printed no ExecCredential",
            id="no time",
        ),
    ],
)
def test_a_program_that_gives_nothing_is_one_sentence(
    tmp_path: Path, body: str, sentence: str
) -> None:
    config = a_kubeconfig({"exec": a_program(tmp_path, body)})
    with pytest.raises(KubeconfigError, match=sentence) as caught:
        log_in("eu-1", yaml.safe_dump(config), None)
    assert "\n" not in str(caught.value)
    assert "s3cr3t" not in str(caught.value)


def test_a_program_that_is_not_there_is_named() -> None:
    program = {"apiVersion": VERSION, "command": "aws-of-somebody-else"}
    with pytest.raises(ConfigException, match=r"'aws-of-somebody-else' cannot be started: no such"):
        run_login(program, None, 1)
    assert "aws-of-somebody-else" not in os.environ.get("PATH", "")
