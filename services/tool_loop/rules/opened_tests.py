"""Whether a goal asks for the tests themselves to be changed, whichever they are.

They are the object of a verb that changes (`update the tests`), a place in it (`rename add, also in the tests`), or the
subject of what is to be done (`the tests need to be adapted`). To mend or improve tests that fail is no such: that may
be done in the code they test.
"""

import re
from collections.abc import Sequence
from typing import Final

from .asking_verbs import class_of, is_asked_of_reader, is_participle, sentences_of
from .promises.phrases import vocabulary

_WORDS_ON: Final = 60
"""Words after a verb among which its object stands."""
_KIND: Final = (
    r"suites?|cases?|files?|data|fixtures?|expectations?|helpers?|modules?|class(?:es)?|code|functions?|names?|methods?"
    r"|assertions?|docstrings?|snapshots?|folders?|director(?:y|ies)"
)
_MANY: Final = (
    rf"(?:tests|specs|snapshots|testes|test[- ](?:{_KIND})|spec files?|golden files?|goldens|expectations|assertions"
    r"|fixtures|asserções|expectativas|su[ií]te de testes|(?:arquivos?|casos?|funções|módulos?) de testes?)"
)
_ONE: Final = r"(?:test|spec|snapshot|expectation|assertion|teste|asserção|expectativa)"
_FOLLOWS: Final = (
    r"(?= [,.()–—-]|$| (?:to|for|with|in|of|from|by|so|that|which|too|also|accordingly|as|using|into|under|and|or|now"
    r"|everywhere|suit|included|instead|first|afterwards|back|again|one|test_\w+|match|de|d[oa]s?|del[ea]s?|para|com|em"
    r"|n[oa]s?|por|também|conforme|e|que|inclusive|à|às|aos?|num|numa|anew|correspondingly|until|because|without|on"
    r"|temporarily|temporariamente|provisoriamente|permanently|entirely|completely|altogether"
    r"|only (?:on|in|for|under)|apenas (?:em|n[oa])|só (?:em|n[oa])|slow|skipped|flaky|xfail)\b)"
)
_NOT_DOING: Final = (
    r"(?! (?:must|should|shall|have|need|still|stays?|keep|will|can|are|is|pass(?:es|ing)?|runs?|exist|say|show|tell"
    r"|demand|expect|want|devem|deve|precisam|vão|passam|passem|passarem|rodam|continuam|ficam|pedem|again pass)\b)"
)
_FOLDER: Final = r"(?:[\w.-]+/)*(?:tests?|__tests__|specs?)/(?= |$)(?! (?:folder|directory|dir)'s)"
_TEST: Final = rf"(?:{_MANY}(?![\w'/-]|\.\w){_NOT_DOING}|{_ONE}{_FOLLOWS}|{_FOLDER})"
_STOPS: Final = (
    r"(?:not|no|nothing|and|or|but|in|of|from|to|into|with|for|by|on|about|under|that|which|who|what|how|so|until|as|if"
    r"|when|while|because|using|without|run|rerun|keep|leave|make|ensure|verify|check|see|let|have|get|pass|write|add"
    r"|create|ran|do|than|não|nem|e|ou|mas|em|n[oa]s?|d[oa]s?|de|para|com|por|sobre|sob|que|até|porque|sem|se|quando"
    r"|rode|mantenha|deixe|execute|veja|garanta|confira|faça|escreva|crie|conforme|como|never|nunca|rather|[,.()–—-])"
)
_WORD: Final = rf"(?!{_STOPS} )\S+ "
_BREAK: Final = re.compile(
    r" (?:so|that|until|because|by|without|if|when|while|where|what|which|why|how|but|not|never|rather|instead|under"
    r"|about|on|found|reported|shown|seen|listed|covered|required|demanded|run|rerun|make|keep|leave"
    r"|que|até|porque|sem|se|quando|mas|não|nunca|nem|sobre|sob|rode|rodar|faça|fazer|conforme"
    r"|mantenha|deixe) "
)
_LOST_HEAD: Final = (
    r"(?:nothing|none|nada|results?|status|documentation|docs|badge|section|failures?|report|command|output|bugs?|errors?|reason|runner"
    r"|framework|number|count|documentação|resultados?|seção|saída|relatório|falhas?|erros?|comando)"
)
_WITHIN: Final = r"(?:in|within|inside|throughout|across|of|from|to|into|em todos|em|n[oa]s?|d[oa]s?|de|aos?|por)"
_DIRECT: Final = re.compile(rf"(?:{_WORD}){{0,6}}{_TEST}")
_DIRECT_KIND: Final = re.compile(rf"(?:{_WORD}){{0,5}}(?:source |code |código )?(?:and|e) {_TEST}")
_PLACE: Final = re.compile(
    rf"(?<!\S)(?!{_LOST_HEAD} )\S+ (?!de teste\b){_WITHIN} (?:{_WORD}){{0,4}}(?:(?:and|e) (?:{_WORD}){{0,3}})?{_TEST}"
)
_BESIDE: Final = re.compile(
    rf" (?:and|e|,|including|incluindo|inclusive|também)(?: also| in| nos| os| the)? (?:{_WORD}){{0,3}}{_TEST}"
)
_TOO: Final = re.compile(
    rf"{_MANY} (?:included|too|as well|also|inclusive|incluídos|incluso|também)\b"
    rf"|\b(?:including|inclusive|also|incluindo|também|even)(?: in| of| nos?| os| dos)?"
    rf" (?:the |its |all )*{_MANY}{_NOT_DOING}"
)
_WRONG: Final = (
    r"(?:wrong|incorrect|mistaken|outdated|stale|obsolete|bad|misspelt|misspelled|typos?|old|errad[oa]s?|incorret[oa]s?"
    r"|desatualizad[oa]s?|obsolet[oa]s?|antig[oa]s?|namedwrong)"
)
_BY_ITS_FILE: Final = "the namedwrong test"
"""Instead of the name of a file of tests: to mend that is to mend the tests, and it is said to be wrong by none."""
_NEW_TEST: Final = re.compile(rf"(?:{_WORD}){{0,4}}(?:tests?|cases?|testes?|casos?)\b")
"""What is added to tests weakens none."""
_MENDED: Final = (
    re.compile(rf"(?:{_WORD}){{0,3}}{_WRONG} (?:{_WORD}){{0,2}}{_TEST}|(?:{_WORD}){{0,3}}{_TEST} {_WRONG}\b"),
    re.compile(
        rf"(?:{_WORD}){{0,3}}{_TEST} (?:to (?:expect|match|use|reflect|fit|follow|accept)|accordingly"
        r"|that (?:will )?break"
        r"|broken by|que quebr|para (?:esperar|usar|refletir|aceitar))"
    ),
    re.compile(rf"(?:{_WORD}){{0,3}}(?:expectations|assertions|expectativas|asserções)\b"),
    re.compile(
        rf"(?:{_WORD}){{0,3}}(?:imports?|typos?|expectations?|assertions?|names?|values?|mistakes?|expectativas?|valores"
        rf"|asserções|nomes?) {_WITHIN} (?:{_WORD}){{0,3}}{_TEST}"
    ),
)
_USING: Final = (
    r"(?:to )?(?:use|expect|accept|assert|share|import|call|take|tolerate|ignore|wait|usar(?:em)?|esperar(?:em)?"
    r"|aceitar(?:em)?|chamar(?:em)?|importar(?:em)?)"
)
_QUALITY: Final = (
    r"(?:more|less|mais|menos|faster|quicker|shorter|simpler|smaller|clearer|cleaner|deterministic|independent|readable"
    r"|robust|stable|parallel|table-driven|async|independentes?|determinísticos?|tolerantes?|tolerant|lenient|looser"
    r"|strict|stricter|verbose|quiet|quieter|parametri[sz]ed|skippable|hermetic|self-contained|rigoros[oa]s?)"
)
_CAUSED: Final = re.compile(
    rf"(?:{_WORD}){{0,4}}(?:{_MANY}|{_ONE}) (?:{_USING}|{_QUALITY}"
    r"|(?:back )?(?:in|into|up|em|ao|a) (?:line|sync|step|date|to|dia"
    r"|sincronia|linha|par)|em sincronia|para (?:o )?(?:pytest|jest|vitest|unittest|mocha|a))\b"
)
_HAVE_DONE: Final = re.compile(rf"(?:{_WORD}){{0,4}}(?:{_MANY}|{_ONE}) (\S+)")
_SUBJECT: Final = re.compile(
    rf"(?:^|, |\b(?:and|e|so|then) )(?:(?:the|all|our|its|their|these|those|some|also"
    rf"|corresponding|existing|os|as|o|todos"
    rf"|seus|nossos|unit|também) )*(?:{_MANY}|{_ONE})(?: (?:of|for|de|d[oa]s?|in) \S+(?: \S+)?)?"
    r" (?:(?:also|then|therefore|também|will"
    r"|então) )*(?:must|should|shall|needs?|has|have|are|is|ought|can|may|requires?"
    r"|deveriam?|devem?|precisam?|têm|tem|terão|podem?)\b"
    r"((?: (?:to|also|then|all|therefore|accordingly|be|have|need"
    r"|de|que|ser|também|então|an?|now|todos|some|uma?))* )(\S+)"
)
_WANTED: Final = re.compile(
    rf"(?:^|, )(?:(?:eu )?(?:quero|gostaria|preciso|prefiro) que (?:(?:the|o|os|todos) )*(?:{_MANY}|{_ONE})"
    r"(?: de \S+)? sejam?"
    rf"|(?:i|we) (?:want|need|would like) (?:(?:the|all) )*(?:{_MANY}|{_ONE})(?: (?:of|for) \S+)?(?: to be)?) (\S+)"
)
_TOLERANT: Final = vocabulary("tolerate tolerant lenient tolerar tolerante tolerantes")
"""What is asked of tests can be asked of none but them."""
_NEEDED: Final = vocabulary(
    """
    adapting adjusting aligning changing rewriting updating revising migrating update rewrite adjustment adjustments
    change changes adapt follow move revision atualização ajuste ajustes revisão mudar acompanhar
    """
)
_MAY_MEND: Final = vocabulary("correct amend acerte acertar")
"""With a pronoun they may mean the code: `test_add fails; correct it`."""
_PUTTING: Final = vocabulary("put place wrap gather collect ponha pôr coloque colocar envolva reúna reunir")
_INTO_A_GROUP: Final = re.compile(
    rf"(?:^| )(?:put|place|wrap|gather|collect|ponha|pôr|coloque|colocar|envolva|reúna|reunir)"
    rf" (?:(?:the|all|our|existing|os|todos|nossos) )*{_MANY}"
    rf"(?: (?:in|of|from|de|d[oa]|em|n[oa]) (?:(?:the|o|a) )?[\w./-]+)+"
    r" (?:into|inside|in|em|num|numa|dentro de)(?: (?:an?|one|the|uma?|single|common|test|única?))*"
    r" (?:class|classe|describe|module|módulo|group|grupo)\b"
)
"""Tests that are there: those that are to be written are of no file yet."""

_THEM: Final = re.compile(
    r"(?:(?:them|it|eles?)(?= |$)"
    r"|(?:these|those|all|this|-?(?:os|as|los|las|o|a|lo|la))"
    r"(?=$| [,()–—-]| (?:to|so|and|or|for|with|in|by|as|too|also|accordingly|now|instead|them|first"
    r"|e|ou|para|conforme|também|com"
    r"|em|agora|então|de acordo)\b))"
)
"""A pronoun, and no article: `corrija o teste` and `remova o duplicado` are of what follows."""
_MANY_OF_THEM: Final = re.compile(r"them|these|those|all|eles|os|as|los|las")
_EXPECTING: Final = re.compile(rf"\b(?:(?!namedwrong){_WRONG}|expects?|esperam?|assume|desatualizad\w+)\b")

_COMPUTED: Final = (
    r"(?:gets?|got|gives?|gave|receives?|returns?|computes?|prints?|yields?|produces?|fails?|result|output|actual"
    r"|outcome|code|recebe|devolve|retorna|obtém|obteve|calcula|imprime|vem|falha|resultado|saída|código)"
)
"""Words on what the code does: where a test expects something else, it may be right."""
_SAID_TO_EXPECT_WRONGLY: Final = re.compile(
    rf"\b(?:{_MANY}|{_ONE})(?: test_\w+)? (?:(?:wrongly|incorrectly) (?:expects?|asserts?)"
    r"|(?:espera|exige) erradamente)\b"
    rf"|\b(?:{_MANY}|{_ONE})(?: test_\w+)? (?:still )?(?:expects?|asserts?|wants?|requires?|espera|exige|quer)"
    rf" (?:(?!{_COMPUTED} )\S+ ){{1,8}}?(?:but|though|although|while|whereas|mas|porém|embora)"
    rf"(?: (?!{_COMPUTED}(?: |$))\S+){{0,16}}? (?:is|are|should|must|ought|é|são|deve|deveria|devia)\b"
    rf"(?!(?: \S+){{0,16}} {_COMPUTED}(?: |$))"
)
"""`expects 190 but 10% off 200 is 180`."""
_SAID_WRONG: Final = re.compile(
    rf"\b(?:{_MANY}|{_ONE})(?: (?:of|for|in|de|d[oa]s?|em|n[oa]s?|the|wrong|namedwrong|test|test_\w+))*"
    rf" (?:is|are|was|were|está|estão|é|são) (?:(?:now|simply|plainly|just|agora|simplesmente) )?{_WRONG}\b"
)
_HAS_A_MISTAKE: Final = re.compile(
    rf"\b(?:{_MANY}|{_ONE})(?: (?:of|for|in|de|d[oa]s?|em|n[oa]s?|the|test_\w+|[\w/]+\.\w+))*"
    r" (?:has|have|contains?|tem|têm|contém|contêm) (?:(?:an?|some|the|um|uma|uns) )?(?:(?:small|little|pequeno) )?"
    r"(?:typos?|mistakes?|wrong|incorrect|enganos?|erros? de digitação|valor(?:es)? errad[oa]s?)\b"
    rf"|\b(?:mistakes?|typos?|enganos?) (?:in|em|n[oa]s?|d[oa]s?) (?:(?:the|o|os) )*(?:{_MANY}|{_ONE})\b"
    rf"|\berro em (?:(?:the|o) )*{_ONE} \( (?:espera|expects)\b"
)
_PERMISSION: Final = re.compile(
    r"\b(?:if|when|once|unless|until|after|se|quando|caso|assim que|depois que|até que)"
    r" (?:(?:i|we|eu|nós)(?: (?:explicitly|expressly|first|so|have|expressamente|explicitamente|o|a|os|lhe|te))*"
    r" (?:ask|say|tell|request|approve|allow|agree|confirm|permit|authori[sz]e|order|instruct|said|told"
    r"|pedi|peç|peco|diss|dig|mand|autori|aprov|permit|concord|confirm|solicit|orden)\w*"
    r"|(?:you are |you're |explicitly |expressly )?(?:asked|told|requested|instructed)(?: to do so| to| by me)?$"
    r"|(?:for )?(?:pedido|solicitado|autorizado|mandado)$)"
    r"|\b(?:com|with|without|sem|after|upon|após) (?:a |o )?(?:my|our|minha|nossa|meu|nosso) "
    r"(?:permission|approval|consent|go-ahead|autorização|permissão|aprovação|consentimento|aval)\b"
)
"""What ties all that a sentence asks to the leave of who asks."""
_ANOTHER_TIME: Final = re.compile(
    r"(?: \S+)?? (?:later|afterwards|tomorrow|some day|another day|next \w+|mais tarde|amanhã|futuramente|outro dia)\b"
    r"| by (?:me|us|him|her|them|others|somebody|someone|another|the \w+ team)\b"
    r"| por (?:mim|nós|el[ea]s?|outr[oa]s?|outra pessoa|alguém)\b"
)
_DENIED: Final = re.compile(
    r"[^.;:!?\n]*\?\s*(?:no|não|nope|never|nunca|negative|negativo)\s*(?=[.!,;\n]|$)", re.IGNORECASE
)
_THE_TEST: Final = re.compile(
    rf"(?:the|this|that|these|those|o|os|este|esse|estes|esses) (?:(?:named)?wrong )?(?:{_MANY}|{_ONE})(?: |$)"
)
_MUST_EXPECT: Final = re.compile(
    r"(?:^|[.;!?\n] *|\bplease |\bfavor |, )(?:fix|mend|correct|repair|corrija|conserte|arrume)"
    r" (?:(?:the|this|o|este|wrong|namedwrong|teste|test) )*test ?[:,(–-]+ ?(?:(?:it|ele|which|que) )?"
    r"(?:must|should|has to|needs to|deve|deveria|precisa|tem de|tem que) (?:expect|assert|require|esperar|exigir)\b"
)
"""A test that is to be mended, with what it must expect."""


def asks_to_change_tests(goal: str) -> bool:
    """Whether the tests are, or belong to, what a goal in English or Portuguese asks to change."""
    said = sentences_of(_DENIED.sub("", goal))
    return any(
        _of_sentence(sentence, " ".join(" ".join(one) for one in said[max(0, place - 2) : place]))
        for place, sentence in enumerate(said)
    )


def asks_to_change_test(goal: str, name: str) -> bool:
    """Whether a goal asks for a change of one test, or file of tests, by its name."""
    instead = _BY_ITS_FILE if "." in name else "the test"
    named = rf"(?:\bteste\s{{1,4}})?(?<![\w.-])(?:[\w.-]+/)*{re.escape(name)}(?:\(\))?(?![\w-]|\.\w|/)"
    plain = re.sub(named, f" {instead} ", goal)
    said = " ".join(plain.lower().split())
    return plain != goal and (asks_to_change_tests(plain) or _MUST_EXPECT.search(said) is not None)


def _of_sentence(words: Sequence[str], before: str) -> bool:
    text = " ".join(words)
    if _PERMISSION.search(text):
        return False
    if _INTO_A_GROUP.search(text) and any(
        word in _PUTTING and is_asked_of_reader(words, place) for place, word in enumerate(words)
    ):
        return True
    needed = [one for one in _SUBJECT.finditer(text) if _is_to_be_done(one[1], one[2])]
    if any(_ANOTHER_TIME.match(text, one.end()) is None for one in needed):
        return True
    if (wanted := _WANTED.search(text)) is not None and is_participle(wanted[1]):
        return True
    for place, word in enumerate(words):
        kind = class_of(word)
        if kind is None or not is_asked_of_reader(words, place):
            continue
        following = " ".join(words[place + 1 : place + 1 + _WORDS_ON])
        match kind:
            case "changing":
                said = before or _prior(words, place)
                mended = word not in _MAY_MEND or _EXPECTING.search(said) is not None or _is_said_wrong(said)
                found = _is_changed(following) or (mended and _is_them(word, following, said))
            case "mending":
                found = (
                    any(one.match(following) for one in _MENDED)
                    or (_EXPECTING.search(before) is not None and _is_them(word, following, before))
                    or (_is_said_wrong(before) and _THE_TEST.match(following) is not None)
                )
            case "adding" if _NEW_TEST.match(following):
                found = False
            case "adding":
                found = _TOO.search(following) is not None or _PLACE.search(_cut(following)) is not None
            case "causing":
                done = _HAVE_DONE.match(following)
                found = _CAUSED.match(following) is not None or (done is not None and is_participle(done[1]))
        if found:
            return True
    return False


def _is_said_wrong(before: str) -> bool:
    return any(one.search(before) for one in (_SAID_WRONG, _HAS_A_MISTAKE, _SAID_TO_EXPECT_WRONGLY))


def _prior(words: Sequence[str], place: int) -> str:
    """What the sentence says before the comma ahead of a verb."""
    commas = [at for at in range(place) if words[at] == ","]
    return " ".join(words[: commas[-1]]) if commas else ""


def _cut(following: str) -> str:
    return _BREAK.split(f"{following} ", maxsplit=1)[0].strip()


def _is_changed(following: str) -> bool:
    if _DIRECT.match(following) or _DIRECT_KIND.match(following) or _TOO.search(following):
        return True
    cut = _cut(following)
    return _PLACE.search(cut) is not None or _BESIDE.search(f" {cut}") is not None


def _is_them(verb: str, following: str, before: str) -> bool:
    """Whether a pronoun after a verb stands for the tests of what was said before."""
    pronoun = _THEM.match(verb.rpartition("-")[2] if "-" in verb else following)
    if pronoun is None:
        return False
    many = _MANY_OF_THEM.fullmatch(pronoun[0].strip("-")) is not None
    return re.search(rf"\b{_MANY if many else _ONE}\b", before) is not None


def _is_to_be_done(between: str, word: str) -> bool:
    passive = re.search(r"\b(?:be|ser)\b", between) is not None
    return (passive and is_participle(word)) or word in _NEEDED or word in _TOLERANT
