"""What the prompt takes from the database: the operator's instructions for an agent, and the approved rules."""

from dataclasses import dataclass
from datetime import datetime

from .instruction_files import AgentInstructions
from .layers import Unit


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that a person approved. Older ones are the first to go where not all fit."""

    name: str
    text: str
    since: datetime


@dataclass(frozen=True, slots=True)
class FromDatabase:
    """The rows for one agent in one workspace."""

    project: str = ""
    instructions: tuple[AgentInstructions, ...] = ()
    rules: tuple[Rule, ...] = ()


def rule_units(rules: tuple[Rule, ...]) -> tuple[Unit, ...]:
    """The units of the layer business_rules, the oldest first."""
    return tuple(
        Unit(f"rule:{rule.name}", rule.text.strip(), (rule.since.timestamp(), rule.name))
        for rule in rules
        if rule.text.strip()
    )
