"""How a prompt looks to a person: a bar for each layer, what was left out and why, and the prompt itself."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

_BAR = 24


def print_json(found: dict[str, Any]) -> None:
    """One line for programs."""
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")


def print_view(found: dict[str, Any]) -> None:
    """A table of the layers, then what was left out, then the prompt. `found` is what `--json` answers."""
    from rich.console import Console
    from rich.table import Table

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
            _line(console, f"dropped {layer['name']}/{unit['id']} ({unit['tokens']} tokens): {unit['why']}")
    for file in found["skipped"]:
        _line(console, f"skipped {file['path']}: {file['why']}")
    for change in found.get("changed", ()):
        _line(console, f"edited {change['path']}: {change['old'] or 'new'} → {change['new'] or 'gone'}")
    estimated = " (estimated)" if any(layer["estimated"] for layer in found["layers"]) else ""
    total = sum(layer["tokens"] for layer in found["layers"])
    _line(console, f"{total} tokens{estimated}, sha256 {found['sha256']}")
    console.rule(style="dim")
    if "messages" not in found:
        _line(console, found["prompt"].rstrip("\n"))
    for message in found.get("messages", ()):
        console.print(f"[bold]{message['role']}[/bold]")
        _line(console, message["content"])
        for call in message.get("tool_calls", ()):
            _line(console, f"→ {call['function']['name']} {call['function']['arguments']}")


def _line(console: Console, text: str) -> None:
    console.print(text, markup=False, soft_wrap=True)


def _bar(tokens: int, budget: int) -> str:
    full = min(_BAR, round(_BAR * tokens / budget)) if budget else 0
    full = max(full, 1) if tokens else 0
    return "█" * full + "░" * (_BAR - full)
