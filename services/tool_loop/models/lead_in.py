"""Whether the words that lead into a written call say that it is not to be executed. Pure.

They are judged by kinds, in English and Portuguese: a refusal, a question to the user, a condition on what the user
says, words of somebody else, a report of what was done, an example. What the sentence intends after that
("…, so I'll create it:") takes back all but the question and the condition.
"""

import re
from typing import Final

_DID_DO: Final = (
    r"(?:run|execute|call|do|send|use|make|issue|invoke|perform|delete|remove|submit|launch|trigger|emit|apply"
    r"|type|write"
    r"|try|carry (?:\w+ )?out|go ahead|proceed|comply|be (?:run|executed|called|sent|used|done|made))"
)
_FAZER: Final = (
    r"(?:execut|rod|cham|envi|mand|us|apag|remov|invoc|emit|tent|dispar|aplic|realiz|prossegu|prossig|prosseg)"
    r"(?:ar|er|ir|o|a|e|aria|eria|iria|arei|ei de|em)|(?:fazer|faço|faça|faria|farei|fiz(?:er)?|ser executad\w+)"
)
_FEW: Final = r"(?:[^\s.;:!?]+\s+){0,3}?"
_REFUSES: Final = re.compile(
    rf"(?i)\b(?:I|we|you|one|nobody|let me|assistants?)\b[^.;:!?]{{0,24}}?(?:n['’]t|\bnot|\bcannot"
    rf"|\bnever)\s+{_FEW}{_DID_DO}\b"
    rf"|(?:^|[,;:–—-]\s*)(?:please\s+)?(?:never|do not|don['’]t|must not|avoid|not)\s+(?:{_FEW}{_DID_DO}\b"
    rf"|\w+ing\b|th(?:is|ese|e)\b)"
    rf"|\b(?:must|should|would|may|shall|ought|can)(?:n['’]t| not| never| NOT) {_FEW}{_DID_DO}\b"
    r"|^avoid\b|\brefus(?:e[ds]?|ing|al)\b|\bdeclin(?:e[ds]?|ing)\b|\bdecided (?:against|not to)\b|\bchose not to\b"
    r"|\b(?:rejected|refrain\w*|held back|stopped myself|stopped short|unwilling|unable to (?:run|execute|comply))\b"
    r"|\b(?:forbidden|prohibited|not (?:allowed|permitted|supposed|authori[sz]ed)|off.limits)\b"
    r"|\bbut (?:I )?(?:stopped|did not|didn['’]t|won['’]t|will not)\b|\binstead of (?:this|that|these"
    r"|the following)\b"
    r"|\b(?:wrong|unsafe|dangerous|harmful|a mistake|irresponsible|reckless) to (?:run|execute|call|send|use|do"
    r"|make)\b"
    r"|\b(?:is|are|would be|seems?|looks?) (?:too |very |not |n['’]t )*(?:dangerous|unsafe|harmful|wrong"
    r"|destructive|malicious)"
    r"|\b(?:is|would be)(?: not|n['’]t) (?:safe|allowed|acceptable|wise|a good idea|ok(?:ay)? to)"
    r"|\bagainst (?:policy|\w+ (?:policy|rules?|guidelines|instructions)|the law)\b|\bnot to (?:run|execute|call"
    r"|send|do)\b"
    r"|(?:\bnot|n['’]t) (?:comfortable|willing|happy|right|appropriate|wise|safe|ready)\b"
    r"|\bstop(?:ped)? before \w+ing\b"
    r"|\bnot (?:yet )?(?:executed|run|called|sent)\b|\b(?:later|tomorrow|next time|another time|mais tarde"
    r"|amanhã)\s*:?$"
    r"|\bagainst (?:running|executing|calling|sending|using|doing|making)\b|\brather than (?:run|execut|call|send|do)"
    rf"|\b(?:não|nunca|jamais|nem)\s+{_FEW}(?:{_FAZER})\b"
    r"|\brecus\w+|\bevit(?:e|em|ar|o|aria|arei)\b|\bdesisti\w*|\bdecidi (?:não|contra)\b|\bproibid\w+|\bme nego\b"
    r"|\b(?:é|seria) (?:muito )?(?:errad|perigos|imprudente|arriscad|malicios|destrutiv|proibid|um erro)"
    r"|\bem vez d(?:isto|isso|este|esta|e (?:executar|rodar))"
    r"|\b(?:não é|não seria) (?:segur|uma boa|aceitável|permitid|certo)|\bnego-me\b|\babstenho|\bsou contra\b"
)
_THIS: Final = re.compile(
    r"(?i)\b(?:this|that|it|these|those|such|following|below|isto|isso|est[ea]s?|ess[ea]s?|seguintes?|abaixo)\b"
)
_ASKS: Final = re.compile(
    r"(?i)^\W*(?:so,?\s+|then,?\s+|ent[aã]o,?\s+)?(?:(?:should|shall|may|can|could|must|do|am|have) (?:I|we)"
    r"|(?:do|would|will|can|could|are|did) you|want me|ok(?:ay)? (?:to|if)|is it (?:ok|fine|all right|alright|safe)"
    r"|posso|poderia|podemos|devo|devemos|quer|queres|deseja|gostaria|prefere|autoriza|permite|confirma"
    r"|tudo bem se)\b"
)
_TO_A_PERSON: Final = re.compile(
    r"(?i)\b(?:I|we|me|you|your|this|that|permission|proceed|go ahead|ok(?:ay)?|posso|devo|podemos|devemos|quer"
    r"|deseja"
    r"|gostaria|prefere|você|vocês|sua|seu|isto|isso|prossigo|executo|rodo|faço|envio|apago|mando|sigo|continuo)\b"
)
_WONDERS: Final = re.compile(
    r"(?i)^\W*(?:so,?\s+|e\s+|and\s+|but\s+|mas\s+)?(?:what|where|which|why|how|who|when|o que|onde|qua(?:l|is)"
    r"|por que|como"
    r"|quem|quando|será)\b(?!.*\b(?:you|your|should|shall|você|devo|posso)\b)"
)
_YES: Final = (
    r"(?:approv|agree|confirm|consent|allow|permit|authori[sz]|say|said|give|grant|want|wish|like|prefer|tell"
    r"|let me|accept"
    r"|sign|are (?:ok|okay|fine|happy|ready|sure)|['’]re (?:ok|okay|fine|happy|ready|sure)|ok\b|okay|insist|ask)"
)
_SIM: Final = (
    r"(?:aprov|concord|quis|quer|queira|autoriz|permit|confirm|deix|prefer|prefir|desej|der\b|dê\b|diss|diga"
    r"|estiver de acordo"
    r"|esteja de acordo|aceit|mandar|pedir|liberar|libere|insist)"
)
_DEPENDS: Final = re.compile(
    rf"(?i)\b(?:if|once|when|after|as soon as|provided(?: that)?|assuming|only if|in case|until)\s+"
    rf"(?:you|the user|someone|anyone|a human|the (?:owner|admin\w*))\s*(?:\w+\s+)?{_YES}"
    r"|\b(?:with|pending|upon|subject to|given|after|on) your (?:\w+ )?(?:permission|approval|consent|ok\b|okay"
    r"|go-ahead"
    r"|confirmation|agreement|authori[sz]ation|blessing|word|say-so|sign-off)"
    r"|\b(?:if|assuming|provided) (?:that|this|it)(?:['’]s| is) (?:\w+ )?(?:with|by|for|to) you\b"
    r"|\b(?:wait|await)\w*\b[^.;]*\b(?:your|you)\b|\b(?:aguard|esper)\w+\b[^.;]*\b(?:sua|seu|você)\b"
    r"|\b(?:please|por favor,?) (?:confirm|approve|authori[sz]e|allow|confirme|aprove|autorize)"
    r"|\blet me know\b|\btell me (?:if|whether|when)\b|^\W*should you\b|\bwere you to\b"
    r"|\bwhen(?:ever)? you(?:['’]re| are)\b"
    r"|\b(?:await|pending|wait|need|require|aguard|precis|requer)\w*\b[^.;]*\b(?:approval|confirmation|permission"
    r"|consent"
    r"|go-ahead|sign-off|aprovação|confirmação|permissão|autorização)|\bme (?:avise|diga|fale) se\b|\b(?:avise"
    r"|diga)-me se\b"
    r"|\bse estiver (?:tudo bem|ok|bom)\b"
    rf"|\b(?:se|caso|quando|assim que|depois que|desde que|só se)\s+(?:(?:você|vc|tu|o usuário|o senhor|a senhora"
    rf"|alguém)\s+)?"
    rf"(?:me\s+)?{_SIM}"
    r"|\b(?:com|mediante|após|sob|dependendo d[ae]|aguardando) (?:a |o )?(?:sua|seu|tua|teu) (?:permissão|autorização"
    r"|aprovação|licença|confirmação|anuência|aval|consentimento|ok\b|sinal verde|ordem)"
)
_SAID: Final = (
    r"says?|said|reads|contain(?:s|ed)|holds|held|return(?:s|ed)|wrote|writes|states?|stated|shows?|showed"
    r"|prints?|printed"
    r"|outputs?|repl(?:y|ies|ied)|answer(?:s|ed)?|suggest(?:s|ed)?|instruct(?:s|ed)?|includ(?:es|ed)|sent|sends"
    r"|posted|quoted"
    r"|demand(?:s|ed)|propos(?:es|ed)|gives|put|left|planted|recommend(?:s|ed)|inject(?:s|ed)|had|has|gave"
    r"|looked like|looks like|ends with"
    r"|diz|dizia|disse|contém|continha|devolve[u]?|devolvia|retorna|retornou|escreveu|escrevia|mostra|mostrou"
    r"|mostrava"
    r"|respondeu|responde|imprimiu|imprime|traz|trazia|trouxe|pede|pedia|sugere|sugeriu|sugeria|enviou|mandou"
    r"|manda|tem|tinha"
    r"|termina com|propôs|propõe|recomenda|recomendou|citou|exibe|exibiu|inclui|incluía"
)
_OBJECT: Final = (
    r"(?:(?:that|to|with|com|in|on|at|for|me|us|back|again|only|just|also|literally|que|para|em|n[ao]|assim|me|só"
    r"|apenas)\b[^,;:.]{0,30}?)?"
    r"(?:\s*(?:th(?:is|ese|e following|e text|e words|e line|e call|e command)|an? (?:tool )?(?:call|command"
    r"|instruction|block)"
    r"|isto|isso|o seguinte|este|esta|estas?|a seguinte|o texto|a linha|uma? (?:chamada|comando|instrução|bloco))"
    r"(?:\s+[^\s,;:.]+){0,3})?"
)
_QUOTES: Final = re.compile(
    rf"(?i)(?<!\bI)(?<!\bwe)(?<!\bI have)(?<!\beu)\s(?:{_SAID})\s*{_OBJECT}\s*:?$"
    r"|(?<!\byou)(?<!\buser)\s(?:told|tells?|ask(?:s|ed)|order(?:s|ed)|urge[sd]?|command(?:s|ed)) (?:me|us|you"
    r"|the \w+|agents?) to"
    r"(?: \w+){1,3}\s*:?$|\b(?:line|section|paragraph|page|chapter|linha|seção|parágrafo|página) \S+ (?:of|in"
    r"|d[eoa]|em) .*"
    r" (?:is|was|are|é|era|são)\s*:?$"
    r"|(?<!\bvocê)(?<!\busuário)\s(?:mandava|mandou|manda|pedia|pediu|ordenava|ordenou|ordena)(?: \w+){1,3}\s*:?$"
    r"|\b(?:is|was|are|were|está|estava|foi) (?:\w+ )?(?:written|stated|quoted|printed|posted|escrit[oa]|dit[oa]"
    r"|impress[oa])\b"
    r"|\blê-se\b|\b(?:found|saw|read|got|received|noticed|spotted|encontrei|vi|li|recebi|achei) (?:this|these"
    r"|the following|isto"
    r"|isso|o seguinte)\b"
    r"|^\W*(?:according to|as per|quot(?:e|ing|ed)|excerpt|snippet|copied|pasted|verbatim|found|seen|taken|received"
    r"|(?:the |its |o |a )?(?:texts?|contents?|body|outputs?|results?|messages?|conteúdo|texto|saída|mensagem"
    r"|resultado) (?:of|from"
    r"|in|d[eoa])|encontrad[oa]|copiad[oa]|retirad[oa]|segundo|de acordo com|conforme|trecho"
    r"|citando|citação)\b[^;]*:?$"
    r"|\b(?:logs?|fixtures?|pages?|documents?|documentation|docs|readme|prompts?|templates?|messages?|e-?mails?"
    r"|outputs?"
    r"|responses?|contents?|texts?|transcripts?|comments?|issues?|saída|página|documentação|mensagem|conteúdo"
    r"|texto|resposta"
    r"|comentário)(?:\s+\w+){0,2}?\s+(?:is|was|are|were|é|era|foi|eram)\s*:?$"
    r"|^\W*(?:the |a |o |my |your )?(?:logs?|readme|output|response|result|tool (?:result|output|response)"
    r"|web ?page|saída"
    r"|resultado|resposta|página|documentação|documentation|user input|transcript)\s*:$"
)
_REPORTS: Final = re.compile(
    r"(?i)\b(?:I|we|it|he|she|they|assistant|model|agent|user|you)\b(?:['’]ve)?\s+(?:\w+\s+){0,2}?(?:executed|ran"
    r"|sent|called|made"
    r"|issued|used|did|performed|invoked|submitted|wrote|typed|emitted|run|done|tried)\s+(?:\w+\s+)?(?:this|these"
    r"|that|the"
    r" following|the call|the command|as follows)\b"
    r"|\b(?:already|earlier|previously|last time|yesterday|before that|a moment ago"
    r"|just now)\b[^.;]*\b(?:executed|ran|sent"
    r"|called|made|issued|used|did|performed|invoked|submitted|tried|run|done|was)\b"
    r"|\b(?:draft|previous|earlier|last|old|original|first) (?:\w+ )?(?:call|command|attempt|draft|try"
    r"|version)?\s*(?:was|were|had"
    r" been)\b|\b(?:was|were) (?:about|going|tempted) to\b|^\W*(?:this|that|these|it|isto|isso|esta|este) (?:was"
    r"|were|foi|era)\b|\bI (?:almost|nearly)\b|\bused to\b"
    r"|\b(?:já|antes|ontem|anteriormente|mais cedo|da última vez|há pouco)\b[^.;]*\b(?:execut|envi|rod|cham|us"
    r"|tent|mand|invoqu|fiz"
    r"|fez|apagu)\w*(?:ei|ou|amos|aram|iz|ez)?\b"
    r"|\b(?:executei|enviei|rodei|chamei|usei|mandei|invoquei|fiz|tentei)\s+(?:isto|isso|est[ea]|ess[ea]"
    r"|o seguinte|a seguinte|a"
    r" chamada|o comando)|\b(?:rascunho|tentativa|chamada anterior|comando anterior)\b.*\b(?:era|foi)\b"
    r"|\b(?:ia|estava prestes a|quase) (?:execut|envi|rod|cham|us|mand|faz)"
)
_EXAMPLE: Final = re.compile(
    r"(?i)\b(?:examples?|e\.g|for instance|such as|syntax|hypothetical\w*|illustrat\w+|suppose|imagine|pretend"
    r"|placeholder"
    r"|would look|looks? like|something like|might look|could look|in theory|sample|template"
    r"|exemplos?|sintaxe|hipotetic\w+|hipótese|suponha\w*|imagine|ilustra\w*|ficaria assim|seria assim|algo como"
    r"|digamos)\b"
    r"|\b(?:the|this|call|o|este|esse|expected|in that|required) (?:formato?)\b(?! (?:the|a|all|this) )"
    r"|\b(?:you|one|I|someone|it|we|he|she|they|assistant|model|would-be) (?:could|would|might)\b"
    r"|\b(?:você|alguém|eu|ele|ela|se) (?:poderia|faria|usaria|executaria|rodaria|enviaria|mandaria|chamaria"
    r"|pode usar)\b"
    r"|\b(?:could|would|might) (?:be|read|have)\b|\b(?:poderia|poderiam) ser\b|\b(?:ficaria|teria sido)\b"
    r"|^\W*(?:draft|proposal|proposed|suggest(?:ed|ion)|rascunho|proposta|sugestão)\b[^;.]*:$"
    r"|\bseria\s*:?$|\bse chama(?:ria)? assim\b"
)
_FORGIVES: Final = re.compile(
    r"(?i)\b(?:let me|let['’]s|I['’]?ll|I will|I shall|I am going to|I['’]m going to|gonna|I (?:now )?(?:need"
    r"|have to|must|want)"
    r"|so I|now I|then I|I now|time to|therefore I|hence I"
    r"|deixe-me|deixa eu|(?<!não )(?<!nunca )(?<!jamais )(?:vou|vamos|irei|preciso)|então (?:eu )?\w+o\b"
    r"|agora (?:eu )?\w+o\b)\b"
    r"(?! know\b| (?:won|can|don|wouldn|shouldn)['’]t| (?:will|would|can|do|should|must) ?not|,? (?:not|never"
    r"|refuse|decline|avoid|não|nunca|recusar|evitar)\b)"
    r"|(?:^|[.;,:–—]\s*|\b(?:so|then|and|e|então|now|agora)\s+)(?:just |only |now |agora |first |primeiro )?"
    r"(?:(?:re)?try|retry|runn|execut|check|read|search|look|list|creat|writ|edit|fix|open|do|us|add|call|send"
    r"|install|start"
    r"|go|mov|inspect|test|apply|delet|remov|updat|mak|fetch|grepp|build|verify)ing\b"
    r"|(?:^|[.;,:–—]\s*|\b(?:e|então|agora)\s+)(?:execut|rod|tent|list|verific|corrig|cri|abr|le|procur|busc|edit"
    r"|apag|instal|consult"
    r"|faz|us|envi|remov|reescrev|atualiz|chec|olh|test|busc)[aei]ndo\b"
    r"|\b(?:so|therefore|hence|then|então|portanto|por isso)\s*[,:]?\s*$"
    r"|[,;.]\s*(?:now|agora|next)\b"
)
_SHOWING: Final = re.compile(
    r"(?i)\b(?:show|give|illustrate|demonstrate|explain|describe|quote|suggest|sketch|mostrar|dar|ilustrar"
    r"|explicar|descrever"
    r"|citar|sugerir)\b.*\b(?:example|syntax|format|looks?|look like|how|what|call|exemplo|sintaxe|formato|como"
    r"|chamada)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)]*\s+|\n+")
_LONGEST: Final = 400
"""Characters before a call that are looked at."""


def not_meant(before: str) -> bool:
    """Whether the text right before a call says that the call is not to be executed."""
    paragraph = re.split(r"\n[ \t]*\n", before[-_LONGEST:].rstrip())[-1]
    sentences = [one.strip(" \t*_#>-") for one in _SENTENCE_END.split(paragraph)]
    sentences = [one for one in sentences if one]
    if not sentences:
        return False
    *earlier, last = sentences
    if _of_another(last) or _says_no(last, whole=True):
        return True
    for sentence in reversed([*earlier, last]):
        if _FORGIVES.search(sentence):
            return False
        if _says_no(sentence, whole=False):
            return True
    return False


def intends(text: str) -> bool:
    """Whether the last sentence of a text says what its writer does next."""
    last = [one for one in _SENTENCE_END.split(text[-_LONGEST:].strip()) if one.strip()][-1:]
    return bool(last) and _FORGIVES.search(last[0]) is not None and not not_meant(text)


def _says_no(sentence: str, *, whole: bool) -> bool:
    """A refusal, a question, a condition; of a sentence before the last (not `whole`) only where it means the call."""
    if _DEPENDS.search(sentence) or _asks(sentence):
        return True
    refusal = _last(_REFUSES, sentence)
    if refusal is None or (not whole and not _THIS.search(sentence)):
        return False
    return _FORGIVES.search(sentence, refusal.end()) is None


def _asks(sentence: str) -> bool:
    if not sentence.endswith("?"):
        return sentence.endswith(":") and _ASKS.match(sentence) is not None
    asked = _ASKS.match(sentence) is not None or _TO_A_PERSON.search(sentence) is not None
    return asked and _WONDERS.match(sentence) is None


def _of_another(sentence: str) -> bool:
    """Words of somebody else, a report, an example: of a sentence that leads into what follows it."""
    if sentence.endswith((".", "!", "?", "…")):
        return False
    if _SHOWING.search(sentence):
        return True
    found = [match for kind in (_QUOTES, _REPORTS, _EXAMPLE) if (match := _last(kind, " " + sentence))]
    if not found:
        return False
    begin = max(match.start() for match in found)
    return not any(match.end() > begin or _plain(sentence, match) for match in _FORGIVES.finditer(" " + sentence))


def _plain(sentence: str, intent: re.Match[str]) -> bool:
    """Whether what is intended comes first, as in `Let me read the example:`."""
    return not sentence[: max(0, intent.start() - 1)].strip()


def _last(kind: re.Pattern[str], text: str) -> re.Match[str] | None:
    return max(kind.finditer(text), key=lambda found: found.start(), default=None)
