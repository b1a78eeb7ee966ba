"""Looks and what they show, words that are followed by a try, and tries of what is away."""

from collections.abc import Callable, Sequence

import pytest

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.shell_commands import changes, shows_content
from services.tool_loop.rules.tool_kinds import is_shell
from services.tool_loop.rules.wording import only_offers
from tests.support.stuck_runs import step

FINE = Judgement()


def judged(steps: Sequence[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str = "", *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def rounds(count: int, made: Callable[[int], Sequence[RecordedStep]]) -> list[RecordedStep]:
    return [one for number in range(count) for one in made(number)]


@pytest.mark.parametrize(
    "look",
    ["grep -n key a.py", "sed -n '80,90p' a.py", "cat a.py", "cd src && git diff a.py", "head -90 a.py | tail -5"],
)
def test_a_look_is_no_failure_by_what_it_shows(look: str) -> None:
    shown = "    raise KeyError('key_error')\nKeyError: no such key\nerror: never raised"
    assert shows_content(look) and digested("bash", {"command": look}, shown, failed=False).symptom is None
    assert digested("view_file", {"path": "a.py"}, shown, failed=False).symptom is None
    tried = digested("bash", {"command": "python a.py"}, shown, failed=False)
    assert tried.symptom is not None and not shows_content("python a.py | tail -3")


@pytest.mark.parametrize("look", ["git diff", "git diff --stat", "git -C /app diff --stat", "git status --short"])
@pytest.mark.parametrize(
    "edit", ["sed -i 's/x{}/y/' a.py", "perl -pi -e 's/x{}/y/' a.py", "awk -i inplace '/x{}/' a.py"]
)
def test_edits_that_no_diff_shows_matched_nothing(look: str, edit: str) -> None:
    found = judged(rounds(14, lambda n: [command(edit.format(n)), command(look)]))
    assert found.kind == "churn" and found.step == 15 and found.halt_step is not None

    def matched(number: int) -> list[RecordedStep]:
        return [command(edit.format(number)), command(look, f" a.py | {2 * number + 2} +-")]

    assert judged(rounds(14, matched)) == FINE


def test_edits_that_are_committed_before_each_look_are_fine() -> None:
    def one(number: int) -> list[RecordedStep]:
        return [command(f"sed -i 's/x{number}/y/' a.py"), command(f"git commit -qam {number}"), command("git diff")]

    assert judged(rounds(14, one)) == FINE


def test_a_look_at_the_line_that_raises_finds_edits_that_match_nothing() -> None:
    def one(number: int) -> list[RecordedStep]:
        return [command(f"sed -i 's/x{number}/y/' a.py"), command("grep -n key a.py", "88:    raise KeyError('key')")]

    found = judged(rounds(10, one))
    assert found.kind == "churn" and found.step == 15


@pytest.mark.parametrize(
    "line",
    [
        "black --check .",
        "ruff format --check .",
        "nginx -t",
        "terraform plan",
        "kubectl apply --dry-run=client -f a.yml",
    ],
)
def test_what_only_says_what_it_would_change_changes_nothing(line: str) -> None:
    assert not changes(line)
    assert changes("black .") and changes("terraform apply") and changes("nginx -s reload")


def test_a_tool_that_is_named_run_alone_runs_command_lines() -> None:
    assert is_shell("run", {"command": "npm ci"})
    assert not is_shell("run_query", {"command": "select"}) and not is_shell("run", {"code": "1 + 1"})


def test_a_command_that_says_itself_that_it_failed_changed_nothing() -> None:
    told = "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree"
    lines = [f"npm install{option}" for option in ("", " --no-audit", " --no-fund", " --verbose", " --force")]
    assert judged([command(line, told) for line in lines * 2]).kind == "churn"
    assert judged([command(line, f"added {at} packages") for at, line in enumerate(lines)]) == FINE


def _asked(result: Callable[[int], RecordedStep | None], count: int) -> list[RecordedStep]:
    def one(number: int) -> list[RecordedStep]:
        ask = step("ask_user", f"it is AK{number}9Q-{number}1", question="Could you read me the code of the card?")
        tried = result(number)
        return [ask, tried] if tried else [ask]

    return rounds(count, one)


def test_who_tries_each_code_that_is_read_out_may_ask_as_often_as_who_tells() -> None:
    def tries(number: int) -> RecordedStep:
        return step("check_gift_card", '{"error": "invalid code"}', failed=True, code=f"AK{number}9Q-{number}1")

    def the_same(number: int) -> RecordedStep:
        return step("check_gift_card", '{"error": "invalid code"}', failed=True, code="AK09Q-01")

    assert judged(_asked(tries, 6)) == FINE
    found = judged(_asked(tries, 12))
    assert found.step is not None and "led to nothing" in found.why
    assert judged(_asked(lambda number: None, 6)).step is not None
    assert judged(_asked(the_same, 6)).step is not None


@pytest.mark.parametrize("offer", ["Can I do anything else?", "Would you like anything else?", "Deseja algo mais?"])
def test_a_refusal_in_front_of_any_courteous_offer_counts(offer: str) -> None:
    text = f"I'm sorry, our policy doesn't allow a change of the name on a ticket. {offer}"
    assert only_offers(text)
    found = judged([step("send_message", f"but why, for the {n}th time?", text=text) for n in range(14)])
    assert found.step == 7 and found.halt_step is not None


def test_what_is_away_may_be_tried_once_more_after_something_was_done_about_it() -> None:
    away = command("esptool.py write_flash 0 a.bin", "A fatal error occurred: Failed to connect to ESP32", failed=True)
    reset = command("python usb_reset.py", "reset done")
    works = command("esptool.py write_flash 0 a.bin", "Hash of data verified.")
    assert judged([away, reset, away, reset, works]) == FINE
    assert judged([away, reset] * 6).halt_step is not None
    wrong = command("make flash", "make: *** [flash] Error 2", failed=True)
    assert judged([wrong, reset, wrong, reset, works]).step == 3
