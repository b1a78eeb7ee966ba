"""The terminal signals: the ways in which a turn may end without an action. Their effect is the decider's."""

from dataclasses import dataclass

from arreio_contracts.events import Effect

from .base import Arguments, Schema, ToolContext, ToolResult, schema, text_argument


@dataclass(frozen=True, slots=True)
class Signal:
    """A call that the harness answers; it is never run."""

    name: str
    description: str
    parameters: Schema
    effect: Effect = "signal"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        return ToolResult("ok", f"{self.name} was heard.")


TASK_COMPLETE = Signal(
    "task_complete",
    "Say that the task is done. It is verified, so call it only when everything is done.",
    schema({"reply": text_argument("What to tell the user: the answer, or what was done.")}),
)
TASK_BLOCKED = Signal(
    "task_blocked",
    "Say that the task cannot be done.",
    schema(
        {"reason": text_argument("What stands in the way.")},
        {"unblock": text_argument("What would let the task go on.")},
    ),
)
NEED_INPUT = Signal(
    "need_input",
    "Ask the user a question and wait for the answer.",
    schema({"question": text_argument("The question.")}),
)
