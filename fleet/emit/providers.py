"""One explicit provider per cluster, and one for Route53."""

import inspect
import json
from collections.abc import Mapping

import pulumi
import pulumi_aws
import pulumi_kubernetes

from fleet.model.plan import ProviderDelivery

DEAD_TIMEOUT_SECONDS = 2


def kubernetes_provider(
    delivery: ProviderDelivery, kubeconfigs: Mapping[str, str]
) -> pulumi_kubernetes.Provider:
    """The provider of a cluster.

    `cluster_identifier` makes a changed kubeconfig an update instead of a replacement of
    everything on the cluster; the time limit bounds what a dead cluster costs and has to be in
    the state before it dies. `skip_update_unreachable` and `delete_unreachable` never together:
    a refresh during a blip would empty the state. A cluster that is declared down gets little
    time to answer: nothing on it is changed whether it does or not.
    """
    connection = delivery.connection
    kubeconfig: pulumi.Input[str] | None = connection.file
    if connection.secret is not None:
        kubeconfig = pulumi.Output.secret(kubeconfigs[connection.secret])
    return pulumi_kubernetes.Provider(
        delivery.cluster,
        kubeconfig=kubeconfig,
        context=connection.context,
        namespace="default",
        cluster_identifier=delivery.cluster,
        kube_client_settings=pulumi_kubernetes.KubeClientSettingsArgs(
            timeout=min(connection.timeout_seconds, DEAD_TIMEOUT_SECONDS)
            if delivery.skip
            else connection.timeout_seconds
        ),
        enable_config_map_mutable=True,
        enable_secret_mutable=True,
        skip_update_unreachable=True if delivery.skip else None,
        delete_unreachable=True if delivery.forget else None,
    )


def aws_provider() -> pulumi_aws.Provider:
    """The provider of Route53, from the keys of the stack's config namespace `aws:`.

    An explicit provider does not read them by itself, and the default one is disabled so that
    nothing reaches an account by accident.
    """
    config = pulumi.Config("aws")
    known = inspect.signature(pulumi_aws.ProviderArgs.__init__).parameters
    arguments: dict[str, object] = {}
    for name, parameter in known.items():
        key = "".join(part.title() if i else part for i, part in enumerate(name.split("_")))
        value = None if name == "__self__" else config.get(key)
        if value is not None:
            arguments[name] = _decoded(value, is_number="int" in str(parameter.annotation))
    return pulumi_aws.Provider("route53", pulumi_aws.ProviderArgs(**arguments))  # type: ignore[arg-type] # names and values are the user's own config keys


def _decoded(text: str, *, is_number: bool) -> object:
    """Lists, objects, booleans and numbers come as JSON text; everything else is text."""
    if text[:1] in "[{" or text in {"true", "false"} or (is_number and text.isdigit()):
        return json.loads(text)
    return text
