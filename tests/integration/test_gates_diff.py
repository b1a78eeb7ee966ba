"""What changed since a task began: every file counts, whatever git is told to ignore and however large it is."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import parse_criterion
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import Bench, judge
from shared.workspace import inventory
from shared.workspace.inventory import Inventory, beyond, take_inventory
from shared.workspace.snapshots import Snapshots, snapshots_work

pytestmark = pytest.mark.skipif(snapshots_work() is not None, reason=str(snapshots_work()))

Do = Callable[[Path], object]
FILES = {"code.py": "1", ".gitignore": ".env\nbuild/\nnode_modules/\n", ".env": "SECRET=1", "build/out.bin": "x"}


def judged(place: Path, do: Do, allowed: str = "code.py", files: dict[str, str] = FILES) -> CriterionResult:
    workspace = place / "workspace"
    for name, content in files.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(content)
    held = Snapshots(place / "home", workspace)
    began = held.take().tree
    start = Inventory.load(take_inventory(workspace, held.files(began)).dump())
    do(workspace)
    now = held.take().tree
    bench = Bench(
        workspace,
        SandboxedCommands(workspace),
        changes=lambda: held.changes(began, now),
        beyond=lambda changes: beyond(
            start, take_inventory(workspace, held.files(now)), held.files(began), held.files(now), changes
        ),
    )
    return asyncio.run(judge(parse_criterion(f"diff: {allowed}"), bench))


def write(name: str, content: str = "new") -> Do:
    def do(workspace: Path) -> None:
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(content)

    return do


def hidden(workspace: Path) -> None:
    write(".git/info/exclude", "stray.txt")(workspace)
    write("stray.txt")(workspace)


def large(workspace: Path) -> None:
    with (workspace / "stray.bin").open("wb") as file:
        file.truncate(40 << 20)


def unignored(workspace: Path) -> None:
    (workspace / ".gitignore").write_text("build/\nnode_modules/\n")
    (workspace / ".env").write_text("SECRET=2")


@pytest.mark.parametrize(
    ("do", "named"),
    [
        (write("stray.txt"), "stray.txt was added"),
        (write(".env", "SECRET=2"), ".env was changed"),
        (lambda place: (place / ".env").unlink(), ".env was deleted"),
        (lambda place: (place / ".env").chmod(0o755), ".env was changed"),
        (hidden, "stray.txt was added"),
        (large, "stray.bin was added"),
        (write("build/payload.txt"), "build/payload.txt was added"),
        (write("node_modules/left-pad/index.js"), "node_modules/left-pad/index.js was added"),
        (write("__pycache__/data.txt"), "__pycache__/data.txt was added"),
        (lambda place: (place / "empty").mkdir(), "empty/ was added"),
        (lambda place: os.mkfifo(place / "pipe"), "pipe was added"),
        (lambda place: (place / "link").symlink_to("/etc/passwd"), "link was added"),
        (unignored, ".env was changed"),
    ],
)
def test_whatever_changed_is_named(tmp_path: Path, do: Do, named: str) -> None:
    result = judged(tmp_path, do)
    assert result.verdict == "FAIL" and named in result.seen.splitlines()


@pytest.mark.parametrize(
    ("do", "allowed"),
    [
        (lambda _: None, "nothing"),
        (write("code.py"), "code.py"),
        (write(".env", "SECRET=1"), "nothing"),
        (write("build/more/new.txt"), "build/"),
        (write("__pycache__/code.cpython-311.pyc"), "nothing"),
        (write("node_modules/.cache/x"), "nothing"),
        (lambda place: (place / "out").mkdir(), "out/**"),
        (lambda place: (place / ".gitignore").write_text("build/\nnode_modules/\n"), ".gitignore"),
        (lambda place: (place / ".gitignore").write_text("*\n"), ".gitignore"),
        (lambda place: (place / ".git/hooks").mkdir(parents=True), "nothing"),
        (lambda place: (place / "code.py").unlink(), "code.py"),
    ],
)
def test_what_is_allowed_or_is_no_change_passes(tmp_path: Path, do: Do, allowed: str) -> None:
    result = judged(tmp_path, do, allowed)
    assert result.verdict == "PASS", result.seen


def test_a_change_that_cannot_be_told_is_not_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inventory, "MOST_HASHED", 4)

    def touched(workspace: Path) -> None:
        os.utime(workspace / ".env", (1, 1))

    result = judged(tmp_path, touched)
    assert result.verdict == "NOT_RUN" and ".env" in result.seen
    assert judged(tmp_path / "other", touched, ".env").verdict == "PASS"


def test_without_what_the_snapshot_left_out_nothing_is_passed(tmp_path: Path) -> None:
    held = Snapshots(tmp_path / "home", tmp_path)
    bench = Bench(tmp_path, SandboxedCommands(tmp_path), changes=lambda: held.changes(*[held.take().tree] * 2))
    assert asyncio.run(judge(parse_criterion("diff: a"), bench)).verdict == "NOT_RUN"


NAMES = st.sampled_from(["code.py", ".env", "build/a", "build/b/c", "x y/é.txt", "stray", ".gitignore"])
CONTENTS = st.sampled_from(["", "1", "x\n", "build/\n.env\n", "*\n"])


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.dictionaries(NAMES, CONTENTS), st.dictionaries(NAMES, CONTENTS | st.none()))
def test_the_files_named_are_always_those_whose_content_differs(
    tmp_path: Path, files: dict[str, str], turned: dict[str, str | None]
) -> None:
    def do(workspace: Path) -> None:
        workspace.mkdir(parents=True, exist_ok=True)
        for name, content in turned.items():
            if content is None:
                (workspace / name).unlink(missing_ok=True)
            else:
                write(name, content)(workspace)

    place = Path(tempfile.mkdtemp(dir=tmp_path))
    (place / "workspace").mkdir()
    result = judged(place, do, "nothing", files)
    after = {**files, **turned}
    differing = {name for name in after if files.get(name) != after[name]}
    assert {line.rsplit(" was ", 1)[0] for line in result.seen.splitlines() if " was " in line} == differing
