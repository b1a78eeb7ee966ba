"""What is waited for may be asked again, with a bound: locks, services that are away, answers that are pending."""

from __future__ import annotations

import pytest

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from tests.support.stuck_runs import step

FINE = Judgement()
LOCKS = (
    "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 811 (apt-get)",
    "    Blocking waiting for file lock on package cache",
    "fatal: Unable to create '/r/.git/index.lock': File exists.",
    "Another git process seems to be running in this repository",
    "sqlite3.OperationalError: database is locked",
    "Error: Error acquiring the state lock",
    "npm ERR! code EBUSY: resource busy or locked: device or resource busy",
)
AWAY = (
    "ReadTimeoutError(\"HTTPSConnectionPool(host='index.example', port=443): Read timed out.\")",
    "HTTP 503 Service Unavailable",
    "429 Too Many Requests",
    "npm ERR! network ECONNRESET",
)


def judged(steps: list[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def command(text: str, result: str = "", *, failed: bool = False) -> RecordedStep:
    return step("bash", result, failed=failed, command=text)


@pytest.mark.parametrize("told", LOCKS)
def test_a_lock_that_is_let_go_may_be_tried_some_times_and_one_that_is_not_is_found(told: str) -> None:
    held = command("cargo build", told, failed=True)
    assert judged([*[held] * 6, command("cargo build", "Finished")]) == FINE
    found = judged([held] * 20)
    assert found.step is not None and found.step < 10 and found.halt_step is not None


@pytest.mark.parametrize("told", AWAY)
def test_a_service_that_is_away_for_a_moment_may_be_asked_four_times(told: str) -> None:
    away = command("pip install -r requirements.txt", told, failed=True)
    assert judged([*[away] * 4, command("pip install -r requirements.txt", "Successfully installed")]) == FINE
    assert judged([away] * 5).step == 4


def test_a_failure_that_does_not_pass_by_itself_may_not() -> None:
    assert (
        judged([command("pip install -r requirements.txt", "ERROR: no such option: --foo", failed=True)] * 4).step == 2
    )


@pytest.mark.parametrize("status", ["pending", "in_progress", "queued"])
def test_an_answer_that_says_that_it_is_pending_is_bounded_as_a_call_that_polls(status: str) -> None:
    looked = step("get_order", f'{{"id": "W1", "status": "{status}"}}', id="W1")
    polled = step("get_job_status", f'{{"id": "J1", "status": "{status}"}}', id="J1")
    assert judged([looked] * 23) == FINE
    assert judged([looked] * 40).halt_step is not None
    assert judged([polled] * 25) == FINE
    assert judged([polled] * 40).halt_step is not None


def test_a_server_that_never_comes_up_is_found_whether_the_pause_is_a_call_of_its_own_or_not() -> None:
    refused = "curl: (7) Failed to connect to localhost port 3000: Connection refused"
    apart = [command("sleep 5"), command("curl -s localhost:3000", refused, failed=True)]
    assert judged(apart * 10) == FINE
    assert judged(apart * 20).halt_step is not None
    for failed in (True, False):
        told = command("sleep 5; curl -s http://localhost:3000 || echo down", f"{refused}\ndown", failed=failed)
        assert judged([told] * 10) == FINE
        assert judged([told] * 25).halt_step is not None


def test_the_age_of_a_job_tells_nothing_of_it() -> None:
    def pods(number: int) -> RecordedStep:
        return command("kubectl get pods", f"NAME READY STATUS AGE\nweb 0/1 ImagePullBackOff {number}m{number % 60}s")

    assert judged([pods(number) for number in range(20)]) == FINE
    assert judged([pods(number) for number in range(45)]).halt_step is not None


def test_a_lock_that_is_only_read_of_is_no_wait() -> None:
    shown = step("read_file", LOCKS[0], path="build.log")
    assert judged([shown] * 4).step == 2


def test_who_polls_without_a_pause_and_is_told_no_more_is_warned_before_who_pauses() -> None:
    look = step("get_job", '{"job": "j1", "state": "queued", "position": 3}', job="j1")
    pause = step("wait", "waited 5 s", seconds=5)
    hasty = judged([look] * 40)
    assert (hasty.step, hasty.kind) == (23, "repeat")
    assert hasty.halt_step is not None and hasty.halt_step <= 27
    assert judged([one for _ in range(28) for one in (look, pause)]) == FINE


def test_who_polls_without_a_pause_until_it_is_done_or_gets_on_is_not_warned() -> None:
    look = step("get_job", '{"job": "j1", "state": "queued", "position": 3}', job="j1")
    done = step("get_job", '{"job": "j1", "state": "succeeded"}', job="j1")
    assert judged([*[look] * 23, done]) == FINE
    moving = [step("get_job", f'{{"job": "j1", "state": "queued", "place": "p{at}"}}', job="j1") for at in range(60)]
    assert judged(moving) == FINE


def test_a_value_after_the_other_is_warned_once_and_climbs_soon_after() -> None:
    def tried(number: int) -> RecordedStep:
        return command(f"pip install torch==1.{number}.0", "ERROR: No matching distribution found", failed=True)

    assert judged([tried(number) for number in range(9)]) == FINE
    many = judged([tried(number) for number in range(24)])
    assert many.step is not None and many.step <= 10
    assert many.halt_step is not None and many.halt_step <= 22
    assert judged([tried(number) for number in range(20)]).halt_step is None


def test_searches_in_other_words_for_what_is_nowhere_are_found_at_the_eighth() -> None:
    words = ("", "_s", "_ms", "_of_read", "_of_write", "_default", "_value", "_option", "_key", "_flag", "_arg", "_x")
    searches = [step("grep", "No matches found", pattern=f"timeout{word}") for word in words]
    assert judged(searches[:7]) == FINE
    assert judged(searches).step == 7
