"""What a call looks like inside its marks: JSON in the shapes of several families, XML, pairs, Python. Pure.

A body is read whole or not at all: what is left over makes it malformed, what is missing at its end makes it truncated.
"""

import ast
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from .call_elements import ELEMENT, element_calls, paired_call
from .lenient_json import MAX_DEPTH, TRUNCATED, Json, alike, read_prefix, writable
from .repair import object_of, unfenced
from .tag_calls import OLD_ELEMENT, old_element_calls
from .written_call import WrittenCall, after_space, malformed, read_arguments, truncated

NAME_KEYS: Final = ("name", "tool", "tool_name", "function", "function_name", "action")
ARGUMENT_KEYS: Final = ("arguments", "args", "parameters", "params", "input", "tool_input", "action_input", "kwargs")
_BESIDE: Final = frozenset({"id", "type", "index", "call_id", "tool_call_id"})
_WRAPPED: Final = ("function", "function_call", "tool_call")

_NAMED = re.compile(
    r"\s*+(?:\[TOOL_CALLS\]\s*+)?([\w.:/-]++)\s*+(?:\[CALL_ID\]\s*+\w++\s*+)?"
    r"(?:\[ARGS\]|<\|tool_call_argument_begin\|>)?\s*+(?=\{)"
)
_SEPARATOR = re.compile(r"<｜tool[▁_]sep｜>|<tool_sep>")
_QUOTE = re.compile(r'<\|"\|>|<escape>')
_GEMMA = re.compile(r"\s*call:([\w.:/-]+)\s*(?=\{)")
_PYTHON_LIMIT: Final = 64 * 1024


def read_body(body: str) -> list[WrittenCall]:
    """The calls that stand between two marks; one malformed or truncated call where they cannot be read."""
    inner = unfenced(body)
    if inner is None:
        return [truncated(body)]
    for begins, reader in _SHAPES:
        if begins(inner):
            return reader(inner)
    return [malformed("there is no call in it")]


def json_calls(text: str) -> list[WrittenCall]:
    """Calls as JSON: one, a list, or several one after the other."""
    values, failed = json_values(text)
    calls = [call for value in values for call in calls_of(value)]
    if failed is None:
        return calls or [malformed("there is no call in it")]
    if failed.code == "truncated":
        return [*calls, truncated(text if not calls else "")]
    return [*calls, malformed(f"the call is not JSON: {failed.problem}")]


def json_values(text: str) -> tuple[list[Any], Json | None]:
    """The JSON values that stand one after the other, and what came instead of the next one."""
    values: list[Any] = []
    place = 0
    while (place := after_space(text, place)) < len(text):
        found = read_prefix(text, place)
        if found.code is not None:
            return values, found
        values.append(found.value)
        place = found.end
    return values, None


def calls_of(value: Any) -> list[WrittenCall]:
    """The calls that a JSON value holds."""
    if isinstance(value, list):
        return [call for item in value for call in calls_of(item)] or [malformed("an empty list of calls")]
    if not isinstance(value, dict):
        return [malformed("a call must be a JSON object")]
    if isinstance(value.get("tool_calls"), list):
        return calls_of(value["tool_calls"])
    for key in _WRAPPED:
        if isinstance(value.get(key), dict):
            return calls_of(value[key])
    return [_call_of(value)]


def is_call(value: Any) -> bool:
    """Whether a JSON value that no mark calls a call is one: a name, arguments, and nothing else."""
    if isinstance(value, list):
        return bool(value) and all(is_call(item) for item in value)
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("tool_calls"), list):
        return is_call(value["tool_calls"])
    wrapped = next((value[key] for key in _WRAPPED if isinstance(value.get(key), dict)), None)
    if wrapped is not None:
        return is_call(wrapped)
    rest = value.keys() - set(NAME_KEYS) - set(ARGUMENT_KEYS) - _BESIDE
    named = any(isinstance(value.get(key), str) for key in NAME_KEYS)
    return named and not rest and any(key in value for key in ARGUMENT_KEYS)


def _call_of(value: dict[str, Any]) -> WrittenCall:
    names = [value[key] for key in NAME_KEYS if key in value]
    name = names[0] if names and isinstance(names[0], str) else None
    given = [value[key] for key in ARGUMENT_KEYS if key in value]
    if len(names) > 1 or not all(alike(one, given[0]) for one in given[1:]):
        return malformed("it says twice what is called, or with what", name)
    rest = value.keys() - set(NAME_KEYS) - set(ARGUMENT_KEYS) - _BESIDE
    if len(value) == 1 and not names and not given and isinstance(inner := value[min(rest)], dict):
        return _with_arguments(min(rest), inner)  # Apertus
    if not given and rest:
        return malformed(f"there is no 'arguments', but {min(rest)[:80]!r}", name)
    return _with_arguments(name, given[0] if given else None)


def _with_arguments(name: str | None, given: Any) -> WrittenCall:
    read = object_of(given)
    return WrittenCall(name, read.value, read.code, read.problem)


def _separated(text: str) -> list[WrittenCall]:
    """DeepSeek's `function<｜tool▁sep｜>NAME` and a fence, `NAME<｜tool▁sep｜>{…}`, or an element behind it."""
    kind, rest = _SEPARATOR.split(text, maxsplit=1)
    if ELEMENT.match(rest):
        return element_calls(rest)
    name, body = rest.partition("\n")[::2] if kind.strip() in ("function", "") else (kind, rest)
    return [read_arguments(name.strip() or None, body)]


def _channelled(text: str) -> list[WrittenCall]:
    """Harmony's `<|channel|>commentary to=functions.NAME …<|message|>{…}`; the channel may come behind the name."""
    head, _, body = text.partition("<|message|>")
    name = re.search(r"to=([\w.:-]+)", head)
    return [read_arguments(name[1] if name else None, body)]


def _gemma(text: str) -> list[WrittenCall]:
    """Gemma's `call:NAME{key:<|"|>text<|"|>,…}`: JSON whose strings stand, as they are, between quotes of their own."""
    head = _GEMMA.match(text)
    assert head is not None
    parts = _QUOTE.split(text[head.end() :])
    if len(parts) % 2 == 0:
        return [WrittenCall(head[1], code="truncated", problem=TRUNCATED)]
    whole = "".join(json.dumps(part) if index % 2 else part for index, part in enumerate(parts))
    return [read_arguments(head[1], whole)]


def _named(text: str) -> list[WrittenCall]:
    """`NAME{…}` with any marks between, one or more."""
    calls: list[WrittenCall] = []
    place = 0
    while (place := after_space(text, place)) < len(text):
        head = _NAMED.match(text, place)
        if head is None:
            return [*calls, malformed("there is no call in it")]
        found = read_prefix(text, head.end())
        if found.code is not None:
            return [*calls, WrittenCall(head[1], code=found.code, problem=found.told)]
        calls.append(_with_arguments(head[1], found.value))
        place = found.end
    return calls


def python_calls(text: str) -> list[WrittenCall]:
    """`NAME(key=value, …)`, one, a list or one after the other, where every value is a literal."""
    if len(text) > _PYTHON_LIMIT or sum(map(text.count, "([{")) > 16 * MAX_DEPTH:
        return [malformed("the call is too long to be read as Python")]
    try:
        lines = ast.parse(text.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [malformed("the call is neither JSON nor Python")]
    items: list[ast.expr] = [line.value for line in lines if isinstance(line, ast.Expr)]
    if len(items) < len(lines):
        return [malformed("there is more than calls in it")]
    if len(items) == 1 and isinstance(items[0], ast.List | ast.Tuple):
        items = items[0].elts
    return [_python_call(item) for item in items] or [malformed("an empty list of calls")]


def _python_call(node: ast.expr) -> WrittenCall:
    if not isinstance(node, ast.Call) or node.args or not isinstance(node.func, ast.Name | ast.Attribute):
        return malformed("every argument of a call must have a name")
    name = ast.unparse(node.func).removesuffix(".call")
    try:
        arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
    except (ValueError, RecursionError):
        return malformed("an argument is no literal", name)
    whole = len(arguments) == len(node.keywords) and writable(arguments)
    return WrittenCall(name, arguments) if whole else malformed("an argument is no JSON", name)


_SHAPES: Final[Sequence[tuple[Callable[[str], Any], Callable[[str], list[WrittenCall]]]]] = (
    (re.compile(r"\s*\[\s*[\w.]+\(").match, python_calls),
    (re.compile(r"\s*[{\[]").match, json_calls),
    (lambda text: _SEPARATOR.search(text, 0, 400), _separated),
    (_GEMMA.match, _gemma),
    (re.compile(r"\s*(?:<\|start\|>assistant\s*)?(?:<\|channel\|>|to=)").match, _channelled),
    (OLD_ELEMENT.match, old_element_calls),
    (ELEMENT.match, element_calls),
    (_NAMED.match, _named),
    (re.compile(r"\s*[\w.]+\(").match, python_calls),
    (re.compile(r"\s*[\w.-]+\s*(?:<arg_key>|\Z)").match, paired_call),
)
