"""`arreio chat`: the terminal as a channel."""

from __future__ import annotations

import asyncio
import secrets
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from arreio_contracts import messages
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract, TaskState

from arreio.client import Client, NoReceipt, Refused, connected
from arreio.commands.work import (
    AgentOption,
    ApiBaseOption,
    CapabilityOption,
    KeepOption,
    ModelOption,
    WorkspaceOption,
    absolute,
    check_names,
    default_model,
    new_message,
    shown,
)
from arreio.contract_options import build_contract
from arreio.following import Outcome, cancelling, follow
from arreio.launcher import ensure_up
from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.profile_files import given_to
from arreio.terminal import visible_line
from arreio.typed_lines import Ask, asking, next_message, remembered
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from shared.store.tasks import TaskRow

CHANNEL = "terminal"


def chat(
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    capability: CapabilityOption = None,
    profile: Annotated[str | None, typer.Option("--profile", help="Who asks: agent, workspace and defaults.")] = None,
    agent: AgentOption = None,
    conversation: Annotated[str | None, typer.Option(help="Go on with an earlier conversation.")] = None,
    keep: KeepOption = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> int:
    r"""Talk from the terminal as a channel. Ctrl-C cancels what runs, Ctrl-D ends.

    A line that ends in \ goes on in the next, and so does all between two lines of three double quotes. /cancel,
    /status and /help are words of control. What is asked is answered with the next message. Where the input is no
    terminal, every message in it is said, and the exit status is that of the last task, as with `arreio run`.
    """
    settings = load_settings(data_dir)
    name = conversation or f"chat-{secrets.token_hex(6)}"
    given = given_to(settings, CHANNEL, new_message(name, "", None), profile, keep)
    defaults = default_model(settings, given)
    wanted = build_contract(
        {},
        criteria=[],
        workspace=workspace,
        budgets={},
        at_home="workspace" not in given,
        model=absolute(model or defaults["model"]),
        api_base=api_base or defaults["api_base"],
        capability=capability or defaults["capability"],
        profile=profile,
        agent=agent,
    )
    check_names(wanted, settings, given)
    ensure_up(settings, keep)
    return _Chat(settings, name, wanted, as_json).run(resumed=conversation is not None)


@dataclass
class _Chat:
    """A conversation; `last` is what the last task came to, which may be a question."""

    settings: Settings
    conversation: str
    contract: TaskContract
    as_json: bool
    last: Outcome | None = None

    def run(self, *, resumed: bool) -> int:
        interactive = sys.stdin.isatty()
        if resumed:
            self._take_up()
        if not self.as_json:
            say(f"conversation {visible_line(self.conversation)}{'; Ctrl-D ends' if interactive else ''}")
        self._tell_question()
        with remembered(self.settings.home / "chat" / f"{self._session_id}.history"):
            self._talk(asking(), interactive)
        if interactive:
            sys.stdout.write("\n")
        return 0 if interactive or self.last is None else self.last.exit_status

    def _talk(self, ask: Ask, interactive: bool) -> None:
        while True:
            try:
                text = self._next(ask, interactive)
                if text is None:
                    return
                if text:
                    asyncio.run(self._say(text))
            except KeyboardInterrupt:
                if not interactive:
                    raise
                sys.stdout.write("\n")
            except (Refused, NoReceipt) as error:
                if not interactive:
                    raise
                sys.stderr.write(f"arreio: {error.line()}\n")

    def _next(self, ask: Ask, interactive: bool) -> str | None:
        """What is said next. Ctrl-C drops what was typed, and where a question waits it cancels the task that asked."""
        try:
            return next_message(ask, self._prompt)
        except KeyboardInterrupt:
            if not interactive:
                raise
            sys.stdout.write("\n")
            return f"/cancel {self._question.task_id}" if self._question else ""

    @property
    def _session_id(self) -> str:
        return messages.session_id(CHANNEL, InboundMessage(conversation=self.conversation, message_id="m", sender="o"))

    @property
    def _question(self) -> Outcome | None:
        return self.last if self.last and self.last.state is TaskState.NEEDS_INPUT else None

    @property
    def _prompt(self) -> str:
        if self.as_json:
            return ""
        return "answer » " if self._question else "» "

    async def _say(self, text: str) -> None:
        """One message, and what comes of it up to the task's end or its next question."""
        from services.gateway.control_words import control

        word, asked = control(text), self._question
        message = new_message(self.conversation, text, None if word or asked else self.contract)
        async with connected(self.settings) as client:
            try:
                submitted = await client.submit(CHANNEL, message)
            except asyncio.CancelledError:
                # Ctrl-C before the receipt: it is stored, and becomes a task all the same.
                task = asked.task_id if asked else messages.task_id(CHANNEL, message)
                await cancelling(client, CHANNEL, message, task)()
                say("cancellation requested")
                raise
            if submitted.notice is not None or submitted.task_id is None:
                self._tell({"type": "notice", "text": submitted.notice or ""}, submitted.notice or "")
                if asked and word and word.word == "cancel" and word.task in (None, asked.task_id):
                    # There was nothing to cancel: the task that asked has ended meanwhile.
                    self.last = None
            elif word is None or asked:
                since = asked.seq if asked and asked.task_id == submitted.task_id else 0
                await self._follow(client, message, submitted.session_id, submitted.task_id, since)

    async def _follow(self, client: Client, message: InboundMessage, session: str, task: str, since: int) -> None:
        cancel = cancelling(client, CHANNEL, message, task)
        self.last = await follow(self.settings, client, session, task, shown(self.as_json), cancel=cancel, since=since)
        if self.as_json:
            sys.stdout.write(self.last.as_json() + "\n")
            sys.stdout.flush()
        elif self.last.reply:
            say(f"\n{self.last.reply}\n")
        self._tell_question()

    def _tell_question(self) -> None:
        if self._question and not self.as_json:
            say(f"\n{self._question.question}\n")
            sys.stdout.flush()

    def _tell(self, as_json: dict[str, str], text: str) -> None:
        if self.as_json:
            say_json(as_json)
        else:
            say(text)
        sys.stdout.flush()

    def _take_up(self) -> None:
        """Find what the conversation was left with: a question, which is answered next, or a task that is at work."""
        row = asyncio.run(_open_task(self.settings, self._session_id))
        if row is None:
            return
        if row.state == TaskState.NEEDS_INPUT:
            self.last = Outcome(
                row.session_id, row.task_id, TaskState.NEEDS_INPUT, question=row.question, seq=row.last_seq
            )
        elif not self.as_json:
            say(f"task {row.task_id} is still at work; what you say waits for it, and /cancel ends it")


async def _open_task(settings: Settings, session_id: str) -> TaskRow | None:
    from arreio.reading import reading
    from shared.store import tasks

    async with reading(settings) as pool:
        return await tasks.open_task(pool, session_id)
