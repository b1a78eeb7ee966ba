"""What is only the environment's fault, or only an observation that something does not work: it is never learnt. Pure.

A tool that was not installed, a network that was away or a provider that refused says nothing of the work, and is over
once somebody mends it; kept as guidance it would outlive its cause.
"""

import re
from typing import Final

from arreio_contracts.events import TaskCompleted, ToolFinished

from .seen import TaskSeen

NOT_ABOUT_THE_WORK: Final = frozenset(
    {
        "cancelled",
        "unsatisfiable_gate",
        "hook_unavailable",
        "hook_denied",
        "hook_refuses_stop",
        "input_expired",
        "gate_environment",
        "provider_auth",
        "provider_rejected",
        "provider_unavailable",
        "unknown_model",
        "workspace_unavailable",
        "sandbox_unavailable",
        "mcp_unavailable",
        "crash_loop",
        "max_age",
    }
)
"""Ends of a task that say nothing of how the work was done."""

_DOES_NOT_WORK: Final = re.compile(
    r"\bnot (?:be )?(?:installed|found in path|reachable|working)\b"
    r"|\b(?:command|executable|binary) (?:is |was )?(?:not found|missing)\b"
    r"|\b(?:do|does|did|will|can)(?: ?n['’o]t|not| not) (?:work|run|start|launch|load|connect|respond)\b"
    r"|\b(?:cannot|can['’]t|could not|couldn['’]t|unable to|fail(?:s|ed)? to) (?:work|run|start|launch|load|connect"
    r"|reach|install|open)\b|\b(?:is|are|was|were|stays?) (?:broken|down|offline|unusable|unreachable)\b"
    r"|\bnão (?:funciona|est(?:á|ão) (?:instalad|funcionando)|inicia|conecta|roda)\w*"
    r"|\b(?:comando|executável|binário) não encontrado\b|\best(?:á|ão) (?:quebrad|fora do ar|indisponíve)\w*",
    re.IGNORECASE,
)
_REFUSED_HERE: Final = re.compile(
    r": not found\b|\bno (?:such executable|module named|space left|route to host|internet|network)\b"
    r"|\b(?:connection|permission|access) (?:is |was )?(?:refused|denied|reset|timed out)"
    r"|\bE(?:CONNREFUSED|NOTFOUND|ACCES|PERM|NOSPC|TIMEDOUT|AI_AGAIN)\b|\bname resolution\b"
    r"|\b(?:unavailable|unreachable|out of memory)\b|\b429 too many\b"
    r"|\b(?:permissão|conexão|acesso) (?:negad|recusad)\w*|\bsem (?:rede|internet|espaço em disco|memória)\b",
    re.IGNORECASE,
)
_NO_COMMAND: Final = frozenset({126, 127})


def is_environment(text: str) -> bool:
    """Whether a text says that something is missing or does not work here, in English or Portuguese."""
    return _DOES_NOT_WORK.search(text) is not None


def failed_by_environment(task: TaskSeen) -> bool:
    """Whether the task's end, or what its tools met with on the way, is the environment's doing."""
    if not isinstance(task.ended, TaskCompleted) and task.ended.reason.code in NOT_ABOUT_THE_WORK:
        return True
    return any(
        data.status == "error" and (data.exit_status in _NO_COMMAND or _met_environment(data.text))
        for _, data in task.each(ToolFinished)
    )


def _met_environment(output: str) -> bool:
    """Whether a tool's error is about what it runs in."""
    return is_environment(output) or _REFUSED_HERE.search(output) is not None
