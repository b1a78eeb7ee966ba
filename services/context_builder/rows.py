"""What the prompt takes from the database: the operator's instructions for an agent, and the approved rules."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from arreio_contracts.events import Preconditions

from shared.learnt import meant_for
from shared.prompt import RULE

from .instruction_files import AgentInstructions
from .layers import Unit

_ANY: Final = Preconditions()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that a person approved. Older ones are the first to go where not all fit."""

    name: str
    text: str
    since: datetime
    preconditions: Preconditions = _ANY


@dataclass(frozen=True, slots=True)
class FromDatabase:
    """The rows for one agent in one workspace."""

    project: str = ""
    instructions: tuple[AgentInstructions, ...] = ()
    rules: tuple[Rule, ...] = ()


def rules_for(
    rules: tuple[Rule, ...], workspace: str | None, criteria: Collection[str] | None = None
) -> tuple[Rule, ...]:
    """The rules that are meant for a task; `criteria` are its kinds of exit criteria, None where nobody knows yet."""
    return tuple(rule for rule in rules if meant_for(rule.preconditions, workspace, criteria))


def rule_units(rules: tuple[Rule, ...]) -> tuple[Unit, ...]:
    """The units of the layer business_rules, the oldest first."""
    return tuple(
        Unit(f"{RULE}{rule.name}", rule.text.strip(), (rule.since.timestamp(), rule.name))
        for rule in rules
        if rule.text.strip()
    )
