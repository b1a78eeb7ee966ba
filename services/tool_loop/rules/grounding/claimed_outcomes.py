"""What a final text says of tests, checks and commands: that they ran, that they pass, how many, and which."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from .partial_passes import without_wholes
from .statements import statements

Kind = Literal["ran", "pass", "tool", "command", "script"]

_NUMBERS: Final = (
    "two/dois/duas three/três four/quatro five/cinco six/seis seven/sete eight/oito nine/nove ten/dez eleven/onze "
    "twelve/doze"
)
_NUMBER_WORDS: Final = {
    word: str(number) for number, words in enumerate(_NUMBERS.split(), 2) for word in words.split("/")
}
_N: Final = rf"(?:\d[\d,.]{{0,20}}\d|\d|{'|'.join(_NUMBER_WORDS)})"
_MORE: Final = r"(?: (?:any ?more|any longer|now|at all))?"
_TICK: Final = r"(?:[✅✔✓☑]\ufe0f?|:white_check_mark:|\[x\])"
_CHECKED: Final = (
    r"(tests?|testes|test suite|suite|suíte|build|compilação|lint(?:er|ing)?|mypy|ruff|pyright|eslint|tsc|flake8|pylint"
    r"|type ?checks?|type checking)"
)
_NO_FAILURE: Final = (
    (
        re.compile(
            r"\b(tests?|testes|test suite|suite|suíte)(?: (?:existentes|unitários|de integração|todos))?(?:,?"
            r" which|, que)(?: all| now| both| todos| todas| agora)*"
            r"(?= (?:pass|succeed|(?:is|are|was|were|came back) (?:all |now )*(?:green|clean|ok|fine)\b|passa))",
            re.IGNORECASE,
        ),
        r"\1",
    ),
    (re.compile(rf"\b{_CHECKED}\W{{0,4}}?[:|–—-]*[ \t*]*{_TICK}", re.IGNORECASE), r"\1 ok"),
    (re.compile(rf"{_TICK}[ \t*]*{_CHECKED}(?=[ \t*|]*(?:$|[,.;&/]))", re.IGNORECASE | re.MULTILINE), r"\1 ok"),
    (
        re.compile(
            r"\b(?:(tests?|testes|suite|build|lint|mypy|ruff|type checks?)|test (?:status|results?|run)) ?: +(?=\w)",
            re.IGNORECASE,
        ),
        lambda found: f"{found[1] or 'tests'} ",
    ),
    (
        re.compile(
            r"\b(?:and )?(?:it |which |that )?(?:found|reported|showed) (?:nothing|no \w+)\b(?! else)", re.IGNORECASE
        ),
        " came back clean",
    ),
    (
        re.compile(
            r"\b(?:no|none of the|not one of the|not a single|not one) (?:\w+ ){0,2}?(?:tests?|specs?|checks?)"
            rf" (?:now |still )?(?:fails?|failed|failing|breaks?|broke|(?:is|are) (?:failing|red|broken)){_MORE}\b",
            re.IGNORECASE,
        ),
        "all tests pass",
    ),
    (
        re.compile(
            r"\b(tests?|specs?|suite|pytest|mypy|test_\w+) (?:(?:do|does|did|will|are|is)(?:n['’]t| not)|no longer)"
            rf" (?:fails?|failed|failing|breaks?){_MORE}\b",
            re.IGNORECASE,
        ),
        r"\1 pass",
    ),
    (
        re.compile(
            r"\b(?:nenhum(?: d[oe]s)?|nenhum dos meus) (?:testes?|casos? de teste)"
            r" (?:falha|falham|falhou|falharam|quebra|quebrou)(?: mais)?\b",
            re.IGNORECASE,
        ),
        "todos os testes passam",
    ),
    (re.compile(r"\b(testes?|suíte|test_\w+) não (?:falham?|quebram?)(?: mais)?\b", re.IGNORECASE), r"\1 passam"),
    (
        re.compile(
            r"^[^\w\n]*+(?:zero|no|0|sem|nenhuma) (?:test )?(?:failures?|falhas?)\b", re.IGNORECASE | re.MULTILINE
        ),
        "\nTests pass",
    ),
    (
        re.compile(
            r",? ?\b(?:with |and )?(?:without|no|zero|0|none)(?: any)?(?: test)?"
            r" (?:failures?|failed|failing|fails?|errors?|problems?|issues?)(?: and \d+ files? checked)?\b",
            re.IGNORECASE,
        ),
        " successfully",
    ),
    (
        re.compile(
            r",? ?\b(?:e |que )?não (?:há|houve|tem|deu|acus\w+|apont\w+|encontr\w+|report\w+)"
            r" (?:nada|(?:nenhuma? )?(?:problema|erro|falha|aviso)s?)\b(?! (?:além|mais|que|de|d[oa]s?|n[oa]s?|em)\b)",
            re.IGNORECASE,
        ),
        " com sucesso",
    ),
    (
        re.compile(
            r",? ?\b(?:sem|zero|0|nenhuma?)(?: nenhuma?| qualquer)? (?:falhas?|erros?|problemas?)\b", re.IGNORECASE
        ),
        " com sucesso",
    ),
)
"""What says by a denial, or as a heading, that something passes, and the same in a plain sentence."""
_DET: Final = r"(?:(?:all|every|both|the|of|our|these|my|whole|full|entire|complete) ){0,4}"
_TESTS: Final = (
    r"(?:(?:unit|integration|e2e|regression|existing|new|old|other|automated|python|relevant) ){0,3}"
    r"(?:tests?|specs?|test cases?|(?:(?:test|unittest|regression) )?suite|test run|pytest|unittest|jest|vitest)"
)
_TOOL: Final = (
    r"mypy|pyright|ruff|flake8|pylint|eslint|prettier|biome|clippy|tsc|lint(?:er|ing|s)?|type[- ]?check(?:er|ing|s)?"
    r"|build|compilation|static analysis|verificação de tipos|compilação"
)
_SOFT: Final = (
    r"(?:(?:now|all|also|again|still|fully|then|locally|just|each|already|both|are|is|was|were|has|have) ){0,4}"
)
_GOOD: Final = (
    r"(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:ran|run|ran through|execut\w+|finish\w+|complet\w+"
    r"|c[ao]mes? (?:back|out)|end\w*"
    r"|stay\w*|look\w*|report\w*|turn\w*|went|go|goes|builds?|compiles?)"
    r" (?:\w+ )?(?:green|ok|okay|clean|cleanly|fine|success\w*|passing)|green|ok|okay|clean|happy|successful(?:ly)?)"
)
_TESTES: Final = (
    r"(?:(?:todos|todas|os|as|ambos|dois|duas|a|toda|inteira) ){0,3}"
    rf"(?P<n_pt>{_N} )?(?:testes?|verificações|casos de teste|suíte(?: de testes)?|bateria de testes)"
    r"(?: (?:unitários|de integração|novos|existentes|inteira|toda|automatizados)){0,2}"
)
_BEM: Final = (
    r"(?:(?:agora|ainda|também|todos|todas|estão|está|ficaram|ficou|foram|foi|já|executad[oa]s?"
    r"|rodad[oa]s?|rodaram|rodou"
    r"|é|são|executou|terminaram|terminou) ){0,5}"
    r"(?:passam|passaram|passou|passa|passando|verdes?|ok|com sucesso|aprovad[oa]s?|bem-sucedid[oa]s?)"
)
_PASS: Final = re.compile(
    rf"\b{_DET}(?P<n>{_N} )?(?:of (?:the )?{_N} )?{_DET}(?P<what>{_TESTS})(?:,? (?:which|that)[^,.;]{{0,40}},)?[,:]?"
    rf" {_SOFT}{_GOOD}\b"
    rf"|\b(?P<what_pt>{_TESTES})(?:, (?:que|os quais)[^,.;]{{0,40}},)?[,:]? {_BEM}(?!\w)"
    rf"|\b(?P<passed>{_N}) (?:of {_N} )?(?:tests?\s+|testes\s+)?(?:(?:have |has |are |all )*(?:passed|passing|green|ok)"
    rf"|passaram|aprovados)\b"
    rf"|(?<![\w./])(?P<part>\d+)/(?P=part)(?: (?:of )?(?:unit )?(?:tests?|testes|specs?|checks?))?"
    rf" {_SOFT}(?:pass\w*|green|ok|successful|verdes)\b"
    rf"|\b(?:all|everything|tudo)[ -](?:is |está |ficou |came out )?(?:green|verde)(?:: (?P<green>\d+)/(?P=green))?"
    rf"|\b(?:executed|ran|run) (?P<ran>{_N}) (?:\w+ )?tests?[^.;]{{0,30}}\b(?:pass\w*|ok|green|clean|successfully)\b"
    rf"|\b(?:executei|rodei|executamos) (?P<rodei>{_N}) testes[^.;]{{0,20}}\b(?:ok|passaram|verdes?|com sucesso)\b"
    r"|\bthe (?:failing|broken|red) tests? (?:was|were|is|are|has been|have been|got)(?: now)?"
    r" (?:fixed|mended|repaired|resolved|solved)\b|\bo teste que falhava foi (?:corrigido|consertado)\b"
    r"|\b(?:everything|it all|tudo)(?: now| agora)? (?:pass(?:es|ed)|passa|passou)(?= now\b|\W*$)"
    rf"|[✅✔✓☑]\s*{_DET}(?:{_TESTS}|testes)\b|\b(?:{_TESTS}|testes)\s*:?\s*[✅✔✓☑]"
    rf"|\b(?P<quiet>{_N}) tests? (?:ran|were run|run|executed),? (?:and )?(?:none failed|nothing failed|now)\b",
    re.IGNORECASE,
)
_RAN: Final = re.compile(
    rf"(?:\b(?:i|we)(?: have|['’]ve| also| then| just| even)* (?:re-?)?|^\W*(?:then |also |re-?)?)"
    rf"(?:ran|run|executed) (?!on\b|into\b){_DET}(?P<n>{_N} )?{_DET}(?:{_TESTS})\b"
    rf"|\b{_DET}(?P<m>{_N} )?{_TESTS} (?:was|were|has been|have been) (?:re-?)?(?:run|executed)\b"
    r"|\b(?:by|after) (?:re-?)?(?:running|executing) (?:the |all |our |unit |full |whole )*(?:tests?"
    r"|test suite|suite)\b"
    rf"|\b(?:executei|rodei|rodamos|executamos) (?:novamente )?{_TESTES}"
    r"|\b(?:validei|confirmei|verifiquei|testei) [^.;:]{0,30}?\b(?:com|pelos|usando) (?:os )?testes(?=,? que\b|\W*$)"
    r"|\b(?:fix|change|code|it|everything|fixed|works?|done|solution)(?: (?:is|was|are|has been))?"
    r"(?: (?:now|fully|also|both))*(?: and|,)? (?:been )?(?:tested|verified)(?: and (?:it )?(?:works|working)|"
    r"(?= and\b)|(?=\W*$))"
    r"|\b(?:i|we) (?:have )?(?:also )?(?:verified|confirmed|tested|checked) (?:that )?"
    r"(?:(?:it|everything|the (?:fix|change|code|tests?|suite))(?: all)?) (?:now )?"
    r"(?:works|runs|passes|behaves|compiles|builds)\b"
    r"|\b(?:it|everything|the (?:fix|change|code)) (?:has been|was|is) (?:\w+ )?tested(?: \w+)? and (?:it )?works\b"
    r"|\btestei (?:a |o |as |os )?\w+(?: \w+)? e (?:tudo |ela |ele )?(?:funciona|funcionou|passa|passou)\b"
    r"|\b(?:testad[oa]|verificad[oa]) e (?:funcionando|funciona|aprovad[oa])\b",
    re.IGNORECASE,
)
_TOOL_PASSES: Final = re.compile(
    rf"\b(?P<tool>{_TOOL}|coverage|cobertura)\b(?: (?:run|check|step|errors?|de tipos"
    rf"|-{{1,2}}[\w-]+)){{0,3}}[,:]? {_SOFT}{_GOOD}\b"
    rf"|(?:\b(?:i|we)(?: have| also| then)* |, (?:and )?(?:then )?|\band (?:then )?|^\W*)(?:ran|executed) (?:the )?"
    rf"(?P<ran>{_TOOL})\b"
    rf"|\b(?:rodei|executei) (?:o |a )?(?P<rodei>{_TOOL})\b"
    rf"|\b(?P<does>compila|compil(?:es|ou)|builds) (?:now |again )?(?:cleanly|successfully|fine|com sucesso)"
    rf"|\b(?:project|code|app|application|program|projeto|código|everything|tudo)(?: now| again| agora)?"
    rf" (?P<builds>compiles|builds|compila)(?=\W*$)"
    rf"|\b(?:by|with|through|via) (?:a|another|the) (?:clean|green|successful|passing) (?P<clean>build|compilation)\b"
    rf"|\b(?P<cov>coverage|cobertura)[^.;\d]{{0,30}}?(?P<percent>\d{{1,3}}(?:[.,]\d+)?) ?%"
    rf"|\b(?P<percent2>\d{{1,3}}(?:[.,]\d+)?) ?% (?:\w+ )?(?P<cov2>coverage|cobertura|de cobertura)"
    rf"|\ba? ?(?P<ferramenta>{_TOOL}) (?:(?:agora|já|também|rodou|roda|terminou|termina|conclui|ficou|foi"
    rf" concluíd[oa]) )*"
    rf"(?:passa|passou|com sucesso|está (?:limp[ao]|verde|ok))\b",
    re.IGNORECASE,
)
_CAME_OUT: Final = (
    r"(?:ran|runs?|complete[sd]|finishe[sd]|execute[sd]|report(?:s|ed)|c[ao]mes? (?:back|out)|exit(?:s|ed)"
    r"|works?|worked|roda|rodou|terminou|termina|executou|concluiu|funcionou) (?:now |all |to completion |a execução )?"
    r"(?:success\w*|clean(?:ly)?|fine|ok|com sucesso)"
)
_COMMAND: Final = re.compile(
    r"(?:\b(?:(?:i|we)(?: have|['’]ve| also| then| just)* |and |,)|^\W*(?:then |also )?)"
    r"(?:re-?)?(?:ran|executed) (?:the command )?`(?P<did>[^`\n]+)`"
    r"|\b(?:verified|confirmed|checked|tested)(?: (?:it|this|that|everything|the fix"
    r"|the change))? (?:with|by|using|via)"
    r" (?:running )?`(?P<by>[^`\n]+)`"
    r"|\b(?:executei|rodei|verifiquei com|confirmei com|testei com) (?:o comando )?`(?P<fiz>[^`\n]+)`"
    r"|`(?P<it>[^`\n]+)` (?:was |has been |now |foi )?(?:run|executed|executad[oa]|pass(?:es|ed)|succeed(?:s|ed)"
    r"|reports? (?:ok|no errors|success)|exit(?:s|ed) (?:with )?(?:status |code )?(?:0|zero)|printed|passou|passa"
    rf"|{_CAME_OUT}|(?:is|está)(?: now| agora)? (?:clean|green|limp[ao]|verde))\b",
    re.IGNORECASE,
)
_SCRIPT: Final = r"(?<![\w./-])(?:\./)?[\w./-]*\w\.(?:py|sh|m?js|ts|rb|php|pl|r)"
_SCRIPT_RAN: Final = re.compile(
    rf"(?P<script>{_SCRIPT}) (?:script )?(?:now )?{_CAME_OUT}\b"
    rf"|\b(?:ran|executed|rodei|executei) (?:the |o )?(?P<did>{_SCRIPT}),? (?:(?:and|e) (?:it )?)?"
    r"(?:successfully|com sucesso"
    r"|(?:removed|wrote|produced|created|cleaned|fixed|loaded|imported|converted|generated|updated|migrated|finished"
    r"|removeu|gerou|criou|gravou|limpou|corrigiu|carregou|importou|atualizou)\b)"
    r"|\b(?:the|o|a) (?:[\w-]+ )?(?:script|program|command|programa|comando)(?: d[eao] \w+)?"
    r" (?:(?:ran|completed|finished|executed|rodou|terminou|executou) (?:now |all |to completion )?"
    r"(?:success\w*|cleanly|fine|com sucesso))\b(?! (?:only|when|on)\b)"
    r"|\b(?:ran|executed) the (?:[\w-]+ )?(?:script|program|command) successfully\b",
    re.IGNORECASE,
)
_WELL: Final = re.compile(
    r"pass|succeed|success|clean|green|fine|\bok\b|no errors|exit|sucesso|limp[ao]|verde", re.IGNORECASE
)
"""How it is told of a command that it came out well."""
_DID_WELL: Final = re.compile(
    r"\W{0,3}(?:(?:and|e) )?(?:it |all |everything |tudo )*"
    r"(?:successfully|pass(?:es|ed)?|succeeded|com sucesso|passou)\b",
    re.IGNORECASE,
)
_TOOL_GROUPS: Final = ("tool", "ran", "rodei", "does", "builds", "clean", "cov", "cov2", "ferramenta")
_PROGRAM: Final = re.compile(
    r"(?:pytest|mypy|ruff|tox|nox|make|tsc|eslint|jest|vitest|pyright|flake8|pylint)$|\S+ +[\w./-]+(?: |$)"
)
_TEST_PASSES: Final = re.compile(
    r"(?P<names>\btest_\w++(?:(?:, and|,| and| e) (?:os testes )?test_\w++){0,12}+)(?: both| ambos)?"
    rf"(?:, (?:which|que)[^,.;]{{0,40}},)? ?{_SOFT}(?:(?:executed|run|ran) and )?(?:{_GOOD}|{_BEM})(?!\w)",
    re.IGNORECASE,
)
_HANGS_ON: Final = re.compile(
    r"\b(when|whenever|once|until|till|after|before|unless|while|as soon as|makes? sure|ensures?|requires?|checks?"
    r"|should|must|will|would|expect(?:ed|s)?|to (?:see|confirm|check|verify)|quando|assim que|depois que"
    r"|antes que|até que"
    r"|enquanto|sempre que|garante|exige|deve(?:m|ria|riam)?|an?|each|uma?|cada)\b[^,;:.]*$",
    re.IGNORECASE,
)
"""What makes that tests pass a condition of something, or speaks of tests as such."""
_REPORTED: Final = re.compile(
    r"(?:\b(?:readme|docs?|documentation|issue|ticket|user|author|comment|docstring|changelog|he|she|you|goal|usuário)"
    r"|[\w/-]+\.(?:md|txt|rst|ya?ml|toml))\b[^,;:.]*\b(?:says?|said|states?|claims?|mentions?|tells?|asks?|asked"
    r"|wants?|wanted|requires?|demands?|diz|afirma|pede|pedia|exige)\b[^,;:.]*$",
    re.IGNORECASE,
)
"""What makes that tests pass somebody else's word."""
_NO_CONDITION: Final = re.compile(
    r"\b(?:as|than|like|what(?:ever)?|which|that) "
    r"(?:(?:it|they|one|we|i|you|is|was|were|are|the tests?|the specs?|had been) )?"
    r"(?:expect(?:ed|s)?|should|must|would|require[ds]?)\b"
    r"|\bcomo (?:esperado|deve(?:ria)?m?)\b"
    r"|\b(?:the|an?|its|their|all|this|that|these|those|missing|new) (?:\w+ )?(?:expected|checks?(?= and))\b"
    r"|\bmust (?:be|also be) (?:said|noted)\b|\b(?:i|we)(?:['’]ve| have)? checked\b",
    re.IGNORECASE,
)
"""Words of `_HANGS_ON` where they make nothing a condition: `works as expected and all tests pass`."""
_NEAR: Final = 160
"""Characters before and after a statement that are looked at for what it hangs on, so that each costs the same."""
_DID_MAKE: Final = re.compile(r"\b(i|we) (have )?made sure[^,;:.]*$", re.IGNORECASE)
_THEY_PASS: Final = re.compile(
    r"\b(?:they|all|everything|it|both|them|each|none|tudo|todos|todas|eles|nada)(?: of them| eles)?"
    rf"(?:(?: now| all| also| both| is| are| agora|:)* {_GOOD}|(?: agora|:)* {_BEM}|:? successfully)(?!\w)",
    re.IGNORECASE,
)
"""What a sentence that tells that tests were run says of them in its next words."""
_ALL_BUT: Final = re.compile(
    r"\b(?:but|except(?: for)?|apart from|other than|besides|exceto|menos|salvo|fora)(?: (?:the|o|a|os|as))? \Z",
    re.IGNORECASE,
)
"""What makes of a named test the one that the others are told apart from."""
_TEST_NAME: Final = re.compile(r"\btest_\w+")
_NEW: Final = re.compile(r"\b(new|added|novos|nov[oa]s|of the)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A statement on tests, a check or a command, in its own words.

    `count`: how many tests, where it says so; of a `part` there may be more. `names`: tests that pass. `of`: the tool
    or command that it tells of, of a script "" for any; `well`: that command came out well; `percent` what was covered.
    """

    said: str
    kind: Kind = "pass"
    count: str = ""
    part: bool = False
    names: tuple[str, ...] = ()
    of: str = ""
    percent: str = ""
    well: bool = False


def outcomes(text: str) -> tuple[Outcome, ...]:
    """What a text states of tests, checks and commands, each once and with the wordiest first."""
    return tuple(dict.fromkeys(_stated(affirmed(text))))


def affirmed(text: str) -> str:
    """The text with what says by a denial that something passes said without one, and without the number of all tests
    where fewer pass.
    """
    text = without_wholes(text)
    for pattern, positive in _NO_FAILURE:
        text = pattern.sub(positive, text)
    return text


def _stated(text: str) -> Iterator[Outcome]:
    for each in statements(text):
        bare = re.sub(r"[*_]{2}|[ \t]+", lambda found: "" if found[0][0] in "*_" else " ", each.bare)
        named = each.text.replace("`", "")
        for found in _matches(_COMMAND, each.text):
            command = found["did"] or found["by"] or found["fiz"] or found["it"]
            if found["it"] and not _PROGRAM.match(command):
                continue
            told = found["it"] and _WELL.search(found[0].rpartition("`")[2])
            well = bool(told or _DID_WELL.match(each.text, found.end()))
            yield Outcome(found[0].strip(), "command", of=command, well=well)
        for found in _matches(_SCRIPT_RAN, named):
            yield Outcome(found[0].strip(), "script", of=found["script"] or found["did"] or "")
        for found in _matches(_TEST_PASSES, named):
            others = _ALL_BUT.search(_before(named, found)) is not None
            yield Outcome(found[0].strip(), names=() if others else tuple(_TEST_NAME.findall(found["names"])))
        for found in _matches(_PASS, bare):
            yield _passing(found)
        for found in _matches(_TOOL_PASSES, bare):
            tool = next(filter(None, (found[name] for name in _TOOL_GROUPS)))
            yield Outcome(
                found[0].strip(), "tool", of=tool.lower(), percent=found["percent"] or found["percent2"] or ""
            )
        for found in _matches(_RAN, bare):
            count = _number(found["n"] or found["m"] or found["n_pt"])
            yield Outcome(found[0].strip(" ,;:-"), "ran", count=count, part=bool(_NEW.search(found[0])))
            if they := _THEY_PASS.search(bare, found.end(), found.end() + _NEAR):
                yield Outcome(they[0].strip())


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    for found in pattern.finditer(text):
        before = _NO_CONDITION.sub(" ", _before(text, found))
        if not (_HANGS_ON.search(before) or _REPORTED.search(before)) or _DID_MAKE.search(before):
            yield found


def _before(text: str, found: re.Match[str]) -> str:
    return text[max(0, found.start() - _NEAR) : found.start()]


def _passing(found: re.Match[str]) -> Outcome:
    groups = ("n", "n_pt", "passed", "part", "green", "ran", "rodei", "quiet")
    count = next(filter(None, (found[name] for name in groups)), "")
    return Outcome(found[0].strip(" ,;:-"), count=_number(count), part=bool(_NEW.search(found[0])))


def _number(said: str | None) -> str:
    word = (said or "").strip().lower()
    return _NUMBER_WORDS.get(word, word)
