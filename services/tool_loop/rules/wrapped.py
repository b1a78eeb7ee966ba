"""What a shell said, out of the object in which some harnesses hand it over, or without the lines they put below."""

import json
import re
from typing import Final

_MOST_CHARS: Final = 200_000
_FOOT = re.compile(
    r"(?:\s*\[(?:The command completed with exit code \d+\.|Current working directory: [^\n]*"
    r"|Python interpreter: [^\n]*|Command finished with exit code \d+|Jupyter [^\n]*)\])+\s*\Z"
)
_TAGS = re.compile(r"\A<returncode>(-?\d+)</returncode>\s*<output>\n?([\s\S]*?)\n?(?:</output>\s*)?\Z")
_STATUS = re.compile(r"exit code (\d+)")
_LENGTH_OF_FOOT: Final = 600


def unwrapped(result: str) -> str:
    """The output in `{"output": …, "metadata": {"exit_code": …}}`, or above a foot of status and directory, or in
    tags, with its status if not 0; or the text.
    """
    if result.endswith("]") and (foot := _FOOT.search(result, max(0, len(result) - _LENGTH_OF_FOOT))):
        status = _STATUS.search(foot[0])
        output = result[: foot.start()]
        return f"exit code: {status[1]}\n{output}" if status and status[1] != "0" else output
    if result.startswith("<returncode>") and (tags := _TAGS.match(result)):
        return f"exit code: {tags[1]}\n{tags[2]}" if tags[1] != "0" else tags[2]
    if not result.startswith('{"output"') or len(result) > _MOST_CHARS:
        return result
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        return result
    output, told = value.get("output"), value.get("metadata")
    if not isinstance(output, str) or not isinstance(told, dict):
        return result
    status = told.get("exit_code")
    return f"exit code: {status}\n{output}" if isinstance(status, int) and status else output
