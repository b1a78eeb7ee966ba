"""The HTTP API fuzzed from its own OpenAPI document: it never fails, and answers as the document says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from arreio_contracts.events import TaskBlocked, Totals
from arreio_contracts.task import Reason
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks

from services.gateway.http.app import create
from shared.settings import Settings
from tests.support.http_server import HttpServer, OwnChannel, append, own_channel

SCHEMA = schemathesis.openapi.from_dict(create().openapi())
LONG = int(os.environ.get("FUZZ_EXAMPLES", "0"))
"""Requests of each kind for each operation in the long form, which also tries every border of the schemas."""
SHORT = settings(max_examples=4, phases=(Phase.generate,))

checks.load_all_checks()
CHECKS: list[Any] = [
    checks.CHECKS.get_one(name)
    for name in (
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    )
]
TOTALS = Totals(steps=1, tool_calls=0, prompt_tokens=0, completion_tokens=0, cost_usd=0.0, seconds=0.1)


@dataclass(frozen=True)
class Target:
    url: str
    channel: OwnChannel
    known: dict[str, str]


@pytest.fixture(scope="module")
def target(engine: Settings) -> Iterator[Target]:
    """The API with an open task that has ended, whose ids half of the requests use."""
    channel = own_channel(engine)
    with HttpServer(engine) as server, server.client(channel.token) as client:
        message = {"conversation": "c", "message_id": "m", "sender": "ana", "text": "do it"}
        sha256 = client.post(f"/v1/channels/{channel.name}/blobs", content=b"seen").json()["sha256"]
        message["attachments"] = [{"name": "a", "sha256": sha256}]  # type: ignore[assignment]
        receipt = client.post(f"/v1/channels/{channel.name}/messages", json=message).json()
        session, task = receipt["session_id"], receipt["task_id"]
        ended = TaskBlocked(reason=Reason(code="cancelled", text="on request"), totals=TOTALS)
        append(engine, session, task, ended, state="BLOCKED", reason_code="cancelled", reason_text="on request")
        known = {"channel": channel.name, "session_id": session, "task_id": task, "sha256": sha256}
        yield Target(server.url, channel, known)


@SCHEMA.parametrize()
@settings(settings(max_examples=LONG) if LONG else SHORT, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_whatever_makes_the_api_fail(case: schemathesis.Case[Any], target: Target) -> None:
    headers = {"Authorization": f"Bearer {target.channel.token}"}
    _answered_as_documented(case, target, headers)
    case.path_parameters.update({name: target.known[name] for name in case.path_parameters})
    _answered_as_documented(case, target, headers)
    if isinstance(case.body, dict):
        # A sender who is allowed, so that what is behind that door is met too.
        case.body["sender"] = "ana"
        _answered_as_documented(case, target, headers)


def _answered_as_documented(case: schemathesis.Case[Any], target: Target, headers: dict[str, str]) -> None:
    response = case.call(base_url=target.url, headers=headers)
    case.validate_response(response, checks=CHECKS)
