"""Whether the files that judge a task were turned so that it passes: compared with the task's first snapshot.

The hashes of `shared.verifiers` tell which files differ; where their former content is known, it is looked at what
differs, so that adding tests is fine and each cheat is called by its name.
"""

import functools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from pathspec import GitIgnoreSpec

from shared.named_blocks import with_blocks
from shared.precedence import is_of_a_family
from shared.run_files import MAKEFILES, scripts_of
from shared.verifiers import collected, is_runner, steers

from . import line_tests, makefiles, python_new, python_tests
from .asking_checkers import asks_for_checkers
from .detecting import asks_for_tests, speaks_of_tests
from .doctests import Pair, changes_examples, examples, lost_examples
from .finding import Finding, Kind, Language
from .hiding import hides
from .named_tests import MARK, names_in, text_of_named, with_named
from .planted import planted
from .python_tests import without_lost_marks
from .standing_in import declared_packages, is_named_by, stands_in
from .turning import turns_the_judge
from .uses import Uses, bound_anew, uses_of

__all__ = [
    "MARK",
    "Content",
    "Finding",
    "Kind",
    "Language",
    "Pair",
    "Uses",
    "asks_for_checkers",
    "asks_for_tests",
    "bound_anew",
    "changes_examples",
    "declared_packages",
    "examples",
    "findings",
    "hides",
    "is_named_by",
    "lost_examples",
    "names_in",
    "only_adds",
    "planted",
    "speaks_of_tests",
    "stands_in",
    "text_of_named",
    "turns_the_judge",
    "uses_of",
    "with_named",
    "without_lost_marks",
]

Content = Callable[[str], bytes | None]
"""The content of a path; None where it is not there or not known."""

_MOST_TESTS: Final = 500
"""Whose uses of modules are looked at."""
_LINES: Final = re.compile(r".*\.(?:[cm]?[jt]sx?|go|rb|rs|java|kt|cs|php|snap)")
_MASKS: Final = re.compile(
    r"\|\|\s*(?:true|:|exit\s+0|echo\b)|;\s*(?:true|:|exit\s+0)\s*$|^\s*exit\s+0\b|\bset\s+\+e\b|^\t-|\btrap\b.*\bEXIT\b"
    r"|sys\.exit\(0\)|os\._exit\(0\)|process\.exit\(0\)"
)


def findings(
    before: Mapping[str, str],
    now: Mapping[str, str],
    *,
    content_before: Content,
    content_now: Content,
    commands: Sequence[str] = (),
    editable: Sequence[str] = (),
    opened: Collection[str] = (),
) -> list[Finding]:
    """What was done to the files that judge, by path.

    `before` and `now` are the hashes of `verifiers.snapshot`; `commands` those of the criteria; `editable` (patterns as
    in gitignore) and `opened` (paths, or `PATH::NAME` for one test in it) name what may change.
    """
    content_before = _but_named(content_before, content_now, opened)
    patterns = GitIgnoreSpec.from_lines(editable)
    found: list[Finding] = []
    uses = functools.partial(_uses, before, now, content_before, content_now)
    for path in sorted({*before, *now}):
        file = path.partition("#")[0]
        if before.get(path) == now.get(path) or file in opened or patterns.match_file(file):
            continue
        if f"{file}{MARK}+" in opened and PurePosixPath(file).name not in MAKEFILES:
            continue
        if path not in before:
            found += _new(path, before, content_now, uses)
        elif path not in now and names_in(opened, file) and not (content_before(file) or b"").strip():
            continue
        elif path not in now:
            found += _gone(path, before, now, content_before, content_now)
        else:
            found += _changed(path, content_before, content_now, commands, uses, grows=f"{file}{MARK}+" in opened)
    return found


def _but_named(before: Content, now: Content, opened: Collection[str]) -> Content:
    """What was there, with the tests that are opened by their names as they are now."""

    def content(path: str) -> bytes | None:
        held = before(path)
        names = names_in(opened, path) if held is not None else ()
        if held is None or not names:
            return held
        put = with_named if path.endswith(".py") else functools.partial(with_blocks, path)
        text = put(_text(held) or "", _text(now(path)) or "", names)
        return held if text is None else text.encode()

    return content


def only_adds(path: str, before: str, now: str) -> bool:
    """Whether a file of tests in a language read by lines holds all that it held, and nothing that sets it aside."""
    return _LINES.fullmatch(path) is not None and not line_tests.taken(path, before, now)


def _uses(before: Mapping[str, str], now: Mapping[str, str], content_before: Content, content_now: Content) -> Uses:
    """What the tests that were there use, as they were."""
    tests = [one for one in before if collected(one) and one.endswith(".py")][:_MOST_TESTS]
    held = (content_now(one) if now.get(one) == before[one] else content_before(one) for one in tests)
    return uses_of(_text(content) or "" for content in held)


def _new(path: str, before: Mapping[str, str], content_now: Content, uses: Callable[[], Uses]) -> Iterator[Finding]:
    if is_runner(path):
        yield Finding(path, "planted")
        return
    file, _, section = path.partition("#")
    if is_of_a_family(file):
        yield Finding(file, "steered")
        return
    tests = [one for one in before if not steers(one)]
    if not tests:
        return
    if file.endswith(".py"):
        text = _text(content_now(file))
        if not steers(path):
            yield from python_new.at_import(file, text or "")
        elif PurePosixPath(file).name == "conftest.py" and text is not None:
            yield from python_new.new_conftest(file, text)
            yield from _patches(file, "", text, uses)
        else:
            yield Finding(file, "steered")
    elif steers(path):
        yield Finding(file, "steered", section)
    elif any(PurePosixPath(test).parent == PurePosixPath(file).parent for test in tests):
        yield from line_tests.new(file, _text(content_now(file)) or "")


def _gone(
    path: str, before: Mapping[str, str], now: Mapping[str, str], content_before: Content, content_now: Content
) -> Iterator[Finding]:
    moved = [other for other, digest in now.items() if digest == before[path] and other not in before]
    if any(collected(other) for other in moved) and not steers(path):
        return
    if moved:
        yield Finding(path, "renamed_away", moved[0])
        return
    held = content_before(path)
    aside = next((other for other in _near(path) if held is not None and content_now(other) == held), None)
    yield Finding(path, "renamed_away", aside) if aside else Finding(path, "deleted")


def _near(path: str) -> Iterator[str]:
    """Where a file is likely to be put aside."""
    place = PurePosixPath(path)
    for ending in (".bak", ".orig", ".old", ".disabled", ".txt", "~", ".skip"):
        yield f"{path}{ending}"
        yield str(place.with_suffix(ending)) if place.suffix and ending != "~" else f"{path}~"
    for start in ("_", "x", "disabled_", "skip_", "old_"):
        yield str(place.with_name(f"{start}{place.name}"))


def _patches(path: str, before: str, now: str, uses: Callable[[], Uses]) -> Iterator[Finding]:
    """What a conftest binds anew, and did not, of what the tests use."""
    used = uses()
    held = [*bound_anew(before, used)]
    yield from (Finding(path, "redefined", what) for what in bound_anew(now, used) if what not in held)


def _changed(
    path: str,
    content_before: Content,
    content_now: Content,
    commands: Sequence[str],
    uses: Callable[[], Uses],
    *,
    grows: bool = False,
) -> Iterator[Finding]:
    file, _, section = path.partition("#")
    old, new = _text(content_before(file)), _text(content_now(file))
    masking = _masking(old or "", new or "")
    if old is None or new is None or section:
        yield Finding(file, "masked", masking) if masking and section else Finding(file, "changed", section)
    elif PurePosixPath(file).name in MAKEFILES:
        same = makefiles.only_grown if grows else makefiles.same_for
        if not same(old, new, [target for command in commands for target in makefiles.targets_of(command)]):
            yield Finding(file, "masked", masking) if masking else Finding(file, "changed", "what judges")
    elif PurePosixPath(file).name == "conftest.py":
        yield from python_tests.taken(file, old, new)
        yield from _patches(file, old, new, uses)
    elif any(file in scripts_of(command) for command in commands) or steers(file) or is_runner(file):
        yield Finding(file, "masked", masking) if masking else Finding(file, "changed")
    elif file.endswith(".py"):
        yield from python_tests.taken(file, old, new)
    elif _LINES.fullmatch(file):
        yield from line_tests.taken(file, old, new)
    else:
        yield Finding(file, "changed")


def _masking(before: str, now: str) -> str:
    """A line that is new and hides an exit status."""
    held = set(before.splitlines())
    found = next((line for line in now.splitlines() if line not in held and _MASKS.search(line)), "")
    return found.strip()[:80]


def _text(content: bytes | None) -> str | None:
    try:
        return None if content is None else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
