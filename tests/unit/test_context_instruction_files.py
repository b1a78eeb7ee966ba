"""Instruction files on a real file system: precedence, what is skipped and named, links, and edits seen at once."""

import os
from pathlib import Path

import pytest

from services.context_builder.assembler import ordered_units
from services.context_builder.instruction_files import AgentInstructions, Collector, InstructionFiles, collect


def write(place: Path, text: str | bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())


def ids(found: InstructionFiles) -> list[str]:
    return [unit.id for unit in ordered_units(found.units)]


def why(found: InstructionFiles) -> dict[str, str]:
    return {file.path: file.why for file in found.skipped}


def test_precedence_rises_from_the_root_by_depth_and_path_to_the_database(tmp_path: Path) -> None:
    for folder in ("b/x", "a", "a/z/q", "", "b", "a/b"):
        write(tmp_path / folder / "AGENTS.md", f"rules of {folder}")
    found = collect(tmp_path, row=AgentInstructions("developer", "operator's rules", version=3))
    assert ids(found) == [
        "AGENTS.md",
        "a/AGENTS.md",
        "b/AGENTS.md",
        "a/b/AGENTS.md",
        "b/x/AGENTS.md",
        "a/z/q/AGENTS.md",
        "db:developer",
    ]
    assert all(unit.label for unit in found.units)


def test_git_itself_is_never_looked_into(tmp_path: Path) -> None:
    write(tmp_path / ".git/AGENTS.md", "not for us")
    found = collect(tmp_path)
    assert (found.units, found.skipped) == ((), ())


def test_what_git_ignores_is_skipped_and_named(tmp_path: Path) -> None:
    write(tmp_path / ".gitignore", "/build/\n*.egg\n!kept.egg\n")
    write(tmp_path / "pkg/.gitignore", "generated\n")
    write(tmp_path / ".git/info/exclude", "private/\n")
    kept = ["AGENTS.md", "kept.egg/AGENTS.md", "pkg/AGENTS.md", "pkg/build/AGENTS.md"]
    skipped = [
        "build/deep/AGENTS.md",
        "node_modules/left/AGENTS.md",
        "other.egg/AGENTS.md",
        "pkg/generated/AGENTS.md",
        "private/AGENTS.md",
        "venv/lib/AGENTS.md",
    ]
    for path in (*kept, *skipped):
        write(tmp_path / path, "rules")
    write(tmp_path / "venv/pyvenv.cfg", "home = /usr")
    found = collect(tmp_path)
    assert ids(found) == kept
    assert sorted(why(found)) == skipped
    loaded = collect(tmp_path, ignored="load")
    assert sorted(ids(loaded)) == sorted((*kept, *skipped)) and not loaded.skipped


def test_a_link_is_followed_only_inside_the_workspace_and_one_file_counts_once(tmp_path: Path) -> None:
    work, outside = tmp_path / "work", tmp_path / "outside"
    write(outside / "AGENTS.md", "somebody else's")
    write(work / "CLAUDE.md", "the rules")
    (work / "AGENTS.md").symlink_to("CLAUDE.md")
    write(work / "a/keep.txt", "")
    (work / "a/AGENTS.md").symlink_to("../CLAUDE.md")
    write(work / "b/keep.txt", "")
    (work / "b/AGENTS.md").symlink_to(outside / "AGENTS.md")
    write(work / "c/keep.txt", "")
    (work / "c/AGENTS.md").symlink_to("nowhere")
    (work / "loop").symlink_to(".")
    (work / "out").symlink_to(outside)
    found = collect(work)
    assert ids(found) == ["AGENTS.md"]
    assert why(found) == {
        "a/AGENTS.md": "the same file as AGENTS.md",
        "b/AGENTS.md": "a link that leads out of the workspace",
        "c/AGENTS.md": "a link that leads nowhere",
        "out/AGENTS.md": "behind a link that leads out of the workspace",
    }


def test_unusable_files_are_reported_never_dropped_in_silence(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", b"\xff\xfe broken")
    write(tmp_path / "empty/AGENTS.md", " \n")
    write(tmp_path / "huge/AGENTS.md", b"x" * (1 << 20) + b"y")
    (tmp_path / "folder/AGENTS.md").mkdir(parents=True)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe/AGENTS.md")
    found = collect(tmp_path)
    assert not found.units
    assert why(found) == {
        "AGENTS.md": "not UTF-8 (byte 0)",
        "empty/AGENTS.md": "empty",
        "huge/AGENTS.md": "larger than 1048576 bytes",
        "folder/AGENTS.md": "not a regular file",
        "pipe/AGENTS.md": "not a regular file",
    }


def test_a_missing_workspace_is_reported(tmp_path: Path) -> None:
    assert list(why(collect(tmp_path / "none"))) == ["."]


def test_an_edit_a_new_file_and_a_new_ignore_rule_are_seen_at_the_next_look(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "first")
    write(tmp_path / "sub/AGENTS.md", "sub")
    collector = Collector(tmp_path)
    assert [unit.text for unit in collector.collect().units] == ["first", "sub"]
    before = (tmp_path / "AGENTS.md").stat()
    write(tmp_path / "AGENTS.md", "other")
    os.utime(tmp_path / "AGENTS.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [unit.text for unit in collector.collect().units] == ["other", "sub"]
    write(tmp_path / "new/AGENTS.md", "new")
    assert ids(collector.collect()) == ["AGENTS.md", "new/AGENTS.md", "sub/AGENTS.md"]
    write(tmp_path / ".gitignore", "sub/\n")
    assert ids(collector.collect()) == ["AGENTS.md", "new/AGENTS.md"]
    (tmp_path / "AGENTS.md").unlink()
    assert ids(collector.collect()) == ["new/AGENTS.md"]


def test_the_touched_scope_keeps_the_chain_of_the_paths(tmp_path: Path) -> None:
    for folder in ("", "a", "a/b", "c"):
        write(tmp_path / folder / "AGENTS.md", "rules")
    found = collect(tmp_path).touched(["a/b/main.py"])
    assert ids(found) == ["AGENTS.md", "a/AGENTS.md", "a/b/AGENTS.md"]
    assert ids(collect(tmp_path).touched([])) == ["AGENTS.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md", "rules")
    (tmp_path / "AGENTS.md").chmod(0)
    assert "cannot be read" in why(collect(tmp_path))["AGENTS.md"]
