"""What git ignores, held against git itself; and that no line of a .gitignore, whatever it says, can hold up a walk."""

import os
import re
import subprocess
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.context_builder.instruction_cache import collect
from shared.ignoring import ignored_files, own_rules
from shared.rule_files import MAX_BYTES, MAX_WILDCARDS, MOST_WORK, Work
from shared.walk import MAX_DEPTH, Walker
from shared.wildmatch import LONGEST, octets, pattern

NAMES = [
    "a",
    "b",
    "ab",
    "A",
    "a b",
    "a ",
    "#x",
    "!n",
    "b.c",
    "]",
    "-",
    "é",
    "\udcff",
    "[a",
    "a\\",
    "a\nb",
    "\t",
    "x9",
    "**",
]
PIECES = [
    *"ab]-^!x9A \\",
    "*",
    "**",
    "***",
    "?",
    "/",
    "/**/",
    "**/",
    "/**",
    "[ab]",
    "[!a]",
    "[^b",
    "[]a]",
    "[a-",
    "[b-a]",
    "[]-a]",
    "[\\]a]",
    "[--0]",
    "[[:alpha:]]",
    "[![:space:]]",
    "[[:digit:][:upper:]]",
    "[[:bogus:]]",
    "[[:punct:]",
    "[[a]",
    "[é]",
    "é",
    "\\*",
    "\\#",
    "\r",
    " ",
    "\t",
]
LINES = st.builds(
    lambda sign, parts: sign + "".join(parts),
    st.sampled_from(["", "", "!", "/", "#"]),
    st.lists(st.sampled_from(PIECES), max_size=5),
)
# git itself takes `a**/b` and `\\/` for something that its manual does not say, and `a/**` only for what is in `a`.
AS_DOCUMENTED = LINES.filter(lambda line: not re.search(r"[^/!]\*\*+/|\\/|/\*\*+/?\s*$", line))
TREE = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join), min_size=1, max_size=8)


@given(TREE, st.lists(AS_DOCUMENTED, max_size=6), st.lists(AS_DOCUMENTED, max_size=3))
@settings(max_examples=120, deadline=None)
def test_what_is_ignored_is_what_git_ignores(
    tmp_path_factory: pytest.TempPathFactory, folders: list[str], rules: list[str], inner: list[str]
) -> None:
    place = tmp_path_factory.mktemp("repository")
    for folder in {*folders, "a"}:
        (place / folder).mkdir(parents=True, exist_ok=True)
    for folder, lines in (("", rules), ("a", inner)):
        (place / folder / ".gitignore").write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    subprocess.run(["git", "init", "-q", "."], cwd=place, check=True)
    paths = [os.path.relpath(path, place) for path, _, _ in os.walk(place) if ".git" not in path.split("/")][1:]
    asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
    answer = subprocess.run(
        ["git", "check-ignore", "-z", "--no-index", "--stdin"], cwd=place, input=asked, capture_output=True
    )
    by_git = {os.fsdecode(path) for path in answer.stdout.split(b"\0")}
    entered = {one.path for one in Walker(place, "").walk() if one.path and not one.ignored}
    assert entered == set(paths) - by_git


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=8, unique=True), st.lists(AS_DOCUMENTED, max_size=6))
@settings(max_examples=60, deadline=None)
def test_files_are_ignored_as_git_ignores_them(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], rules: list[str]
) -> None:
    place = tmp_path_factory.mktemp("repository")
    for name in names:
        (place / name).write_text("")
    (place / ".gitignore").write_bytes("\n".join(rules).encode("utf-8", "surrogateescape"))
    subprocess.run(["git", "init", "-q", "."], cwd=place, check=True)
    asked = b"".join(os.fsencode(name) + b"\0" for name in names)
    answer = subprocess.run(
        ["git", "check-ignore", "-z", "--no-index", "--stdin"], cwd=place, input=asked, capture_output=True
    )
    by_git = {os.fsdecode(path) for path in answer.stdout.split(b"\0") if path}
    assert ignored_files("", names, own_rules(f"{place}/.gitignore", "", Work()), Work()) == by_git


EVIL = [
    "*a" * 60 + "*b",
    "**/" + "*a*/" * 40 + "b",
    "**/a*/" * 40 + "*b",
    "a?*" * 60 + "c",
    "[!b]*" * 60 + "c",
    "/" + "*/**/" * 60 + "b",
    "/" + "**/*a*a*/" * 30 + "**/b",
    "*" * 15_000,
    "[" * 15_000,
    "\\" * 15_001,
    "[a" * 7_500,
]


@pytest.mark.parametrize("line", EVIL)
def test_no_pattern_backtracks(tmp_path: Path, line: str) -> None:
    # With backtracking each of these takes longer than a life; there is nothing to measure.
    place = tmp_path
    for _ in range(12):
        place = place / ("a" * 200)
    place.mkdir(parents=True)
    (tmp_path / ".gitignore").write_text(line)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        walked = Walker(tmp_path, "").walk()
    assert len(walked) == (2 if set(line) == {"*"} else 13)


def test_a_large_file_of_rules_is_heeded_up_to_a_bound_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/AGENTS.md").write_text("somebody's")
    (tmp_path / ".gitignore").write_text("\n".join([*(f"name{number}" for number in range(60_000)), "lib/"]))
    found = collect(tmp_path)
    assert [file.path for file in found.skipped] == ["lib/AGENTS.md"]
    (tmp_path / ".gitignore").write_text("\n".join([*(f"*n{number}*" for number in range(2_000)), "lib/"]))
    found = collect(tmp_path)
    assert [unit.id for unit in found.units] == ["lib/AGENTS.md"]
    assert [(file.path, file.why) for file in found.skipped] == [
        (".gitignore", f"too many wildcards; line {MAX_WILDCARDS + 1} and those after it were not heeded")
    ]
    (tmp_path / ".gitignore").write_text("lib/\n" + "x" * MAX_BYTES)
    assert [file.path for file in collect(tmp_path).skipped] == [".gitignore", "lib/AGENTS.md"]


def test_rules_in_a_directory_take_back_what_rules_above_ignored_of_all_that_is_in_it(tmp_path: Path) -> None:
    for folder in ("lib/keep/deep", "lib/other"):
        (tmp_path / folder).mkdir(parents=True)
    for folder in ("lib", "lib/keep", "lib/other"):
        (tmp_path / folder / "AGENTS.md").write_text(f"the rules of {folder}")
    (tmp_path / ".gitignore").write_text("lib/**\n")
    walker = Walker(tmp_path, "AGENTS.md")
    assert [one.path for one in walker.walk() if not one.ignored] == [""]
    (tmp_path / "lib/.gitignore").write_text("!keep/\n!keep/**\n")
    assert [one.path for one in walker.walk() if not one.ignored] == ["", "lib", "lib/keep", "lib/keep/deep"]
    found = collect(tmp_path)
    assert [unit.id for unit in found.units] == ["lib/keep/AGENTS.md"]
    assert {one.path for one in found.skipped} == {"lib/AGENTS.md", "lib/other/AGENTS.md"}
    (tmp_path / "lib/.gitignore").unlink()
    assert [one.path for one in walker.walk() if not one.ignored] == [""]


HOSTILE: dict[str, list[str]] = {
    "paths": [f"**/a/**/a/**/b{number}" for number in range(900)],
    "names": [f"*a*{number}*b" for number in range(1_000)],
}


@pytest.mark.parametrize("lines", HOSTILE.values(), ids=HOSTILE)
def test_the_rules_of_a_walk_take_a_bounded_amount_of_work_and_what_was_not_heeded_is_said(
    tmp_path: Path, lines: list[str]
) -> None:
    place = tmp_path
    for depth in range(MAX_DEPTH + 2):
        (place / ".gitignore").write_text("\n".join(["vendor/", *(f"{line}{depth}" for line in lines)]))
        (place / "vendor").mkdir()
        (place / "vendor/AGENTS.md").write_text("theirs")
        place = place / "a"
        place.mkdir()
    found = collect(tmp_path)
    whys = [(one.path, one.why.partition(";")[0]) for one in found.skipped if "vendor" not in one.path]
    at = next(path for path, why in whys if why == "the rules of .gitignore files take too long")
    assert at.count("/") < MAX_DEPTH
    assert whys[-1] == ("/".join("a" * MAX_DEPTH), f"more than {MAX_DEPTH} directories one in another")
    assert not found.units or all(unit.id.startswith(at) for unit in found.units)
    assert found == collect(tmp_path)


def test_a_walk_whose_rules_were_too_much_looks_anew_once_they_are_not(tmp_path: Path) -> None:
    for number in range(90):
        (tmp_path / f"d{number:02}").mkdir()
        (tmp_path / f"d{number:02}" / ".gitignore").write_text("\n".join([*HOSTILE["names"], f"lib{number}"]))
        (tmp_path / f"d{number:02}" / f"lib{number}").mkdir()
    walker = Walker(tmp_path, "")
    for _ in range(2):
        assert not all(one.ignored for one in walker.walk() if one.depth == 2)
        assert [one.problem for one in walker.notable if one.problem]
    for number in range(90):
        (tmp_path / f"d{number:02}" / ".gitignore").write_text(f"lib{number}")
    assert all(one.ignored for one in walker.walk() if one.depth == 2)


def test_what_git_would_only_enter_to_find_nothing_is_ignored_unless_something_is_taken_back(tmp_path: Path) -> None:
    for folder in ("lib/keep", "lib/other"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("lib/**\n")
    assert [one.path for one in Walker(tmp_path, "").walk() if not one.ignored] == [""]
    (tmp_path / ".gitignore").write_text("lib/**\n!lib/keep/\n")
    assert [one.path for one in Walker(tmp_path, "").walk() if not one.ignored] == ["", "lib", "lib/keep"]


@given(st.text(alphabet=st.characters(max_codepoint=255)))
def test_every_line_is_read_without_an_error(line: str) -> None:
    read = pattern(line.replace("\n", ""))
    if read is not None and read.literal is None:
        re.compile(read.regex)


def test_a_pattern_longer_than_any_path_matches_nothing() -> None:
    assert pattern("a" * (LONGEST + 1)) is None and pattern("?" * (LONGEST + 1)) is None
    assert octets("é") == "\xc3\xa9"


def test_many_files_that_say_the_same_cost_hardly_more_than_one() -> None:
    """A tree of many projects from one template is ordinary, however long the template's rules are."""
    raw = b"".join(b"[Bb]in%d/\n*.ext%d\n" % (number, number) for number in range(200))
    work = Work()
    assert work.affords_file(raw)
    first = MOST_WORK - work.left
    assert all(work.affords_file(raw) for _ in range(1_000))
    assert MOST_WORK - work.left < 3 * first


def test_files_that_each_say_something_else_are_bounded_together() -> None:
    work = Work()
    files = (b"".join(b"*%dx%d\n" % (number, line) for line in range(900)) for number in range(1_000))
    assert not all(work.affords_file(raw) for raw in files)
    assert work.exhausted
