"""Whether the declaration of an MCP server holds a credential itself, which would be recorded with the task. Pure."""

import re
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from arreio_contracts.task import McpServer

from shared.secrets import holds_key, names_secret

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_ALSO_SECRET: Final = frozenset({"auth", "authorization", "sig", "signature", "bearer", "jwt", "pwd", "code"})
_WAY_OUT: Final = "set a variable in the services' environment and name it in `headers` or `env`"


def credential_problem(server: McpServer) -> str | None:
    """What is wrong in one line, with the way out and without the value; None where no credential is found."""
    for field, named in (("headers", server.headers), ("env", server.env)):
        for name, variable in named.items():
            if not _VARIABLE.fullmatch(variable) or holds_key(variable):
                where = f"{field}.{name}" if not holds_key(name) else field
                return f"the MCP server {server.name!r}: {where} is not the name of a variable; {_WAY_OUT}"
    if server.url is not None and (found := _in_url(server.url)):
        return f"the MCP server {server.name!r}: its url holds {found}; {_WAY_OUT}"
    if holds_key(server.command):
        return f"the MCP server {server.name!r}: its command holds a key; {_WAY_OUT}"
    return None


def _in_url(url: str) -> str | None:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "no address that can be read"
    if "@" in parts.netloc:
        return "a user or a password"
    for name, value in (*parse_qsl(parts.query), *parse_qsl(parts.fragment)):
        if value and _is_secret(name):
            return f"a secret in {name!r}"
    return "a key" if holds_key(url) else None


def _is_secret(name: str) -> bool:
    """Whether a parameter of a URL is one for secrets, however its words are joined."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", "_", name)
    return names_secret(words) or not _ALSO_SECRET.isdisjoint(words.lower().split("_"))
