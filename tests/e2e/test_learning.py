"""Learning from the first task to the next one's prompt: proposed, approved, followed, scored, demoted, rolled back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arreio.client import Submitted
from tests.support.house import House
from tests.support.programs import until
from tests.support.scripted_server import Reply, Script, ScriptedServer
from tests.support.scripts import call, steps, turns

Row = dict[str, Any]


def system(request: dict[str, Any]) -> str:
    return str(request["messages"][0]["content"])


def obeying(sign: str, obedient: Reply, stubborn: Reply) -> Script:
    """A model that does the one thing where its prompt says `sign`, and else the other, and then claims to be done."""

    def reply(request: dict[str, Any]) -> Reply:
        if any(message["role"] == "tool" for message in request["messages"]):
            return call("task_complete", reply="The letter is written.")
        return obedient if sign in system(request) else stubborn

    return reply


def proposals(house: House, *options: str) -> list[Row]:
    done = house.arreio("proposals", "list", "--json", *options)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def proposed(house: House, task_id: str | None, kind: str) -> Row:
    """The proposal of a kind that a task led to, once learning has heard of its end."""

    def look() -> Row | None:
        return next((row for row in proposals(house, "--kind", kind) if task_id in row["tasks"]), None)

    return until(look, what=f"a proposal of kind {kind}")


def heard(house: House, sent: Submitted) -> None:
    """Return when learning has scored a task."""
    until(
        lambda: house.rows("SELECT outcome FROM learning.outcomes WHERE task_id = %s", sent.task_id),
        what="the score of a task",
    )


def ran(
    house: House, script: Script, goal: str, workspace: Path, *criteria: str, **fields: Any
) -> tuple[Submitted, str, str]:
    """Run a task on a workspace without a letter: its ids, how it ended, and the first prompt's system message."""
    (workspace / "letter.txt").unlink(missing_ok=True)
    with ScriptedServer(script, cycle=True) as server:
        sent = house.submit(goal, workspace, server.url, criteria, **fields)
        ended = house.wait_for_end(sent.session_id)
        first = system(server.requests[0])
    heard(house, sent)
    return sent, ended.type, first


def said(house: House, *arguments: str) -> Row:
    done = house.arreio("proposals", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    found: Row = json.loads(done.stdout)
    return found


HOLDS = "file_contains: letter.txt :: Saudações"
PLAIN = call("write_file", path="letter.txt", content="Olá!\n")
SIGNED = call("write_file", path="letter.txt", content="Olá!\nSaudações\n")
BOUND: dict[str, Any] = {"budgets": {"max_steps": 3}}


def test_a_persons_wish_once_approved_changes_a_later_task_and_rolled_back_is_gone(
    house: House, workspace: Path
) -> None:
    model = obeying("end every letter with", SIGNED, PLAIN)
    first, ended, _ = ran(
        house, model, "Write letter.txt. From now on, end every letter with the word Saudações.", workspace
    )
    assert ended == "task.completed"
    row = proposed(house, first.task_id, "rule")
    assert (row["state"], row["title"]) == ("proposed", "From now on, end every letter with the word Saudações.")
    _, ended, prompt = ran(house, model, "Write the second letter", workspace, HOLDS, **BOUND)
    assert ended == "task.failed" and "end every letter" not in prompt

    decided = said(house, "approve", row["proposal_id"], "--by", "ana")
    assert (decided["state"], decided["version"], decided["in_force"]) == ("approved", 1, 1)
    third, ended, prompt = ran(house, model, "Write the third letter", workspace, HOLDS, **BOUND)
    assert ended == "task.completed" and "end every letter" in prompt
    house.assert_sound(third.session_id)
    shown = said(house, "show", row["proposal_id"])
    assert (shown["with"], shown["standing"]) == ({"succeeded": 1, "of": 1}, "trial")
    assert shown["without"]["of"] >= 2 and shown["decided_by"] == "ana"
    [source] = shown["provenance"]
    events = house.arreio("events", "show", source["session_id"], "--json").stdout
    assert source["event_id"] in events and source["session_id"] == first.session_id

    back = said(house, "rollback", row["name"], "--why", "it was for one guest", "--by", "rui")
    assert (back["state"], back["in_force"]) == ("rolled_back", None)
    _, ended, prompt = ran(house, model, "Write the fourth letter", workspace, HOLDS, **BOUND)
    assert ended == "task.failed" and "end every letter" not in prompt
    acts = [(one["type"], one.get("by")) for one in said(house, "show", row["proposal_id"])["history"]]
    assert acts == [("proposal.created", None), ("proposal.approved", "ana"), ("learnt.rolled_back", "rui")]


def test_a_harmful_rule_is_demoted_by_its_outcomes(house: House, workspace: Path) -> None:
    model = obeying("never write into files", PLAIN, SIGNED)
    first, _, _ = ran(house, model, "Write letter.txt. From now on never write into files called so.", workspace)
    row = proposed(house, first.task_id, "rule")
    _, ended, _ = ran(house, model, "Write a letter for Ana", workspace, HOLDS, **BOUND)
    assert ended == "task.completed"
    said(house, "approve", row["proposal_id"])
    for guest in ("Rui", "Eva", "Zoe"):
        _, ended, prompt = ran(house, model, f"Write a letter for {guest}", workspace, HOLDS, **BOUND)
        assert ended == "task.failed" and "never write into files" in prompt
    shown = until(
        lambda: next((one for one in proposals(house, "--state", "demoted") if one["name"] == row["name"]), None),
        what="the demotion",
    )
    assert (shown["standing"], shown["with"]) == ("demoted", {"succeeded": 0, "of": 3})
    _, ended, prompt = ran(house, model, "Write a letter for Lia", workspace, HOLDS, **BOUND)
    assert ended == "task.completed" and "never write into files" not in prompt
    demoted = said(house, "show", row["proposal_id"])["history"][-1]
    assert demoted["type"] == "learnt.demoted" and demoted["rule"].startswith("standing@")


def knowing(name: str) -> Script:
    """A model that packs by the skill of a name where it is told of it, and else guesses wrongly."""

    def reply(request: dict[str, Any]) -> Reply:
        told = json.dumps(request["messages"])
        if turns(request) == 0:
            load = {"tool_calls": [{"name": "load_skill", "arguments": {"name": name}}]}
            return load if name in told else call("run_command", command="tar cf figures.tar figures.txt")
        if turns(request) == 1 and "gzip -kf sorted.txt" in told:
            return call("run_command", command="sort figures.txt > sorted.txt && gzip -kf sorted.txt")
        return call("task_complete", reply="The figures are packed.")

    return reply


def test_a_skill_of_a_task_that_held_changes_a_later_one_and_is_exported_and_scored(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    doing = steps(
        call("run_command", command="sort figures.txt > sorted.txt"),
        call("run_command", command="gzip -kf sorted.txt"),
        call("task_complete", reply="They are packed."),
    )
    packed = "file_exists: sorted.txt.gz"
    (workspace / "figures.txt").write_text("3\n1\n2\n")
    sent, ended, _ = ran(house, doing, "Pack the quarterly figures for the auditors", workspace, packed)
    assert ended == "task.completed"
    row = proposed(house, sent.task_id, "skill")
    shown = said(house, "show", row["proposal_id"])
    assert "1. run_command: `sort figures.txt > sorted.txt`" in shown["text"] and not shown["taint"]
    assert "They are packed" not in shown["text"]

    def later(goal: str) -> tuple[Submitted, str]:
        for one in workspace.glob("sorted*"):
            one.unlink()
        return ran(house, knowing(row["name"]), goal, workspace, packed, budgets={"max_steps": 4})[:2]

    assert later("Pack the auditors' figures of spring")[1] == "task.failed"
    said(house, "approve", row["proposal_id"])
    again, ended = later("Pack the auditors' figures of summer")
    assert ended == "task.completed"
    used = house.rows("SELECT name, version FROM learning.uses WHERE task_id = %s AND kind = 'skill'", again.task_id)
    assert used == [(row["name"], 1)]
    assert said(house, "show", row["proposal_id"])["with"] == {"succeeded": 1, "of": 1}
    exported = house.arreio("skills", "export", row["name"], "--to", str(tmp_path), "-w", str(workspace))
    assert exported.returncode == 0, exported.stderr
    text = (tmp_path / row["name"] / "SKILL.md").read_text()
    assert text.startswith(f"---\nname: {row['name']}\ndescription: ") and "gzip -kf" in text
    said(house, "rollback", row["proposal_id"])
    assert later("Pack the auditors' figures of autumn")[1] == "task.failed"
    house.assert_sound(again.session_id)


def test_what_the_environment_broke_and_what_a_model_declares_teaches_nothing(house: House, workspace: Path) -> None:
    broken = steps(
        call(
            "run_command",
            command="echo 'browser: executable not found, the browser tools do not work here' >&2; exit 127",
        ),
        call("task_blocked", reason="The browser tools do not work here.", tried="I ran it."),
    )
    with ScriptedServer(broken, cycle=True) as server:
        sent = house.submit("Open the page in the browser", workspace, server.url, ["file_exists: page.png"], **BOUND)
        house.wait_for_end(sent.session_id)
    heard(house, sent)
    assert not [row for row in proposals(house) if sent.task_id in row["tasks"]]


@pytest.mark.parametrize("kind", ["persona", "taste"])
def test_a_change_of_persona_or_taste_is_a_diff_until_a_person_approves_it(
    house: House, workspace: Path, kind: str
) -> None:
    wish = {
        "persona": "From now on answer in one short sentence.",
        "taste": "From now on use only blue buttons.",
    }[kind]
    file = house.settings.data_dir / "taste/default.yaml"
    sent, _, _ = ran(house, steps(call("task_complete", reply="Hello!")), f"Say hello {kind}. {wish}", workspace)
    row = proposed(house, sent.task_id, kind)
    shown = said(house, "show", row["proposal_id"])
    assert any(line.startswith("+") and wish.rstrip(".") in line for line in shown["diff"].splitlines())
    _, _, before = ran(house, steps(call("task_complete", reply="Hi!")), f"Say hi to the {kind}", workspace)
    assert wish not in before and not file.exists()
    assert said(house, "approve", row["proposal_id"])["state"] == "approved"
    _, _, after = ran(house, steps(call("task_complete", reply="Hi!")), f"Make index.html for {kind}", workspace)
    assert wish in after
    if kind == "taste":
        assert wish in file.read_text()
    else:
        assert house.arreio("instructions", "rm", "developer").returncode == 0
        again = house.arreio("proposals", "approve", row["proposal_id"])
        assert again.returncode == 0 and "is changed" in again.stdout  # as after a crash between the two
    assert said(house, "rollback", row["proposal_id"])["state"] == "rolled_back"
    _, _, gone = ran(house, steps(call("task_complete", reply="Hi!")), f"Make page.html for {kind}", workspace)
    assert wish not in gone


def test_misuse_is_one_line_with_the_way_out(house: House, workspace: Path) -> None:
    for arguments, word in (
        (("show", "p_nothing"), "there is no proposal"),
        (("approve", "p_nothing"), "arreio proposals list"),
        (("rollback", "p_nothing"), "there is no proposal"),
        (("list", "--state", "banana"), "proposed, approved"),
        (("list", "--kind", "banana"), "skill, rule"),
    ):
        done = house.arreio("proposals", *arguments)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and word in done.stderr
