"""The workspace at an event, made again from a snapshot and the recorded calls."""

from collections.abc import Mapping
from typing import Any

import pytest
from arreio_contracts.events import EventData, GateJudged, Metadata, ModelReplied, TaskProfiled, ToolCall, ToolFinished
from arreio_contracts.task import Budgets

from services.tool_loop.replay import Recorded
from services.tool_loop.workspace_at import NotKept, tree_at
from shared.workspace import sha256

Files = Mapping[str, bytes]


class FakeTrees:
    """Trees by name; one that is made is named by its files."""

    def __init__(self, **trees: Files) -> None:
        self.trees: dict[str, Files] = dict(trees)

    def read(self, tree: str, path: str) -> bytes | None:
        return self.trees[tree].get(path)

    def with_files(self, tree: str, files: Files) -> str:
        name = f"{tree}+{','.join(sorted(files))}"
        self.trees[name] = {**self.trees[tree], **files}
        return name


def profiled(snapshot: str) -> TaskProfiled:
    return TaskProfiled(
        model="m", capability={}, budgets=Budgets(), agent="a", workspace="/w", criteria=(), tools=(), snapshot=snapshot
    )


def replied(call_id: str, name: str, arguments: dict[str, Any]) -> ModelReplied:
    return ModelReplied(content="", calls=(ToolCall(id=call_id, name=name, arguments=arguments),))


def wrote(call_id: str, tool: str, path: str, content: bytes) -> ToolFinished:
    return ToolFinished(call_id=call_id, tool=tool, status="ok", text="", changed={path: sha256(content)})


def log(*data: EventData) -> list[Recorded]:
    return [
        Recorded(seq=seq, event_id=f"e{seq}", task_id="t", data=one, metadata=Metadata(service="tool_loop"))
        for seq, one in enumerate(data, 1)
    ]


EVENTS = log(
    profiled("start"),
    replied("c1", "write_file", {"path": "d/new.txt", "content": "one\ntwo\n"}),
    wrote("c1", "write_file", "d/new.txt", b"one\ntwo\n"),
    replied("c2", "edit_file", {"path": "d/new.txt", "old_text": "two", "new_text": "three"}),
    wrote("c2", "edit_file", "d/new.txt", b"one\nthree\n"),
    replied("c3", "edit_file", {"path": "a.txt", "old_text": "old", "new_text": "new"}),
    wrote("c3", "edit_file", "a.txt", b"new\n"),
    ToolFinished(call_id="c4", tool="run_command", status="ok", text="", snapshot="later"),
    GateJudged(claim_id="k", verdict="PASS", results=(), snapshot_after="judged"),
)


def at(seq: int, trees: FakeTrees) -> Files:
    return trees.trees[tree_at(EVENTS, seq, trees, lambda call: call.arguments or {})]


@pytest.mark.parametrize(
    ("seq", "files"),
    [
        (1, {"a.txt": b"old\n"}),
        (2, {"a.txt": b"old\n"}),
        (3, {"a.txt": b"old\n", "d/new.txt": b"one\ntwo\n"}),
        (5, {"a.txt": b"old\n", "d/new.txt": b"one\nthree\n"}),
        (7, {"a.txt": b"new\n", "d/new.txt": b"one\nthree\n"}),
        (8, {"x": b"later"}),
        (9, {"x": b"judged"}),
        (99, {"x": b"judged"}),
    ],
)
def test_every_event_has_the_workspace_that_was_there(seq: int, files: Files) -> None:
    trees = FakeTrees(start={"a.txt": b"old\n"}, later={"x": b"later"}, judged={"x": b"judged"})
    assert at(seq, trees) == files


def test_a_file_that_does_not_come_out_as_recorded_is_no_workspace() -> None:
    with pytest.raises(NotKept, match=r"a\.txt as edit_file wrote it"):
        at(7, FakeTrees(start={"a.txt": b"old but another\n"}))


def test_without_a_snapshot_there_is_no_workspace() -> None:
    with pytest.raises(NotKept, match="no snapshot"):
        tree_at(log(profiled("")), 1, FakeTrees(), lambda call: call.arguments or {})
