"""Names, packages and claims in a running task: what does not exist is warned of, refused, asked about or sent back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.house import House, last_json
from tests.support.registries import registry
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, call, steps


@pytest.fixture(scope="module")
def grounded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Services whose pip asks a registry on loopback."""
    with registry({"six": 4000, "reqests": 400, "real-thing": 400}) as url:
        variables = {
            "PIP_INDEX_URL": f"{url}/simple",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": "",
            "ARREIO_REGISTRIES": "true",
        }
        with House(tmp_path_factory.mktemp("grounded"), **variables) as running:
            yield running


def run(house: House, script: Script, workspace: Path, *options: str) -> tuple[int, dict[str, Any], ScriptedServer]:
    with ScriptedServer(script) as server:
        named = ("-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url, "--json")
        done = house.arreio("run", *named, *options)
    return done.returncode, last_json(done.stdout), server


def texts(house: House, session: str, kind: str) -> list[str]:
    return [event.data["text"] for event in house.events(session) if event.type == kind]


def test_a_name_that_a_module_lacks_is_warned_of_at_the_write_and_refuses_completion_until_it_is_mended(
    grounded: House, workspace: Path
) -> None:
    script = steps(
        call("write_file", path="load.py", content="import json\n\nprint(json.loadz('1'))\n"),
        call("task_complete", reply="Written."),
        call("edit_file", path="load.py", old_text="loadz", new_text="loads"),
        call("task_complete", reply="Written."),
    )
    status, outcome, _ = run(grounded, script, workspace, "-c", "file_exists: load.py", "Write load.py.")
    assert (status, outcome["state"], outcome["steps"]) == (0, "COMPLETE", 4)
    session = outcome["session_id"]
    first, second = texts(grounded, session, "tool.finished")
    assert "json.loadz: json has no loadz (candidates: load, loads" in first
    assert "Warning" not in second
    refused = texts(grounded, session, "tool.refused")
    assert len(refused) == 1 and "json.loadz" in refused[0]
    assert [event.type for event in grounded.events(session)].count("completion.claimed") == 1
    grounded.assert_sound(session)


def test_a_name_that_another_file_does_not_export_refuses_completion_too_and_a_command_may_write_the_file(
    grounded: House, workspace: Path
) -> None:
    (workspace / "util.ts").write_text("export const loadRows = 1;\n")
    script = steps(
        call("run_command", command="echo \"import { loadRow } from './util';\" > main.ts"),
        call("task_complete", reply="Written."),
        call("read_file", path="main.ts"),
        call("edit_file", path="main.ts", old_text="loadRow ", new_text="loadRows "),
        call("task_complete", reply="Written."),
    )
    status, outcome, _ = run(grounded, script, workspace, "-c", "file_exists: main.ts", "Write main.ts.")
    assert (status, outcome["steps"]) == (0, 5)
    (refused,) = texts(grounded, outcome["session_id"], "tool.refused")
    assert "main.ts" in refused and "./util#loadRow: util.ts does not export loadRow (candidates: loadRows)" in refused


def test_a_file_that_the_task_did_not_touch_refuses_nothing(grounded: House, workspace: Path) -> None:
    (workspace / "old.py").write_text("import json\njson.loadz('1')\n")
    (workspace / "edited.py").write_text("import json\njson.loadz('1')\nx = 1\n")
    script = steps(
        call("read_file", path="edited.py"),
        call("edit_file", path="edited.py", old_text="x = 1", new_text="x = 2"),
        call("task_complete", reply="x is 2 now."),
    )
    status, outcome, _ = run(grounded, script, workspace, "-c", "file_contains: edited.py :: x = 2", "Make x 2.")
    assert (status, outcome["steps"]) == (0, 3)
    assert not any("Warning" in text for text in texts(grounded, outcome["session_id"], "tool.finished"))


def test_an_install_of_an_invented_package_is_refused_and_a_near_miss_waits_for_a_yes(
    grounded: House, workspace: Path
) -> None:
    script = steps(
        call("run_command", command="pip install six flask-restx-auth-helper"),
        call("run_command", command="pip install reqests"),
        call("run_command", command="echo asked; false && pip install reqests || true"),
        call("task_complete", reply="Done."),
    )
    with ScriptedServer(script) as server:
        named = ("-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url, "--json")
        asked = grounded.arreio("run", *named, "Install what is needed.")
        outcome = last_json(asked.stdout)
        assert (asked.returncode, outcome["state"], outcome["tool_calls"]) == (3, "NEEDS_INPUT", 0)
        answered = grounded.arreio("answer", "--json", outcome["task_id"], "yes")
    assert "reqests" in outcome["question"] and "requests" in outcome["question"]
    first = texts(grounded, outcome["session_id"], "tool.refused")[0]
    assert "flask-restx-auth-helper" in first and "six" not in first
    ended = last_json(answered.stdout)
    assert (answered.returncode, ended["state"], ended["tool_calls"]) == (0, "COMPLETE", 1)
    grounded.assert_sound(outcome["session_id"])


def test_the_names_of_a_requirements_file_are_checked_as_they_are_when_it_is_installed(
    grounded: House, workspace: Path
) -> None:
    (workspace / "reqs.txt").write_text("six\n-r more.txt\n")
    script = steps(
        call("write_file", path="more.txt", content="flask-restx-auth-helper>=1\n"),
        call("run_command", command="false && pip install -rreqs.txt || true"),
        call("write_file", path="more.txt", content="real-thing\n"),
        call("run_command", command="false && cat reqs.txt | xargs pip install; true"),
        call("task_complete", reply="Done."),
    )
    status, outcome, _ = run(grounded, script, workspace, "Install what is needed.")
    assert (status, outcome["state"]) == (0, "COMPLETE")
    session = outcome["session_id"]
    (refused,) = texts(grounded, session, "tool.refused")
    assert "flask-restx-auth-helper" in refused and "six" not in refused
    checked = [event.data for event in grounded.events(session) if event.type == "packages.checked"]
    names = [[each["package"]["name"] for each in one["packages"]] for one in checked]
    assert names == [["six", "flask-restx-auth-helper"], ["six", "real-thing"]]
    grounded.assert_sound(session)


def test_an_invented_import_refuses_completion_and_is_unknown_where_no_registry_may_be_asked(
    grounded: House, workspace: Path, tmp_path: Path
) -> None:
    wrong, right = "import invented_helper_zz\n", "import json\n"
    script = steps(
        call("write_file", path="a.py", content=wrong),
        call("task_complete", reply="Written."),
        call("write_file", path="a.py", content=right),
        call("task_complete", reply="Written."),
    )
    with House(tmp_path / "alone", ARREIO_REGISTRIES="false") as alone:
        for house, steps_taken in ((grounded, 4), (alone, 2)):
            (workspace / "a.py").unlink(missing_ok=True)
            status, outcome, _ = run(house, script, workspace, "Write a.py.")
            assert (status, outcome["steps"]) == (0, steps_taken)
            refused = "".join(texts(house, outcome["session_id"], "tool.refused"))
            assert ("invented_helper_zz" in refused) is (house is grounded)


def test_what_a_final_text_names_must_have_been_seen(grounded: House, workspace: Path) -> None:
    (workspace / "seen.py").write_text("def load_rows(): ...\n")
    script = steps(
        call("read_file", path="seen.py"),
        call("task_complete", reply="`load_rows` in `seen.py` reads; `ghost.py` writes."),
        call("task_complete", reply="`load_rows` in `seen.py` reads. I did not look at `ghost.py`."),
    )
    status, outcome, _ = run(grounded, script, workspace, "What reads rows?")
    assert (status, outcome["steps"]) == (0, 3)
    (refused,) = texts(grounded, outcome["session_id"], "tool.refused")
    assert "ghost.py" in refused and "`seen.py" not in refused and "load_rows" not in refused
    grounded.assert_sound(outcome["session_id"])


def test_an_install_behind_a_script_is_refused_and_an_outcome_that_no_command_showed_goes_back(
    grounded: House, workspace: Path
) -> None:
    script = steps(
        call("write_file", path="setup.sh", content="echo flask-restx-auth-helper | xargs pip install\n"),
        call("run_command", command="bash setup.sh"),
        call("run_command", command="echo 3 passed"),
        call("task_complete", reply="All 12 tests pass."),
        call("task_complete", reply="All 3 tests pass."),
    )
    status, outcome, _ = run(grounded, script, workspace, "-c", "file_exists: setup.sh", "Write setup.sh.")
    assert (status, outcome["steps"], outcome["tool_calls"]) == (0, 5, 2)
    session = outcome["session_id"]
    install, claim = texts(grounded, session, "tool.refused")
    assert "flask-restx-auth-helper" in install and "All 12 tests pass" in claim
    grounded.assert_sound(session)
