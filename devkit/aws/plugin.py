"""The plugin's gRPC side: the engine's questions on one hand, the resource types on the other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar

import grpc
from google.protobuf import empty_pb2
from google.protobuf.message import Message
from google.rpc import status_pb2
from pulumi.runtime.proto import plugin_pb2, provider_pb2, provider_pb2_grpc

from devkit.aws.client import ApiError, Client, NotInSyncError
from devkit.aws.functions import FUNCTIONS
from devkit.aws.health_check import HealthCheck
from devkit.aws.record import Record
from devkit.aws.resource import (
    Change,
    HalfDoneError,
    Resource,
    State,
    changes_between,
    kept_inputs,
)
from devkit.aws.sdk import Failure, failures_of
from devkit.aws.settings import failures_in, settings_from
from devkit.aws.values import read_struct, write_struct
from devkit.aws.zone import Zone

KINDS = {
    ("add", False): provider_pb2.PropertyDiff.ADD,
    ("add", True): provider_pb2.PropertyDiff.ADD_REPLACE,
    ("delete", False): provider_pb2.PropertyDiff.DELETE,
    ("delete", True): provider_pb2.PropertyDiff.DELETE_REPLACE,
    ("update", False): provider_pb2.PropertyDiff.UPDATE,
    ("update", True): provider_pb2.PropertyDiff.UPDATE_REPLACE,
}
Result = TypeVar("Result")
WORDS = ("Zone", "Record", "HealthCheck")


def type_of(urn: str) -> str:
    """Return a resource's type.

    >>> type_of("urn:pulumi:dev::fleet::a:b:C$aws:route53/zone:Zone::main")
    'aws:route53/zone:Zone'
    """
    return urn.split("::")[2].rpartition("$")[2]


@dataclass(frozen=True, slots=True)
class _Task:
    """One operation on one resource: its type and how a sentence names it."""

    resource: Resource
    title: str


class Plugin(provider_pb2_grpc.ResourceProviderServicer):
    """Answers the engine; each request runs in its own thread."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._client: Client | None = None
        self._lacking = "the provider is not configured yet"
        self._resources: Mapping[str, Resource] = {
            "aws:route53/zone:Zone": Zone(),
            "aws:route53/record:Record": Record(),
            "aws:route53/healthCheck:HealthCheck": HealthCheck(),
        }

    def cancel(self) -> None:
        """End every wait soon."""
        if self._client is not None:
            self._client.cancelled.set()

    # ---- the plugin itself

    def GetPluginInfo(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Say which version this is."""
        del request, context
        return plugin_pb2.PluginInfo(version=self._version)

    def Handshake(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Announce nothing beyond plain values."""
        del request, context
        return provider_pb2.ProviderHandshakeResponse()

    def GetSchema(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Say the name only: the SDK is the real one."""
        del request, context
        schema = f'{{"name": "aws", "version": "{self._version}"}}'
        return provider_pb2.GetSchemaResponse(schema=schema)

    def Cancel(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """End what is under way, with the state that is known."""
        del request, context
        self.cancel()
        return empty_pb2.Empty()

    def CheckConfig(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Refuse endpoints that are not loopback, and what the SDK's types refuse."""
        del context
        return _checked(request.news, failures_in(read_struct(request.news)))

    def DiffConfig(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """A changed configuration replaces nothing."""
        del context
        old, new = read_struct(request.olds), read_struct(request.news)
        changed = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
        some, none = provider_pb2.DiffResponse.DIFF_SOME, provider_pb2.DiffResponse.DIFF_NONE
        return provider_pb2.DiffResponse(changes=some if changed else none, diffs=changed)

    def Configure(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Take the configuration; one that is not whole is told when a call needs it."""
        inputs = read_struct(request.args)
        for key, value in request.variables.items():
            inputs.setdefault(key.rpartition(":")[2], value)
        try:
            settings = settings_from(inputs)
        except ValueError as error:
            _refuse(context, str(error))
        if settings is None:
            self._lacking = "the provider's endpoint is not known yet"
        else:
            self._client = Client(settings)
        return provider_pb2.ConfigureResponse(supportsPreview=True)

    # ---- resources

    def Check(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Compare the inputs with the SDK's types and with what the real provider refuses."""
        resource = self._task("checking", request.urn, context).resource
        inputs = read_struct(request.news)
        failures = failures_of(type_of(request.urn), inputs)
        return _checked(write_struct(inputs), failures or resource.check(inputs))

    def Diff(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Say which properties differ, and which of them make a new resource."""
        resource = self._task("comparing", request.urn, context).resource
        state = read_struct(request.olds)
        old = read_struct(request.old_inputs) or state
        changes = changes_between(resource, old, state, read_struct(request.news))
        return _difference(changes)

    def Create(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Create, and wait until it is in sync."""
        task = self._task("creating", request.urn, context)
        inputs = read_struct(request.properties)
        if request.preview:
            outputs = write_struct(task.resource.preview(inputs))
            return provider_pb2.CreateResponse(properties=outputs)
        client = self._needed(context)
        state = _attempt(context, task, lambda: task.resource.create(client, inputs))
        return provider_pb2.CreateResponse(
            id=state.identifier, properties=write_struct(state.outputs)
        )

    def Read(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Look at it as it is: for a refresh, an import, or a program's `get`."""
        task = self._task("reading", request.urn, context)
        client = self._needed(context)
        known, old = read_struct(request.properties), read_struct(request.inputs)
        state = _attempt(context, task, lambda: task.resource.read(client, request.id, known))
        if state is None:
            return provider_pb2.ReadResponse()
        inputs = kept_inputs(task.resource, state.inputs, old, known)
        return provider_pb2.ReadResponse(
            id=state.identifier,
            properties=write_struct(state.outputs),
            inputs=write_struct(inputs),
        )

    def Update(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Change in place, and wait until it is in sync."""
        task = self._task("updating", request.urn, context)
        inputs = read_struct(request.news)
        if request.preview:
            outputs = {**read_struct(request.olds), **inputs}
            return provider_pb2.UpdateResponse(properties=write_struct(outputs))
        client, old = self._needed(context), read_struct(request.olds)
        state = _attempt(
            context, task, lambda: task.resource.update(client, request.id, old, inputs)
        )
        return provider_pb2.UpdateResponse(properties=write_struct(state.outputs))

    def Delete(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Delete, and wait until it is in sync."""
        task = self._task("deleting", request.urn, context)
        client, old = self._needed(context), read_struct(request.properties)
        _attempt(context, task, lambda: task.resource.delete(client, request.id, old))
        return empty_pb2.Empty()

    def Invoke(self, request: Message, context: grpc.ServicerContext) -> Message:  # noqa: N802
        """Answer a function."""
        function = FUNCTIONS.get(request.tok)
        if function is None:
            _refuse(
                context,
                f"this stand-in of the AWS plugin has the functions {', '.join(FUNCTIONS)}, "
                f"not {request.tok}",
            )
        client, wanted = self._needed(context), read_struct(request.args)
        try:
            answer = function(client, wanted)
        except (ApiError, ValueError) as error:
            _refuse(context, str(error))
        return provider_pb2.InvokeResponse(**{"return": write_struct(answer)})

    def _task(self, verb: str, urn: str, context: grpc.ServicerContext) -> _Task:
        token = type_of(urn)
        if token not in self._resources:
            _refuse(
                context,
                "this stand-in of the AWS plugin knows aws.route53 "
                f"{', '.join(WORDS)} only, not {token}",
            )
        name, word = urn.split("::")[3], token.rpartition(":")[2]
        return _Task(self._resources[token], f"{verb} Route53 {word} '{name}'")

    def _needed(self, context: grpc.ServicerContext) -> Client:
        if self._client is None:
            _refuse(context, self._lacking)
        return self._client


def _refuse(context: grpc.ServicerContext, sentence: str) -> NoReturn:
    """End the request with one sentence."""
    context.abort(grpc.StatusCode.UNKNOWN, sentence)
    raise AssertionError(sentence)


def _attempt(context: grpc.ServicerContext, task: _Task, work: Callable[[], Result]) -> Result:
    """Do the work; a failure becomes one sentence. What had come to be stays in the state."""
    try:
        return work()
    except HalfDoneError as error:
        _keep(context, error.state, f"{task.title}: {error}")
        _refuse(context, f"{task.title}: {error}")
    except (ApiError, NotInSyncError, ValueError) as error:
        _refuse(context, f"{task.title}: {error}")


def _keep(context: grpc.ServicerContext, state: State, sentence: str) -> None:
    """Tell the engine what to keep in its state beside the failure."""
    detail = provider_pb2.ErrorResourceInitFailed(
        id=state.identifier,
        properties=write_struct(state.outputs),
        reasons=[sentence],
    )
    status = status_pb2.Status(code=grpc.StatusCode.UNKNOWN.value[0], message=sentence)
    status.details.add().Pack(detail)
    context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))


def _checked(news: Message, failures: list[Failure]) -> Message:
    found = [
        provider_pb2.CheckFailure(property=failure.path, reason=failure.reason)
        for failure in failures
    ]
    return provider_pb2.CheckResponse(inputs=news, failures=found)


def _difference(changes: list[Change]) -> Message:
    some, none = provider_pb2.DiffResponse.DIFF_SOME, provider_pb2.DiffResponse.DIFF_NONE
    names = [change.path.split(".")[0].split("[")[0] for change in changes]
    replacing = {name for name, change in zip(names, changes, strict=True) if change.replaces}
    detailed = {
        change.path: provider_pb2.PropertyDiff(
            kind=KINDS[change.kind, change.replaces], inputDiff=True
        )
        for change in changes
    }
    return provider_pb2.DiffResponse(
        changes=some if changes else none,
        diffs=sorted(set(names)),
        replaces=sorted(replacing),
        detailedDiff=detailed,
        hasDetailedDiff=True,
    )
