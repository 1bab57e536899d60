"""`python -m devkit.aws ENGINE`: serve the stand-in until the engine is done with it.

The engine starts the program, reads the port from its first line, and ends it with a signal.
"""

import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import grpc
from pulumi.runtime.proto import provider_pb2_grpc

from devkit.aws.plugin import Plugin

LARGEST_MESSAGE = 400 * 1024 * 1024
THREADS = 64
GRACE_SECONDS = 3
ORPHAN_SECONDS = 2


def main() -> None:
    """Serve, and end quietly on SIGINT, SIGTERM, or when the engine is gone."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    plugin = Plugin(version("pulumi-aws"))
    limits = [
        ("grpc.max_receive_message_length", LARGEST_MESSAGE),
        ("grpc.max_send_message_length", LARGEST_MESSAGE),
    ]
    server = grpc.server(ThreadPoolExecutor(THREADS), options=limits)
    provider_pb2_grpc.add_ResourceProviderServicer_to_server(plugin, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    parent = os.getppid()
    while not ended.wait(ORPHAN_SECONDS):
        if os.getppid() != parent:
            break
    plugin.cancel()
    server.stop(GRACE_SECONDS).wait()


if __name__ == "__main__":
    main()
