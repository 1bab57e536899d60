"""Where a devkit keeps its files, and the environment in which its programs run."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = Path(__file__).resolve().parent
HOME_VARIABLE = "FLEET_DEVKIT_HOME"
ROUTE53_VARIABLE = "AWS_ENDPOINT_URL_ROUTE_53"
BIN_MARKER = ".devkit-bin"
DEMO_PASSPHRASE = "devkit"  # noqa: S105 - a demo word: the state holds nothing worth hiding
DEMO_CREDENTIAL = "devkit"
# Profiles of a real account must not reach a plugin that the devkit starts.
FORBIDDEN_VARIABLES = (
    "AWS_PROFILE",
    "AWS_DEFAULT_PROFILE",
    "AWS_SESSION_TOKEN",
    "AWS_ROLE_ARN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ENDPOINT_URL",
    ROUTE53_VARIABLE,
    "PULUMI_ACCESS_TOKEN",
    "PULUMI_CONFIG_PASSPHRASE_FILE",
    "PULUMI_STACK",
)


@dataclass(frozen=True, slots=True)
class Home:
    """The folder of one devkit; several with different folders run side by side."""

    root: Path

    @property
    def bin(self) -> Path:
        """Links and wrappers of every program, first on PATH."""
        return self.root / "bin"

    @property
    def kubeconfig(self) -> Path:
        """One context per cluster, each through the cluster's proxy."""
        return self.root / "kubeconfig"

    @property
    def kwok(self) -> Path:
        """The work folder of kwokctl."""
        return self.root / "kwok"

    @property
    def logs(self) -> Path:
        """Logs of the agent and audit logs of the clusters."""
        return self.root / "logs"

    @property
    def temporary(self) -> Path:
        """The run's own temporary folder: the Kubernetes plugin leaves kubeconfigs in it."""
        return self.root / "tmp"

    @property
    def pulumi(self) -> Path:
        """The engine's own folder (PULUMI_HOME)."""
        return self.root / "pulumi"

    @property
    def state(self) -> Path:
        """The engine's file back end."""
        return self.root / "state"

    @property
    def agent_config(self) -> Path:
        """What `up` decided: clusters, ports; the agent reads it."""
        return self.root / "agent.json"

    @property
    def agent_pid(self) -> Path:
        """The agent's process id."""
        return self.root / "agent.pid"

    def audit_log(self, cluster: str) -> Path:
        """Return the file in which the cluster's API server logs every write."""
        return self.logs / f"{cluster}-audit.log"

    def make(self) -> None:
        """Create the folders that programs expect to exist."""
        for folder in (self.root, self.bin, self.logs, self.temporary, self.pulumi, self.state):
            folder.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o700)
        (self.bin / BIN_MARKER).touch()


def locate(given: Path | None = None) -> Home:
    """Return the devkit of the given folder, else of FLEET_DEVKIT_HOME, else of the project."""
    text = os.environ.get(HOME_VARIABLE, "")
    folder = given or (Path(text) if text else PROJECT / ".devkit")
    return Home(folder.expanduser().resolve())


def variables(home: Home) -> dict[str, str]:
    """Return only the variables that the devkit sets."""
    venv_bin = Path(sys.executable).parent
    inherited = os.environ.get("PATH", os.defpath).split(os.pathsep)
    first = [str(home.bin), str(venv_bin)]
    path = os.pathsep.join(first + [entry for entry in inherited if entry not in first])
    return {
        **_endpoint(home),
        HOME_VARIABLE: str(home.root),
        "PATH": path,
        "PULUMI_HOME": str(home.pulumi),
        "PULUMI_BACKEND_URL": f"file://{home.state}",
        "PULUMI_CONFIG_PASSPHRASE": DEMO_PASSPHRASE,
        "PULUMI_SKIP_UPDATE_CHECK": "true",
        "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
        "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS": "true",
        "AWS_ACCESS_KEY_ID": DEMO_CREDENTIAL,
        "AWS_SECRET_ACCESS_KEY": DEMO_CREDENTIAL,
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "TMPDIR": str(home.temporary),
        "KUBECONFIG": str(home.kubeconfig),
    }


def _endpoint(home: Home) -> dict[str, str]:
    """Return where the local Route53 is, for every AWS client, once `up` has chosen a port."""
    if not home.agent_config.exists():
        return {}
    port = json.loads(home.agent_config.read_text())["route53_port"]
    return {ROUTE53_VARIABLE: f"http://127.0.0.1:{port}"}


def environment(home: Home | Path | None = None) -> dict[str, str]:
    """Return a whole environment for a program: the caller's, with the devkit's on top."""
    devkit = home if isinstance(home, Home) else locate(home)
    devkit.make()
    return merge(os.environ, variables(devkit))


def merge(inherited: Mapping[str, str], ours: Mapping[str, str]) -> dict[str, str]:
    """Return the inherited variables without those of real accounts, ours on top."""
    kept = {name: value for name, value in inherited.items() if name not in FORBIDDEN_VARIABLES}
    return {**kept, **ours}
