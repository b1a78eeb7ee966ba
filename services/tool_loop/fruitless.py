"""Why turns came to nothing, said for the person who reads the diagnosis."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import ToolRefused, TurnRejected

_CHARS: Final = 160
_REJECTED: Final = {
    "promise": "a promise without an action",
    "question": "a question in prose",
    "no_action": "a reply without a call",
    "truncated": "a reply that was cut off",
}


_NOT_TAKEN: Final = {
    "signal_beside_failure": "another call of the same reply failed",
    "ungrounded": "it names what is not there or was never seen",
    "no_answer": "its reply says nothing",
    "promise": "its reply promises what is not done",
    "claim_without_action": "its reply tells of what no call of the task did",
    "skill_not_loaded": "a skill that the task must follow was never loaded",
}


def cause_of_rejection(rejected: TurnRejected) -> str:
    """Why a reply without a call was rejected."""
    return _REJECTED[rejected.code]


def cause_of_refusal(refused: ToolRefused, problem: str | None) -> str:
    """Why a call was refused; `problem` tells what was wrong with its arguments."""
    match refused.code:
        case "unknown_tool":
            return f"a call of {refused.tool!r}, which is no tool"
        case "truncated":
            return f"a call of {refused.tool} that was cut off"
        case "bad_arguments" | "malformed":
            return f"a call of {refused.tool} that could not be used: {_short(problem or 'bad arguments')}"
        case "cap":
            return f"a call of {refused.tool}, which was called as often as it may be"
        case _:
            return f"a call of {refused.tool} that was refused ({refused.code})"


def cause_of_claim(code: str, missing: str) -> str:
    """Why a claim was refused before any gate was asked; `missing`: what the gates found missing before."""
    return _NOT_TAKEN.get(code) or f"still missing: {_short(missing) or 'what the gates found missing before'}"


def counted(causes: Sequence[str]) -> str:
    """The causes, the most frequent first, each with how often it was."""
    return "; ".join(f"{number} × {cause}" for cause, number in Counter(causes).most_common())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _CHARS else line[: _CHARS - 1] + "…"
