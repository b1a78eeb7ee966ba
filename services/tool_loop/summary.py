"""A call in one line, for people."""

from arreio_contracts.events import ToolCall


def summary(call: ToolCall) -> str:
    """A call in one line of at most 120 characters: its name and its first telling argument."""
    arguments = call.arguments or {}
    telling = next((arguments[key] for key in ("path", "command", "pattern", "what") if key in arguments), "")
    line = f"{call.name} {telling}".split("\n", 1)[0].strip()
    return line if len(line) <= 120 else line[:119] + "…"
