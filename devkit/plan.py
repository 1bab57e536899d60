"""What `up` decided and the agent carries out; a file hands it from one to the other."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from devkit.dev_cluster import DevCluster, Entry
from devkit.home import Home


@dataclass(frozen=True, slots=True)
class PlannedCluster:
    """A cluster, the port of its proxy and the port of its API server."""

    cluster: DevCluster
    proxy_port: int
    api_port: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that one agent serves."""

    clusters: tuple[PlannedCluster, ...]
    route53_port: int
    dns_port: int

    @property
    def route53_url(self) -> str:
        """Return where the local Route53 answers."""
        return f"http://127.0.0.1:{self.route53_port}"


def write(home: Home, plan: Plan) -> None:
    """Write the plan down for the agent."""
    text = json.dumps(asdict(plan), default=str, indent=1)
    fresh = home.agent_config.with_suffix(".fresh")
    fresh.write_text(text)
    fresh.replace(home.agent_config)


def read(home: Home) -> Plan | None:
    """Return the plan of the last `up`, None where there is none."""
    if not home.agent_config.exists():
        return None
    document = json.loads(home.agent_config.read_text())
    return Plan(
        clusters=tuple(_planned(one) for one in document["clusters"]),
        route53_port=document["route53_port"],
        dns_port=document["dns_port"],
    )


def _planned(document: dict[str, Any]) -> PlannedCluster:
    fields = document["cluster"]
    entry = Entry(**{**fields["entry"], "addresses": tuple(fields["entry"]["addresses"])})
    file = fields["connection_file"]
    cluster = DevCluster(**{**fields, "zones": tuple(fields["zones"]), "entry": entry})
    cluster = replace(cluster, connection_file=Path(file) if file else None)
    return PlannedCluster(cluster, document["proxy_port"], document["api_port"])
