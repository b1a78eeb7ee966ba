"""What of a workspace judges a task, by the texts of its checkers and of its code as the task found them."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.environments import PREFIX
from shared.run_files import MAKEFILES, scripts_run
from shared.subjects import subjects
from shared.walk import Walker
from shared.workspace.changes import Change

from ..judging_twice import Texts, Which, helps, is_code, loaded_by_checkers, products, read_by_checkers
from ..judging_twice.linting import linters_in, may_be_settings, settings_of
from .base import Bench, content_of
from .judging import which_of

_MOST_FILES: Final = 2_000
_MOST_CHARACTERS: Final = 1 << 18
"""Of one file."""
_MOST_IN_ALL: Final = 16 << 20


def judging(bench: Bench, command: str, changes: Sequence[Change], *, tests: bool) -> Which:
    """What judges on a bench, with what its checkers read or load; code is read only where that may matter."""
    which = replace(which_of(bench, command), tests=tests)
    if not any(_may_judge(one.path) for one in changes):
        return which
    began, text = _at_the_start(bench, changes)
    checkers, code = _both(bench, command, which, {*began}, text)
    texts = Texts("\n".join([command, *checkers.values()]), "\n".join(code.values()), bench.goal)
    named = [path for path in (one.path for one in changes) if is_code(path) and helps(path)]
    linters = linters_in(texts.checkers, bench.goal)
    settings = settings_of(linters, changes, bench.goal)
    return replace(
        which,
        read=read_by_checkers(changes, texts) | {one.path for one in settings if one.before is not None},
        loaded=loaded_by_checkers(changes, texts) | {one.path for one in settings if one.before is None},
        linters=linters,
        products=products(named, {path: one for path, one in code.items() if not helps(path)}, checkers),
    )


def _may_judge(path: str) -> bool:
    return not is_code(path) or helps(path) or path.endswith(".sh") or may_be_settings(path)


def texts_of(bench: Bench, command: str, changes: Sequence[Change]) -> Texts:
    """What is written in the checkers behind a command, and in the code, as the task found it."""
    began, text = _at_the_start(bench, changes)
    checkers, code = _both(bench, command, which_of(bench, command), {*began}, text)
    return Texts("\n".join([command, *checkers.values()]), "\n".join(code.values()), bench.goal)


def _at_the_start(bench: Bench, changes: Sequence[Change]) -> tuple[dict[str, str | None], Callable[[str], str]]:
    """The blobs of what was changed, and the text of any path, as the task found them."""
    began = {one.path: one.before for one in changes}
    held = bench.contents({blob for blob in began.values() if blob is not None})

    def text(path: str) -> str:
        blob = began.get(path)
        content = (b"" if blob is None else held.get(blob, b"")) if path in began else content_of(bench.workspace, path)
        return (content or b"")[:_MOST_CHARACTERS].decode("utf-8", "replace")

    return began, text


def _both(
    bench: Bench, command: str, which: Which, changed: Collection[str], text: Callable[[str], str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The texts of the checkers behind a command, and those of the code, by path."""
    files = [*_code(bench, changed)]
    checkers = {path: text(path) for path in _checkers(bench, command)}
    checkers |= {path: one for path, one in _texts(files, text) if _is_judge(path, which)}
    return checkers, {path: one for path, one in _texts(files, text) if path not in checkers}


def _texts(files: Sequence[str], text: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    left = _MOST_IN_ALL
    for path in files:
        one = text(path)
        left -= len(one)
        if left < 0:
            return
        yield path, one


def _is_judge(path: str, which: Which) -> bool:
    return replace(which, tests=True).put_back(path) and not helps(path)


def _checkers(bench: Bench, command: str) -> Iterator[str]:
    held = (path.partition("#")[0] for path in bench.verifiers or {} if not path.startswith(PREFIX))
    shown = subjects(command, bench.goal, lambda path: (bench.began(path) or b"").decode("utf-8", "replace"))
    scripts = (path.partition("#")[0] for path in scripts_run(bench.workspace, command) if path not in shown)
    yield from dict.fromkeys([*held, *scripts, *MAKEFILES])


def _code(bench: Bench, changed: Collection[str]) -> Iterator[str]:
    """The files of code, there now or then, at most so many."""
    found = dict.fromkeys(path for path in changed if is_code(path))
    for directory in Walker(bench.workspace, "").walk():
        if len(found) >= _MOST_FILES:
            break
        if not directory.ignored:
            found.update(dict.fromkeys(directory.child(name) for name in directory.files if is_code(name)))
    yield from found
