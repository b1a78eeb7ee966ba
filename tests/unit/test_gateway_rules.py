"""The gateway's rules: what a message becomes, what a channel may name, and what is answered."""

import pytest
from arreio_contracts.events import TaskBlocked, TaskCompleted, TaskNeedsInput, TaskStarted, Totals
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import (
    Budgets,
    Hook,
    InstructionOptions,
    McpServer,
    Reason,
    TaskContract,
    TaskState,
    TasteOptions,
)

from services.gateway.replies import reply_to
from services.gateway.rights import MAX_TEXT_BYTES, refusal
from services.gateway.routing import Answer, Cancel, NewTask, OpenTask, Status, route

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
    assert route(message(" /CANCEL t2 "), active) == Cancel("t2", "cancelled on request")
    assert route(message("/status"), active) == Status()
    assert route(message("/cancel"), None) == Cancel(None, "cancelled on request")


def test_a_word_that_only_begins_like_control_is_a_task() -> None:
    assert route(message("/cancelled flights, please list them"), None) == NewTask()


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
    ],
)
def test_only_the_operator_names_what_reaches_the_machine(contract: TaskContract, field: str) -> None:
    refused = refusal("slack", message("x", contract))
    assert refused is not None and refused[0] == f"data.contract.{field}"
    assert refusal("cli", message("x", contract)) is None


def test_a_channel_may_name_goal_criteria_and_budgets() -> None:
    assert refusal("slack", message("x", TaskContract(goal="g", budgets=Budgets(max_steps=3)))) is None


def test_a_profile_that_does_not_exist_is_refused_also_for_the_operator() -> None:
    assert refusal("cli", message("x", TaskContract(profile="default"))) is None
    refused = refusal("cli", message("x", TaskContract(profile="nobody")))
    assert refused is not None and refused[0] == "data.contract.profile"


def test_a_channel_may_name_skills_and_say_that_people_see_the_work() -> None:
    assert refusal("slack", message("x", TaskContract(skills=("deploy",), ui=True))) is None


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
