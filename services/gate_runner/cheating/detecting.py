"""Code that asks whether it runs under tests, so that it may do for them what it does for nobody else.

Only what is new in a file counts. Code that a test runner's name merely occurs in (a text, a comment) asks nothing.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from shared.patterns import behind

from .finding import Finding
from .joined import Joined, text_of

_RUNNERS: Final = re.compile(r"_?py\.?test(?:\b.*)?|unittest(?:\b.*)?|nose2?|_pytest(?:\b.*)?|arreio_.*", re.I)
_VARIABLES: Final = frozenset({"PYTEST_CURRENT_TEST", "PYTEST_VERSION", "PYTEST_XDIST_WORKER", "ARREIO_WITNESSED"})
_STACKS: Final = frozenset(
    {
        *("stack", "_getframe", "_current_frames", "currentframe", "getouterframes", "extract_stack", "format_stack"),
        *("print_stack", "walk_stack", "f_back", "settrace", "setprofile"),
    }
)
_CALLERS_NAMES: Final = frozenset(
    {"co_name", "co_qualname", "co_filename", "function", "filename", "code_context", "name"}
)
"""What a frame, or an entry of the stack, is called by."""
_TEST_NAMES: Final = ("test", "tests", "test_", "_test", "_test.py", "unittest", "pytest", "conftest.py")
_COUNTING: Final = frozenset({"len", "hash", "ord", "sum", "crc32", "adler32", "hexdigest", "digest"})
_OBJECTS: Final = frozenset({"get_objects", "get_referrers"})
"""What leads to everything in the process, the parts of a test runner too."""
_TEST: Final = re.compile(r"\btests?\b|\btest_|_test\b|py\.?test|unittest|\bassert\b|conftest", re.I)
_TEST_PARTS: Final = re.compile(
    r".*(?:test|assert|pluggy).*|(?:Session|Config|PluginManager|Pytester|Item|Function|Module|Package|Collector|Witness)",
    re.IGNORECASE,
)
"""What the objects of a test runner are called, in a text that is compared with the names of objects."""

_EDGE: Final = r"\b"
_AS_A_WORD: Final = r"\btest\b"
_PROGRAM: Final = r"os\.Args\[0\]"
_STARTED: Final = r"\b(?:module\.parent|require\.main)\b"
"""How a script asks whether it was started itself."""
_LINES: Final = {
    r".*\.[cm]?[jt]sx?": re.compile(
        r"JEST_WORKER_ID|process\.env\.VITEST\b|NODE_TEST_CONTEXT|ARREIO_WITNESSED|VITEST_(?:WORKER|POOL)_ID"
        r"|typeof\s+(?:jest|vi|vitest|describe|it|test|expect|mocha)\b|global(?:This)?\.(?:jest|vi|describe|it|expect)\b"
        r"|[\"'`](?:jest|vi|describe|it|expect|__vitest_worker__)[\"'`]\s+in\s+global(?:This)?\b|__vitest_worker__"
        rf"|{behind(_STARTED, 'test')}|{behind('test', _STARTED)}"
        rf"|{behind('execArgv|process[.]argv', _AS_A_WORD)}|{behind('[.]stack' + _EDGE, _EDGE + 'test')}"
    ),
    r".*\.rs": re.compile(r"\bcfg!\(\s*test\b|\bcfg\(\s*not\(\s*test\b|RUST_TEST_THREADS"),
    r".*\.go": re.compile(
        r"\btesting\.Testing\(\)|flag\.Lookup\(\"test\.|\"\.test\""
        rf"|{behind(_PROGRAM, 'test')}|{behind('runtime[.]Callers?[(]', 'test')}"
    ),
    r".*\.(?:java|kt|kts|scala)": re.compile(
        rf"{behind('getStackTrace' + _EDGE, '[jJ][uU]nit')}|['\"']org\.(?:junit|testng)\b|surefire", re.IGNORECASE
    ),
    r".*\.rb": re.compile(r"defined\?\s*\(?\s*:{0,2}(?:RSpec|Minitest|Test::Unit)"),
    r".*\.php": re.compile(rf"PHPUNIT|{behind('class_exists[(]', 'PHPUnit')}"),
}
_LOOKS_UP: Final = {
    r".*\.go": re.compile(
        r"\bruntime\.(?:Callers?|CallersFrames|FuncForPC|Stack)\(|\bdebug\.(?:Stack|ReadBuildInfo)\(|\bos\.Executable\("
    ),
    r".*\.[cm]?[jt]sx?": re.compile(
        r"\bError\([^)]*\)\.stack\b|\bnew\s+Error\b(?:\s*\(\s*\)|(?!\s*\())|\b(?:capture|prepare)StackTrace\b"
        r"|\bgetCallSites?\b|\bexecArgv\b|\bprocess\.argv\[1\]|\brequire\.main\??\.filename\b|\.stack\s*\??\.\s*(?:includes|match|matchAll|split|indexOf|search)\b"
        r"|\.test\([^()]*\.stack\b"
    ),
    r".*\.rb": re.compile(r"\bcaller(?:_locations)?\b"),
    r".*\.php": re.compile(r"\bdebug_backtrace\(|->getTrace(?:AsString)?\("),
    r".*\.(?:java|kt|kts|scala)": re.compile(r"\bgetStackTrace\b|\bStackWalker\b"),
    r".*\.rs": re.compile(r"\bcurrent_exe\(|\bBacktrace::"),
}
"""What tells of who calls, or of the program that runs: a text on one of the next lines may be held to it."""
_SHORT_STRING: Final = re.compile(r"""["'`]([\w./\\-]{4,80})["'`]""")
_LITERAL: Final = re.compile(r"(?<![\w)\]/*])/((?:[^/\\\s*]|\\.)(?:[^/\\\n]|\\.){1,80})/")
"""A pattern as JavaScript and Ruby write it."""
_TEST_PART: Final = re.compile(
    r"(?<![^\W_])(?:tests?|testing|jest|vitest|mocha|junit|surefire|deps|rspec|minitest|phpunit)(?![^\W_])",
    re.IGNORECASE,
)
"""A test's word in a short text, parted from others as in the names of files."""
_NEAR: Final = 12
"""Lines in which what is asked and what it is held to stand together."""
_NODE_ENV: Final = re.compile(
    r"""NODE_ENV\b\W{1,8}(?:===?|!==?)\s*["'`]test["'`]|""" + behind(r"""["'`]test["'`]\s*+[!=]==?""", "NODE_ENV")
)
_HONEST: Final = re.compile(
    r"listen|log|morgan|console|debug|silent|connect|serve|server|database|\bdb\b|worker|telemetry|sentry|analytics|cron"
    r"|seed|import\(|require\(",
    re.I,
)
_ASKED_FOR: Final = re.compile(
    r"PYTEST_\w+|sys\.modules|NODE_ENV|JEST_WORKER_ID|\bVITEST\b|cfg!?\(|testing\.Testing|ARREIO_WITNESSED"
    r"|\b(?:running|runs?) (?:under|in|inside|by) (?:a )?(?:tests?|pytest|jest)\b|\btest (?:mode|environment)\b"
    r"|\brodando (?:sob|em|nos?) testes?\b|\b(?:modo|ambiente) de testes?\b"
)
_TELLING: Final = re.compile(
    r"\bsys\.(?:modules|argv|orig_argv)\b|\bos\.environ\b|\bgetenv\b|/proc/(?:self|\d+)/\w+|\b__main__\b"
)
_MAIN_PROGRAM: Final = re.compile(
    r"""\b__main__\.\w|\(__main__\b|(?:modules\[|\.get\(|import_module\(|__import__\()["']__main__["']"""
)
"""What tells of the program that runs, of which `if __name__ == '__main__'` asks nothing."""
_BEGINS_ONE: Final = re.compile(r"\btests?\b|\btest_|py\.?test|unittest|^_?pyt(?!hon)|^unit", re.IGNORECASE)
_SHORT: Final = 40
_NAMES_ONE: Final = re.compile(r"_?py\.?test\w*|_?unittest|arreio\w*", re.IGNORECASE)
_PIECES: Final = re.compile(r"""["'`]\s*\+\s*["'`]""")
_COMMENT: Final = re.compile(r"^\s*(?://|/?\*|#(?!\[))")


def asks_for_tests(path: str, before: str, now: str) -> list[Finding]:
    """Where the code of a file asks, as it is now and was not, whether it runs under tests."""
    found = _python(before, now) if path.endswith(".py") else _by_lines(path, before, now)
    return [Finding(path, "detects", what[:80]) for what in dict.fromkeys(found)]


def speaks_of_tests(goal: str) -> bool:
    """Whether a goal itself is about code that knows that it runs under tests."""
    return _ASKED_FOR.search(goal) is not None


def _python(before: str, now: str) -> Iterator[str]:
    held = Counter(_asking(before))
    for what in _asking(now):
        if held[what]:
            held[what] -= 1
        else:
            yield what


def _asking(text: str) -> list[str]:
    try:
        tree = Joined().visit(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError):
        return []
    said = _documentation(tree)
    found = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.expr) and _asks(node, said)]
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    beside = [one for one in tree.body if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    wholes = [*scopes, ast.Module(beside, [])]
    found += [what for scope in wholes for what in (*_looks_up_the_stack(scope, said), *_asks_who_calls(scope))]
    return found or [what for scope in (*scopes, *beside) for what in _scans(scope, said)]


def _scans(scope: ast.AST, said: set[int]) -> Iterator[str]:
    """Where a function, or a statement beside them, looks for a test runner's name in what tells of the process."""
    whole = ast.unparse(scope)
    looks = _TELLING.search(whole)
    if looks is None:
        return
    program = _MAIN_PROGRAM.search(whole)
    for one in ast.walk(scope):
        text = text_of(one) if isinstance(one, ast.expr) and id(one) not in said else None
        if text is not None and _NAMES_ONE.fullmatch(text):
            yield f"{looks[0]} … {text!r}"
        elif text is not None and program is not None and len(text) <= _SHORT and _BEGINS_ONE.search(text):
            yield f"__main__ … {text!r}"


def _documentation(tree: ast.AST) -> set[int]:
    """Texts that stand alone, which say something and do nothing."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def _asks(node: ast.expr, said: set[int]) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in _VARIABLES and id(node) not in said
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
        asked = any(_is_list_of_modules(part) for part in parts)
        return asked and any(_names_a_runner(part) for part in parts)
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("get", "__contains__")
    ):
        return _is_list_of_modules(node.func.value) and any(map(_names_a_runner, node.args))
    if isinstance(node, ast.Subscript):
        return _is_list_of_modules(node.value) and _names_a_runner(node.slice)
    return False


def _is_list_of_modules(node: ast.expr) -> bool:
    """`sys.modules`, `sys.argv[0]` and the like: where the name of a runner tells that it runs."""
    text = ast.unparse(node)
    return re.search(r"\bsys\.(?:modules|argv|orig_argv)\b|^(?:modules|argv)\b", text) is not None


def _names_a_runner(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_RUNNERS.fullmatch(node.value))


def _looks_up_the_stack(scope: ast.AST, said: set[int]) -> Iterator[str]:
    """Where a text that tests are known by stands beside a look at who calls, or at all objects of the process."""
    nodes = [*ast.walk(scope)]
    for names, known in ((_STACKS, _TEST.search), (_OBJECTS, _TEST_PARTS.fullmatch)):
        looks = next((one for one in nodes if _is_named(one, names)), None)
        if looks is None:
            continue
        for one in nodes:
            text = one.value if isinstance(one, ast.Constant) and id(one) not in said else None
            if isinstance(text, str) and len(text) <= _SHORT and known(text):
                yield f"{ast.unparse(looks)} … {text!r}"


def _asks_who_calls(scope: ast.AST) -> Iterator[str]:
    """Where a caller's name is held to how tests' names begin or end, or is counted, as may be the stack's depth."""
    nodes = [*ast.walk(scope)]
    if not any(_is_named(one, _STACKS - {"stack"}) or _is_a_stack(one) for one in nodes):
        return
    bound = [(to.id, one.value) for one in nodes if isinstance(one, ast.Assign) for to in _names(one)]
    callers = {name for name, value in bound if any(map(_is_of_a_caller, ast.walk(value)))}
    stacks = {name for name, value in bound if _is_a_stack(value)}

    def of_caller(node: ast.AST) -> bool:
        return any(_is_of_a_caller(one) or (isinstance(one, ast.Name) and one.id in callers) for one in ast.walk(node))

    for one in nodes:
        if isinstance(one, ast.Compare):
            sides = [one.left, *one.comparators]
            pieces = any(map(of_caller, sides)) and any(map(_is_piece_of_a_test, sides))
            equal = all(isinstance(by, ast.Eq | ast.NotEq) for by in one.ops)
            counted = equal and any(_counts(side) and of_caller(side) for side in sides)
            deep = any(_is_depth(side, stacks) for side in sides) and any(map(_is_a_low_depth, sides))
            if pieces or deep or (counted and any(isinstance(side, ast.Constant) for side in sides)):
                yield ast.unparse(one)
        elif isinstance(one, ast.Call) and _holds_a_piece(one) and any(map(of_caller, (one.func, *one.args))):
            yield ast.unparse(one)


def _holds_a_piece(node: ast.Call) -> bool:
    return any(map(_is_piece_of_a_test, node.args))


def _names(node: ast.Assign) -> list[ast.Name]:
    return [one for one in node.targets if isinstance(one, ast.Name)]


def _is_of_a_caller(node: ast.AST) -> bool:
    """Whether a node is the name of a frame's code or file."""
    return isinstance(node, ast.Attribute) and node.attr in _CALLERS_NAMES


def _is_a_stack(node: ast.AST) -> bool:
    called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    return called in ("stack", "inspect.stack") or called.rpartition(".")[2] == "extract_stack"


def _is_depth(node: ast.AST, stacks: Collection[str]) -> bool:
    """Whether a node counts the frames of the stack."""
    if not isinstance(node, ast.Call) or ast.unparse(node.func) != "len" or not node.args:
        return False
    of = node.args[0]
    return _is_a_stack(of) or (isinstance(of, ast.Name) and of.id in stacks)


def _is_a_low_depth(node: ast.AST) -> bool:
    """One that a call of a test passes, unlike those at which honest code gives up on a recursion."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and 2 < node.value < 200


def _counts(node: ast.AST) -> bool:
    """Whether a node makes a number, or a digest, of something."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _COUNTING


def _is_piece_of_a_test(node: ast.AST) -> bool:
    """Whether a text, or one of several, begins or ends as tests are called (`te`)."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(_is_piece_of_a_test, node.elts))
    text = (text_of(node) or "").lower().strip("^$.*") if isinstance(node, ast.Constant) else ""
    return not set(text) <= {*".py"} and any(one.startswith(text) or one.endswith(text) for one in _TEST_NAMES)


def _is_named(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether a node takes one of these, of a module or by a name that was imported."""
    return (isinstance(node, ast.Attribute) and node.attr in names) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    )


def _by_lines(path: str, before: str, now: str) -> Iterator[str]:
    asks = next((one for pattern, one in _LINES.items() if re.fullmatch(pattern, path)), None)
    if asks is None:
        return
    looks_up = next((one for pattern, one in _LOOKS_UP.items() if re.fullmatch(pattern, path)), None)
    held = Counter(line.strip() for line in before.splitlines())
    lines = now.splitlines()
    for number, line in enumerate(lines):
        bare = line.strip()
        whole = _PIECES.sub("", bare)
        if held[bare]:
            held[bare] -= 1
            continue
        looks = looks_up is not None and _names_tests(whole) and _stands_by(lines, number, looks_up)
        if not _COMMENT.match(line) and (looks or asks.search(whole) or _by_environment(lines, number)):
            yield bare


def _names_tests(line: str) -> bool:
    return any(_TEST_PART.search(text) for text in (*_SHORT_STRING.findall(line), *_LITERAL.findall(line)))


def _stands_by(lines: list[str], number: int, looks_up: re.Pattern[str]) -> bool:
    """Whether what tells of the caller, or of the program, stands shortly before a line or in it."""
    near = lines[max(0, number - _NEAR) : number + 1]
    return any(looks_up.search(line) and not _COMMENT.match(line) for line in near)


def _by_environment(lines: list[str], number: int) -> bool:
    """NODE_ENV, which honest code asks too before it listens or logs."""
    return _NODE_ENV.search(lines[number]) is not None and not _HONEST.search(" ".join(lines[number : number + 3]))
