"""The rules of taste as a UI task is told them, before the critic looks at its work.

What a rule must hold is the critic's to check: here only its words are read, and a file that cannot be is no rules.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import yaml

from shared.canonical import clean
from shared.ui_files import ui_file
from shared.yaml_text import load_yaml

from .imitation import marked
from .layers import Unit

TASTE: Final = "taste:"
"""How the id of a unit begins that holds a rule of taste."""
_LABEL: Final = "[Taste: what people see here must follow this]"
_MOST_BYTES: Final = 1 << 20


def makes_ui(said: bool | None, why: str, touched: Iterable[str]) -> bool:
    """Whether a task is told taste: its contract's word, else what the router found, or what it touched since."""
    return said if said is not None else bool(why) or ui_file(touched) is not None


def taste_units(file: Path) -> tuple[Unit, ...]:
    """The rules that a file names, as units of the layer business_rules; they go before a person's other rules."""
    rules = _rules(file)
    told = [(str(rule["name"]), _told(rule)) for rule in rules if isinstance(rule, dict) and rule.get("name")]
    return tuple(
        Unit(f"{TASTE}{name}", marked(clean(text)), (-1.0, number), label=_LABEL)
        for number, (name, text) in enumerate(told)
    )


def _rules(file: Path) -> list[Any]:
    try:
        if file.stat().st_size > _MOST_BYTES:
            return []
        found = load_yaml(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError):
        return []
    rules = found.get("rules") if isinstance(found, dict) else None
    return rules if isinstance(rules, list) else []


def _told(rule: dict[str, Any]) -> str:
    parts = [f"{rule['name']}: {rule['why']}" if rule.get("why") else str(rule["name"])]
    if rule.get("tokens"):
        parts.append(f"Only: {', '.join(map(str, rule['tokens']))}." if isinstance(rule["tokens"], list) else "")
    parts += [f"{head}: {rule[key]}" for key, head in (("good", "As"), ("bad", "Not as")) if rule.get(key)]
    return "\n".join(filter(None, parts))
