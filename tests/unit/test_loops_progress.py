"""What is progress, however alike it looks, and what only looks like it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.standing import left, mark
from services.tool_loop.rules.volatile import without_volatile
from services.tool_loop.rules.wrapped import unwrapped
from tests.support.stuck_runs import step


def judged(steps: list[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def edit(number: int) -> RecordedStep:
    return step("edit", "ok", path="a.py", old_string=f"v{number}", new_string=f"w{number}")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 500), min_size=21, max_size=60, unique=True))
def test_a_count_that_falls_is_never_stuck_and_one_that_stands_always_is(counts: list[int]) -> None:
    def checks(numbers: list[int]) -> list[RecordedStep]:
        told = [command("mypy .", f"error: Missing return type\nFound {n} errors in 9 files", True) for n in numbers]
        return [one for number, check in enumerate(told) for one in (edit(number), check)]

    assert judged(checks(sorted(counts, reverse=True))) == Judgement()
    assert judged(checks([counts[0]] * 30)).step is not None


@pytest.mark.parametrize(
    ("text", "count", "hundredths"),
    [
        ("Found 3 errors in 2 files", 3, None),
        ("✖ 60 problems (58 errors, 2 warnings)", 60, None),
        ("error: could not compile `x` due to 12 previous errors", 12, None),
        ("2 failed, 7 passed in 0.4s", 2, 700),
        ("Your code has been rated at 7.25/10", None, 725),
        ("all is well", None, None),
    ],
)
def test_how_things_stand_is_told_by_what_is_left_and_by_the_mark(
    text: str, count: int | None, hundredths: int | None
) -> None:
    assert (left(text), mark(text)) == (count, hundredths)


def test_a_check_that_was_run_anew_may_be_confirmed_and_one_that_is_only_repeated_may_not() -> None:
    confirmed = [command("pytest -q", f"6 passed in {2 + n / 10:.1f}s") for n in range(12)]
    assert judged(confirmed) == Judgement()
    assert judged([command("pytest -q", "6 passed")] * 6).step == 2
    for_ever = judged([command("pytest -q", f"6 passed in {2 + n / 10:.1f}s") for n in range(60)])
    assert for_ever.step is not None and for_ever.halt_step is not None


def test_what_is_made_anew_is_new_and_a_request_id_is_not() -> None:
    made = [step("create_key", f'{{"key": "ak_{n:032x}f"}}', scope="a") for n in range(1, 30)]
    assert judged(made) == Judgement()
    asked = [step("get_rows", f'{{"rows": 3, "request_id": "{n:032x}f"}}', table="a") for n in range(1, 30)]
    assert judged(asked).halt_step is not None


def test_a_batch_names_another_thing_each_time_and_a_guess_another_key_to_one_thing() -> None:
    told = "Error: card declined"
    assert judged([step("refund", told, failed=True, payment_id=f"P{n}") for n in range(20)]) == Judgement()
    assert judged([step("refund", told, failed=True, payment_id="P1", card=f"c{n}") for n in range(20)]).step == 4
    forbidden = [step("refund", "permission denied", failed=True, payment_id=f"P{n}") for n in range(20)]
    assert judged(forbidden).step == 4


def test_arguments_that_are_made_anew_are_left_out_and_an_id_that_is_asked_for_is_not() -> None:
    assert without_volatile("get_rows", {"table": "a", "nonce": "x"}) == {"table": "a"}
    assert without_volatile("approve", {"request_id": "3f2a9c01bb", "answer": "yes"}) is None
    assert without_volatile("get_rows", {"table": "a", "page": 2}) is None


def test_the_output_is_taken_out_of_its_wrapping_and_keeps_its_status() -> None:
    assert unwrapped('{"output": "> ", "metadata": {"exit_code": 0}}') == "> "
    assert unwrapped('{"output": "no", "metadata": {"exit_code": 2}}') == "exit code: 2\nno"
    assert unwrapped('{"output": 1}') == '{"output": 1}'


def test_the_thresholds_of_a_file_of_profiles_are_those_of_the_log(tmp_path: Path) -> None:
    profiles = tmp_path / "profiles.yaml"
    profiles.write_text("profiles:\n  patient:\n    extends: strong\n    anti_loop:\n      n_repeat: 7\n", "utf-8")
    assert Thresholds.of("patient", profiles).limits.n_repeat == 7
