"""What a proposal of another persona or taste changes: an agent's instructions, or a file of rules, with the diff."""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arreio.asking import ask
from shared.errors import ArreioError
from shared.settings import Settings

if TYPE_CHECKING:
    from arreio_contracts.messages import SetInstructions

    from shared.store.connection import Pool


@dataclass(frozen=True)
class Change:
    """A text before and after. `kind` is persona or taste, `target` the agent's slug or the rules' name."""

    kind: str
    target: str
    where: str
    before: str
    after: str

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty where there is none."""
        place = self.where.lstrip("/")
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), f"a/{place}", f"b/{place}", lineterm="")
        return "\n".join(lines)

    @property
    def digest(self) -> str:
        """The SHA-256 of the diff: it names what a person saw, and no form, terminal or limit of length alters it."""
        return hashlib.sha256(self.diff.encode("utf-8", "surrogatepass")).hexdigest()


async def change_of(pool: Pool, settings: Settings, body: dict[str, Any], *, back: bool = False) -> Change | None:
    """What approving a proposal (`back`: rolling it back) would change now; None for rules and skills.

    Raises:
        ArreioError: the file of taste cannot be edited.
    """
    kind, target, text = body["kind"], body.get("target") or "default", body["text"]
    if kind == "persona":
        before = await _instructions(pool, target)
        line = f"- {text}"
        kept = [one for one in before.split("\n") if one != line]
        after = "\n".join(kept).strip("\n") if back else _with_line(before, line)
        return Change(kind, target, f"instructions/{target}", before, after)
    if kind == "taste":
        file = _taste_place(settings, target)
        before = _file_text(file)
        return Change(kind, target, str(file), before, _taste_after(file, before, text, back=back))
    return None


def apply(settings: Settings, change: Change) -> None:
    """Carry a change out: the gateway keeps instructions; a file of taste is written here.

    Raises:
        ArreioError: it cannot be; the change is not in place then.
    """
    wanted = carry_out(change)
    if wanted is not None:
        from arreio_contracts import subjects
        from arreio_contracts.messages import InstructionsKept

        hint = "see 'arreio instructions show'"
        asyncio.run(ask(settings, subjects.RPC_INSTRUCTIONS, wanted, InstructionsKept, hint=hint))


def carry_out(change: Change) -> SetInstructions | None:
    """Carry a change out as far as it lies here; what is still to be asked of the gateway, where that is its keeper.

    Raises:
        ArreioError: the file cannot be written.
    """
    if not change.diff:
        return None
    if change.kind == "persona":
        from arreio_contracts.messages import SetInstructions

        return SetInstructions(agent=change.target, text=change.after or None)
    file = Path(change.where)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f".{file.name}.{os.getpid()}")
        beside.write_text(change.after, "utf-8")
        beside.replace(file)
    except OSError as error:
        raise ArreioError(
            f"{file} cannot be written: {error.strerror}", "mend that, and give the command again"
        ) from error
    return None


def _lines(text: str) -> list[str]:
    return text.splitlines()


def _with_line(text: str, line: str) -> str:
    if line in text.split("\n"):
        return text
    return f"{text.rstrip()}\n{line}" if text.strip() else line


async def _instructions(pool: Pool, agent: str) -> str:
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT text FROM gateway.agent_instructions WHERE agent = %s AND project IS NULL", (agent,)
        )
        row = await cursor.fetchone()
    return str(row[0]) if row is not None else ""


def _taste_place(settings: Settings, target: str) -> Path:
    from shared.taste_file import taste_file

    if "/" in target and not target.startswith("/"):
        raise ArreioError(f"{target!r} names no file of taste", "it was learnt under such a profile; reject it")
    return taste_file(settings.data_dir, target)


def _file_text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ArreioError(f"{file} cannot be read: {error}", "mend it first") from error


def _taste_after(file: Path, before: str, rule: str, *, back: bool) -> str:
    from pydantic import ValidationError

    from services.gate_runner.taste.rules import Taste
    from shared.taste_rules_text import CannotEdit, with_rule, without_rule
    from shared.yaml_text import load_yaml

    try:
        rest = without_rule(before, str(load_yaml(rule)["name"]))
        after = rest if back else (before if rest != before else with_rule(before, rule))
        Taste.model_validate(load_yaml(after) or {})
        return after
    except ValidationError as error:
        raise ArreioError(
            f"{file} would not be a file of rules any more", "see 'arreio doctor'; mend it first"
        ) from error
    except CannotEdit as error:
        raise ArreioError(
            f"{file}: {error}", "mend it first, or write the rule there yourself and reject this"
        ) from error
