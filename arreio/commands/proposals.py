"""`arreio proposals list|show|approve|reject|rollback`: what learning proposes, and a person's word on it."""

from __future__ import annotations

import asyncio
import getpass
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

import typer
from arreio_contracts import subjects
from arreio_contracts.events import LearntKind
from arreio_contracts.messages import DecideProposal, ProposalDecided

from arreio.asking import ask
from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from arreio.terminal import visible_line
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from arreio.learnt_changes import Change

Row = dict[str, Any]
Act = Literal["approve", "reject", "rollback"]

STATES: Final = ("proposed", "approved", "rejected", "rolled_back", "superseded", "demoted", "expired")
KINDS: Final = get_args(LearntKind)

IdArgument = Annotated[
    str, typer.Argument(metavar="ID", help="A proposal's id, the beginning of it, or the name of what was approved.")
]
ByOption = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides; the user, if not given.")]
WhyOption = Annotated[str, typer.Option("--why", metavar="TEXT", help="Kept with the decision.")]

app = typer.Typer(no_args_is_help=True, help="What learning proposes: list, show, approve, reject, rollback.")


@app.command("list")
def list_(
    state: Annotated[str | None, typer.Option("--state", help="Only these: proposed, approved, rejected …")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="Only these: skill, rule, persona, taste.")] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """List proposals: how each stands, which task it came from, and how the tasks went that had it."""
    _known("--state", state, STATES)
    _known("--kind", kind, KINDS)
    rows = asyncio.run(_rows(load_settings(data_dir)))
    rows = [row for row in rows if state in (None, row["state"]) and kind in (None, row["kind"])]
    for row in rows:
        if as_json:
            say_json({key: value for key, value in row.items() if key != "body"})
            continue
        tainted = "  TAINTED" if row["tainted"] else ""
        say(f"{row['proposal_id']}  {row['kind']:<7} {row['state']:<11}{tainted} {row['title']}")
        say(f"    {_figures(row)}")
    if not rows and not as_json:
        say("there are no proposals" + (" of that kind" if state or kind else "; tasks that end make them"))


@app.command()
def show(ident: IdArgument, as_json: JsonOption = False, data_dir: DataDirOption = None) -> None:
    """Show one proposal: its text or diff, the events that it rests on, and what became of it."""
    row, details = asyncio.run(_details(load_settings(data_dir), ident))
    body = row.pop("body")
    if as_json:
        keys = ("text", "target", "preconditions", "taint", "updates", "similarity", "rule", "expires_days")
        say_json({**row, **{key: body.get(key) for key in keys}, **details})
        return
    say(f"{row['proposal_id']}  {row['kind']}  {row['state']}  {row['name']}" + _at(row["version"]))
    say(f"{row['title']}\n{_figures(row)}")
    if body.get("updates"):
        say(f"a newer wording of {body['updates']}")
    say("\n" + (details["diff"] or body["text"]).rstrip() + "\n")
    for name, wanted in (body.get("preconditions") or {}).items():
        if wanted:
            say(f"only where {name}: {wanted if isinstance(wanted, str) else ', '.join(wanted)}")
    if row["kind"] in ("rule", "skill"):
        say(f"in force for {body.get('expires_days') or 30} days once approved, longer where it proves itself")
    for one in body.get("taint") or ():
        say(f"TAINTED ({one['source']}, event {one['event_id']}): {one['excerpt']}")
    say("rests on:")
    for one in details["provenance"]:
        who = f"  said by {one['sender']} on {one['channel']}" if one.get("sender") else ""
        say(visible_line(f"  {one['session_id']}:{one['seq']} {one['type']}{who}"))
    say("history (arreio events show learning_proposals):")
    for one in details["history"]:
        who = f" by {one['by']}" if one.get("by") else ""
        say(f"  {one['seq']:>5} {one['at'][:19]} {one['type']}{who}{': ' + one['why'] if one.get('why') else ''}")


@app.command()
def approve(
    ident: IdArgument,
    tainted: Annotated[
        bool,
        typer.Option(
            "--tainted", help="Its text came from a tool or a web page, or had a secret in it, and I have read it."
        ),
    ] = False,
    here_only: Annotated[bool, typer.Option("--here-only", help="For the workspace that it was learnt in.")] = False,
    by: ByOption = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Put a proposal into force as a version: from the next prompt on, rules and skills are told to tasks."""
    _decide(load_settings(data_dir), ident, "approve", by, as_json, tainted=tainted, here_only=here_only)


@app.command()
def reject(
    ident: IdArgument,
    why: WhyOption = "",
    by: ByOption = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Say no to a proposal; the same is not proposed again."""
    _decide(load_settings(data_dir), ident, "reject", by, as_json, why=why)


@app.command()
def rollback(
    ident: IdArgument,
    why: WhyOption = "",
    by: ByOption = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Take what was approved out of force; the version before it is in force again, if there is one."""
    _decide(load_settings(data_dir), ident, "rollback", by, as_json, why=why)


def _decide(settings: Settings, ident: str, act: Act, by: str | None, as_json: bool, **fields: Any) -> None:
    from arreio.learnt_changes import apply

    row, change = asyncio.run(_prepared(settings, ident, act))
    if act == "approve" and row["state"] == "approved" and change is not None and change.diff:
        apply(settings, change)  # it was approved, and the command ended before the change was in place
        decided = ProposalDecided(**{key: row[key] for key in ("proposal_id", "kind", "state", "name", "version")})
    else:
        wanted = DecideProposal(
            act=act,
            proposal_id=row["proposal_id"],
            by=by or _user(),
            diff=change.diff if change is not None else "",
            **fields,
        )
        decided = asyncio.run(ask(settings, subjects.RPC_PROPOSALS, wanted, ProposalDecided))
        if change is not None and act != "reject":
            apply(settings, change)
    if as_json:
        say_json(decided.model_dump() | ({"changed": change.where} if change is not None else {}))
        return
    say(_outcome(decided, change if act != "reject" else None))


def _outcome(decided: ProposalDecided, change: Change | None) -> str:
    what = f"{decided.kind} {decided.name}"
    if change is not None:
        return f"{decided.state}: {change.where} {'is changed' if change.diff else 'needs no change'}"
    if decided.state == "approved":
        return f"approved: {what}@{decided.version} is in force"
    if decided.state == "rolled_back":
        left = (
            f"{what}@{decided.in_force} is in force again" if decided.in_force else "nothing of that name is in force"
        )
        return f"rolled back: {what}@{decided.version}; {left}"
    return f"{decided.state}: {what}"


async def _prepared(settings: Settings, ident: str, act: Act) -> tuple[Row, Change | None]:
    from arreio.learnt_changes import change_of
    from arreio.learnt_reading import proposals

    async with reading(settings) as pool:
        row = meant_by(await proposals(pool), ident, "approved" if act == "rollback" else "proposed")
        return row, await change_of(pool, settings, row["body"], back=act == "rollback") if act != "reject" else None


async def _rows(settings: Settings) -> list[Row]:
    from arreio.learnt_reading import proposals

    async with reading(settings) as pool:
        return await proposals(pool)


async def _details(settings: Settings, ident: str) -> tuple[Row, dict[str, Any]]:
    from arreio.learnt_changes import change_of
    from arreio.learnt_reading import history, proposals, provenance

    async with reading(settings) as pool:
        row = meant_by(await proposals(pool), ident, "approved")
        body = row["body"]
        pending = row["state"] == "proposed"
        change = await change_of(pool, settings, body) if pending else None
        return row, {
            "diff": change.diff if change is not None else body.get("diff") or None,
            "provenance": await provenance(pool, body),
            "history": await history(pool, row),
        }


def _known(option: str, value: str | None, values: tuple[str, ...]) -> None:
    if value is not None and value not in values:
        raise ArreioError(f"{option} {value!r} is none that there is", f"there is {', '.join(values)}")


def meant_by(rows: list[Row], ident: str, preferred: str) -> Row:
    """The proposal that an id, the beginning of one, or a name means; of one name the one in the preferred state."""
    exact = [row for row in rows if row["proposal_id"] == ident]
    named = [row for row in rows if row["name"] == ident]
    begun = [row for row in rows if len(ident) > 2 and row["proposal_id"].startswith(ident)]
    if not exact and named:
        meant = [row for row in named if row["state"] == preferred] or named[-1:]
        if len(meant) > 1:
            ids = ", ".join(row["proposal_id"] for row in meant)
            raise ArreioError(f"{len(meant)} proposals are called {ident}: {ids}", "name the one by its id")
        return meant[0]
    found = exact or begun
    if len(found) == 1:
        return found[0]
    if found:
        raise ArreioError(f"{ident} begins {len(found)} ids", "give more of it; see 'arreio proposals list'")
    raise ArreioError(f"there is no proposal {ident!r}", "see 'arreio proposals list'")


def _figures(row: Row) -> str:
    others = f" and {len(row['tasks']) - 1} more" if len(row["tasks"]) > 1 else ""
    parts = [f"from {row['task_id']}{others}"]
    if row["with"] is not None:
        until = f" until {row['expires_at'][:10]}" if row["expires_at"] else ""
        parts += [
            f"{row['name']}@{row['version']} {row['standing']}{until}",
            f"{row['with']['succeeded']} of {row['with']['of']} tasks with it succeeded, "
            f"{row['without']['succeeded']} of {row['without']['of']} without",
        ]
    if row["decided_by"]:
        parts.append(f"decided by {row['decided_by']} {row['decided_at'][:10]}")
    return "; ".join(parts)


def _at(version: int | None) -> str:
    return "" if version is None else f"@{version}"


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # the user has no name here, as in some containers
        return "operator"
