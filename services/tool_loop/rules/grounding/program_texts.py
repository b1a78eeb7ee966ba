"""The commands that a short program would start, by its text alone: `python -c`, `node -e`, `perl -e`."""

import ast
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from .shell_feeds import UNTOLD

_STARTING: Final = """
run call check_call check_output Popen popen system getoutput getstatusoutput main _main create_subprocess_exec
create_subprocess_shell run_module execl execlp execv execve execvp execvpe spawnl spawnlp spawnv spawnvp
"""
_STARTS: Final = frozenset(_STARTING.split())
_GIVEN: Final = re.compile(
    r"\b(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|system|execa|qx)\s*\(?\s*(.+)", re.DOTALL
)
_LITERAL: Final = re.compile(r"'((?:\\.|[^'\\])*)'|\"((?:\\.|[^\"\\])*)\"|`([^`]*)`")

PROGRAMS: Final = (".py", ".js", ".mjs", ".cjs")
"""How the files end whose text is read for the commands that they start."""
Started = str | tuple[str, ...]
"""A command line for a shell, or the words of a command."""


def started_by_python(code: str) -> Iterator[Started]:
    """What Python code starts. Code that is none starts nothing."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    assigned = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _name(node.func) not in _STARTS or not node.args:
            continue
        first = node.args[0]
        given = assigned.get(first.id, first) if isinstance(first, ast.Name) else first
        before = ("pip",) if _name(node.func) in ("main", "_main") else ()
        yield from _started(given, node.args[1:], before)


def commands_of(path: str, code: str) -> Iterator[str]:
    """The command lines that a program in a file starts."""
    for each in started_by_python(code) if path.endswith(".py") else started_by_script(code):
        yield each if isinstance(each, str) else shlex.join(each)


def _started(given: ast.expr, more: Sequence[ast.expr], before: tuple[str, ...]) -> Iterator[Started]:
    if isinstance(given, ast.List | ast.Tuple):
        yield (*before, *(_word(each) for each in given.elts))
        return
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "split":
        given = given.func.value
    line = _word(given)
    # `os.execvp("pip", ["pip", …])` and `os.execlp("pip", "pip", …)` name the program twice.
    for each in more:
        if isinstance(each, ast.List | ast.Tuple):
            yield tuple(_word(word) for word in each.elts)
    yield (line, *map(_word, more[1:])) if len(more) > 1 else line


def _name(func: ast.expr) -> str:
    return ast.unparse(func).rpartition(".")[2]


def _word(node: ast.expr) -> str:
    """The text of an expression; what it does not tell stands as a variable of a shell would."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_word(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return _word(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _word(node.left) + _word(node.right)
    if isinstance(node, ast.Starred):
        return UNTOLD
    return "python" if ast.unparse(node) == "sys.executable" else UNTOLD


def started_by_script(code: str) -> Iterator[Started]:
    """What JavaScript, Perl or Ruby starts: the literals behind a call that starts something."""
    for call in re.split(r"[;\n]", code):
        found = _GIVEN.search(call)
        if found is None:
            continue
        words = tuple(next(filter(None, each), "") for each in _LITERAL.findall(re.sub(r"\{[^{}]*\}", "", found[1])))
        if words:
            yield words[0] if len(words) == 1 or " " in words[0] else words
