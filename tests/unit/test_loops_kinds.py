"""Kinds of loops, each with its honest twin: what looks alike and gets on."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from arreio.commands.check import loops
from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.anti_loop import AntiLoop
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.loops.rule import Limits
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.normalising import normalise
from tests.support.stuck_runs import step

FINE = Judgement()


def judged(steps: Sequence[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str, *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def ended(steps: Sequence[RecordedStep]) -> bool:
    return judged(steps).halt_step is not None


@pytest.mark.parametrize(
    "again",
    [
        command("cat plan.txt", "one\ntwo"),
        command("git status", "clean"),
        step("go_back", "list of products"),
        step("close_file", "closed"),
        command("clear", ""),
        step("query", "BEGIN", sql="BEGIN"),
    ],
)
def test_a_look_repeated_between_new_work_is_no_loop_and_between_old_work_it_is(again: RecordedStep) -> None:
    def work(number: int) -> RecordedStep:
        return step("read_file", f"text {number}", path=f"f{number}.py")

    assert judged([one for number in range(10) for one in (work(number), again)]) == FINE
    assert ended([one for number in range(20) for one in (work(number % 3), again)])


def test_what_other_names_and_numbers_are_asked_of_is_another_question() -> None:
    def cancelled(number: int) -> list[RecordedStep]:
        return [step("respond", "Yes.", content=f"Cancel R{number}?"), step("cancel_trip", "ok", trip=f"R{number}")]

    assert judged([one for number in range(8) for one in cancelled(number)]) == FINE
    reports = ("Deploy started", "Canary 10%", "Canary 50%", "Deploy done", "Rollback not needed")
    assert judged([step("notify", "sent", channel="ops", message=text) for text in reports]) == FINE


def test_one_question_in_other_words_is_a_repeat() -> None:
    wordings = (
        "What is your booking number?",
        "Could you share the booking code, please?",
        "Please give me your number for the booking.",
        "I still need the booking number.",
    )
    asked = [step("ask_user", "I really don't have it.", question=wordings[turn % 4]) for turn in range(16)]
    assert ended(asked)
    assert judged([step("ask_user", f"It is {turn}.", question=wordings[turn % 4]) for turn in range(4)]) == FINE


def test_starting_the_same_and_waiting_for_it_goes_round_and_watching_does_not() -> None:
    tried = [
        command("pkill -f app", ""),
        command("python app.py &", "[1] 4711"),
        command("sleep 3", ""),
        command("curl -s localhost:8000", "curl: (7) Failed to connect to localhost port 8000", failed=True),
    ]
    assert ended(tried * 8)
    watched = [command("sleep 60", ""), command("gh run view 7", "queued"), command("cat run.log", "queued")]
    assert judged(watched * 6) == FINE
    moving = [
        one for at in range(12) for one in (command("sleep 60", ""), command("tail -1 run.log", f"{at}% of 12 shards"))
    ]
    assert judged(moving) == FINE


@pytest.mark.parametrize("nothing", ["", "No matches found.", "<returncode>1</returncode>\n<output>\n</output>"])
def test_search_after_search_that_finds_nothing_is_a_loop_unless_something_is_found_or_done(nothing: str) -> None:
    def search(number: int, result: str = nothing) -> RecordedStep:
        return command(f"grep -rn handle{number} src", result, failed=not result)

    found = judged([search(number) for number in range(24)])
    assert found.step is not None and found.step <= 9 and found.halt_step is not None
    assert judged([search(number) for number in range(6)]) == FINE
    hits = [search(number, f"src/a.py:{number}: handle" if number % 4 == 3 else nothing) for number in range(24)]
    assert judged(hits) == FINE


def test_lookups_by_key_that_find_nothing_are_a_batch() -> None:
    assert judged([step("get_flights", "[]", origin="LIS", day=f"2026-03-{day:02}") for day in range(1, 20)]) == FINE


def test_a_way_back_that_is_new_each_time_is_noted_and_is_no_warning() -> None:
    def scratch(number: int) -> list[RecordedStep]:
        return [
            step("str_replace", "ok", path="a.py", old_str="x", new_str=f"print({number})"),
            command("python -m pytest", f"1 failed, at {number} of 9", failed=True),
            step("str_replace", "ok", path="a.py", old_str=f"print({number})", new_str="x"),
        ]

    assert judged([one for number in range(3) for one in scratch(number)]) == FINE


def test_a_job_that_says_that_it_goes_on_is_polled() -> None:
    for told in ('{"status":"IN_PROGRESS"}', "pending", "build 7 is queued", "not ready"):
        assert judged([step("describe", told, stack="a")] * 12) == FINE, told
    assert ended([step("describe", "gone", stack="a")] * 12)
    assert judged([step("send_keys", "compiling", keystrokes="", duration=15.0)] * 12) == FINE
    assert judged([command("test -f out.bin || echo waiting", "waiting")] * 12) == FINE


@pytest.mark.parametrize(
    "change",
    [
        lambda n: step("shell", "Success", command=["apply_patch", f"*** Begin Patch {n}"]),
        lambda n: step("execute_ipython_cell", "done", code=f"edit_file_by_replace('a.py', '{n}')"),
        lambda n: command(f"python tools/migrate_{n}.py", "done"),
        lambda n: step("run_sql", "1 row", query=f"UPDATE t SET a = {n}"),
        lambda n: command(f"curl -X POST localhost/items -d '{n}'", "created"),
        lambda n: step("modify_cell", "ok", cell=f"A{n}"),
    ],
)
def test_a_check_that_passes_after_each_change_is_no_loop(change) -> None:  # type: ignore[no-untyped-def]
    check = command("pytest -q", "20 passed")
    assert judged([one for number in range(10) for one in (change(number), check)]) == FINE
    assert ended([check] * 10)


def test_a_rejected_edit_is_a_failure_whatever_its_status_says() -> None:
    told = "No replacement was performed, old_str `{}` did not appear verbatim in a.py."
    rejected = [
        step("str_replace_editor", told.format(n), command="str_replace", path="a.py", old_str=f"v{n}", new_str="w")
        for n in range(16)
    ]
    assert ended(rejected)
    shown = [step("read_file", f"Error: what the log says, {n}", path=f"log{n}") for n in range(16)]
    assert judged(shown) == FINE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[1] 4711", "[1] 4712"),
        ("root  4711  0.0  0.1 app", "root  92  0.0  0.1 app"),
        ("request_id: aXbQ-kkLwz", "request_id: ppQr-zzTwe"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ"),
        ("csrf_token=ab12cd34ef", "csrf_token=99ffee1122"),
        ("local port 49152", "local port 50007"),
        ("às 12h05 falhou", "às 12h07 falhou"),
    ],
)
def test_what_differs_each_time_is_masked(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[1] of 4711", "[1] of 4712"),
        ("connect to port 5432", "connect to port 5433"),
        ("a request failed", "a request passed"),
        ("12h of work", "13h of work"),
        ("adam 12 0.5 left", "adam 13 0.5 left"),
        ("local port 5432 refused", "local port 5433 refused"),
        ("event id: missing", "event id: invalid"),
        ("trace: enabled", "trace: disabled"),
    ],
)
def test_what_says_something_stays(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


def test_reading_beyond_the_end_shows_no_new_line() -> None:
    text = "\n".join(f"{line}\tx" for line in range(1, 41))
    assert ended([step("read_file", text, path="a.py", offset=1, limit=size) for size in range(40, 1040, 50)])
    pages = ["\n".join(f"{line}\tx" for line in range(first, first + 40)) for first in range(1, 800, 40)]
    paged = [step("read_file", page, path="a.py", offset=40 * at + 1, limit=40) for at, page in enumerate(pages)]
    assert judged(paged) == FINE


def test_one_thought_after_the_other_with_nothing_done_is_a_loop() -> None:
    assert ended([step("think", "noted", thought=f"perhaps {number}") for number in range(30)])
    assert ended([command(f"echo perhaps {number}", f"perhaps {number}") for number in range(30)])
    assert ended([step("transfer_to_human", "transferred", summary=f"wants {number}") for number in range(20)])
    between = [
        one
        for number in range(20)
        for one in (step("think", "noted", thought=f"{number}"), step("read_file", f"{number}", path=f"{number}"))
    ]
    assert judged(between) == FINE


def test_failures_without_a_word_are_a_kind_of_their_own() -> None:
    assert ended([command(f"./probe --try {number}", "", failed=True) for number in range(24)])
    assert judged([command(f"./probe --try {number}", "", failed=True) for number in range(4)]) == FINE


def test_who_asks_for_the_time_or_a_fresh_name_gets_another_answer_each_time() -> None:
    assert judged([step("get_time", f"2026-03-04T12:00:{second:02}Z") for second in range(10)]) == FINE
    assert ended([step("get_name", "always this")] * 10)


def test_arguments_written_as_json_are_the_object_and_a_bad_line_keeps_its_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = {"path": "a.py", "limit": 5}
    written = [args, json.dumps(args), json.dumps(args, indent=1)] * 2
    lines = [
        {"id": "a", "steps": [{"tool": "peek", "args": one, "result": "x", "error": False} for one in written]},
        {"id": "b", "steps": [{"tool": "peek", "args": None, "result": None, "error": False}]},
        {"id": "c", "steps": [{"tool": 7}]},
    ]
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    assert loops(str(path), "strong") == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (answers[0]["step"], answers[1]["flagged"]) == (2, False)
    assert answers[2]["id"] == "c" and answers[2]["error"].startswith("line 3:")


def test_a_word_to_somebody_is_never_forbidden_for_another_has_the_same_target() -> None:
    def verdicts(tool: str, **arguments: str) -> list[str | None]:
        rules = AntiLoop(Limits())
        seen = digested(tool, arguments, "sent", failed=False)
        found = [rules.observe(seen, str(at)) for at in range(6)]
        return [verdict.forbids for verdict in found if verdict]

    assert verdicts("send_message", to="peer", text="See to the build, please.") == [None] * 4
    assert None not in verdicts("build", target="peer")
