"""A stand-in for the engine: takes every registration, in order, and answers as it is told.

Unlike Pulumi's own mocks it sees the whole request: parent, aliases, what is ignored, what is
secret. It decides nothing: whether a step is a create or a delete is left to the engine tests.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

import grpc
from google.protobuf import json_format, struct_pb2
from google.protobuf.message import Message
from pulumi.runtime import set_all_config
from pulumi.runtime.mocks import MockMonitor, Mocks, set_mocks
from pulumi.runtime.proto import resource_pb2
from pulumi.runtime.stack import run_pulumi_func

T = TypeVar("T")
SECRET_SIGNATURE = "4dabf18193072939515e22adb298388d"
STACK = "pulumi:pulumi:Stack"
RECORD = "aws:route53/record:Record"


@dataclass(frozen=True)
class Registered:
    """One registration; secrets in `inputs` are `Secret` values."""

    token: str
    name: str
    inputs: dict[str, Any]
    request: resource_pb2.RegisterResourceRequest

    @property
    def parent(self) -> str:
        """The parent's name."""
        return self.request.parent.rpartition("::")[2]

    @property
    def provider(self) -> str:
        """The provider's name."""
        return self.request.provider.split("::")[3] if self.request.provider else ""

    @property
    def aliases(self) -> list[str]:
        """The names of all aliases."""
        return [each.spec.name for each in self.request.aliases]

    @property
    def kept(self) -> bool:
        """Whether it is registered as the state has it."""
        return list(self.request.ignoreChanges) == ["*"]


class RefusedCall(grpc.RpcError):  # type: ignore[misc] # grpc has no types
    """A function that failed in its plugin, as the SDK hears of it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def code(self) -> grpc.StatusCode:
        """The kind of failure that a plugin's own error is."""
        return grpc.StatusCode.UNKNOWN

    def details(self) -> str:
        """What the plugin said."""
        return self.sentence


@dataclass(frozen=True)
class Secret:
    """A value that the engine was told to encrypt."""

    value: object


@dataclass
class Engine:
    """Takes registrations.

    `failing` names resources that fail (the program goes on, as with --continue-on-error),
    `answers` are invoke results by token, `outputs` the components' by `<token>::<name>`.
    `said` is what the program told the user. `timeline` has the names of everything registered,
    and what tests note in between.
    """

    preview: bool = False
    failing: set[str] = field(default_factory=set)
    answers: dict[str, dict[str, Any] | Exception] = field(default_factory=dict)
    config: dict[str, str] = field(default_factory=dict)
    registered: list[Registered] = field(default_factory=list)
    timeline: list[str] = field(default_factory=list)
    outputs: dict[str, dict[str, Any]] = field(default_factory=dict)
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def run(self, program: Callable[[], Awaitable[T]]) -> T:
        """Runs a program to its end, with all that it registered."""
        return asyncio.run(self._run(program))

    async def _run(self, program: Callable[[], Awaitable[T]]) -> T:
        result: list[T] = []

        async def main() -> None:
            result.append(await program())

        set_all_config(self.config)
        set_mocks(
            _NoMocks(),
            "fleet",
            "dev",
            preview=self.preview,
            logger=_listening(self.said),
            monitor=_Monitor(self),
            organization="organization",
        )
        await run_pulumi_func(main)
        return result[0]

    def take(self, request: resource_pb2.RegisterResourceRequest) -> Registered:
        """Notes a registration."""
        registered = Registered(request.type, request.name, _plain(request.object), request)
        with self.lock:
            if request.type != STACK:
                self.registered.append(registered)
                self.timeline.append(request.name)
        return registered

    @property
    def names(self) -> list[str]:
        """The names of everything registered, in order."""
        return [each.name for each in self.registered]

    def __getitem__(self, name: str) -> Registered:
        """The one registration of this name."""
        found = [each for each in self.registered if each.name == name]
        assert len(found) == 1, f"{name} is registered {len(found)} times: {self.names}"
        return found[0]

    def of(self, token: str) -> list[Registered]:
        """Everything of one type, in order."""
        return [each for each in self.registered if each.token == token]

    def weights(self) -> dict[str, int]:
        """The weights of all records that are not kept, by name."""
        return {
            each.name: each.inputs["weightedRoutingPolicies"][0]["weight"]
            for each in self.of(RECORD)
            if not each.kept
        }


def _listening(said: list[str]) -> logging.Logger:
    """A logger that notes what is said to the user."""
    logger = logging.Logger("engine", logging.INFO)  # noqa: LOG001 - one per run, known to nobody
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    return logger


class _NoMocks(Mocks):
    """Everything is answered by the monitor itself."""

    def new_resource(self, args: Any) -> tuple[str, dict[str, Any]]:
        raise NotImplementedError(args)

    def call(self, args: Any) -> dict[str, Any]:
        raise NotImplementedError(args)


class _Monitor(MockMonitor):
    """Pulumi's mock monitor, with the requests whole."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(_NoMocks())
        self._engine = engine

    def RegisterResource(  # noqa: N802 - the monitor's own name
        self, request: resource_pb2.RegisterResourceRequest
    ) -> resource_pb2.RegisterResourceResponse:
        """Takes a registration; a failing one has no outputs, as in the engine."""
        self._engine.take(request)
        urn = self.make_urn(request.parent, request.type, request.name)
        if request.name in self._engine.failing:
            return resource_pb2.RegisterResourceResponse(urn=urn, result=resource_pb2.Result.FAIL)
        outputs = struct_pb2.Struct()
        outputs.CopyFrom(request.object)
        if request.custom:
            outputs.update(_computed(request))
        identifier = f"{request.name}-id" if request.custom else ""
        return resource_pb2.RegisterResourceResponse(urn=urn, id=identifier, object=outputs)

    def RegisterResourceOutputs(  # noqa: N802 - the monitor's own name
        self, request: resource_pb2.RegisterResourceOutputsRequest
    ) -> object:
        """Notes a component's outputs."""
        token, name = request.urn.split("::")[2:]
        with self._engine.lock:
            self._engine.outputs[f"{token.rpartition('$')[2]}::{name}"] = _plain(request.outputs)
        return super().RegisterResourceOutputs(request)

    def Invoke(  # noqa: N802 - the monitor's own name
        self, request: Any
    ) -> resource_pb2.ResourceInvokeResponse:
        """Answers from the engine's table."""
        with self._engine.lock:
            self._engine.calls.append((request.tok, _plain(request.args)))
        answer = self._engine.answers[request.tok]
        if isinstance(answer, Exception):
            raise answer
        value = struct_pb2.Struct()
        value.update(answer)
        return resource_pb2.ResourceInvokeResponse(**{"return": value})


def _computed(request: resource_pb2.RegisterResourceRequest) -> dict[str, str]:
    """Outputs that only a provider knows."""
    known = {RECORD: {"fqdn": "known"}, "aws:route53/zone:Zone": {"zoneId": "Z-new"}}
    return known.get(request.type, {})


def _plain(message: Message) -> dict[str, Any]:
    """A message's properties: whole numbers are integers, secrets `Secret` values."""
    value = _shaped(json_format.MessageToDict(message))
    assert isinstance(value, dict)
    return value


def _shaped(value: object) -> object:
    if isinstance(value, dict):
        if value.keys() >= {SECRET_SIGNATURE, "value"}:
            return Secret(_shaped(value["value"]))
        return {key: _shaped(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_shaped(each) for each in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
