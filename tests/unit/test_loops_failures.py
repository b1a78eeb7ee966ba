"""Failures of every kind, each with its honest twin: what fails too and gets on."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arreio.trajectories import Thresholds
from services.tool_loop.rules.error_class import error_class, operands_of
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.normalising import normalise
from tests.support.stuck_runs import step

FINE = Judgement()


def judged(steps: Sequence[RecordedStep], capability: str = "strong") -> Judgement:
    thresholds = Thresholds.of(capability)
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str, *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def rounds(count: int, made: Callable[[int], Sequence[RecordedStep]]) -> list[RecordedStep]:
    return [one for number in range(count) for one in made(number)]


@pytest.mark.parametrize("field", ["command", "action", "operation", "subcommand", "method", "tool_name"])
@pytest.mark.parametrize(("writes", "reads"), [("str_replace", "view"), ("update", "get"), ("put_item", "list_items")])
def test_refusals_of_one_thing_that_a_tool_does_add_up_whatever_else_it_does_between(
    field: str, writes: str, reads: str
) -> None:
    def one(number: int) -> list[RecordedStep]:
        told = f"No change was made: value v{number} is not allowed here."
        refused = RecordedStep("resource", {"path": "a", "value": f"v{number}", field: writes}, told, True)
        return [refused, RecordedStep("resource", {"at": number, field: reads}, f"what is at {number}", False)]

    found = judged(rounds(14, one))
    assert found.kind == "churn" and found.step == 8 and found.halt_step is not None

    def taken(number: int) -> list[RecordedStep]:
        return [*one(number)[:1], RecordedStep("resource", {"number": number, field: writes}, "done", False)]

    assert judged(rounds(14, taken)) == FINE


@pytest.mark.parametrize(
    "told",
    [
        "No replacement was performed, old_str `x{}` did not appear verbatim in a.py.",
        "Invalid `insert_line` parameter: {}. It should be within the range of lines of the file: [0, 40]",
        "Cannot overwrite a.py ({}): read it first.",
        "EditError: no match for block {}",
        "<tool_use_error>String to replace not found in file.\nString: x{}</tool_use_error>",
        "Failed to apply hunk {}",
        "ERROR 1064 (42000): no such place near 'x{}' at line 1",
    ],
)
def test_a_rejection_that_no_status_tells_of_is_one(told: str) -> None:
    def edit(number: int, result: str) -> RecordedStep:
        return step("edit_file", result, path="a.py", old_string=f"x{number}", new_string="y")

    view = step("view_file", "1\tvalue", path="a.py")
    assert judged(rounds(14, lambda n: [edit(n, told.format(n)), view])).halt_step is not None
    assert judged(rounds(14, lambda n: [edit(n, "The file a.py has been updated."), view])) == FINE


@pytest.mark.parametrize(
    "waiting",
    [
        "kubectl rollout status deploy/api",
        "docker wait job",
        "gh run watch 91",
        "sleep 30 && curl -sf localhost:8080/health",
        "kubectl wait --for=condition=ready pod/a",
    ],
)
def test_a_wait_that_fails_counts_later_than_what_is_not_waited_for_and_sooner_than_one_that_goes_on(
    waiting: str,
) -> None:
    told = "error: timed out waiting for the condition"
    failing = judged([command(waiting, told, failed=True)] * 30)
    assert failing.step is not None and 5 < failing.step < 20 and failing.halt_step is not None
    assert judged([*[command(waiting, told, failed=True)] * 11, command(waiting, "ready")]) == FINE
    assert judged([command(waiting, "still rolling out")] * 25) == FINE


def test_waits_of_different_lengths_that_fail_alike_add_up() -> None:
    tried = [command(f"sleep {n} && curl -sf localhost:80", "curl: (7) refused", failed=True) for n in range(1, 30)]
    assert judged(tried).halt_step is not None


def test_a_word_of_a_person_excuses_what_is_tried_anew_and_nothing_that_is_tried_again() -> None:
    def pay(card: int) -> RecordedStep:
        return step("pay_order", "Error: payment method declined", failed=True, order="W1", card=f"card_{card}")

    def answer(number: int) -> RecordedStep:
        return step("(message)", f"USER: then take card {number}", text=f"It was declined, {number}.")

    halves = [pay(0), pay(1), pay(2), pay(3), answer(4), pay(4), pay(5), pay(6)]
    assert judged(halves) == FINE
    assert judged([one for one in halves if one.tool == "pay_order"]).step == 4
    assert judged(rounds(7, lambda n: [pay(n), answer(n)])) == FINE
    assert judged(rounds(12, lambda n: [pay(n % 2), answer(n)])).halt_step is not None
    assert judged(rounds(20, lambda n: [pay(n), answer(n)])).halt_step is not None


def test_a_refused_message_is_no_answer_of_a_person() -> None:
    sent = [step("post_message", f'{{"ok": false, "error": "ratelimited", "in": {n}}}', to="team", text=f"Deploy {n}")
            for n in range(16)]  # fmt: skip
    assert judged(sent).halt_step is not None


@pytest.mark.parametrize(
    ("install", "told"),
    [
        ("pip install {}", "ERROR: Could not find a version that satisfies the requirement {} (from versions: none)"),
        ("pip install {}==1.0", "ERROR: No matching distribution found for {}==1.0"),
        ("apt-get install -y {}", "E: Unable to locate package {}"),
        ("systemctl start {}", "Failed to start {0}.service: Unit {0}.service not found."),
        ("cargo add {}", "error: the crate {} could not be found in registry index."),
        ("conda install {}", "PackagesNotFoundError: The following packages are not available: {}"),
    ],
)
def test_names_without_quotes_are_no_part_of_how_it_failed(install: str, told: str) -> None:
    names = ("leftpad", "yamlish", "fastjson", "pyquick", "superhttp", "easydb", "colorz", "argz", "logz")
    failed = [command(install.format(name), told.format(name), failed=True) for name in names]
    assert judged(failed).kind == "churn"
    classes = {error_class(normalise(one.result), operands_of(str(one.arguments["command"]))) for one in failed}
    assert len(classes) == 1


def test_what_an_object_says_of_its_failure_is_how_it_failed() -> None:
    texts = ["not found", "permission denied", "quota exceeded"]
    classes = {error_class(f'{{"error": {{"code": 4, "message": "{text}"}}}}') for text in texts}
    assert len(classes) == 3


_NONCES = st.integers(0, 16**8 - 1).map("{:08x}".format)


@given(_NONCES, _NONCES, st.integers(1, 9999), st.integers(1, 9999))
def test_failures_that_differ_in_ids_offsets_and_seeds_alone_are_alike_whatever_their_status(
    one: str, other: str, number: int, another: int
) -> None:
    def panic(nonce: str, number: int) -> RecordedStep:
        text = (
            f"panic: index out of range\n\ngoroutine {number} [running]:\nmain.go +0x{number:x}\nseed: {number}\n"
            f"project proj_a1b{nonce[:4]}2c, container {nonce * 8}"
        )
        return step("invoke", text, function="f")

    digests = [digested("invoke", {"function": "f"}, panic(*of).result, failed=False)
               for of in ((one, number), (other, another))]  # fmt: skip
    assert digests[0].result == digests[1].result and digests[0].symptom is not None


def test_failures_that_differ_in_sizes_and_shares_are_caught_and_successes_that_do_are_not() -> None:
    failing = [step("run_job", f"upload failed: out of memory at {n * 3}.5 MB ({n + 7}%)", name="j") for n in range(9)]
    assert judged(failing).kind == "breaker"
    moving = [step("run_job", f"uploaded {n * 3}.5 MB ({n + 7}%)", name="j") for n in range(9)]
    assert judged(moving) == FINE
    made = [step("next_task", f"task_a1b{n}c2{n}", queue="q") for n in range(9)]
    assert judged(made) == FINE


@pytest.mark.parametrize(
    "told", ["bash: {}: command not found", "/bin/sh: 1: {}: not found", "zsh: command not found: {}"]
)
def test_guesses_at_the_names_of_programs_add_up(told: str) -> None:
    names = [f"{one}{other}" for one in ("fix", "auto", "py", "re") for other in ("fmt", "lint", "mod", "gen")]
    found = judged([command(f"{name} src", told.format(name), failed=True) for name in names])
    assert found.step == 6 and found.halt_step is not None
    few = [command(f"{name} src", told.format(name), failed=True) for name in names[:4]]
    assert judged([*few, command("apt-get install -y fixfmt", "done"), *few, command("ls", "a")]) == FINE

    def between(number: int) -> list[RecordedStep]:
        return [few[number % 4], command(f"grep -n main f{number}.c", f"{number}: main")]

    assert judged(rounds(4, between)) == FINE


@pytest.mark.parametrize(
    "told",
    [
        "[Your command is NOT executed. The previous command is still running.]",
        "timed out: bash has not returned in 120 seconds and must be restarted",
        "The terminal session has ended.",
    ],
)
def test_a_shell_that_runs_nothing_is_hammered_whatever_the_command(told: str) -> None:
    texts = ("ls", "pwd", "cat a", "git status", "make", "python a.py", "whoami", "id", "df", "du", "env", "date")
    assert judged([command(text, told, failed=True) for text in texts]).step == 4
    got_on = [
        one for text in texts for one in (command(text, told, failed=True), command(f"{text} .", f"out of {text}"))
    ]
    assert judged(got_on) == FINE


def test_each_mirror_may_be_tried_and_one_server_not_for_ever() -> None:
    def fetched(host: str, number: int) -> RecordedStep:
        return command(f"wget https://{host}/v{number}.tar.gz", "ERROR 404: Not Found.", failed=True)

    assert judged([fetched(f"mirror{n}.example", 1) for n in range(16)]) == FINE
    assert judged([fetched("one.example", n) for n in range(16)]).halt_step is not None


def test_a_switch_that_is_measured_is_no_loop_and_one_that_changes_nothing_is() -> None:
    def toggled(number: int, measured: str) -> list[RecordedStep]:
        old, new = ("on", "off") if number % 2 else ("off", "on")
        edit = step("edit_file", "ok", path="a.toml", old_string=old, new_string=new)
        return [edit, command("./bench", measured)]

    assert judged(rounds(8, lambda n: toggled(n, f"{800 + 31 * n} requests, p99 {n}1"))) == FINE
    assert judged(rounds(8, lambda n: toggled(n, "1 of 3 checks failed"))).halt_step is not None


def test_keys_that_move_nothing_on_the_screen_are_a_loop() -> None:
    def typed(number: int, screen: str) -> RecordedStep:
        return step("send_keys", screen, keystrokes=f"text {number}\n")

    dead = "dquote> \nThe quote is still open; nothing runs until it is closed.\ndquote> "
    assert judged([typed(number, dead) for number in range(20)]).halt_step is not None
    assert judged([typed(number, f"{dead}{number}") for number in range(20)]) == FINE
    assert judged([typed(number, "sent") for number in range(20)]) == FINE


def test_a_volatile_failure_in_turn_with_something_else_is_a_cycle() -> None:
    def one(number: int) -> list[RecordedStep]:
        return [step("deploy", f"Error: node {number * 7} is full", failed=True, app="a"), step("clean", "ok", app="a")]

    assert judged(rounds(9, one)).kind == "cycle"
