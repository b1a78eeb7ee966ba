"""The tasks of the fault suite: what their model does, and what must be on the disk when all is over."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.scripted_server import Reply
from tests.support.scripts import Script, call, goal, turns

MODEL = "openai/gpt-scripted"
"""A name whose capability profile keeps the whole history in the prompt, from which the script counts turns."""
MARKS = "effects.log"
LAST = "last.txt"


@dataclass(frozen=True)
class Job:
    """A task: its replies in order, the files in the order of their writes, what they hold in the end, its tokens.

    Each token is written to `MARKS` by a command of its own.
    """

    number: int
    kind: str
    place: Path
    replies: Sequence[Reply]
    writes: Sequence[str]
    files: Mapping[str, str]
    tokens: Sequence[str]

    @property
    def goal(self) -> str:
        """What the person asks for; the script knows the task by it."""
        return f"Carry out job {self.number} ({self.kind})."

    @property
    def conversation(self) -> str:
        """The conversation of the task's session."""
        return f"job-{self.number}"

    @property
    def criteria(self) -> list[str]:
        """When the task is done."""
        return [f"file_contains: {LAST} :: ^done$", f"command: test -s {LAST}"]


class _Steps:
    """The steps of a job while it is made up."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.replies: list[Reply] = []
        self.writes: list[str] = []
        self.files: dict[str, str] = {}
        self.tokens: list[str] = []

    def write(self, path: str, content: str) -> None:
        self.replies.append(call("write_file", path=path, content=content))
        self.writes.append(path)
        self.files[path] = content

    def edit(self, path: str, old: str, new: str) -> None:
        self.replies.append(call("edit_file", path=path, old_text=old, new_text=new))
        self.writes.append(path)
        self.files[path] = self.files[path].replace(old, new)

    def command(self) -> None:
        token = f"token-{self.number}-{len(self.tokens)}"
        self.replies.append(call("run_command", command=f"echo {token} >> {MARKS}; sleep 0.2; echo said {token}"))
        self.tokens.append(token)

    def ask(self) -> None:
        self.replies.append(call("need_input", question="May I go on?"))


def _files(steps: _Steps) -> None:
    for number in range(5):
        steps.write(f"part{number}.txt", f"job {steps.number}, part {number}\n" * 200)


def _commands(steps: _Steps) -> None:
    for _ in range(4):
        steps.command()


def _both(steps: _Steps) -> None:
    for number in range(3):
        steps.command()
        steps.write(f"part{number}.txt", f"job {steps.number}, part {number}\n")


def _edits(steps: _Steps) -> None:
    steps.write("text.txt", "state 0\n")
    for number in range(4):
        steps.edit("text.txt", f"state {number}", f"state {number + 1}")


def _asks(steps: _Steps) -> None:
    steps.write("before.txt", "before\n")
    steps.ask()
    steps.command()
    steps.write("after.txt", "after\n")


KINDS: Mapping[str, Callable[[_Steps], None]] = {
    "files": _files,
    "commands": _commands,
    "both": _both,
    "edits": _edits,
    "asks": _asks,
}


def jobs(count: int, folder: Path) -> list[Job]:
    """So many tasks of all kinds, each with an empty folder of its own."""
    found = []
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        steps = _Steps(number)
        KINDS[kind](steps)
        steps.write(LAST, "done\n")
        steps.replies.append(call("task_complete", reply=f"Job {number} is done."))
        place = folder / f"job{number}"
        place.mkdir()
        found.append(Job(number, kind, place, steps.replies, steps.writes, steps.files, steps.tokens))
    return found


def script_of(all_jobs: Sequence[Job]) -> Script:
    """The model of all tasks at once: a function of the transcript, so that what is asked again is answered alike."""

    def script(request: dict[str, Any]) -> Reply:
        named = re.search(r"job (\d+) ", goal(request))
        assert named is not None
        replies = all_jobs[int(named[1])].replies
        reply = replies[min(turns(request), len(replies) - 1)]
        assert not isinstance(reply, str)
        return {**reply, "delay": 0.02 * (turns(request) % 5)}

    return script
