"""The intent–action reconciler: does a reply without a call promise an action that has not happened?

Deterministic, Portuguese and English, clause by clause. One unconditional first-person commitment to act is a promise;
reports, questions, offers, negations, quotations and code are not.
"""

import re
import unicodedata

from arreio_contracts.events import PromiseVerdict

from .language import language_of

RULE = "reconciler/1"

_HIDDEN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|“[^”]*”|\"[^\"\n]*\"|«[^»]*»|^>.*$", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n…]+(?:[.!?…]+|\n|\Z)")
_EN_SPEECH = (
    r"(?:explain|clarify|summari[sz]e|be\b|note|say|tell|know|remind|point\s+out|mention|add\s+that|apologi[sz]e|"
    r"wait|remember|suppose|assume|imagine)"
)
_EN = re.compile(
    rf"""
    \b(?:i['’]?ll|i\s+will|i\s+shall|i['’]?m\s+(?:going\s+to|about\s+to|gonna)|i\s+am\s+(?:going\s+to|about\s+to)|
       we['’]?ll|we\s+will|let\s+me|let['’]?s|(?:next|now|first|then),?\s+i\s+(?:need|have|want)\s+to|
       i['’]?d\s+like\s+to(?=\s+(?:start|begin)))\s+
       (?:now\s+|next\s+|first\s+|also\s+|then\s+|just\s+|quickly\s+|go\s+ahead\s+and\s+)?(?!{_EN_SPEECH})\w
    | \bi(?:['’]?m|\s+am)\s+(?:now\s+)?(?!going|willing|being|missing|wondering|assuming|hoping)\w{{3,}}ing\b
    | ^\s*(?:now\s+|next[:,]\s+)?(?:checking|running|creating|writing|reading|fixing|updating|looking|searching|opening|
        editing|adding|applying|starting|working|inspecting|testing|installing|proceeding)\b
    | ^\s*next(?:\s+step)?\s*:\s*\w
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PT_SPEECH = r"(?:explicar|esclarecer|ser\b|dizer|resumir|lembrar|te\s+dizer|avisar|confessar|supor|imaginar|dizer)"
_PT = re.compile(
    rf"""
    (?<!\w)(?:vou|irei|vamos|iremos)\s+(?:agora\s+|já\s+|então\s+|primeiro\s+)?(?!{_PT_SPEECH})\w
    | (?<!\w)(?:estou|estamos)\s+(?:agora\s+)?\w+ndo\b
    | (?<!\w)(?:deixa|deixe)(?:-me)?\s+(?:eu\s+)?(?!{_PT_SPEECH})\w+(?:ar|er|ir)\b
    | (?<!\w)(?:agora|primeiro|depois|então),?\s+(?:eu\s+)?(?:preciso|devo|tenho\s+(?:de|que))\s+\w+(?:ar|er|ir)\b
    | (?:^|,)\s*(?:verificando|criando|escrevendo|lendo|rodando|executando|corrigindo|consultando|buscando|
        procurando|abrindo|editando|aplicando|analisando|iniciando|testando)\b
    | ^\s*próxim[oa]\s+(?:etapa|passo)\s*:\s*\w
    | (?<!\w)começo\s+(?:por|com|a)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_CONDITION = re.compile(
    r"\bif\b|\bunless\b|\b(?:once|when|whenever|as\s+soon\s+as)\s+(?:you|the\s+user)\b|"
    r",\s*(?:you|você)\s|(?<!\w)(?:se|caso|quando|assim\s+que)\s+(?:você|quiser|preferir|precisar|desejar|puder|me|o\s+usuário|for)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:won['’]?t|will\s+not|can['’]?t|cannot|am\s+not|['’]m\s+not|not\s+going\s+to|never)\b|"
    r"(?<!\w)(?:não|nunca|jamais)\s+(?:vou|irei|vamos|estou|posso|preciso)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(r"\b(?:always|usually|every\s+time|normally)\b|(?<!\w)(?:sempre|geralmente|normalmente)\b", re.I)
_CLAUSE = re.compile(r"(;|—|\bbut\b|(?<!\w)mas(?!\w))", re.IGNORECASE)


def reconcile(text: str) -> PromiseVerdict:
    """Judge the prose of a reply that made no call. Spans count characters of the NFC text."""
    text = unicodedata.normalize("NFC", text)
    lang = language_of(text)
    shown = _HIDDEN.sub(lambda found: " " * len(found.group()), text)
    asks = False
    for sentence in _SENTENCE.finditer(shown):
        if sentence.group().rstrip().endswith("?"):
            asks = True
            continue
        for pattern in (_PT, _EN) if lang == "pt" else (_EN, _PT):
            span = _commits(sentence.group(), pattern)
            if span is not None:
                return PromiseVerdict(
                    label="PROMISE",
                    lang="pt" if pattern is _PT else "en",
                    span=(sentence.start() + span[0], sentence.start() + span[1]),
                    why="the first person commits to an action that has not happened",
                    question=asks,
                    rule=RULE,
                )
    why = "a question" if asks else "no unconditional commitment of the first person"
    return PromiseVerdict(label="NOT_PROMISE", lang=lang, why=why, question=asks, rule=RULE)


def _commits(sentence: str, pattern: re.Pattern[str]) -> tuple[int, int] | None:
    """Where the sentence commits without a condition, from the commitment to the end of its clause."""
    offset = 0
    for clause in _CLAUSE.split(sentence):
        found = pattern.search(clause)
        if found and not any(rule.search(clause) for rule in (_CONDITION, _NEGATION, _HABIT)):
            return offset + found.start(), offset + len(clause.rstrip())
        offset += len(clause)
    return None
