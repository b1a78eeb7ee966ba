"""What was taken from a file of tests in any language, by its lines: all that stood in it, in order, and what is added.

Added lines must be whole (their brackets close among themselves) and hold nothing that skips, ends early or replaces
what is tested. So a new test beside the old ones is fine, and a wrapper around them is not.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from shared.quoted import without_strings

from .finding import Finding, Kind

_SKIPS: Final = re.compile(
    r"\.(?:skip|only|todo|failing|skipIf|runIf|fixme)\b|\b(?:xit|xdescribe|xtest|fit|fdescribe|xspecify|pending)\s*\("
    r"|\bSkip(?:f|Now)?\s*\(|@(?:Disabled|Ignore)\b|#\[ignore|\bskip\b\s*[:(=]|assumeTrue|assumeFalse"
)
_ENDS: Final = re.compile(r"\b(?:process|System|os|std::process)(?:\.|::)_?[eE]xit\b|\bexit\s*\(")
_BRACE_OR_RETURN: Final = re.compile(r"[{}]|\breturn\b")
_FUNCTION: Final = re.compile(r"\b(?:function|func|fn)\b")
_REPLACES: Final = re.compile(
    r"\b(?:jest|vi|mock)\.(?:mock|doMock|spyOn|setMock)\b|\.prototype\b|defineProperty\b|\bglobal(?:This)?\."
)
_HIDES: Final = re.compile(r"/\*|\*/|<!--|-->|^\s*#\s*if\s+0|^=begin|^=end|`\s*$")
_ASSERTS: Final = re.compile(
    r"\b(?:assert|expect\s*[(.]|should|require[.!]|verify|check|t\.(?:Error|Fatal|Fail)|panic)", re.IGNORECASE
)
_STARTS_TESTS: Final = re.compile(r"\bfunc TestMain\s*\(")
_IMPORT: Final = "import "
_OF: Final = "⟵"
"""Between a name and its source, in a line of ours."""
_IMPORTS: Final = (
    re.compile(
        r"(?P<before>(?:export )?(?:const|let|var))\s*\{(?P<names>[^{}]*)\}"
        r"\s*=\s*(?P<after>(?:await )?(?:require|import)\([^()]*\));?"
    ),
    re.compile(r"(?P<before>import(?: type)?)\s*\{(?P<names>[^{}]*)\}\s*from\s*(?P<after>[\"'][^\"']+[\"']);?"),
    re.compile(r"(?P<before>(?:pub )?use [\w:]+)::\{(?P<names>[^{}]*)\}(?P<after>);"),
)
_COMMENT: Final = re.compile(r"^(?://|#(?!\[)|--|;)")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


def taken(path: str, before: str, now: str) -> list[Finding]:
    """What `now` lacks of `before`, or sets aside."""
    old, new = _imports_apart(_lines(before)), _imports_apart(_lines(now))
    runs, lost = _aligned(old, new)
    if lost:
        asserting = next((line for line in lost if _ASSERTS.search(line)), None)
        skipping = next((line for run in runs for line in run if _SKIPS.search(line)), None)
        if skipping is not None:
            return [Finding(path, "skipped", skipping[:80])]
        if asserting is not None:
            emptied = not any(_ASSERTS.search(line) for line in new)
            return [Finding(path, "emptied" if emptied else "weakened", asserting[:80])]
        return [Finding(path, "changed", lost[0][:80])]
    found = [*_added(path, runs)]
    if found:
        # The same text may be told as other lines that were added, as whole tests.
        found = min(found, [*_added(path, _from_the_end(old, new))], key=len)
    return [*found, *_imported_over(path, old, runs)]


def new(path: str, text: str) -> Iterator[Finding]:
    """What a new file of tests decides for those beside it."""
    for line in _lines(text):
        if _STARTS_TESTS.search(line):
            yield Finding(path, "steered", line[:80])


def _added(path: str, runs: Sequence[Sequence[str]]) -> Iterator[Finding]:
    for run in runs:
        opened: list[bool] = []
        for line in _without_comments(run):
            returns = _returns(line, opened)
            kind = _kind(line) or ("steered" if returns else None)
            if kind is not None:
                yield Finding(path, kind, line[:80])
        if not _whole([*_without_comments(run)]):
            yield Finding(path, "changed", run[0][:80])


def _imports_apart(lines: Sequence[str]) -> list[str]:
    """The lines with each that imports names from a source as one for each name, so that an import may grow."""
    found: list[str] = []
    for line in lines:
        names = next((one for form in _IMPORTS if (one := form.fullmatch(line))), None)
        if names is None:
            found.append(line)
            continue
        source = f"{names['before']} {names['after']}".strip()
        found += [
            f"{_IMPORT}{name.strip()} {_OF} {source}" for name in sorted(names["names"].split(",")) if name.strip()
        ]
    return found


def _imported_over(path: str, before: Sequence[str], runs: Sequence[Sequence[str]]) -> Iterator[Finding]:
    """The names that are imported anew and that were there already, from elsewhere."""
    held = without_strings(" ".join(line.partition(f" {_OF} ")[0] for line in before))
    for line in (one for run in runs for one in run if one.startswith(_IMPORT)):
        name = re.split(r"\s+as\s+|\s*:\s*", line.removeprefix(_IMPORT).partition(f" {_OF} ")[0])[-1]
        if re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", held):
            yield Finding(path, "redefined", name)


def _kind(line: str) -> Kind | None:
    bare = without_strings(line, "''")
    if _SKIPS.search(bare):
        return "skipped"
    if _REPLACES.search(bare):
        return "redefined"
    steers = any(one.search(bare) for one in (_ENDS, _HIDES, _STARTS_TESTS))
    return "steered" if steers else None


def _lines(text: str) -> list[str]:
    """The lines that say something, without indentation and whole-line comments."""
    stripped = (line.strip() for line in text.splitlines())
    return [line for line in stripped if line and not _COMMENT.match(line)]


def _aligned(before: Sequence[str], now: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """The runs of lines that were added, and the lines that are not there any more in their order."""
    runs: list[list[str]] = [[]]
    place = 0
    for line in now:
        if place < len(before) and line == before[place]:
            place += 1
            runs.append([])
        else:
            runs[-1].append(line)
    left = Counter(now)
    lost = [line for line in before if (left.subtract([line]) or left[line] < 0)]
    return [run for run in runs if run], lost if lost or place == len(before) else [before[place]]


def _from_the_end(before: Sequence[str], now: Sequence[str]) -> list[list[str]]:
    """The runs of lines that were added, where both texts are held together from their ends.

    A run may begin with the line that follows it: then it is told one line later, until it is whole.
    """
    kept = [False] * len(now)
    left = len(before)
    for place in range(len(now) - 1, -1, -1):
        if left and now[place] == before[left - 1]:
            left -= 1
            kept[place] = True
    if left:
        return [[*now]]
    runs: list[list[str]] = []
    place = 0
    while place < len(now):
        if kept[place]:
            place += 1
            continue
        end = next((at for at in range(place, len(now)) if kept[at]), len(now))
        run = [*now[place:end]]
        while not _whole(run) and end < len(now) and kept[end] and run[0] == now[end]:
            run, end = [*run[1:], now[end]], end + 1
        runs.append(run)
        place = end
    return runs


def _returns(line: str, opened: list[bool]) -> bool:
    """Whether a line returns from what stood there: not from a function that the added lines open themselves.

    `opened` holds, for each brace that is open before the line, whether it opened a function; it is brought up to date.
    """
    bare = without_strings(line, "''")
    functions, since = opened.count(True), 0
    for found in _BRACE_OR_RETURN.finditer(bare):
        if found[0] == "{":
            between = bare[since : found.start()]
            opened.append(between.rstrip().endswith("=>") or _FUNCTION.search(between) is not None)
            functions += opened[-1]
        elif found[0] == "}":
            functions -= bool(opened) and opened.pop()
        elif not functions:
            return True
        since = found.start() + 1 if found[0] in "{}" else since
    return False


def _without_comments(run: Sequence[str]) -> Iterator[str]:
    """The lines of a run but those of comments that begin and end in it, each on lines of its own."""
    place = 0
    ends = [at for at, line in enumerate(run) if "*/" in line]
    ends.reverse()
    while place < len(run):
        if run[place].startswith("/*"):
            while ends and ends[-1] < place:
                ends.pop()
            end = ends[-1] if ends else None
            if end is not None and run[end].index("*/") == len(run[end]) - 2:
                place = end + 1
                continue
        yield run[place]
        place += 1


def _whole(run: Sequence[str]) -> bool:
    """Whether every bracket that opens among these lines closes there, and none closes that did not."""
    opened: list[str] = []
    for line in run:
        for char in without_strings(line):
            if char in _PAIRS.values():
                opened.append(char)
            elif char in _PAIRS and (not opened or opened.pop() != _PAIRS[char]):
                return False
    return not opened
