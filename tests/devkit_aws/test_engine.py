"""The stand-in under the real engine: preview, up, switch, refresh, import, destroy."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from devkit.aws.endpoint.control import Settings
from devkit.aws.endpoint.server import Endpoint
from devkit.engine import prepare
from devkit.home import Home, environment
from tests.devkit_aws.engine_side import calls

pytestmark = [pytest.mark.engine, pytest.mark.timeout(900)]

PROGRAM = """
import pulumi
import pulumi_aws as aws

config = pulumi.Config()
provider = aws.Provider(
    "dns",
    region="us-east-1",
    access_key="devkit",
    secret_key="devkit",
    skip_credentials_validation=True,
    skip_metadata_api_check=True,
    skip_requesting_account_id=True,
    endpoints=[{"route53": config.require("endpoint")}],
)
plain = pulumi.ResourceOptions(provider=provider)
zone = aws.route53.Zone("main", name="example.test", opts=plain)
for number, (cluster, weight) in enumerate(config.require_object("weights").items()):
    check = aws.route53.HealthCheck(
        cluster,
        type="HTTP",
        ip_address=f"127.0.10.{number}",
        port=8080,
        fqdn="web.example.test",
        request_interval=config.get_int("interval") or 10,
        failure_threshold=1,
        opts=plain,
    )
    record = aws.route53.Record(
        cluster,
        zone_id=zone.zone_id,
        name=config.get("name") or "web.example.test",
        type="A",
        ttl=5,
        records=[f"127.0.10.{number}"],
        set_identifier=cluster,
        weighted_routing_policies=[{"weight": weight}],
        health_check_id=check.id,
        opts=pulumi.ResourceOptions(provider=provider, import_=config.get(f"import-{cluster}")),
    )
pulumi.export("zone", zone.zone_id)
pulumi.export("fqdn", record.fqdn)
"""


class Stack:
    """A stack of that program in a folder of its own."""

    def __init__(self, folder: Path, home: Home, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._folder = folder
        self._environment = environment(home)
        (folder / "Pulumi.yaml").write_text("name: dns\nruntime: {name: python}\n")
        (folder / "__main__.py").write_text(PROGRAM)
        self.run("stack", "init", "dev")
        self.config(endpoint=endpoint.url)
        self.weights({"eu-1": 100, "us-1": 0})

    def run(self, *arguments: str, code: int = 0) -> str:
        """Run pulumi and return all that it said."""
        done = subprocess.run(
            ["pulumi", *arguments, "--non-interactive", "--color=never"],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
        )
        assert (done.returncode == 0) == (code == 0), done.stdout + done.stderr
        return done.stdout + done.stderr

    def up(self, *arguments: str, code: int = 0) -> str:
        """Carry the program out."""
        return self.run("up", "--yes", "--skip-preview", *arguments, code=code)

    def config(self, **values: object) -> None:
        """Set config keys, in the file: each `pulumi config set` costs seconds."""
        file = self._folder / "Pulumi.dev.yaml"
        document = yaml.safe_load(file.read_text()) if file.exists() else {}
        keys = {f"dns:{name}": value for name, value in values.items()}
        document["config"] = {**document.get("config", {}), **keys}
        file.write_text(yaml.safe_dump(document))

    def weights(self, weights: dict[str, int]) -> None:
        """Set each cluster's weight."""
        self.config(weights=weights)

    def steps(self, *arguments: str) -> dict[str, str]:
        """Return what a preview would do: resource -> step."""
        said = self.run("preview", "--json", *arguments)
        steps = json.loads(said[said.index("{") : said.rindex("}") + 1])["steps"]
        return {
            "/".join(step["urn"].split("::")[2:]).rpartition(":")[2]: step["op"]
            for step in steps
            if step["op"] not in ("same", "refresh")
        }


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """An engine and its plugins; they were compiled before."""
    home = Home(tmp_path_factory.mktemp("home").resolve())
    prepare(home, lambda _: None)
    return home


@pytest.fixture
def stack(tmp_path: Path, home: Home) -> Iterator[Stack]:
    """A new stack with an endpoint of its own."""
    endpoint = Endpoint(0, Settings(delay=0.1))
    endpoint.start()
    one = Stack(tmp_path, home, endpoint)
    yield one
    endpoint.stop()
    one.run("stack", "rm", "dev", "--yes", "--force")


def test_the_whole_life_of_a_name(stack: Stack) -> None:
    assert "warning" not in stack.run("preview").lower()
    stack.up()
    assert "web.example.test" in stack.run("stack", "output", "fqdn")
    assert stack.steps("--expect-no-changes") == {}

    stack.weights({"eu-1": 0, "us-1": 100})
    assert stack.steps() == {"Record/eu-1": "update", "Record/us-1": "update"}
    stack.up()
    switched = {name: weight for change, name, weight in calls(stack.endpoint, "UPSERT")}
    assert switched == {"eu-1": 0, "us-1": 100}
    stack.run("refresh", "--yes", "--skip-preview", "--expect-no-changes")

    stack.config(interval="30")
    replaced = stack.steps()
    assert {replaced[f"HealthCheck/{name}"] for name in ("eu-1", "us-1")} == {"replace"}
    assert {replaced[f"Record/{name}"] for name in ("eu-1", "us-1")} == {"update"}

    stack.run("destroy", "--yes", "--skip-preview")
    assert stack.endpoint.account.dump() == {"HostedZones": [], "HealthChecks": []}


def test_a_record_of_somebody_else_is_refused_and_can_be_imported(stack: Stack) -> None:
    stack.up()
    zone = stack.run("stack", "output", "zone").strip()
    identifier = f"{zone}_web.example.test_A_eu-1"
    stack.run("state", "delete", "urn:pulumi:dev::dns::aws:route53/record:Record::eu-1", "--yes")
    said = stack.up(code=1)
    assert "creating Route53 Record 'eu-1'" in said
    assert "but it already exists" in said
    assert "Traceback" not in said
    stack.config(**{"import-eu-1": identifier})
    assert stack.steps() == {"Record/eu-1": "import"}
    stack.up()
    assert stack.steps("--expect-no-changes") == {}


def test_drift_is_seen_by_refresh_and_mended(stack: Stack) -> None:
    stack.up()
    (zone,) = stack.endpoint.account.zones.by_id.values()
    key = ("web.example.test.", "A", "eu-1")
    zone.records = {**zone.records, key: {**zone.records[key], "Weight": 7}}
    assert stack.steps("--refresh") == {"Record/eu-1": "update"}
    stack.up("--refresh")
    assert zone.records[key]["Weight"] == 100


def test_bad_inputs_end_in_preview(stack: Stack) -> None:
    stack.config(interval="20")
    said = stack.run("preview", code=1)
    assert "must be 10 or 30, not 20" in said
    assert stack.endpoint.log.since() == []


def test_an_endpoint_elsewhere_ends_in_preview(stack: Stack) -> None:
    stack.config(endpoint="https://route53.amazonaws.com")
    said = stack.run("preview", code=1)
    assert "speaks to loopback only, not to 'https://route53.amazonaws.com'" in said


def test_a_failing_api_ends_with_a_sentence_and_the_next_up_continues(stack: Stack) -> None:
    stack.up()
    stack.weights({"eu-1": 0, "us-1": 100})
    stack.endpoint.tell({"fail": "changes", "fail_status": 400})
    said = stack.up(code=1)
    assert "updating Route53 Record" in said
    assert "told to fail" in said
    stack.endpoint.tell({"fail": "none"})
    stack.up()
    assert stack.steps("--expect-no-changes") == {}
