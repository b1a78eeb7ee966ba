"""Searches a text with somebody's regular expression, which may take for ever: then it is ended."""

import asyncio
import re
import sys
from re import _constants, _parser  # type: ignore[attr-defined, unused-ignore]
from typing import Any, Final

TIME_LIMIT: Final = 10.0
_SAFE_LENGTH: Final = 8_192
_TAME: Final = 7
_HOPELESS: Final = 100
_SEARCH: Final = (
    "import re, sys; data = sys.stdin.buffer.read(); size = int(sys.argv[1]); "
    "print(int(re.search(data[:size].decode(), data[size:].decode(), re.MULTILINE) is not None))"
)


class SearchTooLong(Exception):
    """The search did not end within its time limit."""

    def __init__(self) -> None:
        super().__init__(
            f"the search did not end within {TIME_LIMIT:.0f} s; the regular expression backtracks too much"
        )


async def found_in(text: str, pattern: str) -> bool:
    """Whether `pattern` is found in `text`, as `re.search` with MULTILINE says.

    Raises:
        SearchTooLong: it was ended after `TIME_LIMIT` seconds.
    """
    if len(text) <= _SAFE_LENGTH and is_tame(pattern):
        return re.search(pattern, text, re.MULTILINE) is not None
    return await _found_apart(text, pattern)


def is_tame(pattern: str) -> bool:
    """One repetition without a bound, a few short ones, none within another: then a search is quadratic at worst."""
    return _wildness(_parser.parse(pattern)) <= _TAME


def _wildness(parsed: Any) -> int:
    """How much a parsed expression can backtrack: 1 for a short repetition, 4 for a long one, and sums of these."""
    wild = 0
    for operation, argument in parsed:
        if operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
            least, most, body = argument
            inside = _wildness(body) + (_HOPELESS if _branches(body) else 0)
            own = 0 if least == most else 1 if most <= 8 else 4
            wild += own + (_HOPELESS if inside else 0)
        elif operation in (_constants.GROUPREF, _constants.GROUPREF_EXISTS):
            wild += _HOPELESS
        elif operation is _constants.BRANCH:
            wild += max(_wildness(branch) for branch in argument[1])
        elif operation is _constants.SUBPATTERN:
            wild += _wildness(argument[-1])
        elif operation in (_constants.ASSERT, _constants.ASSERT_NOT):
            wild += _wildness(argument[1])
        elif operation is _constants.ATOMIC_GROUP:
            wild += _wildness(argument)
    return wild


def _branches(parsed: Any) -> bool:
    return any(
        operation is _constants.BRANCH or (operation is _constants.SUBPATTERN and _branches(argument[-1]))
        for operation, argument in parsed
    )


async def _found_apart(text: str, pattern: str) -> bool:
    """Search in a process of its own: `re` holds the interpreter's lock and cannot be interrupted."""
    first, second = pattern.encode("utf-8", "replace"), text.encode("utf-8", "replace")
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        "-S",
        "-c",
        _SEARCH,
        str(len(first)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(first + second), TIME_LIMIT)
    except TimeoutError:
        raise SearchTooLong from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return output.strip() == b"1"
