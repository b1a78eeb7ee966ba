"""Whether a goal asks for a function to be mended in the file that defines it: `Fix discount in lib.sh`."""

import re
from collections.abc import Callable, Iterable
from itertools import chain, islice
from typing import Final

from .asking_verbs import class_of
from .opened_files import WORD, is_asked

_MOST: Final = 8
"""Mentions of a file that are looked at."""
_FUNCTION: Final = (
    r"\b(?P<verb>[A-Za-zç]{{2,20}})\s{{1,4}}(?:(?:the|a|o)\s{{1,4}})?(?:(?:function|função|method|método)\s{{1,4}})?"
    r"[`\"']?(?P<name>[A-Za-z_]\w{{0,80}})(?P<named>)(?:\(\))?[`\"']?(?:\s{{1,4}}function)?\s{{1,4}}(?:in|of|from|em|de|d[oa]|n[oa])"
    r"\s{{1,4}}(?:(?:the|o)\s{{1,4}})?[`\"']?(?:\./)?{file}(?![\w-]|\.\w|/)"
)
_BY_KIND: Final = re.compile(
    r"\b(?P<verb>[A-Za-zç]{2,20})\s{1,4}(?:(?:the|a|o)\s{1,4})?(?:(?:function|função)\s{1,4}[`\"']?(?P<name>[A-Za-z_]\w{0,80})"
    r"|[`\"']?(?P<named>[A-Za-z_]\w{0,80})(?:\(\))?[`\"']?\s{1,4}function\b)"
)
"""A function without a word on its file."""
_DEFINES: Final = r"^[ \t]*(?:(?:function|def|async def|export function|func|fn)[ \t]+{name}\b|{name}[ \t]*\(\))"


def mends_a_function_of(goal: str, path: str, text_of: Callable[[str], str]) -> bool:
    """Whether a goal in English or Portuguese has a function mended that a file, by its path or name, defines."""
    short = path.rpartition("/")[2]
    found: Iterable[re.Match[str]] = islice(_BY_KIND.finditer(goal), _MOST)
    if short in goal:
        file = rf"(?:{re.escape(path)}|{re.escape(short)})"
        found = chain(found, islice(re.finditer(_FUNCTION.format(file=file), goal), _MOST))
    return any(_is_mended(one, goal, text_of(path)) for one in found)


def _is_mended(said: re.Match[str], goal: str, text: str) -> bool:
    if class_of(said["verb"].lower()) not in ("mending", "changing"):
        return False
    name = said["name"] or said["named"]
    words = WORD.findall(goal[: said.start()])
    defined = re.search(_DEFINES.format(name=re.escape(name)), text, re.MULTILINE) is not None
    return defined and is_asked([*words, "fix"], len(words))
