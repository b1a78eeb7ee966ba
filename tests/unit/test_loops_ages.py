"""How long ago something was grows by itself: it makes no round of calls new, and measures nothing."""

import pytest

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.measures import measures
from services.tool_loop.rules.normalising import normalise
from tests.support.stuck_runs import step

TABLE = "NAME IMAGE SERVICE CREATED STATUS\nweb-1 app web {} seconds ago Exited (1) {} seconds ago"
SHOWN = [
    ("docker compose ps -a", "web  Exited (1) {} seconds ago"),
    ("docker compose ps -a", "web  Exited (1) {} minutes ago"),
    ("docker-compose -f dev.yml ps", "web  restarting (1) {} seconds ago"),
    ("docker compose ps", "web  Up {} seconds"),
    ("docker compose ps", TABLE),
    ("acme deployments", "build failed {} seconds ago"),
    ("acme deployments", "app v1 degraded, up {} seconds"),
]


def _judged(steps: list[RecordedStep]) -> Judgement:
    thresholds = Thresholds.of("strong")
    return judge(steps, thresholds.limits, thresholds.caps())


def _bash(command: str, result: str = "") -> RecordedStep:
    return step("bash", result, command=command)


@pytest.mark.parametrize("taken_down", [True, False])
@pytest.mark.parametrize(("look", "shown"), SHOWN)
def test_what_is_started_over_and_over_is_a_cycle_whatever_its_age(look: str, shown: str, taken_down: bool) -> None:
    steps: list[RecordedStep] = []
    for at in range(12):
        steps += _bash("docker compose up -d", " Container web Started"), _bash(look, shown.format(at + 2, at + 1))
        if taken_down:
            steps.append(_bash("docker compose down", " Container web Removed"))
    judged = _judged(steps)
    assert judged.step is not None and judged.step < 15 and judged.halt_step is not None


@pytest.mark.parametrize(("look", "shown"), SHOWN)
def test_what_is_started_anew_once_and_looked_at_is_no_cycle(look: str, shown: str) -> None:
    steps = [
        one
        for at in range(2)
        for one in (
            step("edit", "Edited.", changed=True, path="app.env", old_str=f"A={at}", new_str=f"A={at + 1}"),
            _bash("docker compose up -d", " Container web Started"),
            _bash(look, shown.format(at + 2, at + 1)),
        )
    ]
    assert _judged(steps).step is None


def test_a_service_looked_at_until_it_is_up_is_waited_for() -> None:
    steps = [_bash("docker compose up -d", " Container web Started")]
    steps += [_bash("docker compose ps", f"web  Up {at * 5} seconds (health: starting)") for at in range(1, 13)]
    steps += [_bash("docker compose ps", "web  Up 65 seconds (healthy)"), _bash("curl -s localhost", "ok")]
    assert _judged(steps).step is None


def test_a_run_whose_time_is_compared_is_still_measured() -> None:
    steps = [
        one
        for at in range(6)
        for one in (_bash("acme warm", "warm"), _bash("acme render page", f"rendered in {at * 7 % 5 + 3}.1 s"))
    ]
    assert _judged(steps).step is None


@pytest.mark.parametrize(
    ("told", "measured"),
    [
        ("web  Exited (1) 3 seconds ago", False),
        ("web  Up 12 seconds", False),
        ("uptime: 12 s", False),
        ("rendered in 3.1 s", True),
        ("last run 40 seconds ago, took place in 3.1 s", True),
    ],
)
def test_an_age_is_no_measurement(told: str, measured: bool) -> None:
    assert measures("bash", "acme show", normalise(told), shows=False) is measured
