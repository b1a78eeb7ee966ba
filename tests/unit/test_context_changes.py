"""Edits of instructions in a session: what the manifests tell, and what they leave out."""

from pathlib import Path

from arreio_contracts.messages import ContextManifest
from arreio_contracts.task import InstructionOptions

from services.context_builder.database import NoDatabase
from services.context_builder.handlers import ContextBuilder
from services.context_builder.instruction_changes import Sources, changes, sources_of
from services.context_builder.instruction_files import AgentInstructions
from services.context_builder.rows import FromDatabase
from tests.support.context_memory import Memory, ask, begun

TOUCHED = InstructionOptions(scope="touched")


class Rows(NoDatabase):
    """Rows that a test sets."""

    found = FromDatabase()

    async def read(self, agent: str, workspace: str | None) -> FromDatabase:
        return self.found


def told(memory: Memory, builder: ContextBuilder, place: Path, **request: object) -> ContextManifest:
    """The next prompt, recorded."""
    manifest, _ = ask(memory, builder, workspace=str(place), **request)
    memory.add("context.built", task=str(request.get("task_id", "t_1")), manifest=manifest.model_dump(mode="json"))
    return manifest


def paths(manifest: ContextManifest) -> list[tuple[str, bool, bool]]:
    return [(change.path, change.old is not None, change.new is not None) for change in manifest.changed]


def test_every_edit_is_told_once_also_of_files_that_were_cut(tmp_path: Path) -> None:
    memory, builder = begun(workspace=str(tmp_path)), None
    builder = ContextBuilder(memory, memory)
    (tmp_path / "AGENTS.md").write_text("long " * 900)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/AGENTS.md").write_text("short")
    small = {"instruction_files": 60}
    first = told(memory, builder, tmp_path, budgets=small)
    assert paths(first) == [] and [unit.id for unit in first.layers[1].dropped] == ["AGENTS.md"]
    assert paths(told(memory, builder, tmp_path, budgets=small)) == []
    (tmp_path / "AGENTS.md").write_text("longer " * 900)
    assert paths(told(memory, builder, tmp_path, budgets=small)) == [("AGENTS.md", True, True)]
    (tmp_path / "sub/AGENTS.md").write_bytes(b"\xff")
    last = told(memory, builder, tmp_path, budgets=small)
    assert paths(last) == [("sub/AGENTS.md", True, False)]
    assert paths(told(memory, ContextBuilder(memory, memory), tmp_path, budgets=small)) == []
    for change in (*last.changed,):
        assert change.old in memory.blobs


def test_an_edit_between_two_tasks_of_a_session_is_told_and_another_workspace_is_not_compared(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for place in (here, there):
        place.mkdir()
        (place / "AGENTS.md").write_text(f"in {place.name}")
    memory = begun(workspace=str(here))
    builder = ContextBuilder(memory, memory)
    told(memory, builder, here)
    memory.add("task.completed", claim_id="k", reply="Done.", totals={})
    memory.add("task.created", task="t_2", goal="Again.")
    profiled = memory.events[1].data
    memory.add("task.profiled", task="t_2", **{**profiled, "workspace": str(there)})
    assert paths(told(memory, builder, there, task_id="t_2")) == []
    memory.add("task.completed", task="t_2", claim_id="k", reply="Done.", totals={})
    (here / "AGENTS.md").write_text("in here, edited")
    memory.add("task.created", task="t_3", goal="Once more.")
    memory.add("task.profiled", task="t_3", **profiled)
    assert paths(told(memory, builder, here, task_id="t_3")) == [("AGENTS.md", True, True)]


def test_a_row_that_is_written_edited_and_removed_is_an_edit_each_time() -> None:
    memory, rows = begun(), Rows()
    builder = ContextBuilder(memory, memory, rows)
    seen = []
    for text in ("", "Be brief.", "Be thorough.", "Be thorough.", ""):
        row = AgentInstructions("developer", text, 1)
        rows.found = FromDatabase(instructions=(row,) if text else ())
        manifest, messages = ask(memory, builder)
        assert not text or text in messages[0]["content"]
        memory.add("context.built", manifest=manifest.model_dump(mode="json"))
        seen.append(paths(manifest))
    path = "db:developer"
    assert seen == [[], [(path, False, True)], [(path, True, True)], [], [(path, True, False)]]


def test_a_file_that_only_comes_into_the_scope_is_no_edit(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "AGENTS.md").write_text(f"rules of {folder}")
    memory = begun(workspace=str(tmp_path))
    builder = ContextBuilder(memory, memory)
    first = told(memory, builder, tmp_path, instructions=TOUCHED)
    assert [file.path for file in first.skipped] == ["a/AGENTS.md", "b/AGENTS.md"]
    memory.add("tool.finished", call_id="c", tool="read_file", status="ok", text="x", seen={"a/x.txt": "0" * 64})
    second = told(memory, builder, tmp_path, instructions=TOUCHED)
    assert [unit.id for unit in second.layers[1].units] == ["heading", "a/AGENTS.md"]
    assert paths(second) == []
    (tmp_path / "a/AGENTS.md").write_text("edited")
    (tmp_path / "b/AGENTS.md").write_text("edited too, and never told")
    assert paths(told(memory, builder, tmp_path, instructions=TOUCHED)) == [("a/AGENTS.md", True, True)]


def test_a_manifest_without_a_prompt_tells_nothing() -> None:
    assert sources_of(ContextManifest(unfittable="too large").model_dump(mode="json")) is None
    assert changes(None, Sources({"AGENTS.md": "0"})) == ()
    assert [change.path for change in changes(Sources({}), Sources({"b": "1", "a": "0"}))] == ["a", "b"]
