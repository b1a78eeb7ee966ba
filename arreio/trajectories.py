"""Recorded runs, of this harness or of another, as the rules against loops read them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arreio.ndjson import BadLine
from services.tool_loop.models.capability import resolve
from services.tool_loop.rules.loops.caps import Caps
from services.tool_loop.rules.loops.rule import Limits
from services.tool_loop.rules.loops.trajectory import RecordedStep


@dataclass(frozen=True)
class Thresholds:
    """When a run is taken for a loop, and how many calls it may make."""

    limits: Limits
    calls: int | None
    calls_per_tool: int | None

    @classmethod
    def of(cls, capability: str, overrides: Path | None = None) -> Thresholds:
        """Those of a capability profile, shipped or of the file of `overrides`.

        Raises:
            CapabilityError: there is no profile of that name, or the overrides cannot be used.
        """
        profile = resolve("", capability, overrides)
        budgets = profile.budgets
        limits = Limits(**profile.anti_loop.model_dump())
        return cls(limits, budgets.max_tool_calls, budgets.max_calls_per_tool)

    def caps(self) -> Caps:
        """Fresh counters for one run."""
        return Caps(self.calls, self.calls_per_tool)


def recorded_steps(line: dict[str, Any]) -> tuple[list[RecordedStep], str]:
    """The steps of one run and the directory that it worked in (empty: not told).

    Raises:
        BadLine: it is none.
    """
    steps, cwd = line.get("steps"), line.get("cwd")
    if not isinstance(steps, list):
        raise BadLine('no list "steps"')
    if cwd is not None and not isinstance(cwd, str):
        raise BadLine('"cwd" is no string')
    return [_step(number, step) for number, step in enumerate(steps)], cwd or ""


def _step(number: int, step: Any) -> RecordedStep:
    if not isinstance(step, dict):
        raise BadLine(f"step {number} is no object")
    tool, failed, changed = step.get("tool"), step.get("error", False), step.get("changed")
    if not isinstance(tool, str):
        raise BadLine(f'step {number} has no string "tool"')
    if failed is not None and not isinstance(failed, bool):
        raise BadLine(f'step {number}: "error" is no boolean')
    if changed is not None and not isinstance(changed, bool):
        raise BadLine(f'step {number}: "changed" is no boolean')
    return RecordedStep(tool, _arguments(number, step.get("args")), _text(step.get("result")), bool(failed), changed)


def _arguments(number: int, args: Any) -> dict[str, Any]:
    if args is None:
        return {}
    if isinstance(args, str):
        return _written(args) or {"raw": args}
    if not isinstance(args, dict):
        raise BadLine(f'step {number}: "args" is neither an object nor a string')
    return args


def _written(args: str) -> dict[str, Any] | None:
    """The object that a text writes down, as some harnesses log arguments; None: it writes none."""
    if not args.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(args)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(result: Any) -> str:
    if result is None:
        return ""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, sort_keys=True)
