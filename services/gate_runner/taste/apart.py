"""Judges files in this process where that is sure to end soon, else in a process of its own, which is ended."""

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Final

from .critic import Violation, violations
from .rules import Taste

TIME_LIMIT: Final = 60.0
_SMALL: Final = 4 << 10
"""Characters that no file can make take long: what reads HTML and Markdown is quadratic at worst."""


class TooLong(Exception):
    """The files could not be judged within the time limit."""


async def found_in(taste: Taste, texts: Mapping[str, str]) -> list[Violation]:
    """What `violations` finds.

    Raises:
        TooLong: it was ended after `TIME_LIMIT` seconds, or did not end well.
    """
    if sum(map(len, texts.values())) <= _SMALL:
        try:
            return await asyncio.to_thread(lambda: [*violations(taste, texts)])
        except RecursionError:
            raise TooLong("they are nested too deeply") from None
    given = json.dumps({"taste": taste.model_dump(mode="json"), "texts": dict(texts)})
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __package__ or "",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(given.encode()), TIME_LIMIT)
    except TimeoutError:
        raise TooLong(f"it did not end within {TIME_LIMIT:.0f} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise TooLong(f"its process ended with status {process.returncode}")
    return [Violation(*one) for one in json.loads(output)]


def main() -> int:
    """The process of its own: reads what to judge on standard input and prints what was found."""
    given = json.load(sys.stdin)
    json.dump([*violations(Taste.model_validate(given["taste"]), given["texts"])], sys.stdout)
    return 0
