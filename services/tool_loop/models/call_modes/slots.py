"""Calls for the weakest models: single constrained questions, with the choices enumerated wherever they are known.

First come the calls that need no model (reading what the goal speaks of) and those that goal and files spell out
(`moves`): where there is one only, nothing is asked. Then one question for the tool, and one for each argument: paths
and parts are chosen, what is free is asked with worked examples. Measured with SmolLM2-135M on goals that ask to write:
told what each tool does, it began by writing in 9 of 24 tries; shown four examples instead, in 24 of 24.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from arreio_contracts.events import ToolCall

from shared.prompt import Message

from ..client import Client, ModelRequest
from ..replies import ModelReply
from . import Answer, Hints, ToolSpec
from .criteria_lines import only_files
from .goal_values import needs_command
from .moves import Ground, Move, moves
from .reading import TRUNCATED, checked
from .situation import Situation, situation
from .slot_edits import ASKED_FOR_ANOTHER, OWN_DRAFTS, Editor
from .slot_prompts import argument_question, content_question, move_question, reply_question, tool_question
from .slot_questions import Questions, Unanswered

_PATHS_ENUMERATED: Final = 24
_READ_AT_ONCE: Final = 6
_NEEDS_FILE: Final = frozenset({"read_file", "edit_file"})
"""Tools whose `path` must be a file that is there."""
_WRITES: Final = frozenset({"write_file", "edit_file"})
"""Tools whose next draft may be better than the last."""
_LOOKS: Final = frozenset({"read_file", "list_files", "search"})
_GIVES_UP: Final = frozenset({"task_blocked", "need_input", "abstain"})
_TRIES_FIRST: Final = 3
"""Drafts and commands before a task may be given up: the smallest models would do so at once."""


class SlotsMode:
    """`CallMode` by single questions. What need not be given is left out; an edit may come with one that undoes."""

    async def ask(
        self,
        client: Client,
        base: ModelRequest,
        transcript: Sequence[Message],
        tools: Sequence[ToolSpec],
        hints: Hints,
        *,
        prefix: str,
    ) -> Answer:
        """See `CallMode.ask`."""
        asking = _Asking(Questions(client, base), tools, situation(transcript, hints), hints, prefix)
        return asking.reads() or await asking.move() or await asking.call()


@dataclass
class _Asking:
    """The questions of one reply."""

    questions: Questions
    tools: Sequence[ToolSpec]
    now: Situation
    hints: Hints
    prefix: str

    @property
    def _there(self) -> Sequence[str]:
        """Files of the workspace that are known: from the harness, and from what the tools have shown."""
        return tuple(dict.fromkeys([*self.hints.paths, *self.now.listed]))

    @property
    def _changeable(self) -> dict[str, str]:
        """The texts that the task has read and may change."""
        return {path: text for path, text in self.hints.files.items() if path not in self.hints.protected}

    @property
    def _own(self) -> list[str]:
        """Named files that were not there before the task."""
        written = {str(step.arguments.get("path")) for step in self.now.steps if step.tool == "write_file"}
        read = {str(step.arguments.get("path")) for step in self.now.steps if step.tool == "read_file"}
        return [path for path in self.now.named if path not in self._there or path in written - read]

    @property
    def _named_there(self) -> list[str]:
        return [path for path in self.now.named if path in self._changeable]

    @property
    def _editor(self) -> Editor:
        return Editor(self.questions, self.now, self._changeable, self.hints.files)

    @property
    def _drafts(self) -> int:
        return self.now.tries("write_file") + self._editor.drafts

    def _offers(self, name: str) -> bool:
        return any(tool.name == name for tool in self.tools)

    def reads(self) -> Answer | None:
        """Read what the goal speaks of, or a small workspace whole; nobody need be asked whether to."""
        if not self._offers("read_file"):
            return None
        spoken_of = self.now.mentioned or (self._there if len(self._there) <= _READ_AT_ONCE else ())
        tried = {str(step.arguments.get("path")) for step in self.now.since_command() if step.tool == "read_file"}
        unread = [path for path in spoken_of if path not in self.hints.files and path not in tried]
        calls = [self._call("read_file", {"path": path}, n) for n, path in enumerate(unread[:_READ_AT_ONCE], 1)]
        return self._answer(calls) if calls else None

    async def move(self) -> Answer | None:
        """One of the calls that goal and files spell out, as long as there is one that was not made."""
        there, files = frozenset(self._there), self.hints.files
        unmet = tuple(self.hints.unmet) if self._drafts >= OWN_DRAFTS else ()
        ground = Ground(self.now.goal, self.now.named, there, files, frozenset(self._changeable), unmet)
        done = [(step.tool, step.arguments) for step in self.now.steps]
        left = {
            move.label: move
            for move in moves(ground)
            if self._offers(move.tool) and (move.tool, move.arguments) not in done and not self._takes_back(move)
        }
        if not left:
            return None
        try:
            label = await self.questions.chosen(move_question(self.now, list(left), files), "choice", list(left))
        except Unanswered:
            return None
        chosen = left[label]
        undone = self._editor.undo() if chosen.tool == "write_file" else None
        calls = [("edit_file", undone)] if undone and undone["path"] != chosen.arguments["path"] else []
        made = [*calls, (chosen.tool, chosen.arguments)]
        return self._answer([self._call(*call, number) for number, call in enumerate(made, 1)])

    def _takes_back(self, move: Move) -> bool:
        """Whether a move would undo an edit of before."""
        return move.tool == "edit_file" and any(
            edit.get("old_text") == move.arguments["new_text"] for edit in self._editor.edits
        )

    async def call(self) -> Answer:
        """A tool and its arguments, asked for one by one."""
        askable = self._askable()
        names = [tool.name for tool in askable]
        name = names[0]
        try:
            if len(names) > 1:
                name = str(await self.questions.value(tool_question(self.now, askable), "tool", {"enum": names}))
        except Unanswered as unanswered:
            return self._answer((), unanswered.reply)
        tool = next((tool for tool in askable if tool.name == name), None)
        if tool is None:
            return self._answer([ToolCall(id=f"{self.prefix}-1", name=name, arguments={})])
        try:
            if name == "edit_file" and self._changeable:
                made = await self._editor.calls(self._paths(name))
                return self._answer([self._call(*call, number) for number, call in enumerate(made, 1)])
            return self._answer([self._call(name, await self._arguments(tool))])
        except Unanswered as unanswered:
            return self._answer([_unread(f"{self.prefix}-1", name, unanswered)], unanswered.reply)

    def _askable(self) -> list[ToolSpec]:
        """The tools that can be meant now: the smallest models would go on with one that led nowhere for ever."""
        last = self.now.steps[-1].tool if self.now.steps else None
        spent = {last} - _WRITES
        if self._drafts + self.now.tries("run_command") < _TRIES_FIRST:
            spent |= _GIVES_UP
        if self.hints.claims or (self.now.named and not self.now.steps):
            spent |= {"task_complete"}
        if self.hints.files:
            spent |= _LOOKS
        if self.now.named and not needs_command(self.now.goal) and self._drafts < _TRIES_FIRST:
            spent |= {"run_command"}
        there = [tool for tool in self.tools if self._there or tool.name not in _NEEDS_FILE]
        askable = [tool for tool in there if tool.name not in spent] or there or list(self.tools)
        return [tool for tool in askable if tool.name == self._lead()] or askable

    def _lead(self) -> str:
        """The tool to begin with, where criteria judge: a file that is there is edited, another is written."""
        if not self.hints.claims or (self._drafts >= _TRIES_FIRST and self._drafts % 2):
            return ""
        return "write_file" if self._own else "edit_file" if self._named_there else ""

    async def _arguments(self, tool: ToolSpec) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        again = self.now.tries(tool.name) if tool.name in _WRITES else 0
        for slot in tool.parameters.get("required", ()):
            schema = self._constraint(tool, slot)
            if len(schema.get("enum", ())) == 1:
                arguments[slot] = schema["enum"][0]
                continue
            arguments[slot] = await self._argument(tool, slot, arguments, schema, again)
        return arguments

    async def _argument(
        self, tool: ToolSpec, slot: str, known: Mapping[str, Any], schema: Mapping[str, Any], again: int
    ) -> Any:
        """One argument; a content that the file has already is asked for again, more warmly."""
        form = {"type": ["object", "array"]} if _is_json(slot, known) else schema
        there = self.hints.files.get(str(known.get("path"))) if slot == "content" else None
        value: Any = None
        for asked in range(ASKED_FOR_ANOTHER):
            value = await self.questions.value(self._question(tool, slot, known), slot, form, again + asked)
            value = value if form is schema else f"{json.dumps(value, ensure_ascii=False, indent=2)}\n"
            if value != there:
                break
        return value

    def _question(self, tool: ToolSpec, slot: str, known: Mapping[str, Any]) -> list[Message]:
        if tool.name == "write_file" and slot == "content":
            return content_question(self.now, str(known.get("path", "the file")), self.hints.files)
        if tool.name == "task_complete":
            return reply_question(self.now, tool, slot, self.hints.files)
        return argument_question(self.now, tool, slot, known)

    def _constraint(self, tool: ToolSpec, slot: str) -> dict[str, Any]:
        """The schema of one argument, with its choices where they are known."""
        schema = {**tool.parameters.get("properties", {}).get(slot, {"type": "string"})}
        schema.pop("description", None)
        choices = self._paths(tool.name) if slot == "path" and "enum" not in schema else ()
        return {"enum": list(choices)} if choices else schema

    def _paths(self, tool: str) -> Sequence[str]:
        """The paths that may be meant: those that goal and criteria name, else those of the workspace."""
        if tool == "edit_file" and self.hints.files:
            lacking = [path for path in self._changeable if path in only_files(self.hints.unmet)]
            return lacking or self._named_there or list(self._changeable)[:_PATHS_ENUMERATED]
        if tool in _NEEDS_FILE:
            named = [path for path in self.now.named if path in self._there]
            return named or self._there[:_PATHS_ENUMERATED]
        free = [path for path in self.now.named if path not in self.hints.protected]
        return (self._own or free or self.now.named)[:_PATHS_ENUMERATED]

    def _call(self, name: str, arguments: Mapping[str, Any], number: int = 1) -> ToolCall:
        return checked(f"{self.prefix}-{number}", name, arguments, self.tools)

    def _answer(self, calls: Sequence[ToolCall], last: ModelReply | None = None) -> Answer:
        return Answer(
            content="" if calls or last is None else last.content,
            calls=tuple(calls),
            finish_reason=last.finish_reason if last is not None else "stop",
            usage=self.questions.usage,
            cost_usd=self.questions.cost_usd,
            requests=self.questions.requests,
        )


def _is_json(slot: str, known: Mapping[str, Any]) -> bool:
    """Whether a content is that of a JSON file, which a model cannot write wrongly if it is asked for as a value."""
    return slot == "content" and str(known.get("path", "")).endswith(".json")


def _unread(call_id: str, name: str, unanswered: Unanswered) -> ToolCall:
    if unanswered.reply.finish_reason == "length":
        return ToolCall(id=call_id, name=name, arguments=None, problem=TRUNCATED, problem_code="truncated")
    return ToolCall(
        id=call_id, name=name, arguments=None, problem=f"there is no {unanswered.slot!r}", problem_code="malformed"
    )
