"""Route53's XML over HTTP, both ways, by the service model that the official client ships.

Nothing here knows what a call means: paths, names, types, bounds and the shape of the answer all
come from the model, so that the stand-in cannot drift from what the client sends.
"""

import re
from dataclasses import dataclass
from functools import cache
from urllib.parse import parse_qs, unquote, urlsplit
from xml.etree import ElementTree as ET

from botocore.loaders import Loader
from botocore.model import ListShape, OperationModel, ServiceModel, Shape, StructureShape

from devkit.aws.data import Data
from devkit.aws.endpoint.faults import Refused, bad_input

NAMESPACE = "https://route53.amazonaws.com/doc/2013-04-01/"
PREFIXES = re.compile(r"^/?(hostedzone|change|delegationset)/")


@dataclass(frozen=True, slots=True)
class Call:
    """One request: which operation, and its arguments by the model's names."""

    operation: str
    arguments: dict[str, Data]


@cache
def service() -> ServiceModel:
    """Return Route53's service model."""
    return ServiceModel(Loader().load_service_model("route53", "service-2"), "route53")


@cache
def _routes() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Return (method, path pattern, operation), the most literal paths first."""
    found = []
    for name in service().operation_names:
        http = service().operation_model(name).http
        path = http["requestUri"].split("?")[0].rstrip("/")
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path))
        found.append((path.count("{"), http["method"], re.compile(pattern), name))
    return tuple((method, pattern, name) for _, method, pattern, name in sorted(found, key=_rank))


def _rank(route: tuple[int, str, re.Pattern[str], str]) -> tuple[int, int, str]:
    return (route[0], -len(route[2].pattern), route[3])


def read_call(method: str, target: str, body: bytes) -> Call:
    """Return the call that a request makes.

    **Errors**: Refused for a path that Route53 does not have, or XML that does not fit the model.
    """
    parts = urlsplit(target)
    for wanted, pattern, name in _routes():
        match = pattern.fullmatch(parts.path.rstrip("/")) if wanted == method else None
        if match:
            operation = service().operation_model(name)
            arguments = _located(operation, match.groupdict(), parse_qs(parts.query))
            arguments.update(_body(operation, body))
            if operation.input_shape is not None:
                check(operation.input_shape, arguments, "")
            return Call(name, arguments)
    raise Refused("UnknownOperationException", f"no such operation: {method} {parts.path}", 404)


def _located(
    operation: OperationModel, path: dict[str, str], query: dict[str, list[str]]
) -> dict[str, Data]:
    """Return the arguments that stand in the path and behind the question mark."""
    found: dict[str, Data] = {}
    members = operation.input_shape.members if operation.input_shape else {}
    for name, shape in members.items():
        place = shape.serialization.get("location")
        key = shape.serialization.get("name", name)
        if place == "uri":
            found[name] = PREFIXES.sub("", unquote(path[key]))
        elif place == "querystring" and key in query:
            found[name] = _scalar(shape, query[key][0], name)
    return found


def _body(operation: OperationModel, body: bytes) -> dict[str, Data]:
    if not body.strip() or operation.input_shape is None:
        return {}
    try:
        root = ET.fromstring(body)  # noqa: S314 - loopback only, from our own client
    except ET.ParseError as error:
        raise Refused("MalformedInput", f"the body is no XML: {error}") from error
    value = _parse(operation.input_shape, root)
    return value if isinstance(value, dict) else {}


def _parse(shape: Shape, element: ET.Element) -> Data:
    """Return an element as data."""
    if isinstance(shape, StructureShape):
        names = {s.serialization.get("name", name): name for name, s in shape.members.items()}
        found: dict[str, Data] = {}
        for child in element:
            name = names.get(_plain(child.tag))
            if name is None:
                raise bad_input(f"unexpected element '{_plain(child.tag)}' in '{shape.name}'")
            found[name] = _parse(shape.members[name], child)
        return found
    if isinstance(shape, ListShape):
        return [_parse(shape.member, child) for child in element]
    return _scalar(shape, element.text or "", _plain(element.tag))


def _plain(tag: str) -> str:
    return tag.rpartition("}")[2]


def _scalar(shape: Shape, text: str, where: str) -> Data:
    if shape.type_name == "boolean":
        return text.lower() == "true"
    if shape.type_name in ("integer", "long"):
        try:
            return int(text)
        except ValueError as error:
            raise bad_input(f"'{where}' must be a number, not '{text}'") from error
    return text


def check(shape: Shape, value: Data, where: str) -> None:
    """Refuse a value that breaks the model's own constraints (required, enum, bounds)."""
    if isinstance(value, dict) and isinstance(shape, StructureShape):
        for name in shape.required_members:
            if name not in value:
                raise bad_input(f"'{_join(where, name)}' is missing")
        for name, item in value.items():
            check(shape.members[name], item, _join(where, name))
    elif isinstance(value, list) and isinstance(shape, ListShape):
        _bounds(shape, len(value), where, "items")
        for number, item in enumerate(value):
            check(shape.member, item, f"{where}.{number + 1}.member")
    else:
        _check_scalar(shape, value, where)


def _join(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _check_scalar(shape: Shape, value: Data, where: str) -> None:
    if isinstance(value, int) and not isinstance(value, bool):
        _bounds(shape, value, where, "")
    if not isinstance(value, str):
        return
    allowed = shape.metadata.get("enum")
    if allowed and value not in allowed:
        raise bad_input(
            f"Value '{value}' at '{where}' failed to satisfy constraint: "
            f"Member must satisfy enum value set: [{', '.join(allowed)}]"
        )
    _bounds(shape, len(value), where, "characters")


def _bounds(shape: Shape, size: int, where: str, unit: str) -> None:
    low, high = shape.metadata.get("min"), shape.metadata.get("max")
    if (low is not None and size < low) or (high is not None and size > high):
        raise bad_input(
            f"Value '{size}' at '{where}' failed to satisfy constraint: "
            f"Member must have {unit or 'a value'} between {low or 0} and {high}"
        )


def write_answer(operation: str, result: dict[str, Data]) -> tuple[int, bytes]:
    """Return the status and the XML of an answer."""
    model = service().operation_model(operation)
    root = ET.Element(f"{operation}Response", xmlns=NAMESPACE)
    if model.output_shape is not None:
        for name, shape in model.output_shape.members.items():
            if name in result and "location" not in shape.serialization:
                _render(shape, name, result[name], root)
    return int(model.http.get("responseCode", 200)), _document(root)


def _render(shape: Shape, name: str, value: Data, parent: ET.Element) -> None:
    if value is None:
        return
    element = ET.SubElement(parent, shape.serialization.get("name", name))
    if isinstance(value, dict):
        for key, member in shape.members.items():
            if key in value:
                _render(member, key, value[key], element)
    elif isinstance(value, list):
        for item in value:
            _render(shape.member, shape.member.serialization.get("name", "member"), item, element)
    elif isinstance(value, bool):
        element.text = "true" if value else "false"
    else:
        element.text = str(value)


def write_refusal(refused: Refused, request_id: str) -> bytes:
    """Return the XML of a refusal."""
    root = ET.Element("ErrorResponse", xmlns=NAMESPACE)
    error = ET.SubElement(root, "Error")
    ET.SubElement(error, "Type").text = "Sender"
    ET.SubElement(error, "Code").text = refused.code
    ET.SubElement(error, "Message").text = refused.sentence
    ET.SubElement(root, "RequestId").text = request_id
    return _document(root)


def _document(root: ET.Element) -> bytes:
    return b'<?xml version="1.0"?>\n' + ET.tostring(root)
