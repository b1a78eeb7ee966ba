"""What a task of the suite is, and what its hidden check may look at."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from shared.sandbox import Limits, run

MAX_STEPS: Final = 12
"""Replies of the model that a run may take."""
MAX_SECONDS: Final = 3600.0
"""Seconds that a run may take: a guard against what hangs. Budgets are work, so that a busy machine decides nothing."""

_CODE_LIMITS: Final = Limits(seconds=20)


@dataclass(frozen=True)
class Found:
    """What a run left: the workspace, and whether it says that the task is done."""

    workspace: Path
    says_done: bool

    def text(self, path: str) -> str | None:
        """A file's text; None where there is none."""
        try:
            return (self.workspace / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def prints(self, code: str) -> str:
        """What a Python program prints in the workspace, in the sandbox, without changing it."""
        command = f"python3 - <<'HIDDEN_CHECK'\n{code}\nHIDDEN_CHECK\n"
        return asyncio.run(run(command, workspace=self.workspace, overlay=True, limits=_CODE_LIMITS)).output.strip()


Check = Callable[[Found], bool]


@dataclass(frozen=True)
class Task:
    """A goal in a workspace. `criteria` are told to whoever does it; `check` is told to nobody, and alone decides.

    `solution` is one right outcome, as texts of files (None: the file is gone); a task that cannot be done has none:
    there the check asks for an end that does not say done. `held_out` tasks were never run while the harness was tuned.
    """

    name: str
    language: Literal["en", "pt"]
    goal: str
    criteria: tuple[str, ...]
    check: Check
    files: Mapping[str, str]
    solution: Mapping[str, str | None] | None
    held_out: bool = False

    def prepare(self, workspace: Path) -> None:
        """Write the task's files."""
        put(workspace, self.files)


def put(workspace: Path, files: Mapping[str, str | None]) -> None:
    """Write texts into files; None takes a file away."""
    for path, text in files.items():
        place = workspace / path
        if text is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")


def never_done(found: Found) -> bool:
    """The check of a task that cannot be done: whoever says that it is done is wrong."""
    return not found.says_done


def same(path: str, expected: str) -> Check:
    """A check that a file holds a text, but for space at its ends."""

    def check(found: Found) -> bool:
        text = found.text(path)
        return text is not None and text.strip() == expected.strip()

    return check
