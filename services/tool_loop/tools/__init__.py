"""What a model can call: a tool a file, listed here in the order in which they are offered."""

from collections.abc import Iterable

from arreio_contracts.events import OfferedTool
from arreio_contracts.task import TaskContract

from .abstain import Abstain
from .base import FilePlan, FileTool, Tool, ToolContext, ToolResult
from .edit_file import EditFile
from .list_files import ListFiles
from .read_file import ReadFile
from .run_command import RunCommand
from .search import Search
from .signals import NEED_INPUT, TASK_BLOCKED, TASK_COMPLETE
from .write_file import WriteFile
from .writing import file_effect_done

__all__ = ["FilePlan", "FileTool", "Tool", "ToolContext", "ToolResult", "file_effect_done", "offered_tools", "registry"]

_TOOLS: tuple[Tool, ...] = (
    ReadFile(),
    ListFiles(),
    Search(),
    WriteFile(),
    EditFile(),
    RunCommand(),
    Abstain(),
    TASK_COMPLETE,
    TASK_BLOCKED,
    NEED_INPUT,
)
_ALWAYS = ("abstain", "load_skill")
_WITHOUT_WORKSPACE = ("abstain", "task_complete", "task_blocked", "need_input")


def registry(extra: Iterable[Tool] = ()) -> dict[str, Tool]:
    """Every tool by name, always in the same order; `extra` ones come before the terminal signals."""
    signals = [tool for tool in _TOOLS if tool.effect == "signal"]
    others = [tool for tool in _TOOLS if tool.effect != "signal"]
    return {tool.name: tool for tool in (*others, *extra, *signals)}


def offered_tools(contract: TaskContract, extra: Iterable[Tool] = ()) -> tuple[OfferedTool, ...]:
    """The tools of a task, in order: without a workspace only what needs none, and of a contract's choice its own.

    Signals and abstaining are always offered; so are skills, which the contract chooses by themselves.
    """
    additional = tuple(extra)
    unbound = {*_WITHOUT_WORKSPACE, *(tool.name for tool in additional)}
    return tuple(
        OfferedTool(name=tool.name, effect=tool.effect)
        for tool in registry(additional).values()
        if (contract.workspace is not None or tool.name in unbound)
        and (contract.tools is None or tool.effect == "signal" or tool.name in (*contract.tools, *_ALWAYS))
    )
