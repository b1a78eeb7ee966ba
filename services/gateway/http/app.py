"""The HTTP API put together; its OpenAPI document is kept as `docs/openapi.json`."""

from typing import Any

from arreio_contracts.messages import InboundMessage
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from . import blobs, errors, events, messages, tasks, webhooks
from .api import Api
from .models import Health

_ABOUT = """For adapters of channels that have no NATS. Each bears its channel's token, posts messages, and reads the
tasks, events and blobs of that channel's sessions alone. See docs/channels.md."""


def create(api: Api | None = None) -> FastAPI:
    """The application; without an `api` it only describes itself."""
    app = FastAPI(title="Arreio", version="1.0.0", docs_url=None, redoc_url=None, description=_ABOUT)
    app.state.api = api
    errors.install(app)
    for module in (messages, webhooks, tasks, events, blobs):
        app.include_router(module.router)

    @app.get("/healthz", operation_id="health", tags=["health"])
    async def health() -> Health:
        """That the API answers; it needs no token."""
        return Health()

    # FastAPI makes the document when it is asked for, and asks the application for how.
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    """What FastAPI knows, with the message's schema, which is read by the contracts and not by FastAPI."""
    if app.openapi_schema is None:
        found = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        found["info"]["license"] = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
        schemas = found["components"]["schemas"]
        message = InboundMessage.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas.update(message.pop("$defs"))
        schemas["InboundMessage"] = message
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        app.openapi_schema = found
    return app.openapi_schema
