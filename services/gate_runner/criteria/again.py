"""Judges a criterion that holds once more, with what judges it as the task found it."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import CommandCriterion, TestsCriterion

from shared.canonical import sha256_hex
from shared.workspace.changes import Change
from shared.workspace.snapshots import SnapshotError

from ..cheating import MARK, names_in
from ..commands import CommandsUnavailable, Ran
from ..judging_twice import (
    FAILED,
    Former,
    Which,
    all_former,
    asked_for,
    fewer,
    former,
    may_narrow,
    moves_of,
    newly_skipped,
    sayings,
)
from ..reports import Report
from ..runners import signed_of
from .base import Bench, content_of, excerpt, failed, not_run
from .code_findings import checkers_asked_for, code_findings, modules_hidden, wants_agreement
from .doctests import opened_doctests
from .endings import agreeing, ended_early, hidden_failure, watched_ends
from .examples_run import examples_not_run
from .judging import which_of
from .overwriting import overwritten
from .sources import judging

MOST_NAMED: Final = 4
"""Paths that a line names."""
_ASKS_BY_NAME: Final = re.compile(r"fixture '\w+' not found|ModuleNotFoundError|Cannot find module")
_NOT_THERE: Final = re.compile(
    r"Start directory is not importable|Could not find '|no test target named|No tests? found"
    r"|file or directory not found"
)
"""How runners say that what they were to run is not there."""

_SETS_ASIDE: Final = re.compile(
    r"\b(?:skip(?:ped)?|disable|ignore|deselect|exclude|leave out|only (?:run|collect)|pul(?:e|ar|ad[oa]s?)|desative"
    r"|desativar|ignorar|exclua|excluir|deixe de fora|rode (?:só|apenas))\b",
    re.IGNORECASE,
)
"""A goal that has tests set aside: of the files that it opens fewer may run."""

logger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict with what it was made of: the run, and what its tests' runner reported."""

    result: CriterionResult
    ran: Ran
    report: Report | None = None


Run = Callable[[Former | None], Awaitable[Judged]]
"""Judges by one run of the command, over files put back as they were."""


async def judged_twice(
    first: Judged, criterion: CommandCriterion | TestsCriterion, bench: Bench, run: Run, *, tests: bool = True
) -> CriterionResult:
    """The verdict on a criterion that held once, by a run with what judges it as it was when the task began.

    Nothing is run where nothing that judges was changed and no test was skipped; where there is no overlay, the first
    verdict stands and says so.
    """
    try:
        return await _Twice(first, criterion, bench, run, tests).verdict()
    except CommandsUnavailable:
        return _noted(first.result, sayings(bench.language).no_overlay)
    except SnapshotError as error:
        logger.warning("gate.not_judged_twice", error=str(error))
        return first.result


@dataclass(slots=True)
class _Twice:
    first: Judged
    criterion: CommandCriterion | TestsCriterion
    bench: Bench
    run: Run
    tests: bool

    async def verdict(self) -> CriterionResult:
        bench, words = self.bench, sayings(self.bench.language)
        if bench.changes is None:
            return self.first.result
        changes = await asyncio.to_thread(bench.changes)
        if self.tests and (skipping := self._skipping(changes)):
            return failed(self.criterion, words.expected, words.skips.format(paths=skipping))
        if self.tests and (turned := await asyncio.to_thread(self._turned, changes)):
            return failed(self.criterion, words.expected_of_code, turned)
        for look in (modules_hidden, checkers_asked_for):
            if found := await asyncio.to_thread(look, bench, self.criterion.run, changes):
                said = "\n".join(finding.said(bench.language) for finding in found[:MOST_NAMED])
                return failed(self.criterion, words.expected_of_code, said)
        if (watched := await self._watched(changes)) is not None:
            return watched
        if hidden := await self._not_run(changes):
            return failed(self.criterion, words.expected_examples, hidden)
        if written := await self._overwritten(changes):
            return failed(self.criterion, words.expected_read, words.overwritten.format(paths=_listed(written)))
        if bench.allow_test_changes:
            return self.first.result
        which = await asyncio.to_thread(judging, bench, self.criterion.run, changes, tests=self.tests)
        old = await asyncio.to_thread(
            former,
            changes,
            which,
            bench.contents,
            lambda path: content_of(bench.workspace, path),
            bench.renamed,
            moves_of(changes, bench.goal),
            bench.opened,
        )
        if not old and not self.tests:
            return self.first.result
        asked = [one.path for one in changes if _is_asked(one, which, bench.opened)]
        asked += [one for one in opened_doctests(bench, self.criterion.run, changes) if one not in asked]
        narrowed = any(may_narrow(one) for one in changes if one.path in asked and one.kind != "deleted")
        if not old and not narrowed and not (self.first.report is not None and self.first.report.counts.skipped):
            said = words.asked.format(paths=_listed(asked)) if asked else words.once
            return _noted(self.first.result, said)
        last = self.first
        if old:
            last = await self._with(old)
            if last.result.verdict != "PASS":
                return await self._not_passed(last, old, changes)
        if (fewer := await self._against_the_start(last, changes)) is not None:
            return fewer
        return _noted(self.first.result, words.asked.format(paths=_listed(asked))) if asked else self.first.result

    async def _with(self, old: Former) -> Judged:
        """By the files as they were; new ones that give tests what they ask for by name stay, as do grown conftests."""
        last = await self.run(old)
        helping = [*asked_for(old.gone), *(one.path for one in old.put if one.path.rpartition("/")[2] == "conftest.py")]
        asking = last.result.verdict != "PASS" and _ASKS_BY_NAME.search(_said(last)) is not None
        return await self.run(old.but(helping)) if asking and helping else last

    async def _not_passed(self, last: Judged, old: Former, changes: Sequence[Change]) -> CriterionResult:
        words = sayings(self.bench.language)
        if last.ran.result.exit_status == FAILED:
            said = words.not_put_back.format(output=excerpt(last.ran.result.output, 300))
            return not_run(self.criterion, said, expected=words.expected)
        if last.result.environment:
            return last.result
        if last.ran.elsewhere and (await self.run(Former())).result.verdict != "PASS":
            # It holds in its own place alone, so that a copy tells nothing.
            return _noted(self.first.result, words.no_overlay)
        if _found_nothing(last) and await self._found_nothing_at_first(changes):
            return self.first.result
        paths = [*dict.fromkeys([*(one.path for one in old.put), *old.gone])]
        named = _listed(paths)
        said = words.failed if self.criterion.kind == "tests" else words.check_failed
        result = failed(self.criterion, words.expected, said.format(seen=last.result.seen, paths=named))
        return result.model_copy(update={"blob": last.result.blob, "counts": last.result.counts})

    async def _found_nothing_at_first(self, changes: Sequence[Change]) -> bool:
        """Whether the command had nothing to judge when the task began: what it wants was for the task to make."""
        return _found_nothing(await self.run(self._everything(changes)))

    async def _against_the_start(self, last: Judged, changes: Sequence[Change]) -> CriterionResult | None:
        """What is wrong where fewer tests come to a verdict now than did when the task began; None where nothing."""
        if last.report is None or not (last.report.counts.skipped or any(map(may_narrow, changes))):
            return None
        began = await self._began(changes)
        if began is None or not fewer(began, last.report) or await self._varied(began, changes):
            return None
        words = sayings(self.bench.language)
        skipped = last.report.counts.skipped - began.counts.skipped
        if skipped > 0:
            names = ", ".join(newly_skipped(began, last.report)) or "…"
            said = words.skipped.format(count=skipped, ran=began.ran, names=names)
        else:
            said = words.fewer.format(began=began.ran, now=last.report.ran)
        return failed(self.criterion, words.expected, said)

    def _everything(self, changes: Sequence[Change]) -> Former:
        """All as it was, but for what the goal asks to set aside: the tests that it opens by their names."""
        bench = self.bench
        former = all_former(changes, bench.contents, lambda path: content_of(bench.workspace, path), bench.opened)
        return former.but(bench.opened) if _SETS_ASIDE.search(bench.goal) else former

    async def _began(self, changes: Sequence[Change]) -> Report | None:
        """What the tests said when the task began, by a run over everything as it was; one such run a process."""
        former = await asyncio.to_thread(self._everything, changes)
        named = [one for one in former.put if names_in(self.bench.opened, one.path) or one.path in self.bench.opened]
        kept = [path for path in self.bench.opened if not any(one.path == path for one in former.put)]
        what = sha256_hex(repr((named, sorted(kept))).encode()) if self.bench.opened else ""
        known, key = self.bench.at_the_start, f"{self.criterion.run}{what}"
        if key not in known:
            known[key] = (await self.run(former)).report
        return known[key]

    async def _varied(self, began: Report, changes: Sequence[Change]) -> bool:
        """Whether the same tests skip themselves now and then: a second run of what was there says otherwise."""
        again = (await self.run(self._everything(changes))).report
        return again is None or (again.ran, {*again.skipped}) != (began.ran, {*began.skipped})

    def _turned(self, changes: Sequence[Change]) -> str:
        """What of the code that was changed turns its judges, or asks whether it runs under tests, a line each."""
        signed = signed_of(self.first.ran.found)
        seen = signed.agreeing if signed is not None else ()
        found = code_findings(self.bench, self.criterion.run, changes, seen)
        return "\n".join(finding.said(self.bench.language) for finding in found[:MOST_NAMED])

    async def _watched(self, changes: Sequence[Change]) -> CriterionResult | None:
        """What is wrong where code that was changed ends the workspace's own checkers early, or equals everything."""
        bench, words = self.bench, sayings(self.bench.language)
        which = which_of(bench, self.criterion.run)
        watched = await asyncio.to_thread(watched_ends, bench, self.criterion.run, changes, which)
        if watched is None:
            return None
        put, tell = watched
        output = (await bench.commands.run(self.criterion.run, tell=tell, former=put)).result.output
        if ended := ended_early(output):
            return failed(self.criterion, words.expected_end, words.ended.format(place=ended))
        if hidden := hidden_failure(output):
            return failed(self.criterion, words.expected_end, words.hidden.format(what=hidden))
        found = [] if wants_agreement(bench.goal) else agreeing(output)[:MOST_NAMED]
        if not found:
            return None
        return failed(self.criterion, words.expected_of_code, "\n".join(one.said(bench.language) for one in found))

    async def _overwritten(self, changes: Sequence[Change]) -> list[str]:
        """The files that the checks compare with and that the run wrote, which it did not do when the task began."""
        which = which_of(self.bench, self.criterion.run)
        told = await asyncio.to_thread(overwritten, self.bench, self.criterion.run, self.first.ran, changes)
        told = [path for path in told if not which.opened(path) and path not in which.artefacts]
        if not told:
            return []
        began = await self.run(self._everything(changes))
        before = {one.path for one in began.ran.written}
        return [path for path in told if path not in before]

    async def _not_run(self, changes: Sequence[Change]) -> str:
        """The examples that are run as tests, are there still and run no more, a line each."""
        if self.bench.allow_test_changes:
            return ""
        found = await examples_not_run(self.bench, self.criterion.run, changes, self._everything(changes))
        return "\n".join(one.said(self.bench.language) for one in found[:MOST_NAMED])

    def _skipping(self, changes: Sequence[Change]) -> str:
        """The files under test that were changed and skip tests themselves."""
        which, report = which_of(self.bench, self.criterion.run), self.first.report
        if report is None or not report.skippers:
            return ""
        place = self.bench.workspace.resolve()
        changed = [one.path for one in changes if not which.put_back(one.path) and not which.opened(one.path)]
        return ", ".join([path for path in changed if str(place / path) in report.skippers][:MOST_NAMED])


def _is_asked(change: Change, which: Which, opened: Collection[str]) -> bool:
    """Whether a file that judged was changed as the goal asks."""
    said = change.path in opened or any(one.startswith(f"{change.path}{MARK}") for one in opened)
    return (
        change.before is not None
        and (said or replace(which, opened=lambda _: False).put_back(change.path))
        and (said or which.opened(change.path))
    )


def _listed(paths: Sequence[str]) -> str:
    more = len(paths) - MOST_NAMED
    return ", ".join(paths[:MOST_NAMED]) + (f" (+{more})" if more > 0 else "")


def _said(judged: Judged) -> str:
    return f"{judged.ran.result.output}\n{judged.result.seen}"


def _found_nothing(judged: Judged) -> bool:
    """Whether a runner of tests found none where it was told to look."""
    nothing = judged.result.verdict == "NOT_RUN" and not judged.result.environment
    return nothing or (judged.result.verdict != "PASS" and _NOT_THERE.search(_said(judged)) is not None)


def _noted(result: CriterionResult, note: str) -> CriterionResult:
    return result.model_copy(update={"seen": f"{result.seen}; {note}" if result.seen else note})
