"""A task's events in the words of AG-UI 1.0 (docs.ag-ui.com): a session is a thread, and a task is a run in it.

A run cannot wait. So a question ends the run with the outcome `interrupt`, and the answer begins another one. Nothing
stands outside a run: its clients refuse a stream that begins otherwise, or goes on after a run's end.
"""

import json
from typing import Any

from arreio_contracts.events import (
    EventData,
    InputReceived,
    ModelReplied,
    TaskBlocked,
    TaskCompleted,
    TaskFailed,
    TaskNeedsInput,
    ToolFinished,
    ToolRefused,
)

AguiEvent = dict[str, Any]


class AguiRun:
    """Turns the events of one task, fed from its first, into those of AG-UI; it remembers which run is on.

    The first run begins with the task's first event, each further one with an answer, or with an end that came instead
    of one. What happens between two runs is told in the second.
    """

    def __init__(self, session_id: str, task_id: str) -> None:
        self._thread = session_id
        self._run = task_id
        self._begun = False
        self._open = False
        self._held: list[AguiEvent] = []

    def events(self, event_id: str, data: EventData) -> list[AguiEvent]:
        """What AG-UI says for one event; what it has no word for is a CUSTOM event that holds ours."""
        told = self._told(event_id, data)
        if self._open:
            opened: list[AguiEvent] = []
        elif self._begun and not isinstance(data, InputReceived | TaskCompleted | TaskBlocked | TaskFailed):
            self._held += told
            return []
        else:
            self._run = event_id if self._begun else self._run
            opened, self._held = [self._lifecycle("RUN_STARTED"), *self._held], []
        self._begun = True
        ended = self._ended(event_id, data)
        self._open = ended is None
        return [*opened, *told, *([] if ended is None else [ended])]

    def _told(self, event_id: str, data: EventData) -> list[AguiEvent]:
        match data:
            case ModelReplied():
                calls = [part for call in data.calls for part in _call(call.id, call.name, call.arguments, event_id)]
                return [*_said(event_id, data.content), *calls]
            case ToolFinished() | ToolRefused():
                return [_result(event_id, data.call_id, data.text)]
            case TaskCompleted():
                return _said(event_id, data.reply)
            case TaskNeedsInput() | TaskBlocked() | TaskFailed():
                return []
            case _:
                return [_custom(data)]

    def _ended(self, event_id: str, data: EventData) -> AguiEvent | None:
        """The end of the run that an event brings, if it brings one."""
        match data:
            case TaskNeedsInput():
                asked = {"id": event_id, "reason": "input_required", "message": data.question}
                return self._finished({"type": "interrupt", "interrupts": [asked]})
            case TaskCompleted():
                return {**self._finished({"type": "success"}), "result": {"reply": data.reply}}
            case TaskBlocked() if data.reason.code == "cancelled":
                return self._finished({"type": "cancelled"})
            case TaskBlocked() | TaskFailed():
                return {"type": "RUN_ERROR", "message": data.reason.text, "code": data.reason.code}
            case _:
                return None

    def _lifecycle(self, kind: str) -> AguiEvent:
        return {"type": kind, "threadId": self._thread, "runId": self._run}

    def _finished(self, outcome: dict[str, Any]) -> AguiEvent:
        return {**self._lifecycle("RUN_FINISHED"), "outcome": outcome}


def _custom(data: EventData) -> AguiEvent:
    return {"type": "CUSTOM", "name": data.type, "value": data.model_dump(mode="json")}


def _said(message_id: str, text: str) -> list[AguiEvent]:
    if not text:
        return []  # a delta may not be empty
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": text},
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def _call(call_id: str, name: str, arguments: dict[str, Any] | None, parent: str) -> list[AguiEvent]:
    return [
        {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name, "parentMessageId": parent},
        {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": json.dumps(arguments or {})},
        {"type": "TOOL_CALL_END", "toolCallId": call_id},
    ]


def _result(message_id: str, call_id: str, text: str) -> AguiEvent:
    return {
        "type": "TOOL_CALL_RESULT",
        "messageId": message_id,
        "toolCallId": call_id,
        "content": text,
        "role": "tool",
    }
