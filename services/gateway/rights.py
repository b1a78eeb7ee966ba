"""What a task contract may name, by the channel on which it comes."""

import shlex
from typing import Final

from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract

from shared.agents import AGENTS, no_agent
from shared.mcp_credentials import credential_problem
from shared.secrets import without_keys

OPERATOR_CHANNELS = frozenset({"cli", "terminal"})
"""The channels of the local operator, on which only the operator's own user may publish."""

MAX_TEXT_BYTES = 256 * 1024
"""The longest text of a message or a goal."""

SENDER_FIELD = "data.sender"
"""The field of a refusal for an unknown sender."""

_OPERATOR_ONLY = (
    *("workspace", "model", "api_base", "capability", "network", "sandbox"),
    *("instructions", "taste", "hooks", "mcp", "skill_folders", "worktree", "api_key", "secrets"),
)

_NAME_SHOWN: Final = 100
"""Characters of a file's name that stand in a goal."""


class Unacceptable(Exception):
    """A message that is refused: the field that is wrong, and why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field
        self.reason = reason


def refusal(channel: str, message: InboundMessage) -> tuple[str, str] | None:
    """The field of a message that is not acceptable and why, or None.

    Only the local operator names workspaces, models, endpoints, network access, `sandbox: none`, hooks, MCP servers,
    rules of taste, secrets, folders of skills, or which instruction files are told.
    """
    if message.channel is not None and message.channel != channel:
        return "data.channel", f"the message names channel {message.channel!r} and came on {channel!r}"
    contract = message.contract
    goal = goal_of(message)
    if not goal.strip():
        return "data.text", "the message is empty"
    for field, text in (("data.text", message.text), ("data.contract.goal", goal)):
        if len(text.encode("utf-8", "surrogatepass")) > MAX_TEXT_BYTES:
            return field, f"longer than {MAX_TEXT_BYTES} bytes"
    if contract is None:
        return None
    if contract.agent is not None and contract.agent not in AGENTS:
        return "data.contract.agent", no_agent(contract.agent)
    if channel in OPERATOR_CHANNELS:
        problem = next(filter(None, map(credential_problem, contract.mcp)), None)
        return None if problem is None else ("data.contract.mcp", problem)
    defaults = TaskContract()
    for field in _OPERATOR_ONLY:
        if getattr(contract, field) != getattr(defaults, field):
            return f"data.contract.{field}", "only the local operator may name it"
    return None


def unknown_sender(channel: str, sender: str, code: str | None = None) -> tuple[str, str]:
    """What is said to a sender whom nobody has allowed yet, and how that is done; `code`: of the channel's pairing."""
    allow = f"arreio channels allow {channel} {_quoted(sender)}"
    pair = f"your code is {code}, valid for ten minutes: arreio channels pair {channel} {code}"
    way = allow if code is None else pair
    return SENDER_FIELD, f"I do not know you here yet. Ask the operator to let you in: {way}"


def _quoted(sender: str) -> str:
    """A name as an argument in a shell, on one line and with all of it to be seen, and never taken for an option."""
    shown = shlex.quote(sender)
    if not sender.isprintable():
        shown = "$'" + "".join(map(_shown, sender)) + "'"
    return f"-- {shown}" if sender.startswith("-") else shown


def _shown(one: str) -> str:
    if one in "\\'":
        return f"\\{one}"
    return one if one.isprintable() else f"\\U{ord(one):08x}"


def without_secrets(message: InboundMessage) -> InboundMessage:
    """The message as it may be recorded. What names it for ever, its ids, is not touched."""
    contract = message.contract
    if contract is not None and contract.goal is not None:
        contract = contract.model_copy(update={"goal": without_keys(contract.goal)})
    return message.model_copy(update={"text": without_keys(message.text), "contract": contract})


def goal_of(message: InboundMessage) -> str:
    """What is asked: the contract's goal, else the text; of files that came without either, that they did."""
    if message.contract is not None and message.contract.goal is not None:
        return message.contract.goal
    if message.text.strip() or not message.attachments:
        return message.text
    names = ", ".join(" ".join(one.name.split())[:_NAME_SHOWN] for one in message.attachments)
    return f"(Nothing was said, only files were sent: {names})"
