"""The rules against loops: what is caught, how early, and what is left alone."""

import copy
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from arreio_contracts.events import StepDigest
from hypothesis import given
from hypothesis import strategies as st

from arreio.trajectories import Thresholds, recorded_steps
from services.tool_loop.rules.loops.anti_loop import AntiLoop
from services.tool_loop.rules.loops.content import Content
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.loops.revisit import UNCHANGED
from services.tool_loop.rules.loops.rule import Limits
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from tests.support import busy_runs, stuck_runs
from tests.support.promises import SHARED
from tests.support.stuck_runs import step
from tests.support.trajectories import recorded, recorded_runs
from tests.support.written_runs import WrittenRun, written_runs

LATE = {
    "editors/edits that bring the same error of types": 40,
    "operations/a rollout that never ends": 60,
    "people/passwords tried, in swe-agent": 45,
    "people/passwords tried, in codex": 45,
}
"""Steps within which a written run is seen to be stuck; 30 where nothing is said.

Failures that differ in a figure, each after another change, and looks with a pause before each have their own bounds.
"""
CASES = (recorded() or SHARED).parent / "cases.jsonl"
LATEST = {
    "fruitless edits": 20,
    "cycle ABCDE": 10,
    "sweep": 12,
    "hammering": 15,
    "repeat": 6,
    "its last 3 steps in turn": 9,
}
"""Steps from being stuck within which it must be seen; 7 where nothing is said."""


def judged(steps: Sequence[RecordedStep], capability: str = "strong") -> Judgement:
    thresholds = Thresholds.of(capability)
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str, *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


def edit(number: int, path: str = "a.py") -> RecordedStep:
    return step("edit", "ok", path=path, patch=f"p{number}")


@pytest.mark.parametrize("kind", [*stuck_runs.KINDS, *stuck_runs.REPLAYED])
def test_a_run_that_gets_stuck_is_caught_early_and_ended(kind: str) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        beginning = busy_runs.KINDS["test after edit"](rng)[:9] + busy_runs.batch(rng)[:9]
        steps, at = stuck_runs.stuck(rng, beginning, kind)
        found = judged(steps)
        assert found.step is not None and 0 < found.step - at <= LATEST.get(kind, 7), (kind, seed, found)
        if kind in stuck_runs.KINDS:
            assert found.halt_step is not None and found.halt_step > found.step


@pytest.mark.parametrize("kind", busy_runs.KINDS)
def test_what_repeats_for_good_reason_is_left_alone(kind: str) -> None:
    for seed in range(20):
        found = judged(busy_runs.KINDS[kind](random.Random(seed)))
        assert found == Judgement(), (kind, seed, found)


@pytest.mark.parametrize("run", written_runs(), ids=lambda run: run.name)
def test_a_run_as_another_harness_writes_it_is_judged_right(run: WrittenRun) -> None:
    found = judged(run.steps)
    if run.stuck_at is None:
        assert found == Judgement()
    else:
        late = LATE.get(run.name, 30)
        assert found.step is not None and run.stuck_at <= found.step < run.stuck_at + late


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")
def test_the_shared_cases_come_out_right() -> None:
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    loops = [case for case in cases if case["area"] == "f"]
    assert len(loops) >= 11
    for case in loops:
        assert (judged(recorded_steps(case["input"])[0]).step is not None) == case["expect"]["flag"], case["id"]


@pytest.mark.skipif(recorded() is None, reason="there are no recorded runs here")
def test_no_recorded_run_that_gets_on_is_warned_and_every_stuck_one_is() -> None:
    path = recorded()
    assert path is not None
    runs = recorded_runs(path)
    assert len(runs) > 100
    assert {run.id for run in runs if judged(run.steps).step is not None} == {run.id for run in runs if run.stuck}
    assert not [run.id for run in runs if run.resolved and judged(run.steps).halt_step is not None]


def test_the_third_alike_is_warned_and_the_sixth_ends_the_run() -> None:
    found = judged([command("make", "nothing")] * 9)
    assert (found.step, found.halt_step, found.kind) == (2, 5, "repeat")


def test_a_weak_model_is_warned_sooner() -> None:
    assert judged([command("make", "nothing")] * 9, "weak").step == 1


def test_an_edit_an_answer_or_another_result_begins_a_streak_anew() -> None:
    make = command("make", "nothing")
    asked = [step("ask_user", f"USER: go on, {n}", question="Shall I?") for n in range(3)]
    assert judged([make, make, edit(1), make, make]).step is None
    assert judged([make, make, asked[0], make, make, asked[1], make, make]).step is None
    assert judged([make, make, command("make", "built"), make, make]).step is None


def test_a_call_that_changes_the_same_again_does_not_excuse_itself() -> None:
    assert judged([step("write_file", "ok", path="a", content="x")] * 5).kind == "repeat"


def test_a_call_that_changes_something_each_time_has_more_patience() -> None:
    build = RecordedStep("bash", {"command": "make next"}, "built", False, changed=True)
    assert judged([build] * 8).step is None
    assert judged([build] * 12).step == 8


def test_watching_a_job_is_polling_and_asking_git_is_not() -> None:
    for watching in ("kubectl get pods", "docker ps", "tail -n 3 train.log", "systemctl status app", "sleep 9", ""):
        assert judged([command(watching, "the same")] * 12).step is None, watching
    assert judged([command("git status", "clean")] * 12).step == 2


def test_a_breaker_opens_at_its_limit_and_different_targets_do_not_add_up() -> None:
    texts = ["alpha", "beta", "gamma", "delta", "epsilon"]
    failing = [command("make deploy", f"{text}\nfatal: no route to host", failed=True) for text in texts]
    others = [command(f"ping -c1 host{n}", "fatal: no route to host", failed=True) for n in range(3)]
    found = judged(failing)
    assert (found.kind, found.step) == ("breaker", 4)
    assert judged([*failing[:4], *others]).step is None


def test_an_edit_half_opens_a_breaker_for_one_try() -> None:
    rules = AntiLoop(Limits())

    def deploy(number: int) -> StepDigest:
        text = f"{'abcdefgh'[number % 8] * 4}\nfatal: no route to host"
        return digested("bash", {"command": "make deploy"}, text, failed=True)

    def changed(number: int) -> StepDigest:
        return digested("edit", {"path": "a", "patch": str(number)}, "ok", failed=False)

    levels = [getattr(rules.observe(deploy(number), str(number)), "level", None) for number in range(6)]
    assert levels == [None, None, None, None, "warn", "break"]
    rules.observe(changed(1), "e")
    assert rules.observe(deploy(6), "6") is None
    opened = rules.observe(deploy(7), "7")
    assert opened is not None and (opened.kind, opened.level) == ("breaker", "break")
    rules.observe(changed(2), "f")
    rules.observe(digested("bash", {"command": "make deploy"}, "deployed", failed=False), "g")
    assert rules.observe(deploy(8), "8") is None and rules.observe(deploy(9), "9") is None


def test_a_workspace_that_is_again_as_it_was_twice_before_is_a_cycle() -> None:
    found = judged(stuck_runs.flip_flop(random.Random(1)))
    assert (found.kind, found.step) == ("cycle", 7)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["1", "2", None])), max_size=30))
def test_the_state_of_a_workspace_is_its_content_and_not_its_history(puts: list[tuple[str, str | None]]) -> None:
    content, files = Content(), dict[str, str | None]()
    for path, new in puts:
        content.put(path, new)
        files[path] = new
    direct = Content()
    for path in sorted(files):
        direct.put(path, files[path])
    assert content.state == direct.state
    assert (content.state == UNCHANGED) == all(value is None for value in files.values())


def test_progress_is_judged_only_where_it_is_measured() -> None:
    unmeasured = [edit(number, f"f{number}") for number in range(60)]
    assert judged(unmeasured).step is None
    rules = AntiLoop(Limits(progress_budget=10))
    verdicts = []
    for number in range(24):
        rules.criteria("the criteria", ("PASS", "FAIL"))
        seen = digested("edit", {"path": f"f{number}", "patch": "p"}, "ok", failed=False)
        verdicts.append(rules.observe(seen, str(number)))
    assert [one.kind for one in verdicts if one is not None] == ["progress", "progress"]


def test_calls_beyond_a_cap_are_found_and_end_the_run() -> None:
    reads = [command(f"cat f{number}", str(number)) for number in range(160)]
    edits = [edit(number) for number in range(40)]
    found = judged([*edits, *reads])
    assert (found.kind, found.step, found.halt_step) == ("cap", 190, 192)
    assert judged(reads).step is None, "a harness with one tool has the cap of the task only"


_PIECES = [
    command("make", "x"), command("make", "fatal: y", failed=True), command("ls", "a"), edit(1), edit(2), step("think"),
    command("sleep 5; curl h", "no", failed=True), step("send", "queued", to="p", text="a"),
    step("ask", "yes", question="?"),
    step("read_file", "t", path="a", offset=0, limit=10), step("read_file", "u", path="a", offset=5, limit=10),
    step("edit", "E999", failed=True, path="a", text="b"), step("edit", "E999", failed=True, path="a", text="c"),
    command("pytest", "3 failed", failed=True),
]  # fmt: skip
_RUNS = st.lists(st.sampled_from(_PIECES), max_size=80)


def _digests(steps: Sequence[RecordedStep]) -> list[StepDigest]:
    return [digested(one.tool, one.arguments, one.result, failed=one.failed) for one in steps]


@given(_RUNS, st.integers(0, 80))
def test_a_restart_in_the_middle_changes_no_verdict(steps: list[RecordedStep], at: int) -> None:
    seen = _digests(steps)
    whole, first = AntiLoop(Limits()), AntiLoop(Limits())
    verdicts = [whole.observe(one, str(number)) for number, one in enumerate(seen)]
    before = [first.observe(one, str(number)) for number, one in enumerate(seen[:at])]
    second = copy.deepcopy(first)
    after = [second.observe(one, str(number)) for number, one in enumerate(seen[at:], at)]
    assert [*before, *after] == verdicts


@given(_RUNS)
def test_two_replicas_agree_whatever_was_recorded_as_json(steps: list[RecordedStep]) -> None:
    one, other = AntiLoop(Limits()), AntiLoop(Limits())
    for number, seen in enumerate(_digests(steps)):
        read = StepDigest.model_validate_json(seen.model_dump_json())
        assert one.observe(seen, str(number)) == other.observe(read, str(number))


@given(_RUNS)
def test_a_run_is_warned_before_it_is_ended(steps: list[RecordedStep]) -> None:
    found = judged(steps)
    assert found.halt_step is None or (found.step is not None and found.step < found.halt_step)


@given(st.lists(st.integers(0, 10**6), unique=True, max_size=60))
def test_calls_that_all_differ_and_succeed_are_never_a_loop(numbers: list[int]) -> None:
    assert judged([step("get_order", f"order {n}", order_id=f"W{n}") for n in numbers]).step is None


def test_what_a_rule_keeps_of_a_streak_does_not_grow_with_it() -> None:
    def size(length: int) -> int:
        rules = AntiLoop(Limits())
        for number in range(length):
            rules.observe(digested("bash", {"command": f"make t{number % 7}"}, "no", failed=True), str(number % 10))
        return len(repr([vars(rule) for rule in rules.rules]))

    assert size(4000) < size(400) * 1.5


def test_bad_lines_are_answered_each_and_the_others_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from arreio.__main__ import main

    good = {"id": "a", "steps": [{"tool": "bash", "args": "make", "result": "no", "error": True}] * 6}
    lines = [json.dumps(good), "{", '{"id": "b"}', '{"id": "c", "steps": [{"args": {}}]}', '{"id": "d", "steps": []}']
    file = tmp_path / "runs.ndjson"
    file.write_text("\n".join(lines) + "\n")
    assert main(["check", "loops", str(file)]) == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers[0] == {
        "id": "a",
        "flagged": True,
        "step": 2,
        "halt_step": 5,
        "kind": "repeat",
        "why": answers[0]["why"],
    }
    assert [answer.get("error", "")[:7] for answer in answers] == ["", "line 2:", "line 3:", "line 4:", ""]
    assert answers[4] == {"id": "d", "flagged": False, "step": None, "halt_step": None, "kind": None, "why": ""}
