"""The engine's property maps as plain data, and back.

An unknown value of a preview is the engine's own marker text; `is_unknown` tells it. Secrets
arrive without their wrapping, because the plugin does not announce that it accepts them; the
engine puts the wrapping back.
"""

from google.protobuf import struct_pb2

from devkit.aws.data import Data, Table

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
SIGNATURE = "4dabf18193072939515e22adb298388d"
INTERNAL = "__"


def is_unknown(value: Data) -> bool:
    """Say whether a value is not known yet."""
    return value == UNKNOWN


def read_struct(struct: struct_pb2.Struct) -> Table:
    """Return a property map as data: null values and the engine's internal keys are left out."""
    read = {key: _read(value) for key, value in struct.fields.items()}
    return {
        key: value
        for key, value in read.items()
        if value is not None and not key.startswith(INTERNAL)
    }


def _read(value: struct_pb2.Value) -> Data:
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        fields = value.struct_value.fields
        wrapped = fields.get(SIGNATURE)
        if wrapped is not None and "value" in fields:
            return _read(fields["value"])
        return read_struct(value.struct_value)
    if kind == "list_value":
        return [_read(item) for item in value.list_value.values]
    if kind == "number_value":
        number = value.number_value
        return int(number) if number == int(number) else number
    if kind == "bool_value":
        return bool(value.bool_value)
    return str(value.string_value) if kind == "string_value" else None


def write_struct(table: Table) -> struct_pb2.Struct:
    """Return data as a property map."""
    struct = struct_pb2.Struct()
    for key, value in table.items():
        struct.fields[key].CopyFrom(_write(value))
    return struct


def _write(value: Data) -> struct_pb2.Value:
    if isinstance(value, dict):
        return struct_pb2.Value(struct_value=write_struct(value))
    if isinstance(value, list):
        items = struct_pb2.ListValue(values=[_write(item) for item in value])
        return struct_pb2.Value(list_value=items)
    if isinstance(value, bool):
        return struct_pb2.Value(bool_value=value)
    if isinstance(value, int | float):
        return struct_pb2.Value(number_value=value)
    if isinstance(value, str):
        return struct_pb2.Value(string_value=value)
    return struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)
