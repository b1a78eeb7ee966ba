"""The rules against loops: what leads somewhere else each time, what only looks so, and screens that do not move."""

from collections.abc import Iterable, Sequence

import pytest

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.anti_loop import AntiLoop
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.loops.rule import Limits
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from tests.support.stuck_runs import step


def judged(steps: Sequence[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str, *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def found_in(states: Iterable[str], moving: str) -> list[int]:
    """Where a call that leads to these states, and a test that fails after each, are found to be a loop."""
    rules, found = AntiLoop(Limits()), []
    for at, state in enumerate(states):
        moved = digested("run_command", {"command": moving}, "", failed=False, changed=True)
        tested = digested("run_command", {"command": "sh t.sh"}, "1 failed", failed=True, changed=False)
        verdicts = (
            rules.observe(moved.model_copy(update={"state": state}), f"{at}m"),
            rules.observe(tested, f"{at}t"),
        )
        found += [at for verdict in verdicts if verdict is not None]
    return found


def test_the_same_command_that_leads_to_a_new_content_each_time_is_no_loop() -> None:
    assert found_in([f"s{number}" for number in range(9)], "git checkout -q HEAD~1") == []
    assert found_in([f"s{number}" for number in range(9)], "sh step.sh") == []


def test_the_same_command_that_goes_to_and_fro_between_contents_is_a_loop() -> None:
    assert found_in(["a", "b"] * 4, "sh toggle.sh")


def test_a_walk_that_never_gets_anywhere_is_found_in_the_end() -> None:
    assert found_in([f"s{number}" for number in range(40)], "sh step.sh")


@pytest.mark.parametrize(
    "moving",
    [
        "git bisect bad",
        "git bisect skip",
        "git checkout HEAD~1",
        "git reset --hard HEAD^",
        "alembic downgrade -1",
        "cd repo && git bisect good",
    ],
)
def test_a_step_from_where_the_workspace_is_leads_elsewhere_each_time(moving: str) -> None:
    steps = [one for _ in range(7) for one in (command(moving, ""), command("make test", "FAIL: t1", failed=True))]
    assert judged(steps) == Judgement()


def test_a_move_to_the_same_place_is_a_loop() -> None:
    steps = [
        one for _ in range(7) for one in (command("git checkout v1", ""), command("make test", "FAIL", failed=True))
    ]
    assert judged(steps).halt_step is not None


@pytest.mark.parametrize("result", ["[]", "{}", "---", "null"])
def test_a_result_without_a_word_is_a_result_like_another(result: str) -> None:
    assert judged([step("list_orders", result, customer="c1")] * 8).step == 2


@pytest.mark.parametrize("prefix", ["", "Exit status 0.\n"])
def test_who_asks_for_another_id_each_time_is_let_alone(prefix: str) -> None:
    ids = [f"{prefix}0f8fad5b-d9cb-469f-a165-7086{number:08x}" for number in range(9)]
    assert judged([command("cat /proc/sys/kernel/random/uuid", one) for one in ids]) == Judgement()


def tries(count: int, *, works_at: int = -1) -> list[RecordedStep]:
    steps = []
    for number in range(count):
        works = number == works_at
        steps.append(step("write_file", "ok", path=f"t{number}.py", content=f"import m  # {number}"))
        said = "3" if works else "ModuleNotFoundError: No module named 'm'"
        steps.append(command(f"python3 t{number}.py", said, failed=not works))
    return steps


def test_another_script_for_each_try_that_ends_alike_is_a_loop() -> None:
    found = judged(tries(30))
    assert found.step is not None and found.step <= 20 and found.halt_step is not None


def test_scripts_of_which_one_works_are_no_loop() -> None:
    assert judged(tries(9)) == judged(tries(18, works_at=9)) == Judgement()


@pytest.mark.parametrize("prompt", ["Password:", "> ", "(END)", ">>> ", "mysql> ", "Overwrite a.txt? [y/n]"])
def test_a_prompt_that_stays_whatever_is_typed_is_found(prompt: str) -> None:
    steps = [step("send_keys", prompt, keys=f"word{number}") for number in range(20)]
    assert judged(steps).step == 7


def test_a_page_that_is_the_same_at_every_address_is_found_and_another_page_each_time_is_not() -> None:
    same = [step("goto", "Cookie consent: press the button to go on", url=f"https://a.b/{n}") for n in range(12)]
    other = [
        step("goto", f"The page of the product {'abcdefghijkl'[n]} and its price", url=f"https://a.b/{n}")
        for n in range(12)
    ]
    assert judged(same).step == 7
    assert judged(other) == Judgement()


def test_a_key_that_moves_on_may_be_pressed_some_times() -> None:
    tab = step("browser_press_key", "Pressed key Tab", key="Tab")
    assert judged([tab] * 7) == Judgement()
    assert judged([tab] * 20).step is not None


def test_hosts_named_without_a_url_are_matters_of_their_own() -> None:
    lost = "1 packets transmitted, 0 received, 100% packet loss"
    assert judged([command(f"ping -c 1 10.0.0.{n}", lost, failed=True) for n in range(9)]) == Judgement()
    assert judged([command(f"ping -c {n} 10.0.0.1", lost, failed=True) for n in range(1, 12)]).step is not None


def test_who_renames_ten_things_may_look_for_each_old_name_and_who_guesses_may_not() -> None:
    edits = [step("edit", "ok", path=f"{n}.py", old_string=f"old_{n}", new_string=f"new_{n}") for n in range(10)]
    looks = [command(f"grep -rn old_{n} .", "", failed=True) for n in range(10)]
    assert judged(edits + looks) == Judgement()
    assert judged(looks).step is not None


@pytest.mark.parametrize("said", ["state=RUNNING", "status: in progress", "No new messages"])
def test_what_goes_on_may_be_asked_again(said: str) -> None:
    assert judged([command("./ci-state 71", said)] * 9) == Judgement()


def test_a_service_that_lets_nobody_in_is_found_whichever_of_its_tools_is_called() -> None:
    doors = ("get_issue", "search", "list_projects", "get_user")
    steps = [step(f"mcp__jira__{doors[n % 4]}", "401 Unauthorized", failed=True, key=f"P-{n}") for n in range(12)]
    found = judged(steps).step
    assert found is not None and found <= 8
