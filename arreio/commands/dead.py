"""`arreio dead list|show|resend|skip`: what the relay parked and what consumers gave up."""

from __future__ import annotations

import asyncio
import base64
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from arreio.terminal import visible, visible_line
from shared.settings import Settings, load_settings

# psycopg takes a fifth of a second to import, which `--help` must not wait for.
if TYPE_CHECKING:
    from shared.outbox.dead_letters import DeadLetterRow

NumberArgument = Annotated[int, typer.Argument(help="Its number in `arreio dead list`.")]
NumbersArgument = Annotated[list[int], typer.Argument(help="Numbers in `arreio dead list`.")]

LONGEST: Final = 300
"""Characters of a subject or a problem in a list; `show` has the whole."""

app = typer.Typer(no_args_is_help=True, help="What was given up: list, show, resend, skip.")


@app.command("list")
def list_(
    everything: Annotated[bool, typer.Option("--all", help="Those that were resent or skipped, too.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000)] = 100,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """List dead letters, the newest first. One of source `outbox` holds its session back until it is decided on."""
    found, more = asyncio.run(_list(load_settings(data_dir), everything, limit))
    if as_json:
        for row in found:
            say_json(_plain(row, more.get(row.id, 0)))
        return
    if not found:
        say("no dead letters")
        return
    for row in found:
        since = row.created_at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        decided = f" ({row.resolution})" if row.resolution else ""
        say(f"{row.id:>5} {since} {row.consumer} {_cut(row.subject)} {row.code}{decided}: {_cut(row.problem)}")
        if row.id in more:
            say(f"      … and {more[row.id]} malformed messages after it, which were counted and not kept")


@app.command()
def show(number: NumberArgument, as_json: JsonOption = False, data_dir: DataDirOption = None) -> None:
    """Show one dead letter with its headers and its body."""
    row, more = asyncio.run(_show(load_settings(data_dir), number))
    if as_json:
        say_json(_plain(row, more))
        return
    for name, value in _plain(row, more).items():
        if value not in (None, "", {}, 0):
            say(f"{name:<12} {visible(str(value))}")


@app.command()
def resend(numbers: NumbersArgument, data_dir: DataDirOption = None) -> None:
    """Have the relay publish them again, under a new message id: once what was wrong is mended."""
    settings = load_settings(data_dir)
    for number in numbers:
        asyncio.run(_decide(settings, number, "resend"))
        say(f"dead letter {number} is sent again")


@app.command()
def skip(numbers: NumbersArgument, data_dir: DataDirOption = None) -> None:
    """Give them up for good. A session that was held back goes on behind the message, which nobody gets."""
    settings = load_settings(data_dir)
    for number in numbers:
        asyncio.run(_decide(settings, number, "skip"))
        say(f"dead letter {number} is skipped")


async def _list(settings: Settings, everything: bool, limit: int) -> tuple[list[DeadLetterRow], dict[int, int]]:
    from shared.outbox.dead_letters import counted_onto, list_dead

    async with reading(settings) as pool:
        found = await list_dead(pool, all=everything, limit=limit)
        return found, await counted_onto(pool, [row.id for row in found])


async def _show(settings: Settings, number: int) -> tuple[DeadLetterRow, int]:
    from shared.outbox.dead_letters import NoSuchDeadLetter, counted_onto, show_dead

    async with reading(settings) as pool:
        row = await show_dead(pool, number)
        if row is None:
            raise NoSuchDeadLetter(number)
        return row, (await counted_onto(pool, [number])).get(number, 0)


async def _decide(settings: Settings, number: int, how: Literal["resend", "skip"]) -> None:
    from shared.outbox import dead_letters

    async with reading(settings) as pool:
        await (dead_letters.resend if how == "resend" else dead_letters.skip)(pool, number)


def _cut(text: str) -> str:
    line = visible_line(text)
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _plain(row: DeadLetterRow, more: int) -> dict[str, Any]:
    """The row for JSON: the body as text where it is text, else in base64 as `body_base64`.

    `not_kept`: the malformed messages after it that were counted and not kept.
    """
    found = asdict(row) | {"not_kept": more}
    body = found.pop("body")
    try:
        found["body"] = body.decode()
    except UnicodeDecodeError:
        found["body_base64"] = base64.b64encode(body).decode()
    for name in ("created_at", "resolved_at"):
        found[name] = found[name] and found[name].isoformat()
    return found
