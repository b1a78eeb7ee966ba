"""The cache of instruction files: nothing stale is told, and what did not change is not read again."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.context_builder import instruction_cache
from services.context_builder.instruction_cache import InstructionCache, collect, load
from services.context_builder.instruction_copies import told_once
from services.context_builder.instruction_files import AgentInstructions
from services.context_builder.instruction_reading import FileRead, read
from shared.walk import Walker

LONG_AGO = 1_600_000_000


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.step = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def settle(place: Path) -> None:
    """Set every mtime back, and wait until the ctimes, which cannot be set, are old enough to be trusted."""
    for folder, _, files in os.walk(place):
        for name in files:
            os.utime(Path(folder, name), (LONG_AGO, LONG_AGO))
        os.utime(folder, (LONG_AGO, LONG_AGO))
    newest = max(path.lstat().st_ctime_ns for path in (place, *place.rglob("*")))
    while time.time_ns() < newest + 60_000_000:
        time.sleep(0.005)


def write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def texts(cache: InstructionCache, place: Path, clock: Clock | None = None, *, everything: bool = False) -> list[str]:
    found = load(cache, "", place, clock=clock or Clock(), everything=everything)
    return [unit.text for unit in found.files.units]


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []

    def counting(workspace: Path, path: str, *, link: bool) -> FileRead:
        seen.append(path)
        return read(workspace, path, link=link)

    monkeypatch.setattr(instruction_cache, "read", counting)
    return seen


def test_what_did_not_change_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "AGENTS.md", "root")
    write(tmp_path / "a/AGENTS.md", "of a")
    settle(tmp_path)
    seen, cache = reads(monkeypatch), InstructionCache()
    for _ in range(4):
        assert texts(cache, tmp_path) == ["root", "of a"]
    assert seen == ["AGENTS.md", "a/AGENTS.md"]
    write(tmp_path / "a/AGENTS.md", "other")
    assert texts(cache, tmp_path) == ["root", "other"]
    assert seen[2:] == ["a/AGENTS.md"]


def test_invalidating_makes_the_next_load_read_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "AGENTS.md", "root")
    settle(tmp_path)
    seen, cache = reads(monkeypatch), InstructionCache()
    texts(cache, tmp_path)
    cache.invalidate("another project", tmp_path)
    texts(cache, tmp_path)
    assert seen == ["AGENTS.md"]
    cache.invalidate("", tmp_path)
    texts(cache, tmp_path)
    assert seen == ["AGENTS.md"] * 2


@pytest.mark.parametrize("looks", [1, 2, 3, 4])
def test_a_replacement_of_the_same_size_and_time_is_seen(tmp_path: Path, looks: int) -> None:
    write(tmp_path / "AGENTS.md", "v1")
    settle(tmp_path)
    cache = InstructionCache()
    for _ in range(looks):
        assert texts(cache, tmp_path) == ["v1"]
    before = (tmp_path / "AGENTS.md").stat()
    write(tmp_path / "new", "v2")
    os.utime(tmp_path / "new", ns=(before.st_atime_ns, before.st_mtime_ns))
    (tmp_path / "new").replace(tmp_path / "AGENTS.md")
    os.utime(tmp_path, (LONG_AGO, LONG_AGO))
    after = (tmp_path / "AGENTS.md").stat()
    assert (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    assert texts(cache, tmp_path) == ["v2"]


def test_an_overwrite_in_place_with_the_time_set_back_is_seen(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "v1")
    settle(tmp_path)
    cache = InstructionCache()
    texts(cache, tmp_path)
    write(tmp_path / "AGENTS.md", "v2")
    os.utime(tmp_path / "AGENTS.md", (LONG_AGO, LONG_AGO))
    assert texts(cache, tmp_path) == ["v2"]


def test_deletion_and_creation_are_seen(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "v1")
    cache = InstructionCache()
    assert texts(cache, tmp_path) == ["v1"]
    (tmp_path / "AGENTS.md").unlink()
    assert texts(cache, tmp_path) == []
    write(tmp_path / "AGENTS.md", "v1")
    assert texts(cache, tmp_path) == ["v1"]
    write(tmp_path / "new/AGENTS.md", "new")
    assert texts(cache, tmp_path) == ["v1", "new"]
    write(tmp_path / ".gitignore", "new/\n")
    assert texts(cache, tmp_path) == ["v1"]


def test_a_file_that_becomes_unreadable_is_reported_and_not_told_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "v1")
    cache = InstructionCache()
    texts(cache, tmp_path)
    (tmp_path / "AGENTS.md").write_bytes(b"\xff")
    found = load(cache, "", tmp_path).files
    assert (found.units, [file.why for file in found.skipped]) == ((), ["not UTF-8 (byte 0)"])


def test_a_link_that_is_turned_and_a_target_that_appears_are_seen(tmp_path: Path) -> None:
    write(tmp_path / "one.md", "one")
    write(tmp_path / "two.md", "two")
    (tmp_path / "AGENTS.md").symlink_to("one.md")
    write(tmp_path / "a/AGENTS.md", "rules.md")
    cache = InstructionCache()
    assert texts(cache, tmp_path) == ["one", "rules.md"]
    (tmp_path / "AGENTS.md").unlink()
    (tmp_path / "AGENTS.md").symlink_to("two.md")
    write(tmp_path / "a/rules.md", "pointed at")
    assert texts(cache, tmp_path) == ["two", "pointed at"]


def test_rows_are_those_that_are_given_now(tmp_path: Path) -> None:
    cache = InstructionCache()
    for version, text in enumerate(["first", "second", " ", "second"], start=1):
        found = load(cache, "", tmp_path, [AgentInstructions("developer", text, version)])
        assert [unit.text for unit in found.files.units] == ([text] if text.strip() else [])


def test_where_looking_costs_much_only_files_that_were_found_are_looked_at_meanwhile(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "root")
    write(tmp_path / "far/away/keep.txt", "")
    settle(tmp_path)
    cache, clock = InstructionCache(), Clock()
    clock.step = 1.0  # each look takes a second
    texts(cache, tmp_path, clock)
    clock.step = 0.0
    write(tmp_path / "far/away/AGENTS.md", "new")
    assert texts(cache, tmp_path, clock) == ["root"]
    write(tmp_path / "AGENTS.md", "edited")
    assert texts(cache, tmp_path, clock) == ["edited", "new"]
    write(tmp_path / "far/AGENTS.md", "newer")
    assert texts(cache, tmp_path, clock) == ["edited", "newer", "new"]


def test_everything_can_be_looked_at_at_once(tmp_path: Path) -> None:
    write(tmp_path / "far/away/keep.txt", "")
    settle(tmp_path)
    cache, clock = InstructionCache(), Clock()
    clock.step = 1.0
    texts(cache, tmp_path, clock)
    clock.step = 0.0
    write(tmp_path / "far/away/AGENTS.md", "new")
    assert texts(cache, tmp_path, clock) == []
    assert texts(cache, tmp_path, clock, everything=True) == ["new"]


def test_the_cache_holds_a_bounded_number_of_workspaces(tmp_path: Path) -> None:
    cache = InstructionCache(limit=2)
    for number in range(5):
        write(tmp_path / str(number) / "AGENTS.md", str(number))
        assert texts(cache, tmp_path / str(number)) == [str(number)]
    assert len(cache._held) == 2


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["write", "remove", "ignore", "unignore", "look", "move"]),
        st.sampled_from(["", "a", "b", "a/c"]),
        st.sampled_from(["x", "y", "zz"]),
    ),
    max_size=14,
)


@given(STEPS)
@settings(max_examples=80)
def test_a_load_always_tells_what_a_first_load_would(tmp_path_factory: pytest.TempPathFactory, steps: object) -> None:
    place, cache = tmp_path_factory.mktemp("steps"), InstructionCache()
    for folder in ("a/c", "b"):
        (place / folder).mkdir(parents=True)
    assert isinstance(steps, list)
    for action, folder, text in steps:
        file = place / folder / "AGENTS.md"
        match action:
            case "write":
                file.write_text(text)
            case "remove":
                file.unlink(missing_ok=True)
            case "ignore":
                (place / ".gitignore").write_text(f"{folder or 'b'}/\n")
            case "unignore":
                (place / ".gitignore").unlink(missing_ok=True)
            case "move" if file.exists():
                file.replace(place / "b/AGENTS.md")
        if action == "look":
            assert told_once(load(cache, "", place, clock=Clock()).files) == collect(place)
    assert told_once(load(cache, "", place, clock=Clock()).files) == collect(place)


def test_a_look_within_the_tick_of_a_change_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.walk._RACY_NS", 1 << 62)
    write(tmp_path / "AGENTS.md", "v1")
    seen, cache = reads(monkeypatch), InstructionCache()
    for _ in range(3):
        texts(cache, tmp_path)
    assert seen == ["AGENTS.md"] * 3


def edit(place: Path) -> None:
    (place / "c/AGENTS.md").write_text("edited")


def add(place: Path) -> None:
    (place / "b/new").mkdir()


def ignore(place: Path) -> None:
    (place / ".gitignore").write_text("c/\n")


def take_the_place(place: Path) -> None:
    """An older directory comes into the place of another; nothing of it is newer than the first look."""
    (place / "b").rename(place / "gone")
    (place / "a/inner").rename(place / "b")


@pytest.mark.parametrize(
    ("change", "again"),
    [
        (None, [""]),
        (edit, [""]),
        (add, ["", "b", "b/new"]),
        (ignore, ["", "c"]),
        (take_the_place, ["", "a", "b", "b/deep", "gone", "gone/deep"]),
    ],
)
def test_a_second_look_lists_again_only_what_changed_since_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None] | None, again: list[str]
) -> None:
    place = tmp_path / "tree"
    for folder in ("a/inner/deep", "b/deep", "c"):
        write(place / folder / "AGENTS.md", folder)
    write(place / ".gitignore", "*.pyc\n")
    settle(place)
    walker = Walker(place, "AGENTS.md")
    first = list(walker.walk())
    if change is not None:
        change(place)
    listed: list[str] = []
    scandir = os.scandir

    def counting(path: str) -> object:
        listed.append(path.removeprefix(f"{place}/"))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counting)
    second = list(walker.walk())
    monkeypatch.undo()
    assert second == list(Walker(place, "AGENTS.md").walk())
    assert (second == first) == (change in (None, edit))
    assert sorted(listed) == sorted(again)
