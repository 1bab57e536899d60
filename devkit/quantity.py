"""Kubernetes quantities, as far as nodes need them: divide one over nodes."""

from devkit.errors import DevkitError
from fleet.model.quantity import in_base_units


def divide(text: str, resource: str, parts: int) -> list[str]:
    """Divide a quantity into whole units (millicores for cpu); what is left goes to the first.

    Errors: DevkitError for what is no quantity.

    >>> divide("8", "nvidia.com/gpu", 3)
    ['3', '3', '2']
    >>> divide("2", "cpu", 3)
    ['667m', '667m', '666m']
    """
    try:
        amount = in_base_units(resource, text)
    except ValueError as error:
        raise DevkitError(str(error)) from None
    share, rest = divmod(amount, parts)
    unit = "m" if resource == "cpu" else ""
    return [f"{share + (1 if index < rest else 0)}{unit}" for index in range(parts)]
