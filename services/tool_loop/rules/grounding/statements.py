"""The parts of a final text that state something, apart from what it denies, proposes, supposes or asks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..language import language_of
from .managed import as_done

_MOST_CHARS: Final = 20_000
"""Of a longer text the rest is not looked at."""
_FENCE: Final = re.compile(r"^(```|~~~)[^\n]*\n(.*?)(^\1[^\n]*|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_URL: Final = re.compile(
    r"(?<![\w+.-])[a-z][a-z0-9+.-]{0,20}://\S+|\bwww\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w+", re.IGNORECASE
)
_SENTENCE: Final = re.compile(r"(?<=[.!?;:])\s+|\n+")
_GOES_ON: Final = re.compile(r"[;:]$")
_ENGLISH_NO: Final = re.compile(r"\bno\b", re.IGNORECASE)
"""A denial in English; in Portuguese it says where something is."""
_NO_STATEMENT: Final = re.compile(
    r"\b(not|never|without|cannot|none|neither|nor|missing|absent|lacks?|unable|could|should|would|might|suggest\w*"
    r"|recommend\w*|consider|you (can|may|need|want)|if|next steps?|optional(ly)?|for example|e\.g|such as"
    r"|thought (about|of)|considered|decided against|opted against|pensei em|cogitei|descartei"
    r"|instead of|(?-i:TODO)|whether|nothing"
    r"|asked (me )?(about|whether|if)|(user|you|issue|task|goal|request) mention\w*"
    r"|não|nao|nunca|nem|nenhum|nenhuma|sem|inexistente|falta|faltam|poderia|deveria|seria|pode|podem|sugiro"
    r"|sugest\w+|nada|perguntou|perguntaram|pergunta sobre|mencion\w+"
    r"|recomend\w+|considere|próximos? passos?|opcional\w*|por exemplo|em vez de)\b|n['’]t\b|\?\s*$"
    r"|(^\W*|[,(]\s*|\b(e|mas|ou|só|mesmo)\s+)(se|caso)\b"
    r"|\b(se|caso) (quiser|precisar|desejar|preferir|houver|for|fosse|necessário|queira|precise|deseje"
    r"|prefira|haja|seja)\b",
    re.IGNORECASE,
)
_FAULT: Final = r"(erros?|problemas?|avisos?|falhas?|bugs?|pendências?)"
_AFFIRMED: Final = re.compile(
    r"\b(did|do|does|have|has|had|will)(n['’]t| not) (forget|forgot|forgotten|fail|failed|neglect|omit|skip|miss)\w*\b"
    r"|\bnot only\b( did| do| does| have)?|\bdo(n['’]t| not) worry\b|\bwithout forgetting\b"
    r"|\bno (more )?(problems?|errors?|issues?|bugs?|warnings?|failures?|regressions?|defects?|conflicts?)\b"
    r"|\bas (it|this|that|they|these|those|one|you|he|she|everything) (should|would|must)( be| have| do)?"
    r"(?= (and|now|again)\b|\W*$)|\bas (i|we|you|one) (would|might) expect\b"
    r"|\bcomo (deve(ria)?m?|se esperaria)( ser| funcionar)?(?= e\b|\W*$)"
    r"|\b(should|would) (arrive|appear|reach|show up|be (with you|in your|on your|back|visible)|take (up to"
    r"|about|\d))\b"
    r"|\bno longer\b|\bwithout (any )?(more )?(problems?|errors?|issues?|warnings?|failures?)\b"
    r"|\bif you (now )?(look|open|check|inspect|run|import|call|go|see|view|read)\b"
    r"|\byou (can|may) (now )?(also )?(find|see|review|inspect|check|verify|look)\b"
    r"|\byou (can|may) now\b|\b(nothing|none|no tests?) (failed|fails|broke|breaks)\b"
    r"|\b(?:não|nao) (me |nos )?(esqueci|esquecemos|deixei|deixamos|faltou)( de)?\b|\bsem esquecer\b"
    rf"|\b(nenhum|nenhuma|sem|há|não há) {_FAULT}\b|\bnão (só|apenas)\b|\b(?:não|nao) se preocupe\b"
    r"|\b(?:não|nao) [\wçãõáéíóúâêô]+ mais\b"
    r"|\b(se|caso) você (abrir|olhar|rodar|executar|importar|conferir|abra|olhe|rode|veja|verificar)\b"
    r"|\bvocê (já )?pode (agora )?(ver|conferir|encontrar|revisar|verificar|checar)\b|\b(agora|já) (você )?pode\b"
    r"|\bnada (falhou|quebrou)\b|\b(?:and nothing else|e nada mais|and no(?:thing| one)? other)\b(?=\W*$)",
    re.IGNORECASE,
)
"""What looks like a denial or a supposition, and states that something is so."""
_EXISTENCE: Final = re.compile(
    r"\b(exist\w*|existe\w*|missing|absent|ausente)\b|(\bnot|n['’]t|\bno longer) (found|there|present|defined)\b",
    re.IGNORECASE,
)
"""What speaks of whether something is there: its denial is one."""
_VERIFIED: Final = re.compile(
    r"^\W*(i|we)?( have|['’]ve| also)* ?(verified|confirmed|checked|ensured|made sure) that\b"
    r"|^\W*(verifiquei|confirmei|conferi|testei|garanti)( também)? que\b",
    re.IGNORECASE,
)
_LEFT_OUT: Final = re.compile(
    r"\b(?:no|not|nothing|none|never|any|other|nenhum\w*|nada|não|nem|outr[oa]s?)\b.{0,80}?"
    r"\b(?:touched|changed|modified|edited|altered|written|created|added|removed|updated|tocad\w+|alterad\w+|modificad\w+"
    r"|mudad\w+|editad\w+|criad\w+|touch|change|edit|modify|alterei|mexi|mudei|toquei|editei|criei|modifiquei)\b.{0,40}?"
    r"\b(?:except(?: for| in)?|apart from|other than|save for|but for|exceto|salvo|a não ser|fora|além d[eo])\b(.+)",
    re.IGNORECASE,
)
"""A denial of changes, and what it excepts: that was changed."""
_NOT_TRUE: Final = re.compile(
    r"\b(?:it is|it['’]s|it was)? ?(?:not true|untrue|false|wrong|not the case)(?: to say)? that"
    r"(?=[^.;:]*?\b(?:left\b.*?\balone|left out|skipped|ignored|omitted|forgot|untouched|unchanged))"
    r"|\b(?:not true|untrue|false|not the case) that (?:i|we) (?:did not|didn['’]t|never|have not|haven['’]t)\b"
    r"|\b(?:não é|é falso|nem é) ?(?:verdade )?que (?:eu )?(?:não|nunca)\b"
    r"|\bnão é verdade que(?=[^.;:]*?\b(?:deixei|esqueci|ignorei|intact[oa]|de lado))",
    re.IGNORECASE,
)
"""A denial of a denial."""
_HEADS_PROPOSALS: Final = re.compile(
    r"\b(next steps?|follow-?ups?|suggestions?|recommendations?|ideas?|to-?dos?|próximos? passos?|sugest(ão|ões)"
    r"|recomendaç(ão|ões)|pendências?)\b[^.!?]*:\W*$",
    re.IGNORECASE,
)
_LIST_ITEM: Final = re.compile(r"\s*([-*•+]|\d+[.)])\s")
_LOOKS_BACK: Final = re.compile(
    r"\b(nothing|no|none)\b.{0,40}\b(that|such|this|these|those|it|them)\b"
    r"|^\W*((it|this|that|they|these|those|which|both)\b.{0,20}?\b(does|do|did|is|are|was|were))?( not|not|n['’]t)"
    r" (exist|there|here|found|present|defined)\b"
    r"|^\W*(el[ea]s? |isso )?não (existe|existem|há|está|estão|foi encontrad|foram encontrad)"
    r"|\bnada\b.{0,40}\b(esse|essa|disso|isso|tal)\b",
    re.IGNORECASE,
)
"""What denies the clause before it."""
_CLAUSE: Final = re.compile(
    r"[,;:()—–]\s*|\s+(?=(?:so|if|in case|should you|which|whether|because|since|unless|when|but"
    r"|and (?:it|this|that|they|everything|all|you)"
    r"|instead of|rather than|without|caso|se|para que|que|porque|pois|já que|quando|mas|em vez de|sem|so that)\b)",
    re.IGNORECASE,
)
_REPORTS: Final = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|too|e|mas|então|também|depois|aqui|hence|therefore)\s+)*"
    r"(?:(?:i|we)(?:['’]ve| have| also| just| then| now| had)*\s+"
    r"(?:\w+ed|wrote|written|made|ran|put|built|split|left|rewrote|set|gave|took|cut)\b"
    r"|(?:created|added|updated|fixed|wrote|moved|renamed|removed|implemented|refactored|documented|changed|extended)\b"
    r"|(?:eu\s+|já\s+|também\s+)*(?:criei|escrevi|reescrevi|adicionei|acrescentei|atualizei|corrigi|movi|renomeei"
    r"|removi|implementei|refatorei|documentei|alterei|mudei|troquei|incluí|ajustei|editei|estendi|extraí|dividi|rodei"
    r"|testei|verifiquei|registrei|gerei|migrei|substituí|modifiquei)\b"
    r"|(?:but|mas)\s+(?:rather\s+|sim\s+)?(?:in|em|no|na)\b"
    r"|(?:criamos|escrevemos|adicionamos|atualizamos|corrigimos|movemos|implementamos)\b)",
    re.IGNORECASE,
)
"""How a clause begins that tells what was done, whatever the rest of its sentence denies."""
_SUPPOSES: Final = re.compile(r"\b(if|would|could|should|might|se|caso|poderia|deveria|seria)\b", re.IGNORECASE)
_WAS_CHANGED: Final = re.compile(
    r"\b(was|were|(has|have) been|is now|are now) (\w+ly )?\w+(ed|tten|wn)\b|\b(foi|foram) \w+(ad|íd|id)[oa]s?\b",
    re.IGNORECASE,
)
_LOOKED_FOR: Final = re.compile(
    r"\b(looked for|searched|tried|considered|wanted|planned|needed|expected|assumed|wondered|procurei|tentei"
    r"|considerei)\b",
    re.IGNORECASE,
)
_HEADS_FILES: Final = re.compile(
    r"\b(files?|changes?|changed|created|modified|diff|summary|arquivos?|alteraç(ão|ões)|mudanças?|alterados?|criados?)\b"
    r"[^.!?\n]*:\W*$",
    re.IGNORECASE,
)
_STAT: Final = re.compile(r"\s*(\S+)\s+\|\s+(?:\d+|Bin)\b.*|(?:\+\+\+|---) [ab]/(\S+).*|\s?[MADRC?]{1,2}\s+(\S+)\s*")
_PATH_LINE: Final = re.compile(r"[\s│├└─|`+*-]*([\w./@-]+\.\w+)\b.*")


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a text with its quoted names, and without them; what affirms by a denial reads `now` there."""

    text: str
    bare: str


def statements(text: str) -> Iterator[Statement]:
    """The statements of a text in their order, of a long one those of its beginning."""
    text = text[:_MOST_CHARS]
    prose = _URL.sub(" ", _FENCE.sub(_shown, text))
    sentences = _SENTENCE.split(prose)
    portuguese = language_of(text) == "pt"
    proposed = headed = False
    for sentence, after in zip(sentences, (*sentences[1:], ""), strict=True):
        proposed = headed or (proposed and _LIST_ITEM.match(sentence) is not None)
        headed = _HEADS_PROPOSALS.search(sentence) is not None
        if proposed or (_GOES_ON.search(sentence) and _denies(after)):
            continue
        bare = _bare(sentence)
        if not _denied(bare, portuguese):
            yield Statement(sentence, bare)
            continue
        if excepted := _LEFT_OUT.search(sentence):
            yield Statement(f"changed {excepted[1]}", f"changed {_QUOTED.sub(' ', excepted[1])}")
        supposes = _SUPPOSES.search(bare) is not None
        for clause in _clauses(sentence):
            bare = _bare(clause)
            told = _REPORTS.match(bare) or (not supposes and _WAS_CHANGED.search(bare))
            if told and not _denied(bare, portuguese) and not _LOOKED_FOR.search(bare):
                yield Statement(clause, bare)


def _bare(text: str) -> str:
    bare = as_done(_NOT_TRUE.sub(" now ", _QUOTED.sub(" ", text)))
    if _EXISTENCE.search(bare):
        return bare
    return re.sub(r"\b(not|não)\b|n['’]t\b", " ", bare) if _VERIFIED.search(bare) else _AFFIRMED.sub(" now ", bare)


def _denied(bare: str, portuguese: bool) -> bool:
    return bool(_NO_STATEMENT.search(bare) or (not portuguese and _ENGLISH_NO.search(bare)))


def _clauses(sentence: str) -> Iterator[str]:
    """The clauses of a sentence; what stands in backticks is never cut."""
    masked = _QUOTED.sub(lambda found: "x" * len(found[0]), sentence)
    start = 0
    for found in _CLAUSE.finditer(masked):
        yield sentence[start : found.start()]
        start = found.end()
    yield sentence[start:]


def _denies(clause: str) -> bool:
    """Whether a clause denies what the one before it named, and names nothing else."""
    return not _QUOTED.search(clause) and _LOOKS_BACK.search(clause) is not None


def _shown(fence: re.Match[str]) -> str:
    """What a block of code states: the files of a list of changes; any other block shows how something is used."""
    before = fence.string[: fence.start()].rstrip().rpartition("\n")[2]
    lists = _HEADS_FILES.search(before) is not None
    paths: list[str] = []
    for line in fence[2].splitlines():
        found = _STAT.fullmatch(line) or (_PATH_LINE.fullmatch(line) if lists else None)
        paths += filter(None, found.groups()) if found else ()
    return "\n" + "\n".join(f"- changed `{path}`" for path in paths) + "\n"
