"""What a task contract may name, by the channel on which it comes."""

import shlex

from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract

OPERATOR_CHANNELS = frozenset({"cli", "terminal"})
"""The channels of the local operator, on which only the operator's own user may publish."""

DEFAULT_PROFILE = "default"
"""The one profile there is: the developer agent, in a folder of the session's own unless the operator names one."""

MAX_TEXT_BYTES = 256 * 1024
"""The longest text of a message or a goal."""

SENDER_FIELD = "data.sender"
"""The field of a refusal for an unknown sender."""

_OPERATOR_ONLY = (
    *("workspace", "model", "api_base", "capability", "network", "sandbox"),
    *("instructions", "taste", "hooks", "mcp"),
)


def refusal(channel: str, message: InboundMessage) -> tuple[str, str] | None:
    """The field of a message that is not acceptable and why, or None.

    Only the local operator names workspaces, models, endpoints, network access, `sandbox: none`, hooks, MCP servers,
    rules of taste, or which instruction files are told.
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
    if contract is not None and contract.profile not in (None, DEFAULT_PROFILE):
        return "data.contract.profile", f"there is no profile {contract.profile!r}; there is {DEFAULT_PROFILE!r}"
    if contract is None or channel in OPERATOR_CHANNELS:
        return None
    defaults = TaskContract()
    for field in _OPERATOR_ONLY:
        if getattr(contract, field) != getattr(defaults, field):
            return f"data.contract.{field}", "only the local operator may name it"
    return None


def unknown_sender(channel: str, sender: str) -> tuple[str, str]:
    """What is said to a sender whom nobody has allowed yet, and how that is done."""
    way = f"arreio channels allow {channel} {shlex.quote(sender)}"
    return SENDER_FIELD, f"I do not know you here yet. Ask the operator to let you in: {way}"


def goal_of(message: InboundMessage) -> str:
    """What is asked: the contract's goal, else the text."""
    if message.contract is not None and message.contract.goal is not None:
        return message.contract.goal
    return message.text
