"""The list of what is missing: bounded for a weak model, the most telling first, and whole beside it."""

from typing import get_args

import pytest
from arreio_contracts.messages import CriterionResult, Verdict
from hypothesis import given
from hypothesis import strategies as st

from services.gate_runner.missing import MOST_CHARACTERS, MOST_LINES, missing, whole_list
from services.gate_runner.portuguese import SENTENCES, in_portuguese

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=400)
RESULTS = st.lists(
    st.builds(
        CriterionResult,
        criterion=TEXT.map(lambda text: f"command: {text}"),
        verdict=st.sampled_from(get_args(Verdict)),
        expected=TEXT,
        seen=st.lists(TEXT, max_size=30).map("\n".join),
    ),
    max_size=12,
)


@given(RESULTS, st.sampled_from(["en", "pt"]))
def test_the_list_is_never_longer_than_its_bound(results: list[CriterionResult], language: str) -> None:
    text = missing(results, language)  # type: ignore[arg-type]
    assert len(text) <= MOST_CHARACTERS
    assert bool(text) == any(result.verdict != "PASS" for result in results)
    whole = whole_list(results, language)  # type: ignore[arg-type]
    assert all(line in whole for result in results if result.verdict != "PASS" for line in result.seen.splitlines())


def failing(seen: str, verdict: Verdict = "FAIL", criterion: str = "command: make") -> CriterionResult:
    return CriterionResult(criterion=criterion, verdict=verdict, expected="exit status 0", seen=seen)


def test_of_a_long_output_the_lines_that_speak_of_the_error_are_shown() -> None:
    noise = [f"compiling part {number}" for number in range(200)]
    output = "\n".join(["exit status 2", *noise[:90], "main.c:7: error: 'x' undeclared", *noise[90:]])
    lines = missing([failing(output)], "en").splitlines()
    assert len(lines) == 1 + MOST_LINES
    assert "  seen: exit status 2" in lines and "    main.c:7: error: 'x' undeclared" in lines
    assert lines[-1] == "    compiling part 199 [… 198 more lines]"


def test_what_fails_comes_before_what_could_not_be_checked() -> None:
    text = missing([failing("no", "NOT_RUN", "tests: a"), failing("no", "FAIL", "tests: b")], "pt")
    assert text.index("tests: b") < text.index("tests: a")


def test_criteria_that_find_no_room_are_counted() -> None:
    results = [failing("x " * 600, criterion=f"command: step {number} {'y' * 300}") for number in range(20)]
    text = missing(results, "en")
    shown = text.count("- command: step")
    assert 0 < shown < 20 and text.endswith(f"… and {20 - shown} more criteria")


def test_a_short_list_is_the_whole_list() -> None:
    results = [failing("exit status 1\nbad")]
    assert missing(results, "en") == whole_list(results, "en")


def seen_by(judge_text: str, criterion: str = "command: x") -> str:
    return missing([failing(judge_text, criterion=criterion)], "pt")


def test_what_judges_say_is_told_in_portuguese_and_what_programs_print_is_left_alone() -> None:
    output = "exit status 2\nerror: a is not a directory\nc.json was changed\n1 is not of type 'string'"
    assert f"esperado: código de saída 0\n  visto: código de saída 2\n    {output.splitlines()[1]}" in seen_by(output)
    assert all(line in seen_by(output) for line in output.splitlines()[1:])
    assert "3 passaram, 0 falharam, 1 pulados, mas código de saída 1" in seen_by(
        "3 passed, 0 failed, 1 skipped, but exit status 1", "tests: pytest"
    )
    assert "$.a: 1 não é do tipo 'string'" in seen_by("$.a: 1 is not of type 'string'", "contract: a :: b")
    said = seen_by("it is not JSON: the key 'a' is there twice", "contract: a :: b")
    assert "não é JSON: a chave 'a' aparece duas vezes" in said
    assert ".env foi alterado\n    … e mais 3" in seen_by(".env was changed\n… and 3 more", "diff: a")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=80), st.sampled_from([*SENTENCES]))
def test_a_text_that_no_judge_wrote_is_never_lost(text: str, kind: str) -> None:
    assert in_portuguese(f"FAILED {text}!", kind) == f"FAILED {text}!"


@pytest.mark.parametrize(
    ("kind", "english", "said"), [(kind, *one) for kind, sentences in SENTENCES.items() for one in sentences]
)
def test_every_sentence_keeps_all_that_varies_in_it(kind: str, english: str, said: str) -> None:
    gaps = english.count("{}")
    assert said.count("{}") == gaps
    values = [f"<{number}>" for number in range(gaps)]
    assert in_portuguese(english.format(*values), kind) == said.format(*values)
