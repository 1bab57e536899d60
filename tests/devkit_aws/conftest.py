"""A local Route53 of the test's own, the official client, and a plugin process."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import botocore.session
import grpc
import pytest
from botocore.config import Config
from pulumi.runtime.proto import provider_pb2_grpc

from devkit.aws.endpoint.control import Settings
from devkit.aws.endpoint.server import Endpoint
from tests.devkit_aws.engine_side import Plugin
from tests.devkit_aws.kit import Account, Api, Change, calls_of

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A Route53 without delay and without a limit; a test sets what it is about."""
    one = Endpoint(0, Settings(delay=0, rate=0))
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="session")
def botocore_session() -> botocore.session.Session:
    """One session: it keeps the service model that every client needs."""
    return botocore.session.Session()


@pytest.fixture
def api(endpoint: Endpoint, botocore_session: botocore.session.Session) -> Iterator[Api]:
    """Calls one operation by its name, without retries."""
    client = botocore_session.create_client(
        "route53",
        endpoint_url=endpoint.url,
        region_name="us-east-1",
        aws_access_key_id="devkit",
        aws_secret_access_key="devkit",  # noqa: S106 - the endpoint takes anything
        config=Config(retries={"total_max_attempts": 1}, parameter_validation=False, proxies={}),
    )
    yield calls_of(client)
    client.close()


@pytest.fixture
def zone(api: Api) -> str:
    """An empty zone example.test."""
    answer = api("CreateHostedZone", {"Name": "example.test", "CallerReference": "zone"})
    return answer["HostedZone"]["Id"].rpartition("/")[2]


@pytest.fixture
def account(api: Api, zone: str) -> Account:
    """The account with that zone."""
    return Account(api, zone)


@pytest.fixture
def change(account: Account) -> Change:
    """Sends a change batch to the zone: (action, record set) pairs."""
    return account.change


@pytest.fixture(scope="module")
def stub() -> Iterator[provider_pb2_grpc.ResourceProviderStub]:
    """The plugin as the engine starts it: a process that prints its port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "devkit.aws", "127.0.0.1:1"], stdout=subprocess.PIPE, cwd=PROJECT
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    channel = grpc.insecure_channel(f"127.0.0.1:{port}")
    yield provider_pb2_grpc.ResourceProviderStub(channel)
    channel.close()
    process.terminate()
    assert process.wait(10) == 0
    process.stdout.close()


@pytest.fixture
def plugin(stub: provider_pb2_grpc.ResourceProviderStub, endpoint: Endpoint) -> Plugin:
    """The plugin, configured with the test's own Route53."""
    one = Plugin(stub)
    one.configure(endpoint.url)
    return one
