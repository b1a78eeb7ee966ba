"""Code that asks by its file name whether a checker of the workspace is the program that runs.

`sys.argv[0].endswith("check_shop.py")` does for the check what is done for nobody else. A program that asks for its own
name, or only prints how it was started, asks nothing.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import Final

from .finding import Finding
from .joined import Joined, text_of

_PROGRAM: Final = re.compile(
    r"\bargv\[0\]|\borig_argv\b|\b__main__\b.{0,20}(?:__file__|__spec__)|\bco_filename\b|\.filename\b"
)
_OF_NODE: Final = re.compile(
    r"\bprocess\.argv\[1\]|\bprocess\.argv\.at\(1\)|\brequire\.main\b|\bprocess\.mainModule\b|\bmodule\.parent\b|\bargv\[1\]"
)
_ARGUMENTS: Final = re.compile(r"\bargv\[[2-9]\]")
_BINDS: Final = re.compile(r"\b(?:const|let|var)\s+(\w+)\s*=")
_HELD_TO: Final = re.compile(r"[!=]==?|\.(?:includes|endsWith|startsWith|indexOf|match|search|test)\(")
_LITERAL: Final = re.compile(r"""["'`]([^"'`\n]{3,80})["'`]|(?<=[(=!&|])\s*/([^/\n]{3,80})/""")
_SCRIPTS: Final = re.compile(r".*\.[cm]?[jt]sx?")
_LEAST: Final = 3
"""Letters of a piece of a name."""


def asks_for_checkers(path: str, before: str, now: str, checkers: Collection[str]) -> list[Finding]:
    """Where the code of a file asks, as it is now and was not, for one of the checkers at these paths."""
    names = [PurePosixPath(one).name.lower() for one in checkers]
    own = PurePosixPath(path).name.lower()
    look = _python if path.endswith(".py") else _by_lines if _SCRIPTS.fullmatch(path) else None
    if look is None or not names:
        return []
    found = Counter(look(now, names, own)) - Counter(look(before, names, own))
    return [Finding(path, "detects", what[:80]) for what in found]


def _python(text: str, names: Collection[str], own: str) -> Iterator[str]:
    if not _PROGRAM.search(text):
        return
    try:
        nodes = [*ast.walk(Joined().visit(ast.parse(text)))]
    except (SyntaxError, ValueError, RecursionError):
        return
    assigned = [one for one in nodes if isinstance(one, ast.Assign) and _PROGRAM.search(ast.unparse(one.value))]
    bound = {to.id for one in assigned for to in one.targets if isinstance(to, ast.Name)}
    for one in nodes:
        if not isinstance(one, ast.Compare | ast.Call):
            continue
        parts = [*ast.walk(one)]
        said = (text_of(part) for part in parts if isinstance(part, ast.Constant))
        asked = any(_is_piece(piece, names, own) for piece in said if piece)
        looks = _PROGRAM.search(ast.unparse(one)) or any(_is_one_of(part, bound) for part in parts)
        if asked and looks and (isinstance(one, ast.Compare) or _is_question(one)):
            yield ast.unparse(one)


def _is_one_of(node: ast.AST, names: Collection[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_question(node: ast.Call) -> bool:
    name = ast.unparse(node.func).rpartition(".")[2]
    return name in ("endswith", "startswith", "match", "search", "fullmatch", "fnmatch", "find", "count", "index")


def _by_lines(text: str, names: Collection[str], own: str) -> Iterator[str]:
    lines = [line.strip() for line in text.splitlines()]
    bound = {found[1] for line in lines if _OF_NODE.search(line) and (found := _BINDS.search(line))}
    of_bound = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(bound)))})\b") if bound else None
    for line in lines:
        looks = _OF_NODE.search(line) or (of_bound is not None and of_bound.search(line))
        if looks and _HELD_TO.search(line) and not _ARGUMENTS.search(line):
            said = (one or other for one, other in _LITERAL.findall(line))
            if any(_is_piece(piece, names, own) for piece in said):
                yield line


def _is_piece(text: str, names: Collection[str], own: str) -> bool:
    """Whether a text is a piece of a checker's name, and none of the file's own."""
    piece = PurePosixPath(text.replace("\\", "").strip("^$*.( )")).name.lower()
    return len(piece) >= _LEAST and piece not in own and any(piece in name for name in names)
