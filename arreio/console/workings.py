"""Replay, copies, prompts, files and proposals for the console, as the command line has them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from arreio_contracts import subjects
from arreio_contracts.messages import DecideProposal, InstructionsKept, ProposalDecided

from arreio.console.aside import Aside
from arreio.console.folds import Folds
from arreio.forking import fork_session
from arreio.kept_workspace import NoWorkspace, kept_workspace
from arreio.learnt_changes import Change, carry_out, change_of
from arreio.learnt_reading import history, proposals, provenance
from arreio.recorded_prompt import prompt_or_why_not
from arreio.replaying import replay_stored
from arreio.state_view import state_row
from services.console.workings import Asker, Decision, FilesChanged, Forked, Told, Verified
from shared.bus.broker import Broker
from shared.bus.rpc import RpcError, call
from shared.errors import ArreioError
from shared.settings import Settings
from shared.store.connection import Pool, open_pool


class HouseWorkings:
    """The console's `Workings` on a data directory, in the console's own name."""

    def __init__(self, settings: Settings, broker: Broker, pool: Pool) -> None:
        self._settings = settings
        self._broker = broker
        self._pool = pool
        # Reading and folding a session takes the longer the longer it is: that is done beside the console's own loop.
        # What people look at and what they have done go apart, so that neither waits for the other.
        self._looks, self._acts, self._folds = Aside(self._opening), Aside(self._opening), Folds()

    def _opening(self) -> AbstractAsyncContextManager[Pool]:
        return open_pool(self._settings.database_dsn("console"), name="console-aside", size=2)

    def end(self) -> None:
        self._looks.end()
        self._acts.end()

    async def states(self, session_id: str, at: int, asker: Asker) -> Sequence[dict[str, Any]]:
        found = await self._looks.run(lambda pool: self._folds.states_at(pool, session_id, at), asker)
        return [state_row(state) for state in found.values()]

    async def prompt(self, session_id: str, at: int, asker: Asker) -> dict[str, Any]:
        return await self._looks.run(lambda pool: prompt_or_why_not(pool, session_id, at), asker)

    async def diff(self, task_id: str, begin: int | None, end: int | None, asker: Asker) -> FilesChanged:
        return await self._looks.run(lambda pool: _diff(pool, self._settings.data_dir, task_id, begin, end), asker)

    async def verify(self, session_id: str, asker: Asker) -> Verified:
        _, found = await self._acts.run(lambda pool: replay_stored(pool, session_id), asker)
        return Verified(found.events, found.decisions, None if found.problem is None else vars(found.problem))

    async def fork(self, session_id: str, at: int, asker: Asker) -> Forked:
        forked = await self._acts.run(lambda pool: fork_session(pool, self._settings.data_dir, session_id, at), asker)
        made = forked.copy
        return Forked(made.session_id, len(made.events), tuple(task.task_id for task in made.parked))

    async def proposals(self) -> Sequence[dict[str, Any]]:
        return (await proposals(self._pool))[::-1]

    async def proposal(self, proposal_id: str) -> dict[str, Any]:
        row = await self._row(proposal_id)
        change = await self._change(row, back=False) if row["state"] == "proposed" else None
        return {
            **row,
            "diff": change.diff if change is not None else row["body"].get("diff") or "",
            "seen": change.digest if change is not None else "",
            "provenance": await provenance(self._pool, row["body"]),
            "history": await history(self._pool, row),
        }

    async def decide(self, proposal_id: str, decision: Decision, told: Told) -> str:
        row = await self._row(proposal_id)
        change = await self._change(row, back=decision == "rollback") if decision != "reject" else None
        if decision == "approve" and change is not None and row["state"] == "proposed" and change.digest != told.seen:
            raise ArreioError("what it would change is another change by now", "look at it again, then decide")
        if decision == "approve" and row["state"] == "approved" and change is not None and change.diff:
            await self._carry_out(change)  # it was approved, and what it changes is not in place
            return f"approved: {change.where} is changed"
        wanted = DecideProposal(
            act=decision,
            proposal_id=proposal_id,
            by=told.by,
            why=told.why,
            tainted=told.tainted,
            here_only=told.here_only,
            diff=change.diff if change is not None else "",
        )
        decided = await self._asked(wanted)
        if change is not None:
            await self._carry_out(change)
        return f"{decided.state}: {decided.kind} {decided.name}"

    async def _row(self, proposal_id: str) -> dict[str, Any]:
        for row in await proposals(self._pool):
            if row["proposal_id"] == proposal_id:
                return row
        raise ArreioError(f"there is no proposal {proposal_id}", "see the list of proposals")

    async def _change(self, row: dict[str, Any], *, back: bool) -> Change | None:
        return await change_of(self._pool, self._settings, row["body"], back=back)

    async def _asked(self, wanted: DecideProposal) -> ProposalDecided:
        try:
            return await call(self._broker.client, subjects.RPC_PROPOSALS, wanted, ProposalDecided, timeout=10)
        except RpcError as error:
            raise ArreioError(error.message.partition(": ")[2], "look at it again, then decide") from error

    async def _carry_out(self, change: Change) -> None:
        wanted = carry_out(change)
        if wanted is not None:
            await call(self._broker.client, subjects.RPC_INSTRUCTIONS, wanted, InstructionsKept, timeout=10)


async def _diff(pool: Pool, data_dir: Path, task_id: str, begin: int | None, end: int | None) -> FilesChanged:
    try:
        kept = await kept_workspace(pool, data_dir, task_id)
    except NoWorkspace as error:
        return FilesChanged("", 1, 1, 1, 1, "", error.message)
    last = kept.events[-1].seq
    first = kept.start
    since = max(first, min(begin or first, last))
    until = max(since, min(end or last, last))
    patch = problem = ""
    try:
        patch = kept.snapshots.patch(kept.tree(since), kept.tree(until))
    except ArreioError as error:
        problem = error.line()
    return FilesChanged(str(kept.workspace), first, last, since, until, patch, problem)
