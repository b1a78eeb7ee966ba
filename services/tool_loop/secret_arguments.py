"""What a call may be recorded with: no secrets, and not executed where that would be another call. Pure."""

from typing import Any, Final

from arreio_contracts.events import ToolCall

from shared.secrets import holds_key, mask

from .state import SIGNALS

_PROBLEM: Final = "the arguments hold a secret, which is never recorded; let the program read it from where it lies"


def without_secrets(call: ToolCall) -> ToolCall:
    """The call as it may be recorded. One that would act on a masked secret would act otherwise: it is a problem."""
    if call.problem is not None:
        call = call.model_copy(update={"problem": mask(call.problem)})
    if not holds_key(call.arguments):
        return call
    problem = None if call.name in SIGNALS else call.problem or _PROBLEM
    return call.model_copy(update={"arguments": _masked(call.arguments), "problem": problem})


def _masked(value: Any) -> Any:
    match value:
        case str():
            return mask(value)
        case dict():
            return {mask(key): _masked(part) for key, part in value.items()}
        case list():
            return [_masked(part) for part in value]
    return value
