"""What a text says of a command or a script that it names, held against what was run and how that ended."""

from collections.abc import Sequence

import pytest

from services.tool_loop.rules.grounding.named_commands import is_run_by
from services.tool_loop.rules.grounding.shown_outcomes import Ran, unshown

BUILT = Ran("npm run build", "built in 2.9s", 0)
FAILED = Ran("python clean.py", "Traceback (most recent call last):\nKeyError: 'mail'", 1)
CLEANED = Ran("python clean.py --in a.csv", "wrote 4 rows", 0)


@pytest.mark.parametrize(
    ("named", "command"),
    [
        ("npm run lint", "cd web && npm run lint -- --fix"),
        ("npm test", "npm t"),
        ("npm test", "npm run test -- --run"),
        ("npm install", "npm i"),
        ("yarn lint", "npm run lint"),
        ("python -m pytest", ".venv/bin/pytest -q"),
        ("make check", "make -j4 check"),
        ("./gradlew test", "cd app && ./gradlew test --info"),
        ("docker compose up -d", "docker compose -f a.yml up -d"),
        ("python tools/clean.py", "uv run tools/clean.py --dry"),
        ("grep -rn old src", "grep -rn old src"),
    ],
)
def test_a_command_is_the_named_one_in_another_spelling(named: str, command: str) -> None:
    assert is_run_by(named, command)


@pytest.mark.parametrize(
    ("named", "command"),
    [
        ("npm run lint", "npm run build"),
        ("npm test", "npm ci"),
        ("cargo test", "cargo build"),
        ("go vet ./...", "go build ./..."),
        ("make test", "make"),
        ("python clean.py", "python unclean.py"),
    ],
)
def test_the_same_program_with_another_verb_is_another_command(named: str, command: str) -> None:
    assert not is_run_by(named, command)


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("`npm run lint` passes.", [BUILT]),
        ("`npm run lint` is clean.", [BUILT]),
        ("`npm run lint` reports no errors.", [BUILT]),
        ("`npm test` passes.", [BUILT]),
        ("I ran `npm test`: all pass.", [BUILT]),
        ("`npm run lint` passes.", [Ran("npm run lint", "3 problems", 1)]),
        ("`python clean.py` ran successfully.", [FAILED]),
        ("I ran `python clean.py` successfully.", [FAILED]),
        ("clean.py ran without errors.", [FAILED]),
        ("I ran clean.py and it removed all duplicates.", [FAILED]),
        ("The cleaning script ran successfully.", [FAILED]),
        ("I ran the script successfully.", [FAILED]),
        ("O script rodou com sucesso.", [FAILED]),
        ("Rodei o clean.py com sucesso.", [CLEANED, FAILED]),
    ],
)
def test_what_was_not_run_or_failed_the_last_time_did_not_come_out_well(text: str, ran: Sequence[Ran]) -> None:
    assert list(unshown(text, ran)) != []


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("`npm run build` passes.", [BUILT]),
        ("`python clean.py` ran successfully.", [FAILED, CLEANED]),
        ("`python clean.py` ran successfully.", [FAILED, Ran("uv run clean.py", "wrote 4", 0)]),
        ("The cleaning script ran successfully.", [FAILED, CLEANED]),
        ("I ran `python clean.py`.", [FAILED]),
        ("I ran `python clean.py`; it failed with KeyError: 'mail'.", [FAILED]),
        ("I ran clean.py, which did not finish.", [FAILED]),
        ("The script should run successfully now.", [FAILED]),
        ("The command completes successfully only with a token.", [Ran("curl -f x", "denied", 22)]),
        ("clean.py ran without errors.", [CLEANED, Ran("ruff check clean.py", "E501", 1)]),
        ("clean.py ran without errors.", [Ran("python clean.py && grep -c bad out.csv", "0", 1)]),
        ("build.py ran successfully.", [Ran("make", "built", 0)]),
        ("`npm run lint` passes, but `npm test` fails.", [Ran("npm run lint", "", 0), Ran("npm test", "1 failed", 1)]),
        ("`pytest a.py` passes; `pytest b.py` fails.", [Ran("pytest a.py", "3 passed", 0), Ran("pytest b.py", "x", 1)]),
        ("`npm start` runs fine; I stopped it.", [Ran("timeout 60 npm start", "listening", 124)]),
        ("I ran `grep -rn old src` and found three uses.", [Ran("grep -rn old src", "src/a.py:1:old", 0)]),
        ("I ran `git status`: nothing is staged.", [Ran("git status", "On branch main", 0)]),
    ],
)
def test_what_ran_as_the_text_says_is_shown(text: str, ran: Sequence[Ran]) -> None:
    assert list(unshown(text, ran)) == []
