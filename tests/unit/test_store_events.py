"""What is built before the database is asked."""

import re

import pytest
from arreio_contracts.events import Metadata, TaskStarted

from shared.store.events import event_of, new_event_id
from shared.store.tasks import GOAL_EXCERPT, TaskPatch, patch_json


def test_event_ids_are_uuids_of_version_7_that_sort_by_time() -> None:
    ids = [new_event_id() for _ in range(50)]
    assert len(set(ids)) == 50
    assert all(re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", id) for id in ids)
    assert [id[:13] for id in ids] == sorted(id[:13] for id in ids)


def test_an_event_takes_type_and_version_from_its_contract() -> None:
    event = event_of(TaskStarted(), Metadata(service="tool_loop"), task_id="t_1")
    assert (event.type, event.schema_version, event.task_id) == ("task.started", TaskStarted.version, "t_1")


def test_a_patch_with_an_unknown_column_is_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        patch_json({"task_id": "t_1", "colour": "red"})  # type: ignore[typeddict-unknown-key]


def test_a_long_goal_is_kept_as_an_excerpt_and_nul_is_escaped() -> None:
    patch: TaskPatch = {"task_id": "t_1", "goal": "\x00" + "x" * 2 * GOAL_EXCERPT}
    assert len(patch_json(patch)) < GOAL_EXCERPT + 60
    assert "␛0000" in patch_json(patch)
