"""What calls of tools that are not the harness's own can have done, by their names and by what came of them.

A call that failed did nothing, and one whose name says that it only looks, or whose query does (`run_sql SELECT …`),
changed nothing. A tool whose name says what it does (`exchange_items`), or what it does it to (`update_contact`), did
that, with what its arguments and its result tell of. One that opens a ticket opened it: what the ticket asks for is not
done by that. Any other (`http_request`, `click`) may have done anything.
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
_OBJECT_WORDS: Final = (
    "order orders reservation booking subscription plan profile contact customer client user account address phone "
    "passenger passengers baggage baggages card payment refund appointment event meeting calendar note comment message "
    "email invoice trip flight flights row rows record lead cart coupon voucher certificate delivery shipment pedido "
    "reserva assinatura plano perfil contato contacto cliente usuario conta endereco telefone cartao pagamento"
    " reembolso "
    "consulta evento reuniao nota comentario mensagem fatura cadastro viagem voo entrega estorno"
)
_TICKET_WORDS: Final = (
    "ticket case chamado issue incident caso protocolo solicitacao ocorrencia reclamacao complaint request"
)
_OPENS_WORDS: Final = "create open file submit add new raise log register make abrir criar registrar gerar nova novo"
_ORDER_WORDS: Final = (
    "order orders reservation booking subscription plan trip flight flights baggages pedido reserva assinatura plano"
)
_TOOL_WORDS: Final = "http api browser page form click tap code python shell bash computer press type fill navigate url"
_LOOKS: Final = frozenset(_LOOKS_WORDS.split())
_SAYS_WHAT: Final = frozenset(_SAYS_WHAT_WORDS.split())
_SAYS_LITTLE: Final = frozenset(_SAYS_LITTLE_WORDS.split())
_OBJECTS: Final = frozenset(_OBJECT_WORDS.split())
_TICKETS: Final = frozenset(_TICKET_WORDS.split())
_OPENS: Final = frozenset(_OPENS_WORDS.split())
_ORDERS: Final = frozenset(_ORDER_WORDS.split())
_OF_TOOLS: Final = frozenset(_TOOL_WORDS.split())
_DATA_WORDS: Final = "sql db database query postgres mysql sqlite bigquery snowflake duckdb"
_DATA: Final = frozenset(_DATA_WORDS.split())
_QUERY: Final = re.compile(r"\"(?:query|sql|statement|code|q)\"\s*:\s*\"(?:\\n|[\s(])*|\A\S+\s+(?=\w)", re.IGNORECASE)
_SELECTS: Final = re.compile(r"(?:select|show|explain|describe|pragma|with)\b", re.IGNORECASE)
_WRITES: Final = re.compile(
    r"\b(?:insert\s+into|update\s+\S+\s+set|delete\s+from|merge\s+into|drop|alter|truncate|create|call|exec|copy"
    r"|replace\s+into|into\s+outfile)\b",
    re.IGNORECASE,
)
_ENDS: Final = frozenset(["cancel", "void", "cancelar", "desmarcar", "terminate", "unsubscribe"])
_ENDED_THING: Final = re.compile(
    r"(?:re)?(?:book|reserv|schedul|appointment|agend|calendar)\w*|event_?(?:id)?", re.IGNORECASE
)
"""What a call names that ends it: it did not make it."""
_CREDIT_CARD: Final = re.compile(r"credit[_ -]?card", re.IGNORECASE)
_CHANGED_ORDER: Final = "refund charge fee"
"""What a change of an order brings with it."""
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
    that failed, each with its call. `asked`: the calls that opened a ticket, with what each asks for.
    """

    anything: bool
    acts: tuple[str, ...]
    told: tuple[str, ...]
    refusals: tuple[str, ...]
    asked: tuple[str, ...] = ()

    @property
    def opened(self) -> tuple[str, ...]:
        """The tickets that were opened, without what they ask for."""
        return tuple(each.partition("\n")[0] for each in self.asked)


def done(ran: Sequence[Ran]) -> Done:
    """What the calls among `ran` that are not the harness's own can have done."""
    anything = False
    acts: list[str] = []
    asked: list[str] = []
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
        if only_asks(tool) or _selects(each.command, tool):
            continue
        if opens_ticket(tool):
            asked.append(f"{' '.join(sorted(tool_kinds.words(tool)))} ticket\n{whole}")
            continue
        anything = anything or _may_be_anything(tool, each.command)
        acts.append(_did(tool, whole))
    return Done(anything, tuple(acts), tuple(told), tuple(refusals), tuple(asked))


def _did(tool: str, whole: str) -> str:
    """What a call did, in the words that patterns of deeds know."""
    named = tool_kinds.words(tool)
    whole = _CREDIT_CARD.sub("card", _ENDED_THING.sub(" ", whole) if named & _ENDS else whole)
    said = f"{whole}\nmessage" if tool_kinds.hands_over(tool) else whole
    return f"{said}\nmodify {_CHANGED_ORDER}" if named & _ORDERS and named & _SAYS_LITTLE else said


def opens_ticket(tool: str) -> bool:
    """Whether a tool only puts something before somebody who may do it, by its name."""
    named = tool_kinds.words(tool)
    return bool(named & _TICKETS and named & _OPENS) and not named & (_SAYS_WHAT | _OBJECTS)


def _selects(command: str, tool: str) -> bool:
    """Whether a call asks a database for something and writes nothing."""
    if not tool_kinds.words(tool) & _DATA:
        return False
    query = _QUERY.search(command)
    asked = command[query.end() :] if query else ""
    return _SELECTS.match(asked) is not None and not _WRITES.search(asked)


def _may_be_anything(tool: str, command: str) -> bool:
    named = tool_kinds.words(tool)
    if named & _DATA and _WRITES.search(command):
        return False
    if named & _OF_TOOLS:
        return True
    if named & _OBJECTS:
        return False
    return not _says_what(tool)


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
