"""How a prompt looks to a person: a bar for each layer, what was left out and why, and the prompt itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arreio.terminal import visible, visible_line

if TYPE_CHECKING:
    from rich.console import Console

_BAR = 24


def print_view(found: dict[str, Any]) -> None:
    """A table of the layers, then what was left out, then the prompt. `found` is what `--json` answers."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    for heading in ("layer", "", "tokens", "budget", "kept", "dropped"):
        table.add_column(heading, justify="right" if heading in ("tokens", "budget", "kept", "dropped") else "left")
    for layer in found["layers"]:
        tokens = f"{'~' if layer['estimated'] else ''}{layer['tokens']}"
        dropped = "cut" if layer["truncated"] else str(len(layer["dropped"]) or "")
        bar = _bar(layer["tokens"], layer["budget"])
        table.add_row(layer["name"], bar, tokens, str(layer["budget"]), str(len(layer["kept"])), dropped)
    console.print(table)
    for layer in found["layers"]:
        for unit in layer["dropped"]:
            said = f"dropped {layer['name']}/{unit['id']} ({unit['tokens']} tokens): {unit['why']}"
            _text(console, visible_line(said))
    for file in found["skipped"]:
        _text(console, visible_line(f"skipped {file['path']}: {file['why']}"))
    for change in found.get("changed", ()):
        said = f"edited {change['path']}: {change['old'] or 'new'} → {change['new'] or 'gone'}"
        _text(console, visible_line(said))
    estimated = " (estimated)" if any(layer["estimated"] for layer in found["layers"]) else ""
    total = sum(layer["tokens"] for layer in found["layers"])
    _text(console, f"{total} tokens{estimated}, sha256 {found['sha256']}")
    console.rule(style="dim")
    if "messages" not in found:
        _text(console, found["prompt"].rstrip("\n"))
    for message in found.get("messages", ()):
        console.print(Text(visible_line(message["role"]), "bold"))
        _text(console, message["content"])
        for call in message.get("tool_calls", ()):
            _text(console, visible_line(f"→ {call['function']['name']} {call['function']['arguments']}"))


def _text(console: Console, text: str) -> None:
    from rich.text import Text

    console.print(Text(visible(text)), soft_wrap=True)


def _bar(tokens: int, budget: int) -> str:
    full = min(_BAR, round(_BAR * tokens / budget)) if budget else 0
    full = max(full, 1) if tokens else 0
    return "█" * full + "░" * (_BAR - full)
