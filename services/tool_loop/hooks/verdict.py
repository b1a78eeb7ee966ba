"""Reads what a hook answered: its exit status, and the decision that it may have written on standard output. Pure."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from arreio_contracts.events import HookVerdict

RULE: Final = "hook-answer/2"
BLOCKS: Final = 2
"""The exit status with which a command refuses."""

_RANK: Final[Mapping[HookVerdict, int]] = {"allow": 0, "ask": 1, "deny": 2}
_DECISIONS: Final[Mapping[str, HookVerdict]] = {
    "allow": "allow",
    "approve": "allow",
    "ask": "ask",
    "deny": "deny",
    "block": "deny",
}
_NAMES: Final = frozenset({"decision", "permissionDecision", "continue"})
_MOST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a hook says of what it was asked. `told` is for the model, beside a refusal."""

    verdict: HookVerdict
    reason: str = ""
    ends_task: bool = False
    unavailable: bool = False
    told: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a command ended: `status` is None where it was ended from here, `why` then says why."""

    status: int | None
    output: str
    errors: str
    why: str = ""
    cut: bool = False
    """Whether more was written on standard output than was kept."""


class _Unreadable(Exception):
    """Something that means to be a decision and is none."""


def read(answer: Answer) -> Judgement:
    """The judgement in an answer.

    Status 0 allows, 2 refuses, anything else is no verdict. A decision on standard output outranks the status, and of
    two the more restrictive counts: nothing allows what status 2 refuses, or what a command that was ended allowed.
    """
    try:
        said = _decision(answer)
    except _Unreadable as error:
        said, problem = None, f"its output cannot be read: {error}"
    else:
        problem = ""
    told = said.told if said else ""
    if answer.status == BLOCKS and (said is None or _RANK.get(said.verdict, -1) < _RANK["deny"]):
        reason = answer.errors.strip() or (said.reason if said else "")
        return Judgement("deny", _short(reason) or "it gave no reason", said.ends_task if said else False, told=told)
    if said is not None and (answer.status is not None or said.verdict != "allow") and said.verdict != "no_verdict":
        return said
    if problem or answer.status != 0:
        return Judgement("no_verdict", problem or _ended(answer), told=told)
    return Judgement("allow", told=told)


def _ended(answer: Answer) -> str:
    if answer.status is None:
        return answer.why or "it was ended"
    said = answer.errors.strip()
    return _short(f"it ended with status {answer.status}{': ' if said else ''}{said}")


def _decision(answer: Answer) -> Judgement | None:
    """What standard output says; `no_verdict` where it holds objects without a decision, None where it holds none.

    Text may stand around JSON objects, each of which begins a line or is its line's first. The last one must be whole,
    and of several the most restrictive counts.
    """
    found, whole = _objects(answer.output.lstrip("\ufeff"))
    said = [_judgement(one) for one in found]
    strictest = max(said, key=lambda one: (_RANK.get(one.verdict, -1), one.ends_task), default=None)
    if strictest is not None and strictest.verdict == "deny":
        return strictest
    if answer.cut:
        raise _Unreadable("it is too long")
    if not whole:
        raise _Unreadable("it is not JSON, or more than an object")
    if "\ufffd" in answer.output and (strictest is None or strictest.verdict == "no_verdict"):
        raise _Unreadable("it is no text")
    return strictest


def _objects(text: str) -> tuple[list[dict[str, Any]], bool]:
    """The JSON objects in a text, and whether nothing in it is the beginning of another."""
    try:
        if isinstance(json.loads(text), list):
            return [], False
    except (ValueError, RecursionError):
        pass
    found: list[dict[str, Any]] = []
    whole, at = True, text.find("{")
    while at >= 0:
        try:
            one, end = _DECODER.raw_decode(text, at)
            found.append(one)
            whole, at = True, text.find("{", end)
        except (ValueError, RecursionError):
            # What stands within something broken is not taken for what it says.
            whole, at = False, text.find("\n{", at)
            at += at >= 0
    return found, whole


def _judgement(found: Mapping[str, Any]) -> Judgement:
    more = found.get("hookSpecificOutput", {})
    if not isinstance(more, dict):
        raise _Unreadable("hookSpecificOutput is not an object")
    if "updatedInput" in more or "updatedInput" in found:
        raise _Unreadable("updatedInput is not supported: refuse the call and say what it should be")
    goes_on = found.get("continue", True)
    if not isinstance(goes_on, bool):
        raise _Unreadable("continue is neither true nor false")
    said = list(_said(found, more))
    if not said and goes_on and _decides_within(found.values()):
        raise _Unreadable("its decision does not stand where decisions stand")
    if not goes_on:
        said.append(("deny", found.get("stopReason")))
    told = _short(more.get("additionalContext"))
    if not said:
        return Judgement("no_verdict", told=told)
    verdict, reason = max(said, key=lambda one: _RANK[one[0]])
    return Judgement(verdict, _short(reason), not goes_on, told=told)


def _said(found: Mapping[str, Any], more: Mapping[str, Any]) -> Iterator[tuple[HookVerdict, Any]]:
    """Every decision in an answer with its reason."""
    places: tuple[tuple[Mapping[str, Any], Literal["decision", "permissionDecision"], str], ...] = (
        (found, "decision", "reason"),
        (found, "permissionDecision", "permissionDecisionReason"),
        (more, "decision", "reason"),
        (more, "permissionDecision", "permissionDecisionReason"),
    )
    for place, name, reason in places:
        if (word := place.get(name)) is None:
            continue
        if not isinstance(word, str) or word.lower() not in _DECISIONS:
            raise _Unreadable(f"{name} is none of {', '.join(_DECISIONS)}")
        yield _DECISIONS[word.lower()], place.get(reason)


def _decides_within(values: Iterable[Any]) -> bool:
    """Whether something that is called a decision stands deeper than it is looked for."""
    left = list(values)
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if _NAMES & one.keys():
                return True
            left += one.values()
        elif isinstance(one, list):
            left += one
    return False


def _named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_named_once)


def _short(text: object) -> str:
    said = text.strip() if isinstance(text, str) else ""
    return said if len(said) <= _MOST_REASON else said[: _MOST_REASON - 1] + "…"
