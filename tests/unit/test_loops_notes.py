"""Notes bring nothing on, removals may be checked, formatters change files, and guesses are each another."""

from __future__ import annotations

import pytest

from services.tool_loop.rules import shell_commands
from services.tool_loop.rules.error_class import failing_tests, wrong_guess
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep
from services.tool_loop.rules.notes import changes_notes_only
from tests.support.stuck_runs import step
from tests.unit.test_loops_waiting import FINE, command, judged

FAILS = command("pytest -q", "1 failed, 8 passed in 0.3s", failed=True)


@pytest.mark.parametrize(
    "text",
    [
        "echo 'try {}; again' >> notes.txt",
        "cd /r && echo try {} >> scratch/ideas.md",
        "printf 'try {}\\n' >> attempts.log",
        "cat >> NOTES.md <<'EOF'\ntry {}\nEOF",
        "date > progress.txt",
        "touch scratch.md",
    ],
)
def test_notes_between_the_same_failures_do_not_excuse_them(text: str) -> None:
    assert changes_notes_only({"command": text}, text)
    steps = [one for number in range(12) for one in (command(text.format(number)), FAILS)]
    found = judged(steps)
    assert found.step is not None and found.step <= 5 and found.halt_step is not None


@pytest.mark.parametrize(
    "text",
    [
        "echo 'x = 1' >> app.py",
        "echo hi >> notes.txt && make",
        "sed -i s/a/b/ notes.txt",
        "cat notes.txt",
        "echo a > notes.py",
        "python plan.py > out.txt",
    ],
)
def test_what_changes_more_than_notes_is_no_note(text: str) -> None:
    assert not changes_notes_only({"command": text}, text)


def test_an_editor_that_writes_notes_writes_notes() -> None:
    assert changes_notes_only({"path": "scratch/plan.md", "content": "x"}, None)
    assert not changes_notes_only({"path": "src/notes_api.py", "content": "x"}, None)
    assert changes_notes_only({"input": "*** Begin Patch\n*** Add File: notes/a.md\n+x\n*** End Patch"}, None)
    both = "*** Begin Patch\n*** Add File: notes/a.md\n+x\n*** Update File: src/a.py\n+y\n*** End Patch"
    assert not changes_notes_only({"input": both}, None)
    assert not changes_notes_only({}, None)


@pytest.mark.parametrize(
    ("remove", "look", "told"),
    [
        ("rm a{}.log", "ls a{}.log", "ls: cannot access 'a{}.log': No such file or directory"),
        ("aws s3 rb s3://b{}", "aws s3 ls s3://b{}", "An error occurred (NoSuchBucket)"),
        ("kubectl delete deploy d{}", "kubectl get deploy d{}", 'Error from server (NotFound): "d{}" not found'),
        ("docker rm c{}", "docker inspect c{}", "Error: No such object: c{}"),
    ],
)
def test_what_was_removed_may_be_looked_for_once_each(remove: str, look: str, told: str) -> None:
    removed = [command(remove.format(n)) for n in range(9)]
    looked = [command(look.format(n), told.format(n), failed=True) for n in range(9)]
    assert judged(removed + looked) == FINE
    assert judged([one for pair in zip(removed * 2, looked * 2, strict=True) for one in pair]) == FINE
    assert (
        judged(looked + [command(look.format(n), told.format(n), failed=True) for n in range(9, 18)]).step is not None
    )


@pytest.mark.parametrize(
    "tool",
    ["isort .", "black -q .", "ruff check --fix .", "npx prettier --write web", "uv run ruff format", "cargo fmt",
     "npm run lint:fix", "npx eslint --fix src", "pre-commit run -a", "stylua .", "gofmt -w ."],
)  # fmt: skip
def test_a_formatter_changes_files(tool: str) -> None:
    assert shell_commands.changes(tool)


@pytest.mark.parametrize(
    "tool", ["curl -w '%{http_code}' a.b", "wc -w a", "grep --fixed-strings a b", "pytest --fixtures"]
)
def test_an_option_that_only_looks_like_a_formatters_changes_nothing(tool: str) -> None:
    assert not shell_commands.changes(tool)


def test_rounds_of_different_formatters_are_no_loop() -> None:
    tools = ("isort .", "black .", "ruff check --fix .", "npx prettier --write .", "npx eslint --fix .", "gofmt -w .")
    assert judged([one for tool in tools for one in (command(tool), FAILS)]) == FINE


@pytest.mark.parametrize(
    ("tool", "field", "told"),
    [
        ("unlock", "pin", "Error: wrong PIN"),
        ("apply_coupon", "code", "Error: coupon not valid for this order"),
        ("open_archive", "password", "ERROR: Wrong password : data.sql"),
        ("decrypt", "key", "bad decrypt"),
        ("abrir", "senha", "Erro: senha incorreta"),
    ],
)
def test_guesses_at_a_secret_may_go_on_for_a_while_and_not_for_ever(tool: str, field: str, told: str) -> None:
    def tries(count: int) -> list[RecordedStep]:
        return [RecordedStep(tool, {field: f"value{number}"}, told, True) for number in range(count)]

    assert judged([*tries(18), RecordedStep(tool, {field: "right"}, "ok", False)]) == FINE
    assert judged(tries(40)).halt_step is not None
    assert judged(tries(1) * 4).step == 2


@pytest.mark.parametrize("told", ["invalid status code 404", "Invalid username or password", "unknown error code 3"])
def test_other_codes_and_names_are_no_guess_at_a_secret(told: str) -> None:
    assert not wrong_guess(told)


def test_programs_that_are_looked_for_are_questions_and_no_failures() -> None:
    names = ("gcc", "clang", "rustc", "go", "java", "ghc", "zig", "tcc", "nim", "dmd")
    for asking in ("which {}", "command -v {}", "test -x /usr/bin/{}"):
        assert judged([command(asking.format(name), failed=True) for name in names]) == FINE
    told = "Exit code: 1\nWall time: 0.1 seconds\nOutput:"
    assert judged([command(f"which {name}", told, failed=True) for name in names]) == FINE
    assert judged([command("which gcc", failed=True)] * 4).step is not None


def test_names_of_tools_that_are_guessed_add_up() -> None:
    names = ("figma", "use_figma", "figma_get", "get_figma_file", "figma__file", "read_figma", "figma_api")
    steps = [step(name, f'Error: Tool "{name}" not found', failed=True, key=str(n)) for n, name in enumerate(names)]
    assert judged(steps).step == 4


def test_failures_that_differ_in_a_figure_alone_are_found_in_the_end() -> None:
    def rounds(count: int) -> list[RecordedStep]:
        return [
            one
            for n in range(count)
            for one in (
                step("edit", "ok", path="a.py", patch=f"p{n}"),
                command("python t.py", f"AssertionError: expected 100 got {n * 6}", failed=True),
            )
        ]

    assert judged(rounds(15)) == FINE
    assert judged(rounds(60)).halt_step is not None


def test_nothing_of_it_is_a_loop_where_it_ends_well() -> None:
    assert judged([FAILS, command("pytest -q", "9 passed")]) == Judgement()


def test_tests_written_first_and_passed_each_time_are_progress() -> None:
    def one(number: int) -> list[RecordedStep]:
        return [
            step("edit", "ok", path="tests/test_a.py", patch=f"t{number}"),
            command("pytest -q", f"1 failed, {number} passed in 0.2s", failed=True),
            step("edit", "ok", path="a.py", patch=f"p{number}"),
            command("pytest -q", f"{number + 1} passed in 0.2s"),
        ]

    assert judged([one_step for number in range(20) for one_step in one(number)]) == FINE


def test_counts_that_go_to_and_fro_are_no_progress_and_counts_that_fall_are() -> None:
    def counted(counts: list[int]) -> list[RecordedStep]:
        return [
            one
            for at, count in enumerate(counts)
            for one in (
                step("edit", "ok", path="a.py", patch=f"p{at}"),
                command("mypy app", f"Found {count} errors in 1 file", failed=True),
            )
        ]

    assert judged(counted([12, 13] * 20)).step is not None
    assert judged(counted([count for count in range(40, 0, -1) for _ in range(2)])) == FINE


@pytest.mark.parametrize(
    "told", ["test result: ok. 41 passed; 0 failed; 0 ignored", "Tests: 12 passed, 0 failed", "0 errors"]
)
def test_tests_that_pass_after_each_change_hold_nothing_up(told: str) -> None:
    steps = [
        one for n in range(25) for one in (step("edit", "ok", path=f"{n}.rs", patch="p"), command("cargo test", told))
    ]
    assert judged(steps) == FINE


def test_the_number_of_a_step_is_no_count_of_failing_tests() -> None:
    assert failing_tests("#9 ERROR: process did not complete successfully") is None
    assert failing_tests("9 errors") == 9


def test_more_tests_that_pass_are_progress_where_some_always_fail() -> None:
    def rounds(grows: int) -> list[RecordedStep]:
        return [
            one
            for n in range(25)
            for one in (
                step("edit", "ok", path=f"{n}.py", patch="p"),
                command("pytest -q", f"3 failed, {88 + n * grows} passed in {n}.1s", failed=True),
            )
        ]

    assert judged(rounds(1)) == FINE
    assert judged(rounds(0)).step is not None
