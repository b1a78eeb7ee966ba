"""Calls out of the model's prose: for models whose server knows neither tools nor constrained replies."""

from collections.abc import Sequence
from dataclasses import replace

from shared.canonical import canonical_json
from shared.prompt import Message

from ..client import Client, ModelRequest
from . import Answer, Hints, ToolSpec
from .reading import answered
from .rendering import rendered, told

_INSTRUCTION = """\
To act, end your answer with a block like this, and write nothing after it:
<tool_call>
{"name": NAME, "arguments": {…}}
</tool_call>
The block is JSON; NAME is one of the tools below. Only the block acts: what you merely announce does not happen. The \
result comes in the next message. The tools:
"""


class TextMode:
    """`CallMode` by a block that the prompt explains. The transcript shows the model its own calls in that form."""

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
        messages = rendered(transcript, _INSTRUCTION + told(tools, "arguments"), _written)
        return await answered(
            await client.complete(replace(base, messages=messages, tools=None)), tools, prefix, due=True
        )


def _written(name: str, arguments: str) -> str:
    return f'<tool_call>\n{{"name": {canonical_json(name)}, "arguments": {arguments}}}\n</tool_call>'
