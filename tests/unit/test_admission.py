"""With what a task is admitted: its criteria, and the files that judge it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from arreio_contracts.events import OfferedTool, TaskCreated, TaskProfiled
from arreio_contracts.task import TaskContract, criterion_text, parse_criterion

from services.tool_loop.admission import admit
from shared.sandbox import sandbox_works
from shared.settings import load_settings
from shared.workspace.snapshots import snapshots_work

READER = OfferedTool(name="read_file", effect="read")
WRITER = OfferedTool(name="write_file", effect="file")


def admitted(
    place: Path, *criteria: str, goal: str = "Hello", tools: tuple[OfferedTool, ...] = (READER, WRITER)
) -> TaskProfiled:
    workspace = place / "workspace"
    workspace.mkdir(exist_ok=True)
    contract = TaskContract(
        criteria=tuple(map(parse_criterion, criteria)), workspace=str(workspace), model="openai/scripted"
    )
    created = TaskCreated(goal=goal, contract=contract, channel="test", message_id="m", at_ms=0)
    settings = load_settings().model_copy(update={"home": place / "home"})
    return asyncio.run(admit(created, settings, tools))


def test_an_empty_workspace_and_no_way_to_write_a_test_is_refused_at_once(tmp_path: Path) -> None:
    """bobmatnyc/trusty-tools#8216: a gate that the agent had no means to satisfy refused its completion for ever."""
    profile = admitted(tmp_path, "tests: pytest", tools=(READER,))
    assert profile.problem is not None
    assert profile.problem.code in ("unsatisfiable_gate",)
    assert "tests: pytest" in profile.problem.text


@pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))
def test_without_criteria_they_are_inferred_where_the_task_could_change_something(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "test_a.py").write_text("def test_a(): pass\n")
    profile = admitted(tmp_path)
    assert profile.inferred and [criterion_text(one) for one in profile.criteria] == ["tests: pytest -q"]
    reading = admitted(tmp_path, tools=(READER,))
    assert reading.inferred and [criterion_text(one) for one in reading.criteria] == ["answer:"]
    named = admitted(tmp_path, "answer:")
    assert not named.inferred and named.problem is None


@pytest.mark.skipif(snapshots_work() is not None, reason=str(snapshots_work()))
def test_a_contract_judges_unless_the_goal_is_about_it(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "s.json").write_text("{}")
    (tmp_path / "workspace" / "models.py").write_text("class Order: ...\n")
    criteria = ("contract: a.json :: s.json", "contract: b.json :: models:Order")
    assert set(admitted(tmp_path, *criteria, goal="Write both files.").verifiers) == {"s.json", "models.py"}
    about = "Add a field to Order, and mend s.json."
    assert set(admitted(tmp_path, *criteria, goal=about).verifiers) == set()


def test_a_contract_that_nothing_can_fit_is_refused_unless_the_task_is_about_it(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "s.json").write_text('{"type": "strang"}')
    refused = admitted(tmp_path, "contract: a.json :: s.json", goal="Write a.json.").problem
    assert refused is not None and refused.code == "unsatisfiable_gate" and "'strang'" in refused.text
    assert admitted(tmp_path, "contract: a.json :: s.json", goal="Fix s.json and write a.json.").problem is None


@pytest.mark.parametrize(
    ("module", "goal", "refused"),
    [
        ("class Order: ...\n", "Write a.json.", True),
        ("", "Write a.json.", True),
        ("class Order: ...\n", "Add a Nope model to m.py and write a.json.", False),
        ("class Order: ...\n", "Crie a classe Nope em m.py e escreva a.json.", False),
        ("class Order: ...\n", "Write a.json and mend m.py.", False),
        ("Nope = list[int]\n", "Write a.json.", False),
        ("if True:\n    from other import Nope\n", "Write a.json.", False),
        ("from other import *\n", "Write a.json.", False),
        ("for one in ['Nope']:\n    globals()[one] = int\n", "Write a.json.", False),
        (None, "Write a.json.", False),
    ],
)
@pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))
def test_a_model_that_is_not_in_its_module_is_refused_unless_it_may_come_there(
    tmp_path: Path, module: str | None, goal: str, refused: bool
) -> None:
    (tmp_path / "workspace").mkdir()
    if module is not None:
        (tmp_path / "workspace" / "m.py").write_text(module)
    problem = admitted(tmp_path, "contract: a.json :: m:Nope", goal=goal).problem
    assert (problem is not None) == refused, problem
    assert problem is None or (problem.code == "unsatisfiable_gate" and "no Nope in m.py" in problem.text)


def test_what_cannot_be_meant_is_refused_though_it_was_not_written_as_text(tmp_path: Path) -> None:
    (tmp_path / "workspace").mkdir()
    contract = TaskContract.model_validate(
        {
            "criteria": [{"kind": "tests", "run": "pytest -q ::"}, {"kind": "screenshot", "path": "http://a/"}],
            "workspace": str(tmp_path / "workspace"),
            "model": "openai/scripted",
        }
    )
    created = TaskCreated(goal="Hello", contract=contract, channel="test", message_id="m", at_ms=0)
    settings = load_settings().model_copy(update={"home": tmp_path / "home"})
    problem = asyncio.run(admit(created, settings, (READER, WRITER))).problem
    assert problem is not None and "ends in .xml" in problem.text and "no address" in problem.text


@pytest.mark.skipif(snapshots_work() is not None, reason=str(snapshots_work()))
def test_what_the_snapshot_leaves_out_is_noted_where_all_changes_count(tmp_path: Path) -> None:
    assert admitted(tmp_path, "diff: a.txt").inventory
    assert not admitted(tmp_path, "file_exists: a.txt").inventory


@pytest.mark.skipif(snapshots_work() is not None, reason=str(snapshots_work()))
@pytest.mark.parametrize(
    ("goal", "opened"),
    [
        ("Mend add.", set()),
        ("Fix the failing tests.", set()),
        ("Change test_a.py to the new API.", {"test_a.py"}),
        ("Update the tests to the new API.", {"test_a.py", "checks.py"}),
    ],
)
def test_a_goal_opens_the_tests_that_it_asks_to_change(tmp_path: Path, goal: str, opened: set[str]) -> None:
    (tmp_path / "workspace").mkdir()
    for name in ("test_a.py", "checks.py", "conftest.py", "check.sh", "a.py"):
        (tmp_path / "workspace" / name).write_text("")
    profile = admitted(tmp_path, "tests: pytest -q test_a.py checks.py", "command: sh check.sh", goal=goal)
    assert {*profile.opened} == opened


def test_a_goal_that_renames_is_taken_at_its_word(tmp_path: Path) -> None:
    assert admitted(tmp_path, "answer:", goal="Rename add to plus.").renamed == (("add", "plus"),)
