"""The door of the webhook adapter: a message that proves itself by its signature instead of a token."""

import time
from typing import Annotated

from arreio_contracts.messages import Receipt
from fastapi import APIRouter, Header, Request, Response

from ..channels.registry import signing_secret
from ..channels.webhook import BadSignature, check
from .api import ApiOf, Token
from .bodies import MAX_BODY, json_body, limited
from .errors import Refusal, answers
from .messages import accept

router = APIRouter(tags=["messages"])


@router.post(
    "/v1/webhooks/{channel}",
    operation_id="postWebhook",
    status_code=202,
    response_model=Receipt,
    responses={
        200: {"model": Receipt, "description": "It was accepted before; nothing was done."},
        202: {"description": "Accepted and committed."},
        **answers(401, 403, 413, 422, 429),
    },
    openapi_extra=json_body({"$ref": "#/components/schemas/InboundMessage"}),
)
async def post_webhook(
    request: Request,
    response: Response,
    api: ApiOf,
    channel: Token,
    webhook_id: Annotated[str, Header(max_length=256)],
    webhook_timestamp: Annotated[str, Header(max_length=32)],
    webhook_signature: Annotated[str, Header(max_length=2048)],
) -> Receipt:
    """Post a message as `postMessage` does, signed as Standard Webhooks says, on a channel added with `--webhook`."""
    body = await limited(request, MAX_BODY)
    secret = await signing_secret(api.pool, channel)
    try:
        if secret is None:
            raise BadSignature("the channel takes no webhooks")
        check(secret, webhook_id, webhook_timestamp, webhook_signature, body, now=time.time())
    except BadSignature as error:
        raise Refusal(401, str(error), "header.webhook-signature") from error
    receipt = await accept(api, channel, body)
    response.status_code = 200 if receipt.status == "duplicate" else 202
    return receipt
