"""The Pulumi program: fleet, and how it learns that the database has been promoted."""

import subprocess
from functools import partial

import pulumi

from fleet.emit.promotion import Desired, Promotion
from fleet.program import main

KUBECONFIG = "kubeconfig"
NAMESPACE = "shop"
BOTH = "jsonpath={.spec.replica.promotionToken}={.status.lastPromotionToken}"


def nothing(_desired: Desired) -> None:
    """The override rules say it all: the operator promotes by the object's spec."""


def is_promoted(desired: Desired) -> bool:
    """Whether the operator has used the token that the spec holds now; without one, at once."""
    at = ["--kubeconfig", KUBECONFIG, "--context", desired.clusters[0], "--namespace", NAMESPACE]
    what = ["get", "clusters.postgresql.cnpg.io", "orders", "--output", BOTH]
    command = ["kubectl", *at, "--request-timeout", "5s", *what]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    wanted, _, used = done.stdout.partition("=")
    return wanted == used


promotions = {"orders-db": Promotion(run=nothing, is_promoted=is_promoted, timeout_seconds=120)}
pulumi.run(partial(main, promotions=promotions))
