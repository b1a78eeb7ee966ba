"""A real MCP server, written with the official SDK: `python mcp_server.py stdio` or `… http PORT`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from mcp.server.fastmcp import Context, FastMCP, Image

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 90


def server(port: int = 0) -> FastMCP:
    """The tools that the tests call."""
    made = FastMCP("for tests", host="127.0.0.1", port=port, log_level="ERROR")

    @made.tool()
    def add(a: int, b: int) -> str:
        """Add two numbers."""
        return f"the sum is {a + b}"

    @made.tool()
    def fail(why: str) -> str:
        """Fail."""
        raise ValueError(why)

    @made.tool()
    def write(path: str, text: str) -> str:
        """Write a file."""
        Path(path).write_text(text)
        return "written"

    @made.tool()
    def look(path: str) -> str:
        """Show a file, or a variable of the environment."""
        return os.environ[path[1:]] if path.startswith("$") else Path(path).read_text()

    @made.tool()
    def long(size: int) -> str:
        """Say much."""
        return "é" * size

    @made.tool()
    def picture() -> Image:
        """Show a picture."""
        return Image(data=PNG, format="png")

    @made.tool()
    def sleep(seconds: float) -> str:
        """Wait."""
        time.sleep(seconds)
        return "awake"

    @made.tool()
    def die() -> str:
        """End the server."""
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    @made.tool()
    def leave() -> str:
        """Leave a process behind that writes to the workspace."""
        subprocess.Popen(["sh", "-c", "echo $$ > left.pid; exec sleep 600"], start_new_session=True)
        while not Path("left.pid").exists() or not Path("left.pid").read_text():
            time.sleep(0.01)
        return "left"

    @made.tool()
    async def grow(context: Context) -> str:  # type: ignore[type-arg]
        """Have another tool from now on."""
        made.add_tool(add, name="later")
        await context.session.send_tool_list_changed()
        return "grown"

    return made


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server().run("stdio")
    else:
        server(int(sys.argv[2])).run("streamable-http")
