"""Runs a shell command in the workspace, sandboxed, and says which files it changed."""

import asyncio
import dataclasses
from collections.abc import Mapping

from arreio_contracts.events import Effect

from shared.sandbox import CommandResult, SandboxUnavailable, run

from . import masks
from .base import Arguments, Refused, ToolContext, ToolResult, as_bytes, failure, number_argument, schema, text_argument
from .changes import Look, changes, look

_CLASSES = {126: "not_executable", 127: "command_not_found"}
_MOST_CREATED = 20
_ENDED = {
    "time": "it took longer than {0.seconds:g} s",
    "memory": "it used more than {0.memory_bytes} bytes of memory",
    "output": "it printed more than {0.output_bytes} bytes",
    "processes": "it started more than {0.processes} processes",
    "disk": "it wrote more than {0.written_bytes} bytes",
    "cancelled": "it was cancelled",
}


class RunCommand:
    """Background processes end with the command."""

    name = "run_command"
    description = "Run a shell command in the workspace and show its output."
    parameters = schema(
        {"command": text_argument("Command line for sh.")},
        {"timeout_seconds": number_argument("End the command after so many seconds.")},
    )
    effect: Effect = "command"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        try:
            return await _run(arguments, context)
        except SandboxUnavailable as error:
            return ToolResult("refused", f"commands cannot be run here: {error}", "sandbox_unavailable")
        except Exception as error:  # noqa: BLE001 - every failure is a result
            return failure(error)


async def _run(arguments: Arguments, context: ToolContext) -> ToolResult:
    command: str = arguments["command"]
    as_bytes(command)
    if not command.strip():
        raise Refused("the command is empty; name a command line", "empty_command")
    if "\0" in command:
        raise Refused("the command holds a NUL character, which no shell can take; leave it out", "bad_text")
    limits = context.limits
    if wanted := arguments.get("timeout_seconds"):
        limits = dataclasses.replace(limits, seconds=min(float(wanted), limits.seconds))
    limits = dataclasses.replace(limits, kept_output_bytes=min(limits.kept_output_bytes, context.most_chars))
    before = await asyncio.to_thread(look, context.workspace)
    done = await run(
        command,
        workspace=context.workspace,
        limits=limits,
        network=context.network,
        env=context.env,
        inherit_fds=() if context.lock_fd is None else (context.lock_fd,),
        hide=() if context.data_dir is None else (context.data_dir,),
        sandbox=context.sandbox,
    )
    changed = await asyncio.to_thread(changes, context.workspace, before)
    output = done.output.rstrip("\n") + await asyncio.to_thread(masks.note, command, changed, context)
    if done.killed_by is not None:
        head = f"The command was ended: {_ENDED[done.killed_by].format(limits)}."
    else:
        head = f"Exit status {done.exit_status}."
    return ToolResult(
        "ok" if done.exit_status == 0 else "error",
        f"{head}\n{output}" if output else f"{head} No output.",
        error_class=_error_class(done),
        exit_status=done.exit_status,
        changed=changed,
        created=_created(changed, before),
    )


def _created(changed: Mapping[str, str | None], before: Look) -> tuple[str, ...]:
    new = tuple(name for name, digest in changed.items() if digest is not None and name not in before)
    return new if len(new) <= _MOST_CREATED else ()


def _error_class(done: CommandResult) -> str | None:
    if done.killed_by is not None:
        return f"killed_{done.killed_by}"
    if done.exit_status in (0, None):
        return None
    return _CLASSES.get(done.exit_status, f"exit_{done.exit_status}")
