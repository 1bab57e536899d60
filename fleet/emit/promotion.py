"""Commands that make the other side the primary of a workload's data.

A person registers them by name in `__main__.py`; a workload's fleet.yaml holds the name only:

    from functools import partial
    import pulumi
    from fleet.emit.promotion import Promotion
    from fleet.program import main

    pulumi.run(partial(main, promotions={"orders-db": Promotion(run=promote, is_promoted=asks)}))

They run inside the update, after the new capacity is ready and before any weight moves, and never
in a preview. A command is told the state that is wanted, not what to do: it may be run again.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import TypeVar

from fleet.errors import ErrorList
from fleet.model.plan import DataStep
from fleet.model.snapshot import Snapshot

POLL_SECONDS = 1.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Desired:
    """The state that is wanted: which clusters of which region hold the primary.

    **Shape**: `previous` held it until now; `lost` are those of them that are dead, which somebody
    has declared fenced: they cannot be asked to step down.
    """

    workload: str
    region: str
    clusters: tuple[str, ...]
    previous: tuple[str, ...]
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Promotion:
    """A command: plain or `async` functions. **Units**: seconds, for everything together.

    `run` brings about what is desired, and does nothing where it is so already; it may raise.
    `is_promoted` says whether it is so: it is asked before `run`, which is left out where it is,
    and after it until it is.
    """

    run: Callable[[Desired], object]
    is_promoted: Callable[[Desired], bool | Awaitable[bool]] | None = None
    timeout_seconds: float = 60


def check_promotions(snapshot: Snapshot, promotions: Mapping[str, Promotion]) -> None:
    """Raises InvalidError for every name that nobody registered, at the place that says it."""
    errors = ErrorList()
    for linked in snapshot.linked:
        name = linked.workload.settings.data.promotion
        if name is None or name in promotions:
            continue
        known = ", ".join(sorted(promotions))
        errors.add(
            linked.workload.data_source("promotion"),
            "spec.data.promotion",
            f"no promotion '{name}' is registered",
            f"registered are {known}"
            if known
            else "register it in __main__.py: main(promotions=…)",
        )
    errors.raise_if_any()


async def promote(step: DataStep, promotion: Promotion) -> str | None:
    """Carries out a step; None when it is done, else what was in the way."""
    desired = Desired(step.workload, step.region, step.clusters, step.previous, step.lost)
    try:
        await asyncio.wait_for(_until_promoted(desired, promotion), promotion.timeout_seconds)
    except TimeoutError:
        return f"promotion '{step.promotion}' was not done after {promotion.timeout_seconds:g} s"
    except Exception as error:  # noqa: BLE001 - a person's own code may raise anything
        return f"promotion '{step.promotion}' failed: {type(error).__name__}: {error}"
    return None


async def _until_promoted(desired: Desired, promotion: Promotion) -> None:
    asks = promotion.is_promoted
    if asks is None:
        await _called(promotion.run, desired)
        return
    if await _called(asks, desired):
        return
    await _called(promotion.run, desired)
    while True:
        if await _called(asks, desired):
            return
        await asyncio.sleep(POLL_SECONDS)


async def _called(function: Callable[[Desired], T | Awaitable[T]], desired: Desired) -> T:
    """What a plain or an async function says."""
    if inspect.iscoroutinefunction(function):
        answer: T | Awaitable[T] = function(desired)
    else:
        answer = await _aside(lambda: function(desired))
    if inspect.isawaitable(answer):
        waited: T = await answer
        return waited
    return answer


async def _aside(function: Callable[[], T]) -> T:
    """Runs a plain function beside the program; one that never returns is left behind.

    Neither the time limit nor the end of the program waits for it, as a pool of threads would.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: Exception | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type] # T may be None itself

    def work() -> None:
        result, error = None, None
        try:
            result = function()
        except Exception as fault:  # noqa: BLE001 - told to the one who waits
            error = fault
        with suppress(RuntimeError):  # nobody waits any more
            loop.call_soon_threadsafe(tell, result, error)

    Thread(target=work, daemon=True).start()
    return await future
