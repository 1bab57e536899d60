"""The options that all commands share, written once: the fields of `Inputs`."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import wraps
from typing import Annotated, Any

import typer


class Form(StrEnum):
    """How a command prints."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


Output = Annotated[Form, typer.Option("--output", "-o", help="How to print.")]
Kubeconfigs = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Kubeconfigs by name as JSON, as 'pulumi config get kubeconfigs' prints them, for"
        " clusters whose connection is a secret; - is stdin.",
    ),
]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a command works on, as it was written on the command line."""

    inventory: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="File or folder of clusters; repeatable."),
    ] = None
    workloads: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="File or folder of workloads; repeatable."),
    ] = None
    policies: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="File or folder of policies; repeatable."),
    ] = None
    stack: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Take the config of Pulumi.NAME.yaml; by default of the only stack, or of dev; of"
            " none where --inventory, --workloads and --policies are all given.",
        ),
    ] = None
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="What runs today: {workload: {cluster: replicas}}, or what"
            " 'pulumi stack output placements --json' prints.",
        ),
    ] = None
    assignments: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="A config key, as 'pulumi config set --path' spells it: activeRegion=eu-west-1,"
            " 'down[0]=eu-1', movementBudget.replicasPercent=10; repeatable.",
        ),
    ] = None
    now: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="The time of the plan, such as 2026-01-31T12:00:00Z."),
    ] = None
    cache: Annotated[
        bool,
        typer.Option(
            help="Keep what was read of the files for the next run; FLEET_CACHE=off turns it off,"
            " too."
        ),
    ] = True


def with_inputs(command: Callable[..., None]) -> Callable[..., None]:
    """A command for typer whose first parameter `inputs` is spread into the shared options.

    So is every other parameter whose type is a dataclass of options.
    """
    own = inspect.signature(command).parameters
    annotations = {name: each.annotation for name, each in own.items()}
    groups = {
        name: each
        for name, each in annotations.items()
        if isinstance(each, type) and is_dataclass(each)
    }

    @wraps(command)
    def spread(**given: Any) -> None:  # noqa: ANN401 - typer hands over what it has parsed
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    parameters = [each for name, each in own.items() if name not in groups]
    for group in reversed(groups.values()):
        parameters += inspect.signature(group).parameters.values()
    keywords = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in parameters]
    spread.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined] # typer reads it
    spread.__annotations__ = {each.name: each.annotation for each in keywords}
    return spread
