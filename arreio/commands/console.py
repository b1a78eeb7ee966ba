"""`arreio console users add|list|role|password|rm`: who may use the console."""

from __future__ import annotations

import asyncio
import getpass
import sys
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

# psycopg takes a fifth of a second to import, which `--help` must not wait for.
if TYPE_CHECKING:
    from services.console.users import User
    from shared.store.connection import Pool

Role = Literal["viewer", "operator"]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="1 to 64 of A-Z a-z 0-9 . _ @ -")]
RoleOption = Annotated[Role, typer.Option("--role", help="A viewer only looks; an operator also acts.")]
AskOption = Annotated[
    bool, typer.Option("--ask", help="Ask for the password (or read it from standard input); else one is made.")
]

app = typer.Typer(no_args_is_help=True, help="Who may use the console.")
users = typer.Typer(no_args_is_help=True, help="Users: add, list, role, password, rm.")
app.add_typer(users, name="users")


@app.callback()
def _group() -> None:
    """Who may use the console; `arreio serve console` runs it."""


@users.command()
def add(
    name: NameArgument,
    role: RoleOption = "viewer",
    ask: AskOption = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Let a person sign in; a password that is made is shown this once."""
    password = _password(ask)

    async def work(pool: Pool) -> None:
        from services.console.users import add_user

        await add_user(pool, name, role, password)

    _do(load_settings(data_dir), work)
    _show(name, role, None if ask else password, as_json)


@users.command()
def password(
    name: NameArgument, ask: AskOption = False, as_json: JsonOption = False, data_dir: DataDirOption = None
) -> None:
    """Give a person a new password, and end their sessions."""
    new = _password(ask)

    async def work(pool: Pool) -> None:
        from services.console.users import change_user

        await change_user(pool, name, password=new)

    _do(load_settings(data_dir), work)
    _show(name, None, None if ask else new, as_json)


@users.command()
def role(
    name: NameArgument,
    role: Annotated[
        Role, typer.Argument(metavar="viewer|operator", help="A viewer only looks; an operator also acts.")
    ],
    data_dir: DataDirOption = None,
) -> None:
    """Give a person another role, and end their sessions."""

    async def work(pool: Pool) -> None:
        from services.console.users import change_user

        await change_user(pool, name, role=role)

    _do(load_settings(data_dir), work)
    say(f"{name} is {role} now")


@users.command()
def rm(name: NameArgument, data_dir: DataDirOption = None) -> None:
    """Let a person no longer sign in, and end their sessions."""

    async def work(pool: Pool) -> None:
        from services.console.users import remove_user

        await remove_user(pool, name)

    _do(load_settings(data_dir), work)
    say("removed")


@users.command("list")
def list_(as_json: JsonOption = False, data_dir: DataDirOption = None) -> None:
    """Show who may sign in."""
    found = asyncio.run(_list(load_settings(data_dir)))
    for one in found:
        if as_json:
            say_json({"name": one.name, "role": one.role, "created_at": one.created_at.isoformat()})
        else:
            say(f"{one.name:<24} {one.role:<9} since {one.created_at:%Y-%m-%d}")
    if not found and not as_json:
        say("nobody; 'arreio console users add NAME --role operator' lets a person sign in")


async def _list(settings: Settings) -> list[User]:
    from services.console.users import list_users

    async with reading(settings) as pool:
        return await list_users(pool)


def _do(settings: Settings, work: Callable[[Pool], Coroutine[Any, Any, None]]) -> None:
    async def done() -> None:
        async with reading(settings) as pool:
            await work(pool)

    asyncio.run(done())


def _password(ask: bool) -> str:
    from services.console.passwords import new_password

    if not ask:
        return new_password()
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("password: ")
    if getpass.getpass("again: ") != first:
        raise ArreioError("the two are not the same", "try again")
    return first


def _show(name: str, role: Role | None, password: str | None, as_json: bool) -> None:
    if as_json:
        say_json({"name": name, **({"role": role} if role else {}), **({"password": password} if password else {})})
        return
    say(f"{name} may sign in{f' as {role}' if role else ''}")
    if password is not None:
        say(f"password {password}")
        say("It is shown this once.")
