"""The gateway's rules: what a message becomes, what a channel may name, and what is answered."""

import os
import subprocess
from typing import Any

import pytest
from arreio_contracts.events import TaskBlocked, TaskCompleted, TaskNeedsInput, TaskStarted, Totals
from arreio_contracts.messages import Attachment, InboundMessage, inbox_id, task_id
from arreio_contracts.task import (
    Budgets,
    Hook,
    InstructionOptions,
    McpServer,
    Reason,
    TaskContract,
    TaskState,
    TasteOptions,
    Worktree,
)

from arreio.contract_options import BadContract, build_contract
from services.context_builder.agents import ROSTER
from services.gateway.replies import reply_to
from services.gateway.rights import MAX_TEXT_BYTES, goal_of, refusal, unknown_sender, without_secrets
from services.gateway.routing import Answer, Cancel, Help, NewTask, OpenTask, Status, answer_text, route
from shared.agents import AGENTS

TOTALS = Totals(steps=1, tool_calls=1, prompt_tokens=1, completion_tokens=1, cost_usd=0, seconds=1)


def message(text: str = "do it", contract: TaskContract | None = None) -> InboundMessage:
    return InboundMessage(conversation="c", message_id="m", sender="s", text=text, contract=contract)


@pytest.mark.parametrize("state", [None, TaskState.PENDING, TaskState.IN_PROGRESS])
def test_a_message_makes_a_task_unless_one_asked(state: TaskState | None) -> None:
    active = OpenTask("t", state) if state else None
    assert route(message(), active) == NewTask()


def test_a_message_answers_the_task_that_asked() -> None:
    assert route(message("blue"), OpenTask("t", TaskState.NEEDS_INPUT)) == Answer("t")


def test_a_message_with_a_contract_is_a_task_of_its_own_also_while_another_asks() -> None:
    assert route(message("x", TaskContract()), OpenTask("t", TaskState.NEEDS_INPUT)) == NewTask()


@pytest.mark.parametrize("state", [TaskState.PENDING, TaskState.IN_PROGRESS, TaskState.NEEDS_INPUT])
def test_words_of_control_pass_at_once(state: TaskState) -> None:
    active = OpenTask("t", state)
    assert route(message("/cancel"), active) == Cancel("t", "cancelled on request")
    assert route(message(" /CANCEL t_2 "), active) == Cancel("t_2", "cancelled on request")
    assert route(message("/status"), active) == Status()
    assert route(message("/Help"), active) == Help()
    assert route(message("/cancel"), None) == Cancel(None, "cancelled on request")


def test_files_that_come_with_an_answer_are_named_in_it() -> None:
    sent = message("this one").model_copy(update={"attachments": (Attachment(name="a\nb.png", sha256="0" * 64),)})
    assert answer_text(message("blue")) == "blue"
    assert answer_text(sent).startswith("this one\n\n[Attached") and "a b.png]" in answer_text(sent)


@pytest.mark.parametrize(
    "text", ["/cancel@helper_bot", "\u200b/cancel", "\ufeff /cancel\u200b\n", "/cancel \u200b", "/Cancel@helper"]
)
def test_the_name_of_a_bot_and_what_nobody_sees_around_it_leave_a_word_of_control(text: str) -> None:
    assert route(message(text), OpenTask("t", TaskState.NEEDS_INPUT)) == Cancel("t", "cancelled on request")


@pytest.mark.parametrize(
    "text",
    [
        "/cancelled flights, please list them",
        "/cancel please",
        "/cancel the order 12",
        "/cancel 12",
        "/cancel\nand then order a taxi",
        "/help me with this",
        "/status of the order?",
        "cancel",
        "//cancel",
    ],
)
def test_what_only_begins_like_control_is_the_persons_text(text: str) -> None:
    assert route(message(text), None) == NewTask()
    assert route(message(text), OpenTask("t", TaskState.IN_PROGRESS)) == NewTask()
    assert route(message(text), OpenTask("t", TaskState.NEEDS_INPUT)) == Answer("t")


@pytest.mark.parametrize(
    ("contract", "field"),
    [
        (TaskContract(workspace="/srv"), "workspace"),
        (TaskContract(model="gpt"), "model"),
        (TaskContract(api_base="http://x"), "api_base"),
        (TaskContract(capability="strong"), "capability"),
        (TaskContract(network=True), "network"),
        (TaskContract(sandbox="none"), "sandbox"),
        (TaskContract(instructions=InstructionOptions(ignored="load")), "instructions"),
        (TaskContract(hooks=(Hook(phase="pre_tool_use", command="true"),)), "hooks"),
        (TaskContract(taste=TasteOptions(model="openai/mine")), "taste"),
        (TaskContract(taste=TasteOptions(rules="/etc/passwd")), "taste"),
        (TaskContract(mcp=(McpServer(name="s", command=("true",)),)), "mcp"),
        (TaskContract(skill_folders=("/etc",)), "skill_folders"),
        (TaskContract(worktree=Worktree(repository="/srv/shop")), "worktree"),
        (TaskContract(api_key="env:OPENAI_API_KEY"), "api_key"),
        (TaskContract(secrets={"TOKEN": "file:/etc/shadow"}), "secrets"),
    ],
)
def test_only_the_operator_names_what_reaches_the_machine(contract: TaskContract, field: str) -> None:
    refused = refusal("slack", message("x", contract))
    assert refused is not None and refused[0] == f"data.contract.{field}"
    assert refusal("cli", message("x", contract)) is None


@pytest.mark.parametrize(
    ("server", "field"),
    [
        ({"headers": {"Authorization": "Bearer zq81-literal"}}, "headers.Authorization"),
        ({"headers": {"X-Key": "ghp_" + "a1B2" * 9}}, "headers.X-Key"),
        ({"url": "https://me:zq81literal@example.org/mcp"}, "a user or a password"),
        ({"url": "https://zq81literal@example.org/mcp"}, "a user or a password"),
        ({"url": "https://example.org/mcp?api_key=zq81literal"}, "'api_key'"),
        ({"url": "https://example.org/mcp?a=1&accessToken=zq81literal"}, "'accessToken'"),
        ({"url": "https://example.org/mcp?sig=zq81literal"}, "'sig'"),
        ({"url": "https://example.org/ghp_" + "a1B2" * 9}, "a key"),
        ({"url": None, "command": ["server", "--token", "ghp_" + "a1B2" * 9]}, "command"),
        ({"url": None, "command": ["server"], "env": {"TOKEN": "zq81 literal"}}, "env.TOKEN"),
    ],
)
def test_a_credential_in_the_declaration_of_a_server_is_refused_and_not_repeated(
    server: dict[str, Any], field: str
) -> None:
    declared = McpServer.model_validate({"name": "s", "url": "https://example.org/mcp", **server})
    refused = refusal("cli", message("x", TaskContract(mcp=(declared,))))
    assert refused is not None and refused[0] == "data.contract.mcp"
    assert field in refused[1] and "variable" in refused[1]
    assert "zq81" not in refused[1] and "a1B2" not in refused[1]
    with pytest.raises(BadContract) as told:
        build_contract({"mcp": [declared.model_dump()]}, criteria=[], workspace=None, budgets={})
    assert field in told.value.line() and "zq81" not in told.value.line()


@pytest.mark.parametrize("url", ["https://example.org/mcp", "http://127.0.0.1:80/mcp?page=2&monkey=x&keyboard=us"])
def test_a_server_whose_secrets_are_named_by_variables_is_accepted(url: str) -> None:
    server = McpServer(name="s", url=url, headers={"Authorization": "MY_TOKEN"})
    assert refusal("cli", message("x", TaskContract(mcp=(server,)))) is None


def test_an_agent_that_there_is_not_is_refused_with_its_field_on_every_channel() -> None:
    for channel in ("slack", "cli"):
        refused = refusal(channel, message("x", TaskContract(agent="nobody")))
        assert refused is not None and refused[0] == "data.contract.agent" and "developer" in refused[1]
        assert all(refusal(channel, message("x", TaskContract(agent=one))) is None for one in ROSTER)
    assert set(AGENTS) == set(ROSTER)


@pytest.mark.parametrize(
    "sender", ["ana", "--open", "a\nb; rm -rf /", "it's", "\u202ereversed", "tab\there's \\ and é", "€ 5"]
)
def test_the_way_out_for_a_stranger_is_one_line_that_a_shell_reads_as_that_very_name(sender: str) -> None:
    said = unknown_sender("shop", sender)[1]
    command = said.partition("let you in: ")[2]
    assert said.isprintable()
    shell = ["bash", "-c", f"arreio() {{ printf '%s\\0' \"$@\"; }}; {command}"]
    told = subprocess.run(shell, capture_output=True, check=True, env={**os.environ, "LC_ALL": "C.UTF-8"}).stdout
    words = told.decode().split("\0")[:-1]
    assert words == ["channels", "allow", "shop", *(["--"] if sender.startswith("-") else []), sender]


def test_a_message_is_recorded_without_keys_and_is_still_the_same_message() -> None:
    key = "sk-proj-" + "aB3" * 12
    asked = message(f"use {key} for db://app:app-pw-12@db", TaskContract(goal=f"write {key}"))
    kept = without_secrets(asked)
    assert kept.text == "use *** for db://app:app-pw-12@db"
    assert kept.contract is not None and kept.contract.goal == "write ***"
    assert inbox_id("cli", kept) == inbox_id("cli", asked) and task_id("cli", kept) == task_id("cli", asked)
    assert without_secrets(message("nothing secret")) == message("nothing secret")


def test_a_channel_may_name_goal_criteria_and_budgets() -> None:
    assert refusal("slack", message("x", TaskContract(goal="g", budgets=Budgets(max_steps=3)))) is None


def test_a_channel_may_name_skills_and_say_that_people_see_the_work() -> None:
    assert refusal("slack", message("x", TaskContract(skills=("deploy",), ui=True))) is None


def test_files_without_a_word_are_a_message_and_its_goal_names_them() -> None:
    files = (Attachment(name="a\nb.png", sha256="0" * 64), Attachment(name="x" * MAX_TEXT_BYTES, sha256="0" * 64))
    sent = message("  ").model_copy(update={"attachments": files})
    assert refusal("slack", sent) is None
    assert "a b.png" in goal_of(sent) and len(goal_of(sent)) < 1000
    assert goal_of(sent.model_copy(update={"text": "keep this"})) == "keep this"
    assert goal_of(sent.model_copy(update={"contract": TaskContract(goal="read it")})) == "read it"


def test_what_cannot_be_a_task_is_refused_with_its_field() -> None:
    assert refusal("slack", message("  "))[0] == "data.text"  # type: ignore[index]
    assert refusal("slack", message("é" * MAX_TEXT_BYTES))[0] == "data.text"  # type: ignore[index]
    other = message().model_copy(update={"channel": "telegram"})
    assert refusal("slack", other)[0] == "data.channel"  # type: ignore[index]


def test_every_outcome_is_answered_and_nothing_else() -> None:
    reason = Reason(code="loop", text="went in circles", unblock="help it")
    assert reply_to(TaskCompleted(claim_id="c", reply="done", totals=TOTALS)) == ("reply", "done", TaskState.COMPLETE)
    assert reply_to(TaskNeedsInput(question="which?", expires_ms=0)) == ("question", "which?", TaskState.NEEDS_INPUT)
    blocked = reply_to(TaskBlocked(reason=reason, totals=TOTALS))
    assert blocked is not None
    assert blocked[0] == "reply" and blocked[2] is TaskState.BLOCKED
    assert "loop" in blocked[1] and "went in circles" in blocked[1] and "help it" in blocked[1]
    assert reply_to(TaskStarted()) is None
