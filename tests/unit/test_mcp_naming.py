"""The names and schemas of MCP tools: whatever a server calls them, providers take them and no two are alike."""

import re

import pytest
from arreio_contracts.task import McpServer, TaskContract
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from services.tool_loop.mcp_servers.naming import tool_names, usable_schema


@given(st.from_regex(r"[A-Za-z0-9-]{1,24}", fullmatch=True), st.lists(st.text(min_size=1, max_size=90), max_size=20))
def test_names_are_bounded_safe_and_never_alike(server: str, tools: list[str]) -> None:
    names = tool_names(server, tools)
    assert len(set(names)) == len(names) == len(tools)
    assert all(re.fullmatch(r"mcp__[A-Za-z0-9_-]{1,59}", name) for name in names)
    assert names == tool_names(server, tools)


def test_a_usual_name_is_kept() -> None:
    assert tool_names("git", ["log", "show_commit"]) == ["mcp__git__log", "mcp__git__show_commit"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"$ref": "https://example.org/schema.json"}}},
        {"type": "no such type"},
        {"type": "string"},
        {"properties": 3},
    ],
)
def test_a_schema_that_cannot_be_used_here_is_left_to_its_server(schema: dict[str, object]) -> None:
    assert usable_schema(schema) == {"type": "object"}


def test_a_schema_that_refers_to_itself_is_kept() -> None:
    schema = {"type": "object", "$defs": {"x": {"type": "integer"}}, "properties": {"a": {"$ref": "#/$defs/x"}}}
    assert usable_schema(schema) == schema


@pytest.mark.parametrize(
    "server",
    [
        {"name": "a"},
        {"name": "a", "command": ["x"], "url": "http://x"},
        {"name": "a__b", "command": ["x"]},
        {"name": "", "command": ["x"]},
        {"name": "a/b", "command": ["x"]},
        {"name": "a", "url": "file:///x"},
    ],
)
def test_a_server_that_is_none_is_refused(server: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        McpServer.model_validate(server)


def test_two_servers_of_one_name_are_refused() -> None:
    with pytest.raises(ValidationError, match="same name"):
        TaskContract.model_validate({"mcp": [{"name": "a", "command": ["x"]}, {"name": "a", "command": ["y"]}]})
