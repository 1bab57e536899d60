"""`python -m devkit.aws.endpoint --port N`: the local Route53 alone."""

import argparse
import signal
import threading

from devkit.aws.endpoint.control import Settings
from devkit.aws.endpoint.server import Endpoint


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m devkit.aws.endpoint", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds until INSYNC")
    parser.add_argument("--rate", type=int, default=5, help="requests a second, 0 without limit")
    wanted = parser.parse_args()
    endpoint = Endpoint(wanted.port, Settings(delay=wanted.delay, rate=wanted.rate))
    endpoint.start()
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    print(f"Route53 at {endpoint.url}, told things at {endpoint.admin_url}", flush=True)
    ended.wait()
    endpoint.stop()


if __name__ == "__main__":
    main()
