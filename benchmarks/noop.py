"""A tool that does nothing, and a tool-loop that offers it: so that a turn costs what the loop itself costs."""

import sys
from collections.abc import Mapping

from arreio_contracts.events import Effect

from arreio.service_process import run_service
from benchmarks.words import word
from services.tool_loop.app import run as run_tool_loop
from services.tool_loop.tools import ToolContext, ToolResult
from services.tool_loop.tools.base import Arguments, schema, text_argument
from shared.settings import Settings, load_settings


class Noop:
    """Answers at once, in the process of the loop."""

    name = "show_record"
    description = "Shows the record of a name."
    parameters = schema({"name": text_argument("Whose record.")})
    effect: Effect = "read"

    def __init__(self) -> None:
        self._calls = 0

    @staticmethod
    def call(number: int) -> Mapping[str, object]:
        """A call as a model makes it: another one for each number, as in honest work."""
        return {"name": Noop.name, "arguments": {"name": word(number)}}

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        self._calls += 1
        # No two results are alike, as with a real tool: what a loop has seen before may cost it less.
        return ToolResult("ok", f"The record of {arguments['name']}: {word(-self._calls)}.")


async def run(settings: Settings) -> None:
    """The tool-loop's service with one tool more."""
    await run_tool_loop(settings, extra_tools=(Noop(),))


if __name__ == "__main__":
    sys.exit(run_service("tool_loop", "benchmarks.noop:run", load_settings()))
