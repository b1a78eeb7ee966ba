"""Whether a shell can read a command at all; nothing of it is run."""

import re
import subprocess
from typing import Final

_SECONDS: Final = 5.0
_WHERE: Final = re.compile(r"^(?:\S*sh|/dev/stdin): (?:\d+: |line \d+: )?")


def why_unreadable(command: str) -> str | None:
    """What `sh`, by which commands are run here, says of a command that it cannot read; None where it can.

    None too where there is no `sh`, or it does not answer in time: that is for the run to tell.
    """
    if "\0" in command:
        return "a command cannot hold a NUL character"
    try:
        read = subprocess.run(
            ["sh", "-n"],
            input=f"{command}\n".encode("utf-8", "surrogatepass"),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    if read.returncode == 0:
        return None
    lines = read.stderr.decode("utf-8", "replace").strip().splitlines()
    return f"sh cannot read it: {_WHERE.sub('', lines[0]) if lines else f'status {read.returncode}'}"
