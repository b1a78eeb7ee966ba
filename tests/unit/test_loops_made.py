"""Things that are made, looked at and taken away, searches that show nothing new, and failures that move on."""

from collections.abc import Sequence

import pytest

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.anti_loop import AntiLoop
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.loops.rule import Limits
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.made_ids import ids_in, without_made_ids
from services.tool_loop.rules.shell_commands import program
from services.tool_loop.rules.standing import places
from services.tool_loop.rules.wrapped import unwrapped
from tests.support.stuck_runs import step
from tests.support.written_runs.voices import hexes, letters

FINE = Judgement()


def judged(steps: Sequence[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str = "", *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def started_and_removed(number: int, told: str = "panic: no config") -> list[RecordedStep]:
    name = hexes(number, 64)
    return [
        command("docker run -d app:1", name),
        command(f"docker logs {name[:12]}", told),
        command(f"docker rm -f {name[:12]}", name[:12]),
    ]


def test_rounds_that_make_a_thing_and_take_it_away_are_a_cycle_whatever_its_id() -> None:
    found = judged([one for number in range(8) for one in started_and_removed(number)])
    assert (found.step, found.kind) == (8, "cycle")
    assert found.halt_step is not None


def test_rounds_whose_looks_tell_something_else_each_time_are_none() -> None:
    assert judged([one for number in range(8) for one in started_and_removed(number, f"case {number}: ok")]) == FINE


def test_ids_from_one_list_are_a_batch() -> None:
    names = [hexes(number, 24) for number in range(12)]
    listed = step("list_events", str([{"id": name} for name in names]))
    assert judged([listed, *[step("delete_event", "deleted", event_id=name) for name in names]]) == FINE


def test_jobs_taken_from_a_queue_and_done_are_no_cycle() -> None:
    jobs = [hexes(number, 24) for number in range(9)]
    rounds = [(step("next_job", f'{{"job": "{job}"}}'), step("finish_job", "done", job=job)) for job in jobs]
    assert judged([one for both in rounds for one in both]) == FINE


def test_a_stash_taken_back_over_and_over_is_a_cycle_whatever_its_hash() -> None:
    def both(number: int) -> tuple[RecordedStep, RecordedStep]:
        return command("git stash", "Saved WIP on main"), command("git stash pop", f"Dropped stash ({hexes(number)})")

    assert judged([one for number in range(8) for one in both(number)]).kind == "cycle"


def test_what_was_made_may_be_asked_for_until_it_is_ready() -> None:
    made = step("create_report", '{"report_id": "rp_1"}', kind="sales")
    look = step("get_report", '{"report_id": "rp_1", "note": "we are on it"}', report_id="rp_1")
    assert judged([made, *[look] * 20]) == FINE
    assert judged([look] * 20).halt_step == 11


@pytest.mark.parametrize(
    ("told", "ids"),
    [
        ("Dropped refs/stash@{0} (1f2e3d4c5b6a79881f2e3d4c5b6a79881f2e3d4c)", ["1f2e3d4c5b6a"]),
        ("pod web-7d9f8b6c5d-x2k9p", ["web-7d9f8b6c5d-x2k9p"]),
        ('{"id": 4411}', ["4411"]),
        ("12 passed in a defaced decade", []),
    ],
)
def test_ids_are_told_from_words_and_counts(told: str, ids: list[str]) -> None:
    assert ids_in(told) == ids
    assert (without_made_ids(told) == told) == (not ids)


def test_a_pod_that_crashes_under_another_name_each_time_is_a_cycle() -> None:
    def one(number: int) -> list[RecordedStep]:
        pod = f"web-7d9f8b6c5d-{letters(number)}"
        return [
            command("kubectl get pods", f"NAME READY STATUS\n{pod} 0/1 CrashLoopBackOff"),
            command(f"kubectl logs {pod}", "Error: cannot find module 'server'"),
            command(f"kubectl delete pod {pod}", f'pod "{pod}" deleted'),
        ]

    assert judged([step for number in range(6) for step in one(number)]).kind == "cycle"


def test_a_conflict_at_each_commit_of_a_rebase_is_progress_and_the_same_one_is_not() -> None:
    def stopped(number: int) -> list[RecordedStep]:
        told = f"CONFLICT (content): Merge conflict in a.md\nerror: could not apply {number}a{number}f... note {number}"
        return [command("git rebase --continue", told, failed=True), command("sed -i '/^[<=>]/d' a.md && git add a.md")]

    assert judged([one for number in range(12) for one in stopped(number)]) == FINE
    assert judged([one for _ in range(12) for one in stopped(1)]).halt_step is not None


def test_searches_in_other_words_that_show_the_same_are_a_sweep() -> None:
    words = ("bug flatten mul", "mul flatten bug", "flatten bug in mul", "issue mul flatten", "mul: flatten issue")
    hits = "https://a.example/1\nhttps://b.example/2"
    found = judged([step("web_search", hits, query=f"{words[number % 5]} {number}") for number in range(12)])
    assert found.kind == "sweep"
    assert judged([step("web_search", f"{hits}{number}", query=words[number % 5]) for number in range(12)]) == FINE


def test_a_listing_in_other_forms_shows_nothing_new() -> None:
    forms = ("ls", "ls -1", "find . -maxdepth 1", "ls -a", "tree -L 1", "dir", "fd -d 1", "ls ./")
    assert judged([command(form, "./a.py\n./b.py") for form in forms]).kind == "sweep"


@pytest.mark.parametrize("told", ["line {}", "src/a.py:{}:5: error: old name", "a.ts({},7): error TS1: old name"])
def test_a_failure_that_moves_down_a_file_with_each_edit_is_progress(told: str) -> None:
    def one(at: int, new: str) -> list[RecordedStep]:
        edit = step("edit_file", "ok", path="src/a.py", old_text=f"old {at}", new_text=new)
        return [command("make", f"SyntaxError: old name, {told.format(at)}", failed=True), edit]

    assert judged([part for number in range(30) for part in one(10 + 10 * number, f"new {number}")]) == FINE
    stays = [part for number in range(30) for part in one(12 + number, f"# {number}\nold {12 + number}")]
    assert judged(stays).halt_step is not None


def test_places_are_the_lines_that_a_failure_names() -> None:
    assert places('  File "a.py", line 12, in f\nb.c:40:3: error\nx.ts(9,1): error') == (12, 40, 9)
    assert places("3 failed, 12 passed") == ()


def test_a_first_failing_test_that_is_another_each_time_is_progress() -> None:
    def one(number: int) -> list[RecordedStep]:
        told = f"FAILED tests/test_a.py::test_{number} - assert 0\n1 failed in 0.1s"
        return [command("pytest -x", told, failed=True), *[edit(number, part) for part in range(3)]]

    def edit(number: int, part: int) -> RecordedStep:
        return step("edit_file", "ok", path=f"a{number}.py", old_text=str(part), new_text=str(part + 1))

    assert judged([step for number in range(20) for step in one(number)]) == FINE


@pytest.mark.parametrize(
    ("wrapped", "said"),
    [
        ("<returncode>1</returncode>\n<output>\n</output>", "exit code: 1\n"),
        ("<returncode>0</returncode>\n<output>\nok\n</output>", "ok"),
        ("a\n[The command completed with exit code 2.]\n[Current working directory: /w]", "exit code: 2\na"),
        ("a\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 0]", "a"),
        ("a [1]", "a [1]"),
    ],
)
def test_what_a_harness_puts_around_an_output_is_no_part_of_it(wrapped: str, said: str) -> None:
    assert unwrapped(wrapped) == said


def test_one_program_has_one_name() -> None:
    ways = ("pip install a", "pip3 install a", "python3 -m pip install a", "uv pip install a", "python3.11 -m pip list")
    assert {program(way) for way in ways} == {"pip"}
    assert [program("python3 a.py"), program("bzip2 a"), program("g++ a.cpp")] == ["python", "bzip", "g++"]


def test_the_same_form_for_the_next_one_is_another_word_and_other_wording_is_not() -> None:
    def said(texts: Sequence[str]) -> Judgement:
        return judged([step("respond", "Thanks.", content=text) for text in texts])

    assert said([f"Hi {name}, your parcel is here." for name in ("Ana", "Rui", "Eva", "Gil", "Ivo", "Lia")]) == FINE
    assert said([f"Would you like the {colour} lamp?" for colour in ("red", "blue", "green", "white", "black")]) == FINE
    asked = (
        "Please check the build.",
        "Could you look at the build?",
        "Kindly verify the build.",
        "Any news of the build?",
    )
    assert judged([step("send", "queued", to="peer-7", text=text) for text in asked]).step is not None
    ways = ("Your Order Number, please?", "What is your order number?", "Please tell me the order number.")
    assert said([*ways, *ways]).halt_step is not None


@pytest.mark.parametrize(
    ("tool", "arguments"), [("gdb", {"command": "stepi"}), ("debug_step", {"unit": "instruction"})]
)
def test_a_debugger_that_steps_on_is_where_it_was_not_and_one_that_stays_is_stuck(
    tool: str, arguments: dict[str, str]
) -> None:
    def stepped(number: int) -> RecordedStep:
        return RecordedStep(tool, arguments, f"0x{0x401136 + 4 * number:016x} in main ()", False)

    assert judged([stepped(number) for number in range(20)]) == FINE
    assert judged([stepped(0)] * 20).halt_step is not None


def test_two_replicas_that_fold_the_same_digests_find_the_same() -> None:
    seen = [
        digested(one.tool, one.arguments, one.result, failed=one.failed)
        for number in range(8)
        for one in started_and_removed(number)
    ]
    first, second = AntiLoop(Limits()), AntiLoop(Limits())
    kept = [type(one).model_validate_json(one.model_dump_json()) for one in seen]
    assert [first.observe(one, str(at)) for at, one in enumerate(seen)] == [
        second.observe(one, str(at)) for at, one in enumerate(kept)
    ]
