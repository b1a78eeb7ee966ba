"""What a call looks like inside its marks: JSON in the shapes of several families, XML, pairs, Python. Pure.

A body is read whole or not at all: what is left over makes it malformed, what is missing at its end makes it truncated.
"""

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .lenient_json import MAX_DEPTH, TRUNCATED, Json, ProblemCode, alike, read_prefix, writable
from .repair import object_of, read_object, unfenced

NAME_KEYS: Final = ("name", "tool", "tool_name", "function", "function_name", "action")
ARGUMENT_KEYS: Final = ("arguments", "args", "parameters", "params", "input", "tool_input", "action_input", "kwargs")
_BESIDE: Final = frozenset({"id", "type", "index", "call_id", "tool_call_id"})
_WRAPPED: Final = ("function", "function_call", "tool_call")

_ELEMENT = re.compile(r"\s*<(?:\w+:)?(function|invoke|tool)(?:\s*=\s*|\s+name\s*=\s*)[\"']?([^\s\"'<>]*)[\"']?\s*>")
_PARAMETER = re.compile(r"\s*<(?:\w+:)?(parameter|param|arg)(?:\s*=\s*|\s+name\s*=\s*)[\"']?([^\s\"'<>]+)[\"']?[^<>]*>")
_PAIR = re.compile(r"\s*<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_NAMED = re.compile(
    r"\s*(?:\[TOOL_CALLS\]\s*)?([\w.:/-]+)\s*(?:\[CALL_ID\]\s*\w+\s*)?(?:\[ARGS\]|<\|tool_call_argument_begin\|>)?\s*(?=\{)"
)
_SPACE = re.compile(r"[\s,;]*+")
_PYTHON_LIMIT: Final = 64 * 1024


@dataclass(frozen=True)
class WrittenCall:
    """A call that a model wrote into its text. `name` is None where it has none; `code` says what is wrong with it."""

    name: str | None
    arguments: dict[str, Any] | None = None
    code: ProblemCode | None = None
    problem: str | None = None


def truncated(body: str) -> WrittenCall:
    """What is known of a call whose end is missing."""
    named = re.search(
        r"[\"']?(?:name|tool)[\"']?\s*[:=]\s*[\"']([^\"'\n]{1,64})[\"']|<function=([\w.-]{1,64})>", body[:2000]
    )
    name = (named[1] or named[2]) if named else None
    return WrittenCall(name, code="truncated", problem=TRUNCATED)


def malformed(why: str, name: str | None = None) -> WrittenCall:
    """A call that cannot be read, and why."""
    return WrittenCall(name, code="malformed", problem=why)


def after_space(text: str, place: int) -> int:
    """The first place that holds neither space nor what may stand between two calls."""
    found = _SPACE.match(text, place)
    return found.end() if found else place


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
    if not given and rest:
        return malformed(f"there is no 'arguments', but {min(rest)[:80]!r}", name)
    return _with_arguments(name, given[0] if given else None)


def _with_arguments(name: str | None, given: Any) -> WrittenCall:
    read = object_of(given)
    return WrittenCall(name, read.value, read.code, read.problem)


def _read_call(name: str | None, arguments: str) -> WrittenCall:
    """A call whose arguments must be written out: where there are none, they are missing."""
    if not arguments.strip():
        return WrittenCall(name, code="truncated", problem=TRUNCATED)
    read = read_object(arguments)
    return WrittenCall(name, read.value, read.code, read.problem)


def _xml_calls(text: str) -> list[WrittenCall]:
    """`<function=NAME><parameter=KEY>VALUE</parameter></function>`, `<invoke name="NAME">…` and the like."""
    calls: list[WrittenCall] = []
    place = 0
    while (place := after_space(text, place)) < len(text):
        element = _ELEMENT.match(text, place)
        if element is None:
            return [*calls, malformed("no function is named")]
        closing = _closing(text, element[1], element.end())
        if closing is None:
            return [*calls, WrittenCall(element[2] or None, code="truncated", problem=TRUNCATED)]
        calls.append(_element(element[2] or None, text[element.end() : closing[0]]))
        place = closing[1]
    return calls


def _element(name: str | None, inner: str) -> WrittenCall:
    if inner.lstrip()[:1] in ("{", "`"):
        return _read_call(name, inner)
    arguments: dict[str, Any] = {}
    place = 0
    while (place := after_space(inner, place)) < len(inner):
        opening = _PARAMETER.match(inner, place)
        closing = _parameter_end(inner, opening) if opening else None
        if opening is None or closing is None:
            return malformed("its parameters cannot be told apart", name)
        key, value = opening[2], inner[opening.end() : closing[0]]
        if key in arguments:
            return malformed(f"the parameter {key[:80]!r} stands twice", name)
        arguments[key] = value.removeprefix("\n").removesuffix("\n")
        place = closing[1]
    return WrittenCall(name, arguments)


def _parameter_end(inner: str, opening: re.Match[str]) -> tuple[int, int] | None:
    """Where a value and its closing tag end: at the first one after which the next parameter begins, or nothing."""
    place = opening.end()
    while closing := _closing(inner, opening[1], place):
        if _PARAMETER.match(inner, closing[1]) or after_space(inner, closing[1]) == len(inner):
            return closing
        place = closing[1]
    return None


def _closing(text: str, tag: str, start: int) -> tuple[int, int] | None:
    found = re.compile(rf"</(?:\w+:)?{tag}>").search(text, start)
    return found.span() if found else None


def _paired(text: str) -> list[WrittenCall]:
    """`NAME`, then `<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>` for each argument."""
    name, mark, _ = text.partition("<arg_key>")
    arguments: dict[str, Any] = {}
    place = len(name) if mark else len(text)
    while (place := after_space(text, place)) < len(text):
        pair = _PAIR.match(text, place)
        if pair is None:
            return [malformed("its arguments are no pairs of key and value", name.strip() or None)]
        arguments[pair[1].strip()] = pair[2]
        place = pair.end()
    return [WrittenCall(name.strip() or None, arguments)]


def _separated(text: str) -> list[WrittenCall]:
    """DeepSeek's `function<｜tool▁sep｜>NAME` and a fence, or `NAME<｜tool▁sep｜>{…}`."""
    kind, _, rest = text.partition("<｜tool▁sep｜>")
    name, body = rest.partition("\n")[::2] if kind.strip() in ("function", "") else (kind, rest)
    return [_read_call(name.strip() or None, body)]


def _channelled(text: str) -> list[WrittenCall]:
    """Harmony's `<|channel|>commentary to=functions.NAME …<|message|>{…}`."""
    head, _, body = text.partition("<|message|>")
    name = re.search(r"to=([\w.:-]+)", head)
    return [_read_call(name[1] if name else None, body)]


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
    """`NAME(key=value, …)`, one or a list, where every value is a literal."""
    if len(text) > _PYTHON_LIMIT or sum(map(text.count, "([{")) > 16 * MAX_DEPTH:
        return [malformed("the call is too long to be read as Python")]
    try:
        parsed = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [malformed("the call is neither JSON nor Python")]
    items: Sequence[ast.expr] = parsed.elts if isinstance(parsed, ast.List | ast.Tuple) else [parsed]
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
    (lambda text: "<｜tool▁sep｜>" in text[:400], _separated),
    (re.compile(r"\s*<\|channel\|>").match, _channelled),
    (_ELEMENT.match, _xml_calls),
    (_NAMED.match, _named),
    (re.compile(r"\s*[\w.]+\(").match, python_calls),
    (re.compile(r"\s*[\w.-]+\s*(?:<arg_key>|\Z)").match, _paired),
)
