"""The command line `arreio`: a table of commands, each imported only when it is called."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from arreio_contracts.errors import ContractError
from typer.core import TyperGroup

from arreio.terminal import never_fail, visible_line
from shared.errors import ArreioError


class Lazy(NamedTuple):
    """A command: where it is (`module:name` of a function or a `typer.Typer`), and its line in the help."""

    where: str
    line: str


COMMANDS = {
    "up": Lazy("arreio.commands.engine:up", "Start the engine and all services, and keep them alive."),
    "serve": Lazy("arreio.commands.engine:serve", "Run one service against a provisioned engine."),
    "provision": Lazy("arreio.commands.engine:provision", "Make schema, roles, streams and consumers; safe to repeat."),
    "status": Lazy("arreio.commands.engine:status", "Show what runs on the data directory."),
    "stop": Lazy("arreio.commands.engine:stop", "End what runs on the data directory."),
    "info": Lazy("arreio.commands.engine:info", "Show addresses, and where the credentials lie."),
    "backup": Lazy("arreio.commands.backup:backup", "Write a consistent copy of the data directory."),
    "doctor": Lazy("arreio.commands.engine:doctor", "Check everything that a first user can get wrong."),
    "run": Lazy("arreio.commands.work:run", "Submit one task and follow it to its end."),
    "answer": Lazy("arreio.commands.work:answer", "Answer a task's question and follow it on."),
    "chat": Lazy("arreio.commands.chat:chat", "Talk from the terminal as a channel."),
    "send": Lazy("arreio.commands.work:send", "Publish a message as an adapter would."),
    "tasks": Lazy("arreio.commands.tasks:app", "List, show and cancel tasks."),
    "events": Lazy("arreio.commands.events:app", "Follow or show a session's events."),
    "replay": Lazy("arreio.commands.replay:replay", "Fold sessions again and compare every decision."),
    "diff": Lazy("arreio.commands.workspaces:diff", "Show what a task changed in its workspace."),
    "restore": Lazy("arreio.commands.workspaces:restore", "Put a workspace back as it was at an event."),
    "check": Lazy("arreio.commands.check:app", "See one rule at work on lines of JSON."),
    "fork": Lazy("arreio.commands.sessions:fork", "Copy a session up to an event into a new one."),
    "export": Lazy("arreio.commands.sessions:export", "Write whole sessions with their blobs as NDJSON."),
    "import": Lazy("arreio.commands.sessions:import_", "Add exported sessions as they were."),
    "prune": Lazy("arreio.commands.sessions:prune", "Export finished sessions and drop them."),
    "channels": Lazy("arreio.commands.channels:app", "Adapters' tokens and NATS users, and who may speak."),
    "adapters": Lazy("arreio.commands.adapters:app", "Serve a channel on Slack or Telegram."),
    "console": Lazy("arreio.commands.console:app", "Who may use the console: users add, list, role, password, rm."),
    "dead": Lazy("arreio.commands.dead:app", "List, show, resend and skip what was given up."),
    "instructions": Lazy("arreio.commands.instructions:app", "What the operator says to an agent: set, show, rm."),
    "proposals": Lazy(
        "arreio.commands.proposals:app", "What learning proposes: list, show, approve, reject, rollback."
    ),
    "skills": Lazy("arreio.commands.skills:app", "The skills that a task may use: list, show, export."),
    "context": Lazy("arreio.commands.context:app", "Show what a prompt is made of."),
    "profiles": Lazy("arreio.commands.profiles:app", "Who gets which agent, workspace and model: list, show, check."),
    "worktrees": Lazy("arreio.commands.worktrees:app", "The git worktrees of sessions: list, rm."),
}


class LazyGroup(TyperGroup):
    """Loads a command's module when the command is called, never to list it."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [name for name, lazy in COMMANDS.items() if _is_here(lazy)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        lazy = COMMANDS.get(cmd_name)
        if lazy is None or not _is_here(lazy):
            return None
        return _load(cmd_name, lazy)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].line) for name in self.list_commands(ctx)])


app = typer.Typer(
    name="arreio",
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Run language-model agents that can be trusted to finish."""
    if version:
        from importlib.metadata import version as installed

        typer.echo(installed("arreio"))
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(1)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is what the command returns (nothing: 0), and 1 for misuse and for errors."""
    if sys.stdin is None:  # it was closed before the start
        sys.stdin = io.StringIO()
    never_fail(sys.stdout, sys.stderr)
    try:
        result = typer.main.get_command(app)(args=arguments, prog_name="arreio", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except ArreioError as error:
        return _fail(error.line())
    except ContractError as error:
        return _fail(f"{error}; correct it and try again")
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            return _fail("no space is left where it writes; free some space, or write elsewhere")
        message = getattr(error, "format_message", None)
        if message is not None:
            return _misuse(error, message())
        if isinstance(error, ValueError) and hasattr(error, "errors"):  # what a pydantic contract refused
            first = error.errors(include_url=False)[0]
            return _fail(f"{'.'.join(map(str, first['loc']))}: {first['msg']}; correct it and try again")
        if os.environ.get("ARREIO_LOG_LEVEL") == "debug":
            raise
        return _fail(f"unexpected {type(error).__name__}: {error}; ARREIO_LOG_LEVEL=debug shows where")


def _misuse(error: Exception, message: str) -> int:
    context = getattr(error, "ctx", None)
    if context is None:
        return _fail(f"{message.rstrip('.')}; see `arreio --help`")
    if not message.strip() or "\n" in message:  # a group called without a command answers with its help
        typer.echo(message or context.get_help(), err=True)
        return 1
    return _fail(f"{message.rstrip('.')}; see `{context.command_path} --help`")


def _fail(line: str) -> int:
    typer.echo(f"arreio: {visible_line(' '.join(line.split()))}", err=True)
    return 1


def _is_here(lazy: Lazy) -> bool:
    """Whether the command's module is part of this installation."""
    name = lazy.where.partition(":")[0].rpartition(".")[2]
    return (Path(__file__).parent / "commands" / f"{name}.py").exists()


def _load(name: str, lazy: Lazy) -> Any:
    module, _, attribute = lazy.where.partition(":")
    found = getattr(importlib.import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        single = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        single.command(name=name, context_settings={"help_option_names": ["-h", "--help"]})(found)
        found = single
    command = typer.main.get_command(found)
    command.name = name
    return command


if __name__ == "__main__":
    sys.exit(main())
