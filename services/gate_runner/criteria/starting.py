"""The commands that a script of Python or JavaScript starts, and whether it runs tests itself: read from its text.

It is read generously where a script starts programs, and not at all where it only speaks of them: `print("run pytest")`
starts nothing. What it starts by ways that no text shows is seen while it runs (`witnesses/arreio_starting.py`).
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

ITSELF: Final = "python -m unittest"
"""Stands for a runner that a script calls as a function."""

_STARTERS: Final = re.compile(
    r"run|call|Popen|check_call|check_output|getoutput|getstatusoutput|system|popen\d?|exec[lv]p?e?|spawn[lv]p?e?"
    r"|posix_spawnp?|create_subprocess_(?:exec|shell)|run_process|open_process|sh|bash|shell|cmd|execute|session"
)
_RUNNERS: Final = re.compile(
    r"(?:pytest|unittest|nose2?|django\.test\S*|twisted\.trial\S*)\.(?:main|run|console_main)"
    r"|(?:unittest\.)?(?:runner\.)?TextTestRunner|.*\.(?:discover|loadTestsFrom\w+|run_tests)"
)
"""What runs tests, or loads them to be run, by its whole name."""
_MODULES: Final = frozenset({"pytest", "unittest", "nose", "nose2"})
_IMPORTERS: Final = frozenset({"run_module", "import_module", "__import__"})
_OF_MODULES: Final = frozenset({"main", "console_main", "TextTestRunner", "defaultTestLoader", "TestProgram"})
_JS_STARTS: Final = re.compile(
    r"(?:\b(?:spawn|exec|execFile|fork|execa|execaCommand)(?:Sync)?|(?<![\w$])\$)\s*(?:\(|(?=`))"
)
_JS_PROCESSES: Final = re.compile(r"child_process|execa|[\"'](?:zx|shelljs|tinyexec|nano-spawn|cross-spawn|bun)[\"'/]")
"""A text that has to do with processes: `exec` alone is of many a thing."""
_JS_ITSELF: Final = re.compile(
    r"""(?:from\s*|require\(\s*|import\(\s*)"""
    r"""["'](?:node:test(?:/\w+)?|jest|@jest/core|jest-cli|mocha|ava|vitest/node|uvu/run)["']"""
)
_JS_BOUND: Final = re.compile(r"(?<![\w$.])([A-Za-z_$][\w$]*)\s{0,9}=\s{0,9}(?=[\[\"'`])")
_MOST_OF_CALL: Final = 400
_MOST_CALLS: Final = 200
_MOST_GIVEN: Final = 30
_MOST_OF_SHELL: Final = 1 << 16
_PROGRAM: Final = re.compile(
    r"\b(python|pypy|node)[\w.]*\s+(?:-[\w=-]+\s+)*?(?:-[A-Za-z]*c|-e|-p|--eval)\s*('[^']*'|\"(?:[^\"\\]|\\.)*\")"
)
_HEREDOC: Final = re.compile(r"\b(python|pypy|node)[\w.]*[^\n|;&<]{0,200}<<-?\s*['\"]?(\w+)['\"]?[^\n]*\n")
_TEXTS: Final = (ast.Constant, ast.JoinedStr)
_NESTED: Final = 4


def commands_started(path: str, text: str) -> Iterator[str]:
    """The commands that the script at a path starts; of a text of shell those of the programs that it gives to others.

    Yields lines of shell, in which what is not known is `x`.
    """
    if path.endswith(".py") or re.match(r"#!.*\b(?:python|pypy)", text):
        yield from _of_python(text)
    elif re.fullmatch(r".*\.[cm]?[jt]s", path) or re.match(r"#!.*\bnode", text):
        yield from _of_javascript(text)
    else:
        yield from _of_programs_given(text)


def _of_programs_given(text: str) -> Iterator[str]:
    """What programs start that lines of shell give to Python or node themselves."""
    text = text[:_MOST_OF_SHELL]
    given = [(one[1], one[2][1:-1].replace('\\"', '"')) for one in _PROGRAM.finditer(text)]
    ends = ((one, text.find(f"\n{one[2]}", one.end() - 1)) for one in islice(_HEREDOC.finditer(text), _MOST_CALLS))
    given += [(one[1], text[one.end() : end]) for one, end in ends if end >= 0]
    for language, program in given[:_MOST_GIVEN]:
        yield from _of_javascript(program) if language == "node" else _of_python(program)


def _of_python(text: str) -> Iterator[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    nodes = [*ast.walk(tree)]
    bound: dict[str, ast.expr] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            bound.setdefault(node.targets[0].id, node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            bound.setdefault(node.target.id, node.value)
        elif (
            isinstance(node, ast.ImportFrom)
            and node.module in _MODULES
            and _OF_MODULES & {one.name for one in node.names}
        ):
            yield ITSELF
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        name = _dotted(node.func)
        last = name.rpartition(".")[2]
        if _RUNNERS.fullmatch(name) or (last in _IMPORTERS and {*_words(node.args[:1], bound)} & _MODULES):
            yield ITSELF
        elif _STARTERS.fullmatch(last) or (last == "run_path" and name.startswith("runpy")):
            given = [*node.args, *(one.value for one in node.keywords if one.arg in ("args", "cmd", "command"))]
            yield _line(_words(given, bound))


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Call):
        return _dotted(node.func)
    return node.id if isinstance(node, ast.Name) else ""


def _words(given: Sequence[ast.expr], bound: Mapping[str, ast.expr], depth: int = 0) -> list[str]:
    """The words that some arguments give; `x` stands for what is not known."""
    found: list[str] = []
    for one in given:
        match one:
            case ast.Constant(value=str() as text):
                found.append(text)
            case ast.List(elts=inner) | ast.Tuple(elts=inner):
                found += _words(inner, bound, depth)
            case ast.JoinedStr(values=parts):
                found.append("".join(_words(parts, bound, depth)))
            case ast.FormattedValue(value=value) | ast.Starred(value=value):
                found += _words([value], bound, depth)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                words = _words([left, right], bound, depth)
                found += ["".join(words)] if any(isinstance(side, _TEXTS) for side in (left, right)) else words
            case ast.Attribute(attr="executable"):
                found.append("python3")
            case ast.Call(func=ast.Attribute(attr="split", value=value), args=args):
                split = args[:1] if _dotted(value) == "shlex" else [value]
                found += " ".join(_words(split, bound, depth)).split()
            case ast.Call(func=ast.Attribute(attr="join" | "which" | "quote"), args=args):
                found += _words(args, bound, depth)
            case ast.Call(func=ast.Name(id="str"), args=args):
                found += _words(args, bound, depth)
            case ast.Name(id=name) if name in bound and depth < _NESTED:
                found += _words([bound[name]], bound, depth + 1)
            case _:
                found.append("x")
    return found


def _line(words: Sequence[str]) -> str:
    """The command that words make: the first one, and what follows `-c`, may hold several, any other is one."""
    before = ["-c", *words]
    return " ".join(
        word if last in ("-c", "-lc") else re.sub(r"\s+", "_", word) for last, word in zip(before, words, strict=False)
    )


def _of_javascript(text: str) -> Iterator[str]:
    if _JS_ITSELF.search(text):
        yield "node --test"
    bound = {one[1]: text[one.end() : one.end() + _MOST_OF_CALL] for one in _JS_BOUND.finditer(text)}
    calls = [*_JS_STARTS.finditer(text)] if _JS_PROCESSES.search(text) else []
    for call in calls[:_MOST_CALLS]:
        yield _line([*_js_words(bound, text[call.end() : call.end() + _MOST_OF_CALL])])


def _js_words(bound: Mapping[str, str], given: str, depth: int = 0) -> Iterator[str]:
    level = 0
    for part in re.split(r"""('[^'\n]*'|"[^"\n]*"|`[^`]*`|[()])""", given):
        if part in ("(", ")"):
            level += 1 if part == "(" else -1
            if level < 0:
                return
            continue
        if part[:1] in "'\"`" and len(part) > 1:
            yield part[1:-1]
            continue
        for name in re.findall(r"process\.execPath|process\.argv0?\[0\]|(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*:)", part):
            if name.startswith("process"):
                yield "node"
                continue
            if name in bound and depth < 1:
                yield from _js_words({}, bound[name], depth + 1)
        if ";" in part or "{" in part:
            return
