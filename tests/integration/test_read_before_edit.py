"""A file is changed only as it was last seen: real tools on a real disk, and the fold that remembers what was seen."""

from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import ToolFinished, ToolStarted

from services.tool_loop.fold import evolve
from services.tool_loop.state import LoopState, Stamped
from services.tool_loop.tools import ToolContext, ToolResult, registry
from shared.sandbox import sandbox_works

TOOLS = registry()
needs_sandbox = pytest.mark.skipif(sandbox_works() is not None, reason=f"no sandbox here: {sandbox_works()}")


class Task:
    """Calls tools as a task does; what it has seen is folded from the results."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = LoopState("t_1")
        self._calls = 0

    async def call(self, tool: str, **arguments: Any) -> ToolResult:
        result = await TOOLS[tool].run(arguments, ToolContext(self.root, seen=self.state.observed))
        self._calls += 1
        call_id = f"call-{self._calls}"
        self._fold(ToolStarted(call_id=call_id, tool=tool, effect=TOOLS[tool].effect, summary=tool))
        self._fold(
            ToolFinished(
                call_id=call_id,
                tool=tool,
                status=result.status,
                text=result.text,
                seen=dict(result.seen),
                changed=dict(result.changed),
            )
        )
        return result

    def _fold(self, data: ToolStarted | ToolFinished) -> None:
        self.state = evolve(self.state, Stamped(f"e-{self._calls}-{data.type}", data))


@pytest.fixture
def task(tmp_path: Path) -> Task:
    (tmp_path / "notes.md").write_text("one\ntwo\n")
    return Task(tmp_path)


async def test_an_unread_file_is_not_changed_and_the_refusal_names_the_next_legal_step(task: Task) -> None:
    for tool, arguments in (("edit_file", {"old_text": "one", "new_text": "1"}), ("write_file", {"content": "1"})):
        result = await task.call(tool, path="notes.md", **arguments)
        assert (result.status, result.error_class) == ("refused", "unread_file")
        assert result.text.endswith("next: read_file notes.md")
    assert (task.root / "notes.md").read_text() == "one\ntwo\n"
    await task.call("read_file", path="notes.md")
    assert (await task.call("edit_file", path="notes.md", old_text="one", new_text="1")).status == "ok"


async def test_own_writes_refresh_what_was_seen_however_many_follow(task: Task) -> None:
    await task.call("read_file", path="notes.md")
    for old, new in (("one", "1"), ("two", "2"), ("1", "first")):
        assert (await task.call("edit_file", path="notes.md", old_text=old, new_text=new)).status == "ok"
    assert (await task.call("write_file", path="new.md", content="a\n")).status == "ok"
    assert (await task.call("edit_file", path="new.md", old_text="a", new_text="b")).status == "ok"
    assert (await task.call("write_file", path="new.md", content="c\n")).status == "ok"


async def test_what_somebody_else_changes_must_be_read_again_and_a_read_hits_the_disk(task: Task) -> None:
    await task.call("read_file", path="notes.md")
    (task.root / "notes.md").write_text("changed\n")
    result = await task.call("edit_file", path="notes.md", old_text="one", new_text="1")
    assert result.status == "refused" and "changed since it was last read" in result.text
    assert "changed" in (await task.call("read_file", path="notes.md")).text
    assert (await task.call("edit_file", path="notes.md", old_text="changed", new_text="1")).status == "ok"


@needs_sandbox
async def test_a_command_makes_unseen_what_it_changes_and_nothing_else(task: Task) -> None:
    (task.root / "other.md").write_text("three\n")
    await task.call("read_file", path="notes.md")
    await task.call("read_file", path="other.md")
    assert (await task.call("run_command", command="sed -i s/one/1/ notes.md")).changed.keys() == {"notes.md"}
    assert (await task.call("edit_file", path="notes.md", old_text="two", new_text="2")).status == "refused"
    assert (await task.call("edit_file", path="other.md", old_text="three", new_text="3")).status == "ok"


@needs_sandbox
async def test_what_a_command_changed_is_said_to_have_changed_and_holds_again_once_it_is_as_it_was(task: Task) -> None:
    await task.call("read_file", path="notes.md")
    await task.call("run_command", command="sed -i s/two/2/ notes.md")
    refused = await task.call("edit_file", path="notes.md", old_text="one", new_text="1")
    assert refused.status == "refused" and "notes.md changed since it was last read" in refused.text
    await task.call("run_command", command="sed -i s/2/two/ notes.md")
    assert (await task.call("edit_file", path="notes.md", old_text="one", new_text="1")).status == "ok"


@needs_sandbox
async def test_what_a_command_printed_of_a_file_is_no_reading_of_it(task: Task) -> None:
    await task.call("run_command", command="cat notes.md")
    assert (await task.call("edit_file", path="notes.md", old_text="one", new_text="1")).status == "refused"


@needs_sandbox
async def test_a_command_that_leaves_the_same_content_takes_nothing_away(task: Task) -> None:
    await task.call("read_file", path="notes.md")
    await task.call("run_command", command="touch notes.md; cp notes.md x; rm notes.md; mv x notes.md")
    assert (await task.call("edit_file", path="notes.md", old_text="one", new_text="1")).status == "ok"


@needs_sandbox
async def test_a_command_that_changes_a_file_which_git_ignores_takes_it_away_too(task: Task) -> None:
    (task.root / ".gitignore").write_text("notes.md\n")
    await task.call("read_file", path="notes.md")
    await task.call("run_command", command="echo three >> notes.md")
    assert (await task.call("edit_file", path="notes.md", old_text="one", new_text="1")).status == "refused"
