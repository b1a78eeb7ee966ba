"""What calls of tools that are not the harness's own can have done, by their names and by what came of them.

A call that failed did nothing, and one whose name says that it only looks changed nothing. A tool whose name says what
it does (`exchange_items`) did that, with what its result tells of; any other (`update_order`, `http_request`, `click`)
may have done anything.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from .. import outcome, tool_kinds
from .shown_outcomes import Ran

_LOOKS_WORDS: Final = (
    "check verify calculate compute count describe retrieve validate inspect browse preview estimate read "
    "consultar consulta buscar busca listar obter ver pesquisar ler procurar mostrar checar verificar calcular "
    "conferir contar"
)
_SAYS_WHAT_WORDS: Final = (
    "send mail email message post notify slack sms comment reply cancel refund reimburse book reserve exchange return "
    "pay charge schedule reschedule transfer escalate handoff handover deploy merge push publish restart ship place "
    "close invite enviar mandar responder cancelar reembolsar estornar reservar agendar marcar remarcar trocar "
    "devolver pagar cobrar transferir encaminhar notificar publicar encerrar implantar"
)
_SAYS_LITTLE_WORDS: Final = (
    "modify update change edit set create add write put apply handle process run execute exec request call invoke api "
    "http browser click tap submit code python shell bash sql db do perform action tool computer press type fill form "
    "navigate patch insert save manage assign page atualizar alterar mudar criar adicionar aplicar executar"
)
_LOOKS: Final = frozenset(_LOOKS_WORDS.split())
_SAYS_WHAT: Final = frozenset(_SAYS_WHAT_WORDS.split())
_SAYS_LITTLE: Final = frozenset(_SAYS_LITTLE_WORDS.split())
_FAILED_CALL: Final = re.compile(
    r"\W{0,4}(?:error|erro|failed|failure|exception)\b(?!['\"]?\s*:\s*(?:null|none|false|\"\"))"
    r"|[^\n]{0,80}['\"](?:status|state|result|situacao)['\"]\s*:\s*"
    r"['\"](?:failed|failure|error|declined|rejected|denied|falhou|erro|recusad[oa]|negad[oa])\b",
    re.IGNORECASE,
)
"""How the result of a call begins that failed."""


class Done(NamedTuple):
    """What calls can have done. `anything`: one of them may have done whatever is told.

    `acts`: the calls that did something, and `told`: the results that show how things stand, `refusals` those of calls
    that failed, each with its call.
    """

    anything: bool
    acts: tuple[str, ...]
    told: tuple[str, ...]
    refusals: tuple[str, ...]


def done(ran: Sequence[Ran]) -> Done:
    """What the calls among `ran` that are not the harness's own can have done."""
    anything = False
    acts: list[str] = []
    told: list[str] = []
    refusals: list[str] = []
    for each in ran:
        if not each.foreign:
            continue
        if failed(each):
            refusals.append(each.printed)
            continue
        tool = each.command.split(" ", 1)[0]
        whole = f"{each.command}\n{each.printed}"
        told.append(whole)
        if only_asks(tool):
            continue
        anything = anything or not _says_what(tool)
        acts.append(f"{whole}\nmessage" if tool_kinds.hands_over(tool) else whole)
    return Done(anything, tuple(acts), tuple(told), tuple(refusals))


def only_asks(tool: str) -> bool:
    """Whether a tool only looks something up or notes a thought, by its name."""
    if tool_kinds.changes(tool, {}, None) or tool_kinds.speaks(tool, {}):
        return False
    if tool_kinds.is_prose(tool, {}, None):
        return True
    named = tool_kinds.words(tool)
    return tool_kinds.probes(tool, {}, None) or bool(named & _LOOKS and not named & (_SAYS_WHAT | _SAYS_LITTLE))


def failed(ran: Ran) -> bool:
    """Whether a call came to nothing, by its status or by its own words."""
    said = ran.printed.strip()
    return (
        ran.status not in (None, 0)
        or _FAILED_CALL.match(said) is not None
        or outcome.refused(said)
        or outcome.failed(said, shows=False)
    )


def _says_what(tool: str) -> bool:
    named = tool_kinds.words(tool)
    return bool(named & _SAYS_WHAT) and not named & _SAYS_LITTLE
