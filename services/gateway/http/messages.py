"""Posting a message: answered after commit, by the same acceptance as on NATS."""

import re
import secrets
import time
from typing import Annotated

from arreio_contracts.envelope import envelope, parse_body
from arreio_contracts.messages import InboundMessage, Receipt
from fastapi import APIRouter, Header, Request, Response

from ..rights import SENDER_FIELD
from .api import Api, ApiOf, OwnChannel
from .bodies import MAX_BODY, json_body, limited
from .errors import Refusal, answers

router = APIRouter(tags=["messages"])
_TRACE = re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


@router.post(
    "/v1/channels/{channel}/messages",
    operation_id="postMessage",
    status_code=202,
    response_model=Receipt,
    responses={
        200: {"model": Receipt, "description": "It was accepted before; nothing was done."},
        202: {"description": "Accepted and committed. No `task_id`: it was a word of control."},
        **answers(401, 403, 413, 422, 429),
    },
    openapi_extra=json_body({"$ref": "#/components/schemas/InboundMessage"}),
)
async def post_message(
    request: Request,
    response: Response,
    api: ApiOf,
    channel: OwnChannel,
    traceparent: Annotated[str, Header(description="W3C Trace Context.")] = "",
) -> Receipt:
    """Post a person's message. `message_id` makes repeating it safe: it is accepted once."""
    receipt = await accept(api, channel, await limited(request, MAX_BODY), traceparent)
    response.status_code = 200 if receipt.status == "duplicate" else 202
    return receipt


async def accept(api: Api, channel: str, body: bytes, traceparent: str = "") -> Receipt:
    """Accept the JSON of a message that has come by HTTP on a channel.

    Raises:
        ContractError: it is not JSON or breaks the contract.
        Refusal: it is not acceptable (422), the sender is not allowed (403) or speaks too often (429).
        StoreUnavailable: PostgreSQL cannot be reached.
    """
    message = parse_body(InboundMessage, body)
    assert isinstance(message, InboundMessage)
    wait = api.limits.wait(channel, message.sender, time.monotonic())
    if wait:
        raise Refusal(429, "too many messages; slow down, please", SENDER_FIELD, retry_after=wait)
    cause = envelope(
        "inbound.message",
        id=secrets.token_hex(16),
        source=f"http/{channel}",
        traceparent=traceparent if _TRACE.fullmatch(traceparent) else None,
    )
    async with api.accepting:
        receipt = await api.gateway.accept(channel, message, cause)
    if receipt.status == "refused":
        raise Refusal(403 if receipt.field == SENDER_FIELD else 422, receipt.reason or "", receipt.field)
    return receipt
