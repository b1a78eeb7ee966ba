"""Which statements of a final text on tests, checks and commands no command showed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..failure_lines import told as failure_told
from .claimed_outcomes import Outcome, affirmed, outcomes
from .excepted_failures import excepts, excepts_too_few, failed_in
from .named_commands import is_run_by, is_run_whole_by
from .partial_passes import told_not_passing
from .program_looks import computes, program_looks

_RESULT: Final = re.compile(
    r"\b\d+ (?:tests? )?(?:passed|passing|failed|failing|ok)\b|\bRan \d+ tests?|^[^\S\n]*+(?:OK|FAILED|PASS|FAIL)\b"
    r"|# pass \d+|test result:|\bTests:\s+\d+|^ok\b|--- (?:PASS|FAIL)|BUILD (?:SUCCESS|FAILURE)|Tests run: \d+",
    re.MULTILINE,
)
_FAILED: Final = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing|errors?)\b|\bFAILED\b|^[^\S\n]*+FAIL\b|# fail [1-9]"
    r"|BUILD FAILURE|--- FAIL|^not ok\b|(?:Failures|Errors): [1-9]",
    re.MULTILINE,
)
_TEST_COMMAND: Final = re.compile(
    r"\b(?:pytest|unittest|nose2?|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|gotestsum|behave"
    r"|tests?|spec|check)\b"
    r"|test_|_test\b|\.test\."
)
_LOOKS: Final = re.compile(
    r"\s*(?:cd|ls|cat|head|tail|less|grep|egrep|rg|find|git|echo|printf|pwd|sed|awk|wc|tree|mkdir|touch"
    r"|cp|mv|rm|ln|which"
    r"|stat|file|diff|sort|uniq|chmod|env|export|true|date|whoami|id|uname|du|df|type|command|test|\[)\b[^|]*"
)
"""A command that looks at files or moves them, and tries nothing."""
_MOVES: Final = re.compile(
    r"\s*(?:git (?!status|diff|log|show|branch|blame|grep|ls)|cp\b|mv\b"
    r"|sed\s+(?:-\S+\s+){0,6}(?:-\w*i|--in-place)\b.*\s[\"']?(?:/|~|\$HOME)[\w.])"
)
"""Of what looks, what may do something; an edit in place, where its file may lie outside the workspace."""
_TESTS_ONLY: Final = re.compile(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|mypy|pyright|ruff|flake8|pylint"
    r"|eslint|tsc|py_compile)\b"
    r"|\b(?:npm|pnpm|yarn|cargo|go|bun|deno|make) (?:run )?(?:tests?|t|lint|check|vet|fmt|build)\b"
)
_TOOLS: Final = {
    "lint": r"lint|ruff|flake8|pylint|eslint|biome|clippy|check",
    "type": r"mypy|pyright|pytype|tsc|typecheck|type-check|check",
    "buil": r"build|make|tsc|cargo|compile|webpack|vite|gradle|mvn|go\b|gcc|g\+\+|javac",
    "comp": r"build|make|tsc|cargo|compile|webpack|vite|gradle|mvn|go\b|gcc|g\+\+|javac",
    "stat": r"mypy|pyright|ruff|lint|check",
    "veri": r"mypy|pyright|tsc|check",
    "cove": r"cov|nyc|c8|jest|vitest",
    "cobe": r"cov|nyc|c8|jest|vitest",
}
_PLAIN_SCRIPT: Final = re.compile(
    r"\s*(?:cd \S+ && )?(?:python3?|node|ruby|php) [\w./-]+\.(?:py|m?js|rb|php)(?: [^|&;]*)?"
)
_SPEAKS_OF_TESTS: Final = re.compile(
    r"test|spec|check|verif|assert|valid|pass|\bok\b|succe|suite|prova|aprov|green|[✓✔✅]|\ball\b", re.IGNORECASE
)
_BUILDS: Final = re.compile(
    r"\s*(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:build|install|ci|i|add|lint|format|typecheck)(?![\w:-])"
    r"|(?:npx\s+)?(?:tsc|eslint|prettier|vite\s+build)(?![\w-])|cargo\s+(?:build|fmt|clippy|add)\b"
    r"|go\s+(?:build|vet|fmt|mod|get)\b|docker\s+(?:build|push|tag)\b|pip3?\s+install\b"
    r"|(?:uv|poetry)\s+(?:add|sync|install|lock)\b|(?:python3?\s+-m\s+)?(?:mypy|ruff|pyright|black|isort)\b)"
)
"""Builds, installs and checks of the text of a program: they run no test unless they say so."""
_NAMES_TESTS: Final = re.compile(r"tests?\b|specs?\b|suite|testes\b", re.IGNORECASE)
_FAILS: Final = (
    r"(?:fail\w*|falh\w+|quebr\w+|broke\w*|breaks?|errors?|erros?|red|vermelh[oa]s?|do not pass"
    r"|does not pass|don['’]t pass"
    r"|doesn['’]t pass|did not pass|not pass|não passam?|nem todos)"
)
_OWNS_UP: Final = re.compile(rf"\b{_FAILS}(?!\w)", re.IGNORECASE)
FAILURES_OVER: Final = re.compile(
    r"\b(?:which|that|que|it|they|os quais)?,? ?(?:had |have |used to |previously |earlier |antes |tinham? )?"
    r"(?:fail(?:ed|s|ing)?|falha(?:va|vam|ram|m)?|falhou|broken?|erro\w*|errors?|failures?) "
    r"(?:before(?:hand)?|earlier|previously|at first|initially|antes|anteriormente|until now|any ?more|no more)\b"
    r"|\b(?:was|were|had been|estava|estavam) (?:failing|broken|red|falhando|quebrad\w+)\b"
    r"|\bthe (?:failing|broken|red) tests? (?:was|were|is|are|has been|have been|got|now)\b"
    r"|\b(?:used to|no longer|never|não|nunca|previously|formerly) (?:fail|break|falh|quebr)\w*(?: mais)?\b"
    r"|\b(?:errors?|failures?|bugs?|erros?|falhas?)\b[^;:\n]{0,40}?\b(?:is|are|was|were|has been|have been|está"
    r"|estão|foi"
    r"|foram) (?:now |all )?(?:fixed|gone|solved|resolved|corrected|corrigid\w+|resolvid\w+)\b"
    r"|\b(?:went|gone|going) from (?:failing|red)\b|\b(?:before|antes)[:,] [^.;]{0,30}?(?:fail\w*|falh\w*)"
    r"|\b(?:fix\w*|mend\w*|solv\w*|correct\w*|corrig\w+|resolv\w+)\b[^.;:]{0,40}\b(?:fail\w*|falhas?"
    r"|errors?|erros?|bugs?)\b"
    r"|\b(?:[\w-]+ )?(?:error|failure) (?:handling|messages?|codes?|classes|types?|cases?)\b|\w+Error\b",
    re.IGNORECASE,
)
"""Failures that are told to be over, and words that only sound like one."""
_GOOD_LINE: Final = re.compile(r"--- PASS|^[^\S\n]*+ok \d|\.\.\. ok\b|\bPASSED\b|^[^\S\n]*+[✓✔√]", re.MULTILINE)
_NUMBER: Final = re.compile(r"(?<![\w.])\d+(?![\w]|\.\d)")
_COUNTS: Final = re.compile(r"test|pass|ok\b|fail|spec|collected|total|suite|aprov|check", re.IGNORECASE)
_PASSED: Final = re.compile(
    r"\b(\d+) (?:tests? )?(?:passed|passing)\b|\bRan (\d+) tests?|# pass (\d+)|(?<!\d)(\d++) passed"
)
_MARKED_BAD: Final = r"(?:FAIL|ERROR|✕|✗|×|not ok|✖)"
_ENDED: Final = frozenset({124, 126, 127, 130, 137, 143})
"""Statuses of what was ended from outside, or is not there."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that was run, what it printed, and how it ended (None: not known)."""

    command: str
    printed: str
    status: int | None = None
    foreign: bool = False
    """It is a call of a tool that is not the harness's own."""


def unshown(text: str, ran: Sequence[Ran]) -> Iterator[str]:
    """What a text states of tests, checks and commands, and no command showed. `ran`: oldest first.

    Something that can test must have run; a number must have been printed of tests; the last that tells of tests, and
    the last line on a test that is named, must tell of no failure, unless the text itself owns up to one.
    """
    stated = outcomes(text)
    if not stated:
        return
    told = affirmed(text)
    tries = [each for each in ran if _RESULT.search(each.printed) or not only_looks(each.command)]
    tests = [each for each in tries if _RESULT.search(each.printed) or _is_test(each)]
    left = told_not_passing(text)
    owns_up = left is not None or excepts(told) or _OWNS_UP.search(FAILURES_OVER.sub(" ", told)) is not None
    if tests and (excepts_too_few(told, tests[-1].printed) or (left and failed_in(tests[-1].printed) > left)):
        owns_up = False
    said: list[str] = []
    for outcome in stated:
        shown = (
            _command_shown(outcome, ran, owns_up=owns_up)
            if outcome.kind == "command"
            else _shown(outcome, tries, tests, owns_up=owns_up)
        )
        if not shown and not any(outcome.said in other for other in said):
            said.append(outcome.said)
    yield from said


def _shown(outcome: Outcome, tries: Sequence[Ran], tests: Sequence[Ran], *, owns_up: bool) -> bool:
    if outcome.kind == "script":
        return _script_shown(outcome, tries, owns_up=owns_up)
    if not tries:
        return False
    match outcome.kind:
        case "ran":
            return not outcome.count or _counted(outcome, tests or tries)
        case "tool":
            return _tool_shown(outcome, tries, owns_up=owns_up)
    if outcome.names and any(_marked_bad(name, tests) for name in outcome.names):
        return False
    if outcome.count and not _counted(outcome, tests or tries):
        return False
    there = [each for each in tests if not _not_there(each)]
    if not there:
        return owns_up or any(_may_test(each) for each in tries if not _not_there(each))
    return owns_up or not _bad(there[-1])


def _not_there(ran: Ran) -> bool:
    """Whether a program was not found, or could not be started, and nothing else of its line told of tests."""
    return ran.status in (126, 127) and not _RESULT.search(ran.printed)


def _may_test(ran: Ran) -> bool:
    """Whether a run that printed no result of tests may have been one: a build or a plain script by what it says."""
    command = ran.command
    if not ran.foreign and all(_BUILDS.match(part) or _LOOKS.match(part) for part in _parts(command)):
        return _NAMES_TESTS.search(command + ran.printed) is not None
    plain = _PLAIN_SCRIPT.fullmatch(command) or computes(command) or all(map(program_looks, _parts(command)))
    return not plain or _SPEAKS_OF_TESTS.search(command + ran.printed) is not None


def _is_test(ran: Ran) -> bool:
    return bool(ran.status and _TEST_COMMAND.search(ran.command) and len(ran.printed) > 0) or _says_it_failed(ran)


def only_looks(command: str) -> bool:
    """Whether a command line only looks at files or moves them, and tries nothing."""
    parts = _parts(command)
    return bool(parts) and all(_LOOKS.match(part) for part in parts)


def tried(command: str) -> str:
    """The parts of a command line that do more than look."""
    return "\n".join(part for part in _parts(command) if not _LOOKS.match(part))


def acts(command: str) -> str:
    """The parts of a command line that may do something outside the workspace: neither looking nor testing."""
    parts = (part for part in _parts(command) if not _TESTS_ONLY.search(part))
    return "\n".join(part for part in parts if _MOVES.match(part) or not _LOOKS.match(part))


def only_tests(command: str) -> bool:
    """Whether a command line only tests or checks, and looks at files beside."""
    parts = _parts(command)
    tests = [part for part in parts if _TESTS_ONLY.search(part)]
    return bool(tests) and all(part in tests or _LOOKS.match(part) for part in parts)


def _parts(command: str) -> list[str]:
    return [part for part in re.split(r"&&|\|\|?|;|\n", command) if part.strip()]


def _bad(ran: Ran) -> bool:
    """Whether a run of tests tells of a failure; 127 and 126 are of a program that is not there."""
    if _FAILED.search(ran.printed) or _says_it_failed(ran):
        return True
    return ran.status not in (None, 0, 126, 127) and not _RESULT.search(ran.printed) and bool(_is_test(ran))


def _says_it_failed(ran: Ran) -> bool:
    """Whether a test or check whose status is not known prints a line by which tools say that they failed."""
    if ran.status is not None:
        return False
    checks = _TEST_COMMAND.search(ran.command) or _TESTS_ONLY.search(ran.command)
    return checks is not None and failure_told(ran.printed) is not None


def _marked_bad(name: str, tests: Sequence[Ran]) -> bool:
    """Whether the last command that told of a test by its name told that it failed."""
    named = re.compile(rf"^.*\b{re.escape(name)}\b.*$", re.MULTILINE)
    for ran in reversed(tests):
        lines = [line for line in named.findall(ran.printed) if not line.lstrip().startswith(("File ", "def ", ">"))]
        if lines:
            return any(re.search(rf"(?<!\w){_MARKED_BAD}", line) for line in lines)
    return False


def _counted(outcome: Outcome, ran: Sequence[Ran]) -> bool:
    """Whether a number of tests was printed as one, or is that of the lines or runs that passed."""
    wanted = outcome.count.replace(",", "").replace(".", "")
    if not wanted.isdigit():
        return True
    printed: set[int] = set()
    total = 0
    for each in ran:
        for line in each.printed.splitlines():
            if _COUNTS.search(line) or not _RESULT.search(each.printed):
                printed.update(int(number) for number in _NUMBER.findall(line) if len(number) < 9)
        printed.add(len(_GOOD_LINE.findall(each.printed)))
        total += sum(int(next(filter(None, found))) for found in dict.fromkeys(_PASSED.findall(each.printed)))
    most = max(printed | {total})
    return int(wanted) in printed | {total} or (outcome.part and int(wanted) <= most)


def _tool_shown(outcome: Outcome, tries: Sequence[Ran], *, owns_up: bool) -> bool:
    words = _TOOLS.get(outcome.of[:4], re.escape(outcome.of))
    used = [each for each in tries if re.search(words, each.command) or re.search(words, each.printed)]
    if not used:
        return False
    if outcome.percent:
        return any(re.search(rf"(?<![\d.]){re.escape(outcome.percent)} ?%", each.printed) for each in used)
    commanded = [each for each in used if re.search(words, each.command)]
    return owns_up or not commanded or not (commanded[-1].status or _says_it_failed(commanded[-1]))


def _command_shown(outcome: Outcome, ran: Sequence[Ran], *, owns_up: bool) -> bool:
    """Whether the command that is named was run, and came out well the last time where the text says that it did."""
    used = [each for each in ran if is_run_by(outcome.of, each.command)]
    if not used or not outcome.well or owns_up:
        return bool(used)
    whole = [each for each in used if is_run_whole_by(outcome.of, each.command)]
    return any(not _failed(each[-1], outcome.of) for each in (used, whole) if each)


def _script_shown(outcome: Outcome, tries: Sequence[Ran], *, owns_up: bool) -> bool:
    """Whether the last run of a script that is named, or of what is not named any run at all, came out well."""
    if owns_up:
        return True
    if not outcome.of:
        return not tries or not all(_failed(each, "") for each in tries)
    used = [each for each in tries if is_run_by(outcome.of, acts(each.command))]
    return not used or not _failed(used[-1], outcome.of)


def _failed(ran: Ran, named: str) -> bool:
    """Whether a command line ended by itself with a failure, and what is named stands in its last part."""
    ended_badly = ran.status not in (None, 0) and ran.status not in _ENDED
    return ended_badly and (not named or is_run_by(named, _parts(ran.command)[-1]))
