"""Runs one Pulumi program in this process; the language host starts it.

It stands alone (only the standard library and the SDK), because the project's own Python may
run it. Exit code 0: fine; ALREADY_TOLD: failed, and the engine has been told why.
"""

import asyncio
import json
import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import grpc
import pulumi
from pulumi.errors import RunError
from pulumi.runtime import reset_options, run_in_stack, set_all_config

ALREADY_TOLD = 32
CONFIG = "PULUMI_CONFIG"
SECRET_KEYS = "PULUMI_CONFIG_SECRET_KEYS"  # noqa: S105 - a variable's name
INTERRUPTED = 130
CALLS_PER_PARALLEL = 4


class Arguments(NamedTuple):
    """What a run is about; config comes through the environment."""

    program: str
    project: str
    stack: str
    organization: str
    monitor: str
    engine: str
    parallel: int
    dry_run: bool
    root: str


def main() -> int:
    """Run the program of the JSON argument and return the exit code."""
    arguments = Arguments(**json.loads(sys.argv[1]))
    _end_with_the_host()
    # A faulted task that nobody waits for is reported by the SDK itself.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    reset_options(
        project=arguments.project,
        stack=arguments.stack,
        root_directory=arguments.root or None,
        parallel=arguments.parallel,
        engine_address=arguments.engine,
        monitor_address=arguments.monitor,
        preview=arguments.dry_run,
        organization=arguments.organization,
    )
    config = json.loads(os.environ.get(CONFIG, "{}"))
    set_all_config(config, json.loads(os.environ.get(SECRET_KEYS, "[]")))
    file = _file(arguments.program)
    sys.argv = [str(file)]
    sys.path.insert(0, str(file.parent))
    loop = asyncio.new_event_loop()
    workers = max(arguments.parallel, 1) * CALLS_PER_PARALLEL
    loop.set_default_executor(ThreadPoolExecutor(max_workers=workers))
    loop.set_exception_handler(_stop_on_lost_engine)
    try:
        return _run(loop, file)
    finally:
        _cancel_the_rest(loop)
        sys.stdout.flush()
        sys.stderr.flush()


def _file(program: str) -> Path:
    path = Path(program)
    if path.is_dir():
        return path / "__main__.py"
    return path if path.exists() else path.with_suffix(".py")


def _run(loop: asyncio.AbstractEventLoop, file: Path) -> int:
    try:
        loop.run_until_complete(run_in_stack(lambda: _execute(file)))
    except RunError as error:
        pulumi.log.error(str(error))
        return ALREADY_TOLD
    except grpc.RpcError as error:
        # The monitor is gone when the engine is ending: that is no error of the program.
        if error.code() == grpc.StatusCode.UNAVAILABLE:
            return 0
        pulumi.log.error(f"RPC error: {error.details()}")
        return ALREADY_TOLD
    except SystemExit as ended:
        return _code_of(ended)
    except Exception as error:  # noqa: BLE001 - whatever the program raised is told to the engine
        pulumi.log.error(f"Program failed with an unhandled exception:\n{_told(error)}")
        return ALREADY_TOLD
    return 0


def _execute(file: Path) -> Awaitable[None] | None:
    """Run the file as the module __main__, which it stays until the process ends."""
    module = ModuleType("__main__")
    module.__file__ = str(file)
    sys.modules["__main__"] = module
    exec(compile(file.read_bytes(), str(file), "exec"), module.__dict__)  # noqa: S102 - its job
    return None


def _code_of(ended: SystemExit) -> int:
    if ended.code is None or isinstance(ended.code, int):
        return ended.code or 0
    pulumi.log.error(str(ended.code))
    return ALREADY_TOLD


def _told(error: Exception) -> str:
    """Return the traceback from the program's first line on, without this file's frames."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next and frame.tb_frame.f_code.co_filename == __file__:
        frame = frame.tb_next
    return "".join(traceback.format_exception(type(error), error, frame))


def _stop_on_lost_engine(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if isinstance(context.get("exception"), grpc.RpcError):
        loop.stop()
    else:
        loop.default_exception_handler(context)


def _cancel_the_rest(loop: asyncio.AbstractEventLoop) -> None:
    for task in asyncio.all_tasks(loop):
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            loop.run_until_complete(task)
    loop.close()


def _end_with_the_host() -> None:
    """End at once and quietly on a signal, and when the host's end of standard input closes."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(INTERRUPTED))
    lifeline = os.dup(0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def watch() -> None:
        os.read(lifeline, 1)
        os._exit(INTERRUPTED)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    # Not sys.exit: threads of calls that nobody waits for any more must not hold up the end.
    CODE = main()
    sys.stdout.flush()
    os._exit(CODE)
