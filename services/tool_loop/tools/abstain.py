"""Lets the model say that it does not know, which is better than a guess."""

from arreio_contracts.events import Effect

from .base import Arguments, ToolContext, ToolResult, schema, text_argument


class Abstain:
    """It changes nothing; repeated, the harness asks a person."""

    name = "abstain"
    description = "Say what you do not know, and how it could be checked, instead of guessing."
    parameters = schema(
        {"what": text_argument("What you do not know."), "how_to_check": text_argument("How it could be found out.")}
    )
    effect: Effect = "read"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        return ToolResult("ok", f"Noted. Now check it: {arguments['how_to_check']}")
