"""The commands `up` and `down`: clusters, kubeconfig and the agent."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from devkit import clusters, control, inventory, kubeconfig, ports, processes
from devkit import plan as plans
from devkit.dev_cluster import DevCluster
from devkit.errors import DevkitError
from devkit.home import PROJECT, Home, environment
from devkit.ledger import DNS_OFFSET, FILE, ROUTE53_OFFSET, Ledger, open_ledger
from devkit.plan import Plan, PlannedCluster

Say = Callable[[str], None]
AGENT_SECONDS = 30
PATIENCE_SECONDS = 10
ROUTE53_PORT = 4580
DNS_PORT = 5380
AGENT_MODULE = "devkit.agent"


def up(home: Home, chosen: list[DevCluster], route53_port: int | None, say: Say) -> None:
    """Start what does not run yet: clusters, their kubeconfig, the agent.

    Errors: DevkitError.
    """
    home.make()
    # A cluster that is not asked for any more goes on running: `up` only adds.
    known = plans.read(home)
    here = {one.cluster.name: one.cluster for one in (known.clusters if known else ())}
    here = {name: one for name, one in here.items() if name in clusters.names(home)}
    everything = list({**here, **{one.name: one for one in chosen}}.values())
    ledger = open_ledger(home, [one.name for one in everything])
    clusters.start_all(home, everything, ledger, say)
    kubeconfig.write(home, everything, ledger)
    _start_agent(home, _plan(everything, ledger, route53_port, known), say)


def _plan(
    chosen: list[DevCluster], ledger: Ledger, route53_port: int | None, known: Plan | None
) -> Plan:
    planned = tuple(
        PlannedCluster(one, ledger.of(one.name).proxy, ledger.of(one.name).api_server)
        for one in chosen
    )
    if known:
        return Plan(planned, route53_port or known.route53_port, known.dns_port)
    route53 = route53_port or _port(ROUTE53_PORT, ledger.base + ROUTE53_OFFSET)
    return Plan(planned, route53, _port(DNS_PORT, ledger.base + DNS_OFFSET))


def _port(usual: int, otherwise: int) -> int:
    """Return the usual port, unless another devkit has it."""
    return usual if ports.is_free(usual) else otherwise


def _start_agent(home: Home, plan: Plan, say: Say) -> None:
    if plan == plans.read(home) and control.try_ask(home, command="status"):
        say("agent: reused")
        return
    stop_agent(home)
    if not ports.is_free(plan.route53_port):
        raise DevkitError(f"port {plan.route53_port} for Route53 is taken - give --route53-port")
    plans.write(home, plan)
    log = home.logs / "agent.log"
    with log.open("ab") as handle:
        agent = subprocess.Popen(
            [sys.executable, "-m", AGENT_MODULE, "--home", str(home.root)],
            cwd=PROJECT,
            env=environment(home),
            stdout=handle,
            stderr=handle,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    home.agent_pid.write_text(str(agent.pid))
    deadline = time.monotonic() + AGENT_SECONDS
    while control.try_ask(home, command="status") is None:
        if agent.poll() is not None or time.monotonic() > deadline:
            processes.end([agent.pid], PATIENCE_SECONDS)
            raise DevkitError(f"the agent does not start ({log}):\n{_last_lines(log)}")
        time.sleep(0.05)
    say(f"agent: started, Route53 at {plan.route53_url}, DNS at 127.0.0.1:{plan.dns_port}")


def _last_lines(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-10:])


def stop_agent(home: Home) -> None:
    """End the agent of this home, found by what it runs, whatever the id file says."""
    tail = ["-m", AGENT_MODULE, "--home", str(home.root)]
    found = processes.running(lambda arguments: arguments[1:] == tail)
    processes.end(found, PATIENCE_SECONDS)
    home.agent_pid.unlink(missing_ok=True)
    control.socket_path(home).unlink(missing_ok=True)


def down(home: Home, say: Say, *, keep_logs: bool) -> None:
    """End everything of this home and remove what the devkit made in it."""
    stop_agent(home)
    clusters.stop_all(home)
    for folder in (home.temporary, home.pulumi, home.state, home.bin):
        shutil.rmtree(folder, ignore_errors=True)
    if not keep_logs:
        shutil.rmtree(home.logs, ignore_errors=True)
    for file in (home.kubeconfig, home.agent_config, home.root / FILE):
        file.unlink(missing_ok=True)
    if home.root.is_dir() and not any(home.root.iterdir()):
        home.root.rmdir()
    say(f"down: nothing of {home.root} runs")


def choose(home: Home, path: Path, names: str) -> list[DevCluster]:
    """Return the clusters to play, from an inventory and a comma-separated list of names."""
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    return inventory.choose(inventory.read(path), wanted, home.root)
