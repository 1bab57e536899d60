"""The devkit's background process: proxies, the local Route53 and the data plane.

`python -m devkit.agent --home DIR` carries out the plan that `up` wrote, answers on a unix
socket, and ends on SIGTERM, taking everything that it serves with it.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from devkit import plan as plans
from devkit.aws.endpoint.server import Endpoint
from devkit.clusters import own_kubeconfig
from devkit.control import socket_path
from devkit.dataplane import DataPlane
from devkit.errors import DevkitError
from devkit.home import Home
from devkit.plan import Plan
from devkit.plugs import Plane, PlaneCluster, PlaneConfig
from devkit.proxy import How, Proxy

WAYS = (How.REFUSE, How.BLACKHOLE, How.HANG)


class Agent:
    """Serves one devkit's plan."""

    def __init__(self, home: Home, plan: Plan) -> None:
        self._home = home
        self._plan = plan
        self._proxies = {
            one.cluster.name: Proxy(one.proxy_port, one.api_port) for one in plan.clusters
        }
        self._route53 = Endpoint(plan.route53_port)
        self._plane = _plane(home, plan)
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Serve until told to end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._ended.set)
        path = socket_path(self._home)
        path.unlink(missing_ok=True)
        try:
            for proxy in self._proxies.values():
                await proxy.start()
            await asyncio.to_thread(self._route53.start)
            await self._plane.start()
            # Last: whoever reaches the socket may rely on everything else.
            server = await asyncio.start_unix_server(self._serve, str(path))
            path.chmod(0o600)
            async with server:
                await self._ended.wait()
        finally:
            await self._stop()
            path.unlink(missing_ok=True)

    async def _stop(self) -> None:
        await self._plane.stop()
        await asyncio.to_thread(self._route53.stop)
        for proxy in self._proxies.values():
            await proxy.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        try:
            answer = await self._answer(json.loads(line))
        except DevkitError as error:
            answer = {"error": str(error)}
        except Exception as error:  # noqa: BLE001 - the caller is told, the agent goes on
            traceback.print_exc()
            answer = {"error": f"the agent failed: {error!r} (see {self._home.logs}/agent.log)"}
        writer.write(json.dumps(answer).encode() + b"\n")
        await writer.drain()
        writer.close()

    async def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        commands: dict[str, Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]] = {
            "status": self._status,
            "kill": self._kill,
            "revive": self._revive,
            "late": self._late,
        }
        command = commands.get(str(request.get("command")))
        if command is None:
            raise DevkitError(f"the agent knows {', '.join(commands)}")
        return await command(request)

    async def _status(self, _request: dict[str, Any]) -> dict[str, Any]:
        return {
            "pid": os.getpid(),
            "clusters": {name: str(proxy.how) for name, proxy in self._proxies.items()},
            "ports": {name: proxy.port for name, proxy in self._proxies.items()},
            "route53": {"url": self._route53.url, "admin_url": self._route53.admin_url},
            "plane": self._plane.status(),
        }

    async def _kill(self, request: dict[str, Any]) -> dict[str, Any]:
        name, proxy = self._proxy(request)
        try:
            how = How(str(request.get("how")))
        except ValueError:
            how = How.ALIVE
        if how not in WAYS:
            raise DevkitError(f"a cluster dies by {', '.join(WAYS)}, not '{request.get('how')}'")
        await proxy.become(how)
        await self._plane.kill(name, str(how))
        return {"cluster": name, "how": str(how), "at": time.time()}

    async def _revive(self, request: dict[str, Any]) -> dict[str, Any]:
        name, proxy = self._proxy(request)
        await proxy.become(How.ALIVE)
        await self._plane.revive(name)
        return {"cluster": name, "how": str(How.ALIVE), "at": time.time()}

    async def _late(self, request: dict[str, Any]) -> dict[str, Any]:
        seconds = float(request.get("seconds") or 0)
        self._plane.be_late(seconds)
        return {"seconds": seconds}

    def _proxy(self, request: dict[str, Any]) -> tuple[str, Proxy]:
        name = str(request.get("cluster"))
        if name not in self._proxies:
            raise DevkitError(f"no cluster '{name}' here - there are {', '.join(self._proxies)}")
        return name, self._proxies[name]


def _plane(home: Home, plan: Plan) -> Plane:
    return DataPlane(
        PlaneConfig(
            home=home.root,
            clusters=tuple(
                PlaneCluster(one.cluster, own_kubeconfig(home, one.cluster.name))
                for one in plan.clusters
            ),
            route53_url=plan.route53_url,
            dns_port=plan.dns_port,
        )
    )


def main() -> int:
    """Serve the plan of a home."""
    parser = argparse.ArgumentParser(prog="python -m devkit.agent")
    parser.add_argument("--home", type=Path, required=True)
    home = Home(parser.parse_args().home.resolve())
    plan = plans.read(home)
    if plan is None:
        print(f"no plan in {home.agent_config}", file=sys.stderr)
        return 1
    try:
        asyncio.run(Agent(home, plan).run())
    except (DevkitError, OSError) as error:
        print(f"the agent ends: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
