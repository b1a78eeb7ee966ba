"""Finds out, for one run of a task, how names, packages and claims stand. What it finds are facts."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from arreio_contracts.events import ClaimChecked, PackagesChecked, ToolCall, ToolFinished
from arreio_contracts.grounding import SOME_INDEX, FileNames, NameVerdict
from arreio_contracts.task import CommandCriterion, TestsCriterion

from shared.named_files import named_files
from shared.settings import Settings
from shared.store.connection import Pool
from shared.workspace import sha256

from .. import nudges
from ..log import TaskLog
from ..models.written_calls import without_marks
from ..rules import claimed_acts, consent, no_answer
from ..rules.claimed_acts import claimed
from ..rules.grounding import RULE
from ..rules.grounding.claimed_counts import counts, uncounted
from ..rules.grounding.claimed_deeds import undone
from ..rules.grounding.claimed_figures import unmeasured
from ..rules.grounding.claimed_outcomes import outcomes
from ..rules.grounding.claimed_services import unserved
from ..rules.grounding.claimed_tries import untried
from ..rules.grounding.claims import Observed, named, ungrounded, unobserved
from ..rules.grounding.shown_outcomes import unshown
from ..rules.no_answer import says_nothing
from ..rules.reconciler import reconcile
from ..state import LoopState
from ..steps import RunTool
from .checking import NameChecker, checked
from .deciding import open_question
from .listed_packages import installed
from .observed import Observations, paths_of, source
from .package_index import ClientIndex, Nowhere, PackageIndex, RememberedIndex, package_verdicts

_MOST_MISSING: Final = 20
"""Names of one file that the model is told of."""


@cache
def users_index(forbidden: tuple[str, ...]) -> PackageIndex:
    """The registries of the user's own clients, with what they answered to this process."""
    return RememberedIndex(ClientIndex(forbidden))


class Grounder:
    """Looks at the workspace and, where that is allowed, asks registries."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self._settings = settings
        self._observations = Observations(pool)

    async def missing_before(self, step: RunTool, state: LoopState) -> tuple[str, ...]:
        """The names of a file that stand for nothing before the task writes it for the first time."""
        effect = step.started.observed
        if (
            effect is None
            or effect.before is None
            or not checked(effect.path)
            or effect.path in state.grounding.touched
        ):
            return ()
        code = await asyncio.to_thread(source, _workspace(state), effect.path)
        if code is None or sha256(code.encode()) != effect.before:
            return ()
        return tuple(each.name for each in await self._missing(effect.path, code, state))

    async def warned(self, finished: ToolFinished, before: tuple[str, ...], state: LoopState) -> ToolFinished:
        """The result of a write with a warning of what the file names in vain, as far as the task is to blame."""
        for path in finished.changed:
            code = await asyncio.to_thread(source, _workspace(state), path) if checked(path) else None
            if code is None:
                continue
            known = state.grounding.touched.get(path, frozenset(before))
            missing = [each for each in await self._missing(path, code, state) if each.name not in known]
            names = FileNames(rule=RULE, path=path, missing=tuple(missing[:_MOST_MISSING]), before=before)
            told = f"{finished.text}\n{nudges.names_warning(names, _language(state))}" if missing else finished.text
            return finished.model_copy(update={"names": names, "text": told})
        return finished

    async def check_packages(self, call: ToolCall, state: LoopState) -> PackagesChecked:
        """How the packages of an install stand, and what a person who was asked meant."""
        assert call.installs is not None
        packages = await asyncio.to_thread(installed, _workspace(state), call.installs)
        if state.created is None or not state.created.contract.network:
            # A command that may not use the network must not have the harness ask an address of its choice.
            packages = [each.model_copy(update={"index": SOME_INDEX}) if each.index else each for each in packages]
        found = await package_verdicts(self._index(state), list(dict.fromkeys(packages)))
        asked, answer = open_question(state), state.grounding.answer
        yes = answer is not None and consent.given(answer)
        return PackagesChecked(
            call_id=call.id,
            packages=tuple(found.values()),
            allowed=asked if yes else (),
            declined=() if yes else asked,
            rule=f"{RULE} {consent.RULE}",
        )

    async def check_claim(self, reply: str, log: TaskLog) -> ClaimChecked:
        """What stands against a claim: names in the task's files, and what its text names unseen."""
        state = log.state
        said = _words(without_marks(reply))
        if state.profile is None or state.profile.workspace is None:
            return said
        files = [each async for each in self._files(state)]
        statements = named(reply)
        known = Observed(paths_of(log), [state.created.goal if state.created else ""])
        unseen: tuple[str, ...] = ()
        if any(unobserved(statements, known)) or outcomes(reply) or any(_to_be_shown(reply)):
            observed = await self._observations.of(log)
            unseen = (
                *ungrounded(statements, observed),
                *unshown(reply, observed.ran),
                *undone(reply, observed.ran, changed=observed.changed),
                *unserved(reply, observed.ran, observed.told, changed=observed.changed),
                *untried(reply, observed.ran),
                *unmeasured(reply, observed.told),
                *uncounted(reply, observed.ran, observed.told),
            )
        return said.model_copy(update={"missing": tuple(files), "ungrounded": unseen})

    async def _files(self, state: LoopState) -> AsyncIterator[FileNames]:
        for path, before in state.grounding.touched.items():
            code = await asyncio.to_thread(source, _workspace(state), path) if checked(path) else None
            if code is not None:
                missing = [each for each in await self._missing(path, code, state) if each.name not in before]
                if missing:
                    yield FileNames(rule=RULE, path=path, missing=tuple(missing[:_MOST_MISSING]))

    async def _missing(self, path: str, code: str, state: LoopState) -> list[NameVerdict]:
        checker = NameChecker(_workspace(state), self._index(state), list(_commands(state)), _announced(state))
        return [each for each in await checker.check(path, code) if each.verdict == "MISSING"]

    def _index(self, state: LoopState) -> PackageIndex:
        """What is asked about names that nothing here knows; a task's own network is another matter."""
        return users_index(self._forbidden(state)) if self._settings.registries else Nowhere()

    def _forbidden(self, state: LoopState) -> tuple[str, ...]:
        return (str(_workspace(state)), str(self._settings.data_dir))


def _to_be_shown(reply: str) -> Iterator[str]:
    """What a claim's text tells that only a look at everything that was done can show."""
    yield from undone(reply, (), changed=False)
    yield from unserved(reply, (), changed=False)
    yield from untried(reply, ())
    yield from unmeasured(reply, ())
    yield from (said for said, *_ in counts(reply))


def _words(reply: str) -> ClaimChecked:
    """What the words of a claim tell by themselves."""
    promise, acts = reconcile(reply), claimed(reply)
    promised = reply[slice(*(promise.span or (0, 200)))] if promise.label == "PROMISE" else ""
    return ClaimChecked(
        answers=not says_nothing(reply),
        promised=promised,
        done=acts.done,
        settled=acts.settled,
        rule=f"{RULE} {no_answer.RULE} {promise.rule} {claimed_acts.RULE}",
    )


def _workspace(state: LoopState) -> Path:
    assert state.profile is not None and state.profile.workspace is not None
    return Path(state.profile.workspace)


def _language(state: LoopState) -> str:
    return state.profile.language if state.profile else "en"


def _commands(state: LoopState) -> Iterator[str]:
    for criterion in state.profile.criteria if state.profile else ():
        if isinstance(criterion, CommandCriterion | TestsCriterion):
            yield criterion.run


def _announced(state: LoopState) -> Iterator[str]:
    """Top-level names of Python files that the goal speaks of: they are the project's, written or not."""
    goal = state.created.goal if state.created else ""
    for path in named_files(goal, ".py"):
        parts = path.removesuffix(".py").strip("./").split("/")
        yield parts[0]
        yield parts[-1]
