"""Providers: what bounds a dead cluster is there from the first day, and nothing else leaks."""

import pytest

from fleet.emit.providers import aws_provider, kubernetes_provider
from fleet.model.inventory import Connection, State
from fleet.model.plan import ProviderDelivery
from tests.emit.engine import Engine, Secret
from tests.emit.plans import a_provider


def inputs_of(
    engine: Engine, delivery: ProviderDelivery, kubeconfigs: dict[str, str] | None = None
) -> dict[str, object]:
    async def program() -> None:
        kubernetes_provider(delivery, kubeconfigs or {})

    engine.run(program)
    return engine[delivery.cluster].inputs


def test_a_provider_names_its_cluster_and_bounds_its_client(engine: Engine) -> None:
    connection = Connection(file="kube/eu.yaml", context="prod", timeout_seconds=7)
    inputs = inputs_of(engine, ProviderDelivery("eu-1", connection, State.ACTIVE))
    assert engine["eu-1"].token == "pulumi:providers:kubernetes"
    assert inputs["kubeconfig"] == "kube/eu.yaml"
    assert inputs["context"] == "prod"
    assert inputs["clusterIdentifier"] == "eu-1"
    assert inputs["kubeClientSettings"] == '{"timeout": 7}'
    assert "skipUpdateUnreachable" not in inputs
    assert "deleteUnreachable" not in inputs


def test_a_kubeconfig_of_the_config_is_a_secret(engine: Engine) -> None:
    delivery = ProviderDelivery("eu-1", Connection(secret="eu"), State.ACTIVE)
    inputs = inputs_of(engine, delivery, {"eu": "apiVersion: v1"})
    assert inputs["kubeconfig"] == Secret("apiVersion: v1")


@pytest.mark.parametrize(
    ("state", "flags"),
    [
        pytest.param(State.DOWN, {"skipUpdateUnreachable"}, id="down is skipped"),
        pytest.param(State.DECOMMISSIONED, {"deleteUnreachable"}, id="decommissioned is forgotten"),
        pytest.param(State.DRAINING, set(), id="draining is alive"),
    ],
)
def test_the_state_says_what_becomes_of_a_dead_cluster(
    engine: Engine, state: State, flags: set[str]
) -> None:
    inputs = inputs_of(engine, a_provider("eu-1", state=state))
    assert {"skipUpdateUnreachable", "deleteUnreachable"} & set(inputs) == flags


def test_a_cluster_that_is_down_gets_little_time(engine: Engine) -> None:
    inputs = inputs_of(engine, a_provider("eu-1", state=State.DOWN))
    assert inputs["kubeClientSettings"] == '{"timeout": 2}'


def test_route53_s_provider_reads_the_stack_s_config(engine: Engine) -> None:
    engine.config = {
        "aws:region": "eu-west-1",
        "aws:skipCredentialsValidation": "true",
        "aws:endpoints": '[{"route53": "http://127.0.0.1:1"}]',
        "fleet:region": "elsewhere",
    }

    async def program() -> None:
        aws_provider()

    engine.run(program)
    found = engine["route53"]
    assert found.token == "pulumi:providers:aws"
    assert found.inputs["region"] == "eu-west-1"
    assert found.inputs["skipCredentialsValidation"] == "true"
    assert found.inputs["endpoints"] == '[{"route53": "http://127.0.0.1:1"}]'
