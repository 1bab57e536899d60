"""Questions to Route53 through the engine, bounded: capacity does not wait for what hangs."""

import asyncio
from typing import Any

import pulumi

from fleet.errors import FleetError

GET_ZONE = "aws:route53/getZone:getZone"
GET_RECORDS = "aws:route53/getRecords:getRecords"
SECONDS = 20


class UnansweredError(FleetError):
    """Route53 failed, or did not answer in time."""


async def ask(
    token: str, asked: dict[str, Any], provider: pulumi.ProviderResource | None
) -> dict[str, Any]:
    """What a function of the AWS plugin answers. **Errors**: UnansweredError."""
    invoked = pulumi.runtime.invoke_async(token, asked, pulumi.InvokeOptions(provider=provider))
    try:
        return dict(await asyncio.wait_for(invoked, SECONDS) or {})
    except TimeoutError:
        raise UnansweredError(f"Route53 did not answer within {SECONDS} s") from None
    except Exception as error:  # noqa: BLE001 - the SDK raises nothing narrower
        raise UnansweredError(f"Route53: {str(error).strip().splitlines()[-1]}") from None
