"""Calls for the weakest models: single constrained questions, with the choices enumerated wherever they are known.

First come the calls that need no model (reading what the goal speaks of) and those that goal and files spell out
(`moves`): where there is one only, nothing is asked. Then one question for the tool, and one for each argument: paths
and lines are chosen, what is free is asked with worked examples. Measured with SmolLM2-135M on goals that ask to write:
told what each tool does, it began by writing in 9 of 24 tries; shown four examples instead, in 24 of 24.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from arreio_contracts.events import ToolCall, Usage

from shared.prompt import Message

from ..client import Client, ModelReply, ModelRequest
from ..repair import read_object
from . import Answer, Hints, ToolSpec
from .goal_values import adds_something, needs_command, new_values, replacements
from .moves import Ground, Move, moves
from .part_edits import appended, choices, drafts, paragraphs, replaced, single_lines, standing_edit, taken_back
from .reading import TRUNCATED, checked
from .situation import Situation, situation
from .slot_prompts import (
    addition_question,
    argument_question,
    content_question,
    move_question,
    part_question,
    replacement_question,
    reply_question,
    tool_question,
)

_PATHS_ENUMERATED: Final = 24
_READ_AT_ONCE: Final = 6
_NEEDS_FILE: Final = frozenset({"read_file", "edit_file"})
"""Tools whose `path` must be a file that is there."""
_WRITES: Final = frozenset({"write_file", "edit_file"})
"""Tools whose next draft may be better than the last."""
_GIVES_UP: Final = frozenset({"task_blocked", "need_input", "abstain"})
_TRIES_FIRST: Final = 3
"""Drafts and commands before a task may be given up: the smallest models would do so at once."""
_DRAFTS_FROM_THE_START: Final = 6
"""Edits that each begin from the file as it was; later ones go on from the last."""
_DRAFTS_BY_PARAGRAPH: Final = 3
"""Edits that replace whole paragraphs; later ones replace single lines."""
_SHORT: Final = {"type": "string", "maxLength": 800}
_WARMER: Final = 0.1
_WARMEST: Final = 0.6
"""Above this temperature the smallest models write nonsense, whatever the harness asks for."""


class SlotsMode:
    """`CallMode` by single questions. What need not be given is left out; only reads come several in one reply."""

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
        asking = _Asking(client, base, tools, situation(transcript, hints), hints, prefix)
        return await asking.reads() or await asking.move() or await asking.call()


class _Unanswered(Exception):
    """A question that was not answered by the object that was asked for."""

    def __init__(self, slot: str, reply: ModelReply) -> None:
        super().__init__(slot)
        self.slot = slot
        self.reply = reply


@dataclass
class _Asking:
    """The questions of one reply, and what they used."""

    client: Client
    base: ModelRequest
    tools: Sequence[ToolSpec]
    now: Situation
    hints: Hints
    prefix: str
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    requests: int = 0

    @property
    def _there(self) -> Sequence[str]:
        """Files of the workspace that are known: from the harness, and from what the tools have shown."""
        return tuple(dict.fromkeys([*self.hints.paths, *self.now.listed]))

    @property
    def _edits(self) -> list[Mapping[str, Any]]:
        return [step.arguments for step in self.now.steps if step.tool == "edit_file"]

    @property
    def _drafts(self) -> int:
        return self.now.tries("write_file") + drafts(self._edits)

    def _offers(self, name: str) -> bool:
        return any(tool.name == name for tool in self.tools)

    async def reads(self) -> Answer | None:
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
        ground = Ground(self.now.goal, self.now.named, there, files, frozenset(self._changeable()))
        done = [(step.tool, step.arguments) for step in self.now.steps]
        left = {
            move.label: move
            for move in moves(ground)
            if self._offers(move.tool) and (move.tool, move.arguments) not in done and not self._takes_back(move)
        }
        if not left:
            return None
        chosen = next(iter(left))
        if len(left) > 1:
            question = move_question(self.now, list(left), self.hints.files)
            try:
                chosen = str(await self._value(question, "choice", {"enum": list(left)}))
            except _Unanswered:
                return None
        move = left.get(chosen)
        return None if move is None else self._answer([self._call(move.tool, move.arguments)])

    def _takes_back(self, move: Move) -> bool:
        """Whether a move would undo an edit of before."""
        return move.tool == "edit_file" and any(
            step.tool == "edit_file" and step.arguments.get("old_text") == move.arguments["new_text"]
            for step in self.now.steps
        )

    async def call(self) -> Answer:
        """A tool and its arguments, asked for one by one."""
        askable = self._askable()
        names = self._led([tool.name for tool in askable])
        askable = [tool for tool in askable if tool.name in names]
        name = names[0]
        try:
            if len(names) > 1:
                name = str(await self._value(tool_question(self.now, askable), "tool", {"enum": names}))
        except _Unanswered as unanswered:
            return self._answer((), unanswered.reply)
        tool = next((tool for tool in askable if tool.name == name), None)
        if tool is None:
            return self._answer([ToolCall(id=f"{self.prefix}-1", name=name, arguments={})])
        try:
            if tool.name == "edit_file" and self._changeable():
                return self._answer(await self._edit(tool))
            return self._answer([self._call(name, await self._arguments(tool))])
        except _Unanswered as unanswered:
            return self._answer([_unread(f"{self.prefix}-1", name, unanswered)], unanswered.reply)

    def _askable(self) -> list[ToolSpec]:
        """The tools that can be meant now: the smallest models would go on with one that led nowhere for ever."""
        last = self.now.steps[-1].tool if self.now.steps else None
        spent = {last} - _WRITES
        if self._drafts + self.now.tries("run_command") < _TRIES_FIRST:
            spent |= _GIVES_UP
        if self.hints.claims or not self.now.steps:
            spent |= {"task_complete"}
        if self.hints.files:
            spent |= {"read_file", "list_files", "search"}
        if self.now.named and not needs_command(self.now.goal) and self._drafts < _TRIES_FIRST:
            spent |= {"run_command"}
        there = [tool for tool in self.tools if self._there or tool.name not in _NEEDS_FILE]
        return [tool for tool in there if tool.name not in spent] or there or list(self.tools)

    def _led(self, names: Sequence[str]) -> Sequence[str]:
        """The tools with which to begin, where criteria judge: a file that is there is edited, another is written."""
        there = [path for path in self.now.named if path in self._changeable()]
        new = [path for path in self.now.named if path not in self._there]
        if not self.hints.claims or (self._drafts >= _TRIES_FIRST and self._drafts % 2):
            return names
        lead = "write_file" if new and not there else "edit_file" if there and not new else ""
        return [lead] if lead in names else names

    async def _arguments(self, tool: ToolSpec) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        for slot in tool.parameters.get("required", ()):
            schema = self._constraint(tool, slot)
            if len(schema.get("enum", ())) == 1:
                arguments[slot] = schema["enum"][0]
                continue
            form = {"type": ["object", "array"]} if _is_json(slot, arguments) else schema
            value = await self._value(self._question(tool, slot, arguments), slot, form, self._again(tool.name))
            arguments[slot] = value if form is schema else f"{json.dumps(value, ensure_ascii=False, indent=2)}\n"
        return arguments

    async def _edit(self, tool: ToolSpec) -> list[ToolCall]:
        """An edit that begins from what was there: the draft before it is taken back, as long as drafts are few."""
        files, paths, again = self._changeable(), self._paths("edit_file"), self._again("edit_file")
        calls = []
        last = standing_edit(self._edits, files)
        if last is not None and again < _DRAFTS_FROM_THE_START and not self._literal(last):
            undone = taken_back(last)
            calls.append(self._call("edit_file", undone))
            files[undone["path"]] = files[undone["path"]].replace(undone["old_text"], undone["new_text"])
        path = paths[0]
        if len(paths) > 1:
            question = argument_question(self.now, tool, "path", {})
            path = str(await self._value(question, "path", {"enum": list(paths)}, again))
        arguments = await self._edited(path, files, again)
        name = "write_file" if "content" in arguments else "edit_file"
        return [*calls, self._call(name, arguments, len(calls) + 1)]

    async def _edited(self, path: str, files: Mapping[str, str], again: int) -> dict[str, Any]:
        """What is added at the end, or which part is replaced by what."""
        text = files.get(path, "")
        told = {**{name: other for name, other in self.hints.files.items() if name != path}, path: text}
        if not text.strip():
            content = await self._value(content_question(self.now, path, told), "content", {"type": "string"}, again)
            return {"path": path, "content": str(content)}
        if adds_something(self.now.goal):
            new = await self._value(addition_question(self.now, path, told), "added", {"type": "string"}, again)
            return appended(path, text, str(new))
        tried = [str(edit.get("old_text")) for edit in self._edits]
        parts = paragraphs(text) if again < _DRAFTS_BY_PARAGRAPH else single_lines(text)
        known = choices(parts, f"{self.now.goal} {self.now.missing}", tried)
        label = next(iter(known))
        if len(known) > 1:
            label = str(await self._value(part_question(self.now, path, told), "part", {"enum": list(known)}, again))
        part = known.get(label) or next(iter(known.values()))
        question = replacement_question(self.now, path, told, part.text)
        return replaced(path, text, part, str(await self._value(question, "new_text", _SHORT, again)))

    def _literal(self, edit: Mapping[str, Any]) -> bool:
        """Whether an edit put in what the goal says literally."""
        values = [*new_values(self.now.goal), *(one.new for one in replacements(self.now.goal))]
        return any(value in str(edit.get("new_text")) for value in values)

    def _again(self, tool: str) -> int:
        if tool == "edit_file":
            return drafts(self._edits)
        return self.now.tries(tool) if tool in _WRITES else 0

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
            files = self._changeable()
            return [path for path in self.now.named if path in files] or list(files)[:_PATHS_ENUMERATED]
        if tool in _NEEDS_FILE:
            named = [path for path in self.now.named if path in self._there]
            return named or self._there[:_PATHS_ENUMERATED]
        new = [path for path in self.now.named if path not in self.hints.protected]
        return (new or self.now.named)[:_PATHS_ENUMERATED]

    def _changeable(self) -> dict[str, str]:
        return {path: text for path, text in self.hints.files.items() if path not in self.hints.protected}

    def _call(self, name: str, arguments: Mapping[str, Any], number: int = 1) -> ToolCall:
        return checked(f"{self.prefix}-{number}", name, arguments, self.tools)

    async def _value(self, question: Sequence[Message], slot: str, schema: Mapping[str, Any], again: int = 0) -> Any:
        """The answer to one question; warmer for each draft that did not do, so that it is not the same question.

        Raises:
            _Unanswered: it is not the object that was asked for, or cut off.
        """
        whole = {"type": "object", "properties": {slot: schema}, "required": [slot], "additionalProperties": False}
        form = {"type": "json_schema", "json_schema": {"name": slot, "schema": whole}}
        warmth = min(_WARMEST, (self.base.temperature or 0.0) + _WARMER * again)
        asked = replace(self.base, messages=question, tools=None, response_format=form, temperature=warmth)
        reply = await self.client.complete(asked)
        self.requests += 1
        self.cost_usd += reply.cost_usd
        self.usage = Usage(
            prompt_tokens=self.usage.prompt_tokens + reply.usage.prompt_tokens,
            completion_tokens=self.usage.completion_tokens + reply.usage.completion_tokens,
        )
        read = None if reply.finish_reason == "length" or not reply.content.strip() else read_object(reply.content)
        value = (read.value or {}).get(slot) if read is not None else None
        if value is None:
            raise _Unanswered(slot, reply)
        return value

    def _answer(self, calls: Sequence[ToolCall], last: ModelReply | None = None) -> Answer:
        return Answer(
            content="" if calls or last is None else last.content,
            calls=tuple(calls),
            finish_reason=last.finish_reason if last is not None else "stop",
            usage=self.usage,
            cost_usd=self.cost_usd,
            requests=self.requests,
        )


def _is_json(slot: str, known: Mapping[str, Any]) -> bool:
    """Whether a content is that of a JSON file, which a model cannot write wrongly if it is asked for as a value."""
    return slot == "content" and str(known.get("path", "")).endswith(".json")


def _unread(call_id: str, name: str, unanswered: _Unanswered) -> ToolCall:
    if unanswered.reply.finish_reason == "length":
        return ToolCall(id=call_id, name=name, arguments=None, problem=TRUNCATED, problem_code="truncated")
    return ToolCall(
        id=call_id, name=name, arguments=None, problem=f"there is no {unanswered.slot!r}", problem_code="malformed"
    )
