"""`arreio run`, `answer` and `send`: give work, and follow it."""

import asyncio
import os
import secrets
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract, TaskState
from rich.console import Console

from arreio.client import connected
from arreio.contract_options import build_contract, read_contract
from arreio.following import Outcome, Show, cancelling, follow, json_lines, narrated
from arreio.launcher import ensure_up
from arreio.options import DataDirOption, JsonOption, folder, say
from arreio.profile_files import given_to
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

WorkspaceOption = Annotated[
    Path | None,
    typer.Option(
        "-w",
        "--workspace",
        metavar="DIR",
        parser=folder,
        help="The folder to work in (default: the profile's, or here).",
    ),
]
ModelOption = Annotated[str | None, typer.Option("--model", help="A litellm id, local/NAME or local/FILE.gguf.")]
ApiBaseOption = Annotated[str | None, typer.Option("--api-base", help="The endpoint's URL.")]
CapabilityOption = Annotated[str | None, typer.Option("--capability", help="The model's capability profile.")]
AgentOption = Annotated[str | None, typer.Option("--agent", help="Who does it: a slug of the roster.")]
KeepOption = Annotated[bool, typer.Option("--keep", help="Leave the background engine running.")]


def run(
    goal: Annotated[str | None, typer.Argument(help="What is to be done; '-' reads it from standard input.")] = None,
    workspace: WorkspaceOption = None,
    criterion: Annotated[
        list[str] | None, typer.Option("-c", "--criterion", help="'KIND: SPEC', as 'tests: pytest -q'. Repeatable.")
    ] = None,
    contract: Annotated[Path | None, typer.Option("--contract", help="A whole task contract (YAML).")] = None,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    capability: CapabilityOption = None,
    profile: Annotated[str | None, typer.Option("--profile", help="Who asks: agent, workspace and defaults.")] = None,
    agent: AgentOption = None,
    max_steps: Annotated[int | None, typer.Option(min=1, help="Replies of the model.")] = None,
    max_tool_calls: Annotated[int | None, typer.Option(min=1)] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Seconds of work.")] = None,
    skill: Annotated[
        list[str] | None, typer.Option("--skill", metavar="NAME", help="A skill to follow; repeatable.")
    ] = None,
    allow_test_changes: Annotated[bool, typer.Option("--allow-test-changes", help="Tests may be changed.")] = False,
    detach: Annotated[bool, typer.Option("--detach", help="Print the ids and return.")] = False,
    keep: KeepOption = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Submit one task and follow it to its end.

    Exit status: 0 COMPLETE, 2 BLOCKED, 3 NEEDS_INPUT, 4 FAILED, 1 misuse.
    """
    settings = load_settings(data_dir)
    fields = read_contract(contract) if contract else {}
    if goal == "-":
        goal = sys.stdin.read()
    if goal is None and not fields.get("goal"):
        raise ArreioError("there is no goal", "say what is to be done: arreio run 'GOAL'")
    message = new_message(f"run-{secrets.token_hex(10)}", goal or "", None)
    given = given_to(settings, "cli", message, profile or fields.get("profile"), keep)
    defaults = default_model(settings, given)
    wanted = build_contract(
        fields,
        criteria=criterion or [],
        workspace=workspace,
        budgets={"max_steps": max_steps, "max_tool_calls": max_tool_calls, "max_wall_clock": max_seconds},
        at_home="workspace" not in given,
        goal=goal,
        model=absolute(model or fields.get("model") or defaults["model"]),
        api_base=api_base or fields.get("api_base") or defaults["api_base"],
        capability=capability or fields.get("capability") or defaults["capability"],
        profile=profile,
        agent=agent,
        skills=skill or None,
        allow_test_changes=True if allow_test_changes else None,
    )
    check_names(wanted, settings, given)
    message = message.model_copy(update={"text": wanted.goal or "", "contract": wanted})
    ensure_up(settings, keep)
    outcome = asyncio.run(_submit_and_follow(settings, "cli", message, as_json=as_json, detach=detach))
    finish(outcome, as_json=as_json)


def answer(
    task: Annotated[str, typer.Argument(help="The task that asked.")],
    text: Annotated[str, typer.Argument(help="The answer.")],
    keep: KeepOption = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Answer a task's question and follow it on. Exit status as with `arreio run`."""
    settings = load_settings(data_dir)
    ensure_up(settings, keep)
    outcome = asyncio.run(_answer(settings, task, text, as_json=as_json))
    finish(outcome, as_json=as_json)


def send(
    text: Annotated[str, typer.Argument(help="The message's text; '-' reads it from standard input.")],
    channel: Annotated[str, typer.Option(help="The channel it comes on.")],
    conversation: Annotated[str, typer.Option(help="The conversation it belongs to.")],
    message_id: Annotated[str, typer.Option(help="Its idempotency key.")],
    sender: Annotated[str, typer.Option(help="Who says it.")] = "operator",
    account: Annotated[str, typer.Option()] = "",
    thread: Annotated[str, typer.Option()] = "",
    keep: KeepOption = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Publish a message as a channel's adapter would, and print the receipt."""
    settings = load_settings(data_dir)
    body = sys.stdin.read() if text == "-" else text
    message = InboundMessage(
        account=account, conversation=conversation, thread=thread, message_id=message_id, sender=sender, text=body
    )
    ensure_up(settings, keep)
    asyncio.run(_send(settings, channel, message, as_json=as_json))


def absolute(model: str | None) -> str | None:
    """A model's file named from here, as the services can find it from where they are."""
    if model is None or not (model.startswith("local/") and model.lower().endswith(".gguf")):
        return model
    return f"local/{Path(model.removeprefix('local/')).expanduser().absolute()}"


def default_model(settings: Settings, given: Collection[str]) -> dict[str, str | None]:
    """The environment's model, address and capability profile, where the profile that gives `given` leaves them open.

    An address or a capability profile is that of one model: none is put beside a profile's model or address.
    """
    defaults = {name: getattr(settings, name) for name in ("model", "api_base", "capability")}
    if {"model", "api_base"} & set(given):
        defaults |= {"api_base": None, "capability": None}
    return {name: None if name in given else value for name, value in defaults.items()}


def check_names(contract: TaskContract, settings: Settings, given: Collection[str]) -> None:
    """Say at once that a name is missing or unknown, rather than start an engine for nothing.

    `given`: the fields that the contract's profile has a word on.

    Raises:
        ArreioError: no model, an unknown local model, capability profile or agent, no workspace to be used, or rules of
            taste that cannot be.
    """
    from services.context_builder.agents import UnknownAgent, identity
    from services.gate_runner.taste import taste_of
    from services.tool_loop.admission import DEFAULT_AGENT
    from services.tool_loop.models.capability import resolve
    from services.tool_loop.models.local_models import is_local, locate
    from shared.workspace import overlaps

    if settings.embedded and contract.workspace and overlaps(Path(contract.workspace), settings.data_dir):
        raise ArreioError(
            f"the workspace {contract.workspace} and the data directory {settings.data_dir} lie one in the other",
            "work in another folder with -w, or set ARREIO_HOME to another",
        )
    if contract.model is None and "model" not in given:
        raise ArreioError("no model was named", "give --model or set ARREIO_MODEL, as in --model local/smollm2-135m")
    if contract.model is not None:
        resolve(contract.model, contract.capability, settings.capabilities)
        if is_local(contract.model):
            locate(contract.model)
    taste_of(settings.data_dir, contract.taste.rules, contract.profile)
    try:
        identity(contract.agent or DEFAULT_AGENT)
    except UnknownAgent as error:
        raise ArreioError(str(error)) from error


def new_message(conversation: str, text: str, contract: TaskContract | None) -> InboundMessage:
    """A message of the local operator."""
    return InboundMessage(
        conversation=conversation,
        message_id=secrets.token_hex(12),
        sender=os.environ.get("USER") or "operator",
        text=text,
        contract=contract,
    )


def finish(outcome: Outcome | None, *, as_json: bool) -> None:
    """Say how the task ended and leave with its exit status."""
    if outcome is None:
        return
    if as_json:
        sys.stdout.write(outcome.as_json() + "\n")
    elif outcome.reply:
        say(f"\n{outcome.reply}")
    elif outcome.question:
        say(f"\n{outcome.question}\n→ arreio answer {outcome.task_id} 'YOUR ANSWER'")
    sys.stdout.flush()
    raise typer.Exit(outcome.exit_status)


def shown(as_json: bool) -> Show:
    """How events are told: as JSON, or to a person."""
    return json_lines if as_json else narrated(Console(highlight=False))


async def _submit_and_follow(
    settings: Settings, channel: str, message: InboundMessage, *, as_json: bool, detach: bool
) -> Outcome | None:
    async with connected(settings) as client:
        submitted = await client.submit(channel, message)
        if submitted.task_id is None:
            raise ArreioError("the message made no task")
        if detach:
            _print_ids(submitted.session_id, submitted.task_id, as_json)
            return None
        if not as_json:
            sys.stdout.write(f"task {submitted.task_id}  session {submitted.session_id}\n")
        cancel = cancelling(client, channel, message, submitted.task_id)
        return await follow(settings, client, submitted.session_id, submitted.task_id, shown(as_json), cancel=cancel)


def _print_ids(session_id: str, task_id: str, as_json: bool) -> None:
    import json

    if as_json:
        sys.stdout.write(json.dumps({"type": "submitted", "session_id": session_id, "task_id": task_id}) + "\n")
    else:
        sys.stdout.write(f"task {task_id}\nsession {session_id}\n")


async def _answer(settings: Settings, task_id: str, text: str, *, as_json: bool) -> Outcome:
    from arreio.commands.tasks import conversation_of

    origin = await conversation_of(settings, task_id)
    if origin.state is not TaskState.NEEDS_INPUT:
        raise ArreioError(f"task {task_id} asks nothing: it is {origin.state}", "see 'arreio tasks show'")
    message = InboundMessage(
        account=origin.account,
        conversation=origin.conversation,
        thread=origin.thread,
        direct=origin.sender is not None,
        message_id=secrets.token_hex(12),
        sender=origin.sender or os.environ.get("USER") or "operator",
        text=text,
    )
    async with connected(settings) as client:
        await client.submit(origin.channel, message)
        cancel = cancelling(client, origin.channel, message, task_id)
        return await follow(
            settings, client, origin.session_id, task_id, shown(as_json), cancel=cancel, since=origin.last_seq
        )


async def _send(settings: Settings, channel: str, message: InboundMessage, *, as_json: bool) -> None:
    import json

    async with connected(settings) as client:
        submitted = await client.submit(channel, message)
    status = "duplicate" if submitted.duplicate else "accepted"
    if as_json:
        line: dict[str, Any] = {"status": status, "session_id": submitted.session_id, "task_id": submitted.task_id}
        sys.stdout.write(json.dumps(line) + "\n")
    else:
        sys.stdout.write(f"{status}: task {submitted.task_id}, session {submitted.session_id}\n")
