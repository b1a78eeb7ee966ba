"""Which hooks are asked about what. Pure."""

import fnmatch
import re
from collections.abc import Sequence
from functools import lru_cache

from arreio_contracts.task import Hook, HookPhase


def matching(hooks: Sequence[Hook], phase: HookPhase, tool: str | None = None) -> tuple[Hook, ...]:
    """The hooks of a phase that judge a tool, in order; without a tool, all of the phase."""
    return tuple(hook for hook in hooks if hook.phase == phase and (tool is None or matches(hook.matcher, tool)))


@lru_cache(maxsize=1024)
def matches(matcher: str, tool: str) -> bool:
    """Whether a matcher means a tool: as a glob or a regular expression, either whole; `*` and "" mean all."""
    if matcher in ("", "*") or fnmatch.fnmatchcase(tool, matcher):
        return True
    try:
        return re.fullmatch(matcher, tool) is not None
    except re.error:
        return False
