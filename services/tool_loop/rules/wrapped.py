"""What a shell said, out of the object in which some harnesses hand it over."""

import json
from typing import Final

_MOST_CHARS: Final = 200_000


def unwrapped(result: str) -> str:
    """The output in `{"output": …, "metadata": {"exit_code": …}}`, with its status if not 0; or the text."""
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
