"""What is put back for a second judging, and what is taken away."""

import re
from collections.abc import Mapping
from dataclasses import astuple, fields

import pytest
from arreio_contracts.messages import TestCounts as Counts

from services.gate_runner.judging_twice import (
    Former,
    Texts,
    Which,
    all_former,
    fewer,
    former,
    loaded_by_checkers,
    may_narrow,
    moved,
    moves_of,
    newly_skipped,
    products,
    read_by_checkers,
    sayings,
)
from services.gate_runner.judging_twice.merging import with_tests_of
from services.gate_runner.reports import Report
from shared.verifiers import specifications
from shared.workspace.changes import Change

Files = Mapping[str, str]


def changes(before: Files, now: Files) -> list[Change]:
    """What differs, with a file's text for the id of its blob."""
    return [
        Change(
            path,
            "added" if path not in before else "deleted" if path not in now else "changed",
            before.get(path),
            now.get(path),
            0o100644,
            0o100644,
        )
        for path in sorted({*before, *now})
        if before.get(path) != now.get(path)
    ]


def put_back(before: Files, now: Files, which: Which | None = None) -> Former:
    return former(
        changes(before, now),
        which or Which(),
        lambda blobs: {blob: blob.encode() for blob in blobs},
        lambda path: now[path].encode() if path in now else None,
    )


def paths(found: Former) -> tuple[set[str], set[str]]:
    return {one.path for one in found.put}, {*found.gone}


@pytest.mark.parametrize(
    "path",
    [
        "test_calc.py",
        "pkg/calc_test.go",
        "calc.spec.ts",
        "conftest.py",
        "pytest.ini",
        "jest.config.js",
        "tests/cases.json",
        "test/out.snapshot",
        "src/__snapshots__/a.snap",
        "pkg/testdata/golden.txt",
        "assertions.py",
        "lib/test-helpers.js",
        "expected.txt",
        "e2e/login.ts",
    ],
)
def test_what_judges_is_looked_at_as_it_was(path: str) -> None:
    assert paths(put_back({path: "a"}, {path: "b"})) == ({path}, set())
    assert paths(put_back({path: "a"}, {})) == ({path}, set())


@pytest.mark.parametrize(
    "path", ["calc.py", "src/contest.py", "attest/main.go", "data/rates.json", "spec/plan.md", "latest.js", "README.md"]
)
def test_what_is_judged_stays_as_it_is(path: str) -> None:
    assert not put_back({path: "a"}, {path: "b"})
    assert not put_back({}, {path: "b"})


def test_new_tests_and_what_steers_are_taken_away_and_new_data_stays() -> None:
    now = {"test_new.py": "a", "conftest.py": "a", "sitecustomize.py": "a", "tests/new.json": "a", "a.snap": "a"}
    assert paths(put_back({}, now)) == (set(), {"test_new.py", "conftest.py", "sitecustomize.py"})


def test_what_a_criterion_names_or_the_task_opened_stays() -> None:
    before, now = {"test_a.py": "a", "tests/out.txt": "a"}, {"test_a.py": "b", "tests/out.txt": "b", "test_n.py": "b"}
    which = Which(
        opened=lambda path: path == "test_a.py",
        named=frozenset({"test_n.py"}),
        artefacts=frozenset({"tests/out.txt"}),
    )
    assert not put_back(before, now, which)
    assert paths(put_back({"checks.py": "a"}, {"checks.py": "b"}, Which(named=frozenset({"checks.py"})))) == (
        {"checks.py"},
        set(),
    )


def test_a_test_that_could_not_be_read_at_first_stays_as_it_was_mended() -> None:
    assert not put_back({"test_a.py": "def test_a()\n"}, {"test_a.py": "def test_a():\n    assert 1\n"})


def test_what_stands_in_the_way_of_a_file_is_taken_away() -> None:
    found = put_back({"tests/test_a.py": "a"}, {"tests": "elsewhere"})
    assert paths(found) == ({"tests/test_a.py"}, {"tests"})
    found = put_back({"test_a.py": "a"}, {"test_a.py/inner.txt": "b"})
    assert paths(found) == ({"test_a.py"}, {"test_a.py/inner.txt"})


def test_everything_can_be_put_back() -> None:
    found = all_former(
        changes({"a.py": "1", "b.py": "1", "c.py": "1"}, {"a.py": "1", "b.py": "2", "d.py": "1"}),
        lambda blobs: {blob: blob.encode() for blob in blobs},
    )
    assert paths(found) == ({"b.py", "c.py"}, {"d.py"})
    assert found.but({"d.py"}).gone == ()


RUST = """pub fn add(a: i32, b: i32) -> i32 { a - b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() { assert_eq!(super::add(2, 3), 5, "}"); }
}
"""


def test_a_file_of_code_and_tests_gets_back_its_tests_alone() -> None:
    now = RUST.replace("a - b", "a + b").replace("5,", "-1,")
    merged = (with_tests_of(RUST.encode(), now.encode()) or b"").decode()
    assert "a + b" in merged and "5, " in merged and "-1" not in merged and merged.count("mod tests") == 1
    gone = (with_tests_of(RUST.encode(), b"pub fn add(a: i32, b: i32) -> i32 { a + b }\n") or b"").decode()
    assert "a + b" in gone and "5, " in gone


def test_code_that_changed_beside_the_same_tests_needs_no_merging() -> None:
    assert with_tests_of(RUST.encode(), RUST.replace("a - b", "a + b").encode()) is None
    assert with_tests_of(b"fn a() {}\n", b"fn b() {}\n") is None
    assert with_tests_of(b"\xff", b"fn b() {}\n") is None


def test_tests_that_ran_and_are_skipped_now_are_counted_and_named() -> None:
    began = Report(Counts(passed=1, failed=1, skipped=1), skipped=("c",))
    now = Report(Counts(passed=1, failed=0, skipped=2), skipped=("c", "b"))
    assert fewer(began, now) == 1 and [*newly_skipped(began, now)] == ["b"]
    assert fewer(now, began) == 0


@pytest.mark.parametrize(
    ("path", "kind", "narrows"),
    [
        ("go.work", "added", True),
        ("vite.config.ts", "changed", True),
        ("data.bin", "deleted", True),
        ("calc.py", "changed", False),
        ("new.js", "added", False),
    ],
)
def test_configuration_and_what_is_gone_may_keep_tests_from_being_run(path: str, kind: str, narrows: bool) -> None:
    change = Change(path, kind, "a", "b", 0o100644, 0o100644)  # type: ignore[arg-type]
    assert may_narrow(change) is narrows


def test_all_that_is_said_is_said_in_both_languages_with_the_same_facts() -> None:
    for field, en, pt in zip(fields(sayings("en")), astuple(sayings("en")), astuple(sayings("pt")), strict=True):
        assert en != pt, field.name
        assert sorted(re.findall(r"{\w+}", en)) == sorted(re.findall(r"{\w+}", pt)), field.name


def test_a_new_snapshot_goes_with_its_test_and_stays_without() -> None:
    now = {"a.test.js": "a", "__snapshots__/a.test.js.snap": "s", "__snapshots__/b.test.js.snap": "s"}
    assert paths(put_back({}, now)) == (set(), {"a.test.js", "__snapshots__/a.test.js.snap"})
    before = {"b.test.js": "a"}
    now = {"b.test.js": "b", "__snapshots__/b.test.js.snap": "s"}
    assert paths(put_back(before, now)) == ({"b.test.js"}, {"__snapshots__/b.test.js.snap"})


def test_a_file_named_like_a_helper_is_code_where_code_imports_it_or_it_is_all_that_is_tested() -> None:
    both = "from fixtures import add\nfrom calc import sub\n"
    assert products(["fixtures.py"], {"app.py": "import fixtures\n"}, {"test_a.py": both}) == {"fixtures.py"}
    assert products(["fixtures.py"], {"calc.py": ""}, {"test_a.py": "from fixtures import add\n"}) == {"fixtures.py"}
    assert products(["fixtures.py"], {"calc.py": ""}, {"test_a.py": both}) == frozenset()
    started = "import subprocess\nfrom fixtures import same\n"
    assert products(["fixtures.py"], {"calc.py": ""}, {"test_a.py": started}) == frozenset()
    assert products(["fixtures.py"], {"calc.py": ""}, {}) == frozenset()


@pytest.mark.parametrize(
    ("said", "folder"),
    [
        ("export PATH := $(CURDIR)/tools:$(PATH)", "tools"),
        ('export PATH="$PWD/bin:$PATH"', "bin"),
        ('PATH=$(cd "$(dirname "$0")" && pwd)/x/bin:$PATH', "x/bin"),
        ("PATH=${0%/*}/bin:$PATH; export PATH", "bin"),
        ("PATH=.:$PATH python3 check.py", ""),
        ("PATH=$(PWD):$(PATH)", ""),
        ("export PATH := $(PWD)/node_modules/.bin:$(CURDIR)/bin:$(PATH)", "bin"),
        ('env PATH="tools:$PATH" pytest', "tools"),
        ("PATH=$PATH:../bin", "bin"),
    ],
)
def test_a_program_in_a_folder_that_checkers_put_on_the_path_is_loaded_by_them(said: str, folder: str) -> None:
    path = f"{folder}/python3" if folder else "python3"
    loaded = loaded_by_checkers(changes({}, {path: "", f"{folder or 'x'}/own-tool": ""}), Texts(said))
    assert loaded == {path}
    assert read_by_checkers(changes({path: "a"}, {path: "b"}), Texts(said)) == {path}


@pytest.mark.parametrize("said", ["PATH=/usr/bin:$PATH", "GOPATH=bin:x", "export PATH=$PATH", "echo $PATH", "MYPATH=b"])
def test_other_folders_are_not_on_the_path(said: str) -> None:
    assert not loaded_by_checkers(changes({}, {"bin/python3": "", "python3": ""}), Texts(said))


def test_a_folder_called_spec_is_of_tests_where_there_are_some() -> None:
    changed = {"spec/parser.py": "1"}, {"spec/parser.py": "2", "spec/more.py": "3"}
    assert paths(put_back(*changed, Which(specifications=frozenset()))) == (set(), set())
    assert paths(put_back(*changed, Which(specifications=frozenset({"spec"})))) == (
        {"spec/parser.py"},
        {"spec/more.py"},
    )
    assert specifications(["spec/parser.py", "spec/more_helper.rb"]) == set()
    assert specifications(["spec/a_spec.rb", "lib/specs/calcSpec.js", "test/x.py"]) == {"spec", "lib/specs"}


def test_what_imports_a_moved_module_is_read_by_its_new_place_where_the_goal_asks_for_moves() -> None:
    changed = changes({"calc.py": "1", "b.js": "2"}, {"app/calc.py": "1", "src/b.js": "2"})
    moves = moves_of(changed, "Put all into folders.")
    assert {*moves} == {("calc.py", "app/calc.py"), ("b.js", "src/b.js")}
    assert moves_of(changed, "Mend the sums.") == ()
    assert moves_of(changes({"calc.py": "1"}, {"a/calc.py": "1", "b/calc.py": "1"}), "Move calc.py.") == []
    text = b"from calc import add\nimport calc\nimport calc as c\nimport calculus\npatch('calc.add')\n"
    assert moved(text, "test_calc.py", moves).splitlines() == [
        *(b"from app.calc import add", b"from app import calc", b"import app.calc as c", b"import calculus"),
        b"patch('app.calc.add')",
    ]
    assert moved(b"require('../b'); require('../b.js'); require('./b')", "t/b.test.js", moves) == (
        b"require('../src/b'); require('../src/b.js'); require('./b')"
    )
    assert moved(b"\xff", "test_calc.py", moves) == b"\xff"


def test_a_mark_that_is_gone_is_not_put_back_with_its_test() -> None:
    before = "import pytest\n\n\n@pytest.mark.xfail(strict=True)\n@pytest.mark.slow\ndef test_a():\n    assert f()\n"
    now = before.replace("@pytest.mark.xfail(strict=True)\n", "") + "\n\ndef test_b():\n    pass\n"
    (put,) = put_back({"test_a.py": before}, {"test_a.py": now}).put
    assert b"xfail" not in put.content and b"slow" in put.content and b"test_b" not in put.content
    (same,) = put_back({"test_a.py": before}, {"test_a.py": before + "\n\ndef test_b():\n    pass\n"}).put
    assert same.content == before.encode()
