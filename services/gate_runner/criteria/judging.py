"""What of a workspace judges a task, by its contract and its criteria, and which commands run tests."""

import re
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

from shared import verifiers
from shared.environments import PREFIX
from shared.precedence import displacing
from shared.run_files import MAKEFILES, named_tests, script_at, scripts_reached, scripts_run
from shared.verifiers import collected, is_runner, specifications

from ..absent import is_tool
from ..cheating import MARK, Finding, names_in, text_of_named
from ..judging_twice import Which, grew, is_code
from ..runners import RUNNERS
from .base import METADATA, Bench, cheats, content_of, is_plugin
from .starting import commands_started

_MOST_SCRIPTS: Final = 50
_RUN_AS_MODULE: Final = re.compile(r"\bpython[\d.]*\s+(?:-[a-zA-Z]+\s+)*-m\s+([A-Za-z_]\w*)")
_CLIENT: Final = re.compile(r"(?:^|[\s;&|(/@\"'`])(?:npm|npx|pnpm|yarn)(?=[\s\"'`;)]|$)")
_CLIENTS_OWN: Final = frozenset({".npmrc", ".yarnrc", ".yarnrc.yml", "pnpm-workspace.yaml"})


def which_of(bench: Bench, command: str) -> Which:
    """What judges on this bench, with what a criterion's command names."""
    patterns = GitIgnoreSpec.from_lines(bench.editable)
    held = {path for path in bench.verifiers or {} if "#" not in path and not path.startswith(PREFIX)}
    named = {path for one in (*bench.judging, command) for path in named_tests(one)}
    tests = [path for path in bench.opened if collected(path)]
    folders = tuple(f"{path.rpartition('/')[0]}/" for path in tests if "/" in path)
    named_texts = _texts_of_named(bench)
    at_the_top = any("/" not in path for path in tests)

    def opened(path: str) -> bool:
        # What lies beside tests that may change is theirs: data, snapshots, helpers.
        beside = path.startswith(folders) or (at_the_top and not is_code(path))
        # So are those that they were moved to, or split into.
        moved = bool(tests) and collected(path)
        if path.endswith(METADATA) and is_plugin(bench):
            return True
        if not is_code(path) and path.rpartition("/")[2] in named_texts and path not in held:
            return True
        if f"{path}{MARK}+" in bench.opened:
            return grew(bench.began(path) or b"", content_of(bench.workspace, path) or b"")
        return path in bench.opened or ((beside or moved) and path not in held) or patterns.match_file(path)

    return Which(
        opened=opened,
        named=frozenset(held | named),
        artefacts=frozenset(bench.artefacts) - held,
        specifications=frozenset(specifications(held)),
    )


def _texts_of_named(bench: Bench) -> str:
    """The tests that the goal opens by their names, as they are: data that they name is theirs."""
    paths = {path for path, mark, _ in (one.partition(MARK) for one in bench.opened) if mark}
    held = {path: (content_of(bench.workspace, path) or b"").decode("utf-8", "replace") for path in sorted(paths)}
    return "\n".join(text_of_named(text, names_in(bench.opened, path)) for path, text in held.items())


def runs_tests(workspace: Path, command: str) -> bool:
    """Whether a command starts a known runner of tests: by itself, or by a script or Makefile that it comes by."""
    left, known, files = [command], {command}, set[str]()
    for one in left:
        lines = [*one.splitlines()]
        started = [*commands_started("", one)]
        for path in (*scripts_run(workspace, one), *scripts_reached(workspace, one)):
            started.append(script_at(workspace, path))
            file = _program_at(workspace, path.partition("#")[0])
            if file in files or len(files) >= _MOST_SCRIPTS:
                continue
            files.add(file)
            text = (content_of(workspace, file) or b"").decode("utf-8", "replace")
            lines += [] if _is_program(file) else text.splitlines()
            started += commands_started(file, text)
        if any(runner.starts.search(line) for line in lines for runner in RUNNERS):
            return True
        new = [each for each in dict.fromkeys(started) if each and each not in known][:_MOST_SCRIPTS]
        known.update(new)
        left += new if len(left) < _MOST_SCRIPTS else []
    return False


def has_tests(bench: Bench) -> bool:
    """Whether there were tests when the task began, by the names that runners find them by."""
    return any(collected(path) for path in bench.verifiers or {})


def _program_at(workspace: Path, path: str) -> str:
    """The file that is run by a name: of a package, or a folder, its `__main__.py`."""
    stem = path.removesuffix(".py")
    return f"{stem}/__main__.py" if not (workspace / path).is_file() and (workspace / stem).is_dir() else path


def _is_program(file: str) -> bool:
    """Whether lines of a file are no commands: what it starts must be read from its calls."""
    return file.rsplit("/", 1)[-1] not in (*MAKEFILES, "package.json") and file.endswith((".py", ".js", ".mjs", ".cjs"))


def tests_tampered(bench: Bench, command: str) -> str:
    """What was done to the tests and to what steers them, a line each; empty where nothing was."""
    if bench.verifiers is None:
        return ""
    before = {path: digest for path, digest in bench.verifiers.items() if not path.startswith(PREFIX)}
    new = _displacing(bench, command)
    now = verifiers.snapshot(bench.workspace, [*(path for path in before if "#" not in path), *new])
    if bench.allow_test_changes:
        before, now = (
            {path: one for path, one in held.items() if is_runner(path) or path in new} for held in (before, now)
        )
    return "\n".join(filter(None, [cheats(bench, before, now), _in_a_tools_place(bench, command)]))


def scripts_tampered(bench: Bench, command: str) -> str:
    """What was done to the scripts that a command runs, as far as they judge this task."""
    if bench.verifiers is None:
        return ""
    judging = [*scripts_run(bench.workspace, command), *named_tests(command)]
    before = {path: bench.verifiers[path] for path in judging if path in bench.verifiers}
    new = [*(path for path in judging if _is_before_its_like(path, bench)), *_displacing(bench, command)]
    clients = _CLIENT.search(reached_text(bench, command)) is not None
    before.update((path, one) for path, one in bench.verifiers.items() if clients and _steers_client(path))
    now = verifiers.snapshot(bench.workspace, [*before, *new])
    rules = [path for path in now if clients and _steers_client(path) and path not in bench.verifiers]
    told = cheats(bench, before, {path: now[path] for path in [*before, *new] if path in now})
    steering = "\n".join(
        Finding(file, "steered", section).said(bench.language)
        for file, _, section in (path.partition("#") for path in rules)
        if file not in bench.opened and not GitIgnoreSpec.from_lines(bench.editable).match_file(file)
    )
    return "\n".join(filter(None, [told, steering, _in_a_tools_place(bench, command)]))


def _steers_client(path: str) -> bool:
    """Whether a path is of what says how npm, pnpm and yarn start the scripts of package.json."""
    return path.partition("#")[0].rpartition("/")[2] in _CLIENTS_OWN


def _in_a_tools_place(bench: Bench, command: str) -> str:
    """New modules that Python runs in place of the tool that a command means by `-m`, a line each."""
    text = reached_text(bench, command)
    names = [name for name in dict.fromkeys(_RUN_AS_MODULE.findall(text)) if is_tool(name)]
    paths = [f"{name}{end}" for name in names for end in (".py", "/__main__.py", "/__init__.py")]
    new = [path for path in paths if (bench.workspace / path).is_file() and bench.began(path) is None]
    found = [path for path in new if not is_runner(path) and path not in bench.opened and path not in bench.goal]
    return "\n".join(Finding(path, "planted").said(bench.language) for path in found)


def _is_before_its_like(path: str, bench: Bench) -> bool:
    """Whether a Makefile is new beside another one, whose place it may take."""
    folder, _, name = path.rpartition("/")
    beside = [f"{folder}/{other}" if folder else other for other in MAKEFILES if other != name]
    held = bench.verifiers or {}
    return name in MAKEFILES and path not in held and any(one in held for one in beside)


def _displacing(bench: Bench, command: str) -> list[str]:
    """The files that a runner which the command starts, or a script of its, reads now in place of those it read."""
    folders = {"", *(path.rpartition("/")[0] for path in _reached(bench, command))}
    return displacing(
        reached_text(bench, command),
        folders,
        lambda path: bench.began(path) is not None,
        lambda path: (bench.workspace / path).is_file() and bench.began(path) is None,
    )


def _reached(bench: Bench, command: str) -> list[str]:
    """The scripts that a command runs, whatever they are called."""
    reached = [*scripts_run(bench.workspace, command), *scripts_reached(bench.workspace, command)]
    return [*dict.fromkeys(path.partition("#")[0] for path in reached)][: 2 * _MOST_SCRIPTS]


def reached_text(bench: Bench, command: str) -> str:
    """A command with the texts of all scripts that it comes by."""
    texts = (content_of(bench.workspace, path) or b"" for path in _reached(bench, command))
    return "\n".join([command, *(one.decode("utf-8", "replace") for one in texts)])
