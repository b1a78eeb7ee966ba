"""What a final text says was tried out: run, called, opened, timed or confirmed by doing, where nothing was run."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from .claimed_outcomes import affirmed
from .shown_outcomes import Ran, acts, only_looks
from .statements import statements

_I: Final = (
    r"(?:\b(?:i|we)(?: have|['’]ve| also| then| just| even| already| manually| locally)*[ -]|^\W*(?:then |also )?)"
)
_WORKS: Final = (
    r"(?:work|run|pass|answer|render|respond|compile|build|start|load|behave|boot|open|return|display|print|succeed)"
    r"(?:s|ed)"
)
_SOBE: Final = (
    r"(?:sobe|inicia|compila|roda|executa|carrega|abre|termina|funciona|subiu|iniciou|compilou|rodou|executou)"
)
_TRIED: Final = re.compile(
    rf"{_I}(?:re-?)?(?:tested|stress-tested|load-tested|smoke-tested|fuzzed|benchmarked|profiled|timed|executed"
    rf"|reproduced) "
    r"(?!whether|ideas?|the idea)\w"
    rf"|{_I}(?:re-?ran|re-?run|ran) (?!into\b|out\b|across\b|through\b|a search|a grep|grep|git\b|ls\b|on\b)\w"
    rf"|{_I}tried (?:it|this|that|the \w+) (?:out|in|on|with|against|locally)\b"
    rf"|{_I}(?:verified|confirmed|checked|double-checked|validated|ensured|made sure)\b[^.;]{{0,60}}?"
    rf"(?:\blocally\b|\bin (?:a|the) (?:real )?(?:browser|terminal|shell|console)\b|\bby (?:running|executing"
    rf"|calling|starting)"
    rf"|\bmanually\b|\b(?:it|everything|server|page|app|application|endpoint|script"
    rf"|command|code|fix"
    rf"|change|feature|program|query)\b(?: \w+)? {_WORKS}\b)"
    r"|\b(?:manual|smoke|regression|load|stress|end-to-end|e2e|exploratory|sanity) (?:tests?|testing|checks?)"
    r"(?: (?:also|all|then))? ?(?:shows?|showed|confirms?|confirmed|done|was|were|pass\w*|succeed\w*|:)"
    r"|\b(?:unit )?(?:tests?|suite|test run)(?: \w+)? (?:confirms?|confirmed|(?:shows?|showed)(?! how| what"
    r"| where| which| why)|proves?|proved|demonstrates?"
    r"|finish(?:es|ed)) \w"
    r"|\ball (?:the )?(?:checks|verifications|validations|steps) (?:\w+ )?(?:success\w*|green|ok|pass\w*|succeed\w*)"
    r"|\bno longer (?:reproduces|reproducible|occurs|crashes|happens|appears)\b"
    r"|\b(?:executei|rodei|re-?executei|testei|medi|compilei|rodamos|executamos|testamos)(?! uma busca| o grep)"
    r" (?:novamente )?(?:o|a|os|as|tudo|isso|um|uma|com|em|no|na|localmente|manualmente|\S+\.\w+)\b"
    r"|\b(?:confirmei|verifiquei|conferi|validei)\b[^.;]{0,40}\b(?:localmente|manualmente|funciona\w*|roda\w*"
    r"|no navegador)\b"
    rf"|{_I}(?:launched|started|opened|called) (?:the|a|my) (?:\w+ )?(?:server|app|application|service|container"
    rf"|endpoint|api|page)\b"
    r"|\b(?:verified|validated|confirmed|checked|tested)\b[^.;]{0,60}? (?:with|using|via|through) (?:a|an"
    r"|the) (?:\w+ ){0,2}"
    r"(?:script|test|run|repl|curl|request|query|program|snippet)\b"
    r"|\b(?:was|were|has been|have been) (?:verified|tested|validated|confirmed|tried|exercised) (?:by hand"
    r"|manually|locally|in|with|on|end)\b"
    r"|\b(?:everything|it|the (?:code|project|app|application|server|site|program))(?: now)? (?:compiles|builds"
    r"|starts|boots|launches)"
    r"(?: and\b| (?:success|clean|fine|correct|again|as expected)|\W*$)"
    r"|\b(?:depois de|após) (?:executar|rodar|testar|compilar)\b|\bafter (?:running|executing|starting) (?:the|it|a)\b"
    rf"|{_I}(?:simulated|exercised|clicked through|walked through the (?:app|site|flow|ui)|logged in(?:to)?"
    rf"|diffed|replayed|sanity-checked|dry-ran) \w"
    rf"|{_I}used (?:curl|wget|httpie|postman|a browser|the browser|the repl|a script|a debugger|gdb|pdb|strace) "
    r"|^\W*(?:running|executing|calling|invoking) [^.;]{1,60}? (?:now |again )?(?:prints?|shows?|gives?|returns?"
    r"|yields?|outputs?"
    r"|works|succeeds|passes|printed|showed|gave|returned)\b"
    r"|\b(?:fiz|fizemos|realizei) (?:os |uns |alguns )?testes\b"
    r"|\b(?:migrations?|script|program|import|job|server|command|pipeline|demo|example) (?:ran|runs|executed"
    r"|completed|finished)"
    r" (?:clean|success|fine|without|correct|through|as expected)|\b(?:i|we) compared the (?:results?|outputs?) of\b"
    rf"|\b(?:tudo|o (?:código|projeto|app|aplicativo|servidor|site|programa|script|serviço|contêiner|container|bot)"
    rf"|a (?:aplicação|api|página|imagem))(?: agora| já)* {_SOBE}(?: e (?:responde|devolve|retorna|mostra|imprime"
    r"|termina|funciona|abre)\b| (?:com sucesso|sem erros?|normalmente|corretamente|como esperado"
    r"|novamente|de novo)|\W*\Z)"
    r"|\bo erro (?:sumiu|desapareceu|não ocorre mais)\b"
    r"|\btests? (?:now )?takes? \d[^.;]{0,30}\bpass"
    r"|\bby (?:running|executing) (?:the )?(?:\w+ ){0,3}(?:tests?|suite|script|program|server|app)\b",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(
    r"\b(?:user|author|issue|readme|docs?|ticket|goal|usuário|autor|comment|changelog)\b[^.;]{0,40}\b(?:says?"
    r"|said|states?"
    r"|tells?|reports?|reported|mentions?|diz|disse|relata)\b|\b(?:should|must|will|when|if|to)\b[^.;]{0,30}$",
    re.IGNORECASE,
)


_IN_BROWSER: Final = re.compile(
    rf"(?:{_I}|\band (?:then |also )?)(?:tested|tried|checked|verified|confirmed|opened|viewed)\b[^.;:]{{0,60}}?"
    r"\bin (?:a|the|my) (?:real )?browser\b"
    r"|\b(?:testei|conferi|verifiquei|abri)\b[^.;:]{0,60}?\bno navegador\b",
    re.IGNORECASE,
)
_BROWSES: Final = re.compile(r"e2e|browser|playwright|cypress|puppeteer|selenium|chrom|firefox|webkit", re.IGNORECASE)


def untried(text: str, ran: Sequence[Ran]) -> Iterator[str]:
    """What a text says was tried out, where no command did more than look and no other tool was called.

    What is told of a browser is not shown by builds and tests that name none.
    """
    tried = any(each.foreign or not only_looks(each.command) for each in ran)
    if tried and any(
        each.foreign or acts(each.command) or _BROWSES.search(each.command + each.printed) for each in ran
    ):
        return
    for each in statements(affirmed(text)):
        found = (_IN_BROWSER if tried else _TRIED).search(each.bare)
        if found is not None and not _OTHERS.search(each.bare[: found.start()]):
            yield " ".join(found[0].strip(" ,;:-").split())
